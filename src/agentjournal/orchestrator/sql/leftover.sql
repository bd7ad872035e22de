-- name: closed_attempt
-- Whether a claim's attempt is over.
SELECT id FROM {schema}attempt WHERE id = :id AND closed_seq IS NOT NULL
