-- name: create
-- One row for each section, and one (place 0) for the fields of each document.
CREATE VIRTUAL TABLE passage USING fts5 (
  words, document UNINDEXED, place UNINDEXED,
  tokenize = "unicode61 remove_diacritics 0 categories 'L* N* M* Co'"
)

-- name: add
-- Keep the words of one passage; repeats are kept, they are weighed.
INSERT INTO passage (words, document, place) VALUES (:words, :document, :place)

-- name: total
-- Count the passages.
SELECT COUNT(*) AS held FROM passage

-- name: holding
-- Count the passages that hold one word.
SELECT COUNT(*) AS held FROM passage WHERE passage MATCH :query

-- name: best
-- Read the passages that hold any of the words, the best first.
SELECT document, place FROM passage WHERE passage MATCH :query
ORDER BY bm25(passage), document, place LIMIT :bound
