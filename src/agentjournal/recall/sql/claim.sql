-- name: total
-- Count the claims of the log, up to a bound.
SELECT (SELECT COUNT(*) FROM (SELECT 1 FROM {schema}ruled_out LIMIT :bound) r)
  + (SELECT COUNT(*) FROM (SELECT 1 FROM {schema}decision LIMIT :bound) d) AS held

-- name: holding
-- Count the claims that hold a word, up to a bound.
SELECT COUNT(*) AS held FROM (SELECT 1 FROM {schema}claim_word WHERE word = :word LIMIT :bound) w

-- name: postings
-- Read the newest claims that hold a word: their ids begin with their time.
SELECT claim, weight FROM {schema}claim_word WHERE word = :word ORDER BY claim DESC LIMIT :bound

-- name: ruled_out
-- Read an option that is ruled out and in force.
SELECT id, slug, task, actor, revision, what, why, reopen_if, observed
FROM {schema}ruled_out WHERE id = :id AND is_in_force = 1

-- name: decision
-- Read a decision.
SELECT id, slug, task, actor, revision, point, options, chosen, why
FROM {schema}decision WHERE id = :id
