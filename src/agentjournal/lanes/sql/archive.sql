-- name: indexed
-- Read how far the index reaches.
SELECT COALESCE(MAX(number), 0) AS number, COALESCE(MAX(last_n), 0) AS last_n
FROM {schema}episode WHERE stream = :stream

-- name: rewrites_after
-- Read which turns went below the floor after some of them.
SELECT seq, act, first_n, last_n FROM {schema}lane_rewrite
WHERE stream = :stream AND last_n > :after_n AND first_n <= last_n
  AND act IN ('consolidate', 'move') ORDER BY seq

-- name: insert_episode
-- Keep an episode.
INSERT INTO {schema}episode (stream, number, first_n, last_n, neutral, neutral_words, verbatim_words)
VALUES (:stream, :number, :first_n, :last_n, :neutral, :neutral_words, :verbatim_words)

-- name: insert_word
-- Say which episodes hold a word; the row may hold earlier ones already.
INSERT INTO {schema}episode_word AS held (stream, word, batch, postings)
VALUES (:stream, :word, :batch, :postings)
ON CONFLICT (stream, word, batch) DO UPDATE SET postings = held.postings || ' ' || excluded.postings

-- name: totals
-- Count the episodes and their words.
SELECT COUNT(*) AS episodes, COALESCE(CAST(SUM(neutral_words) AS {integer}), 0) AS neutral_words,
  COALESCE(CAST(SUM(verbatim_words) AS {integer}), 0) AS verbatim_words
FROM {schema}episode WHERE stream = :stream

-- name: postings
-- Read which episodes hold a word, the newest rows first.
SELECT batch, postings FROM {schema}episode_word
WHERE stream = :stream AND word = :word ORDER BY batch DESC LIMIT :limit

-- name: episode
-- Read one episode.
SELECT number, first_n, last_n, neutral, neutral_words, verbatim_words
FROM {schema}episode WHERE stream = :stream AND number = :number

-- name: without_vectors
-- Read the next episodes that a model has not embedded yet.
SELECT e.number, e.first_n, e.last_n, e.neutral FROM {schema}episode e
LEFT JOIN {schema}episode_vector v
  ON v.stream = e.stream AND v.number = e.number AND v.model = :model
WHERE e.stream = :stream AND v.number IS NULL ORDER BY e.number LIMIT :limit

-- name: insert_vector
-- Keep the vectors of an episode's keys.
INSERT INTO {schema}episode_vector (stream, number, model, neutral, verbatim)
VALUES (:stream, :number, :model, :neutral, :verbatim)

-- name: vectors
-- Read the vectors of every episode.
SELECT number, neutral, verbatim FROM {schema}episode_vector
WHERE stream = :stream AND model = :model ORDER BY number
