-- name: task_of_token
-- Find whose attempt a token was, by its digest.
SELECT slug, task FROM {schema}attempt WHERE token_sha256 = :token_sha256
