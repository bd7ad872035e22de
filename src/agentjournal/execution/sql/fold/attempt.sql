-- name: count_attempt
-- Open the next attempt of a task and give its number.
UPDATE {schema}task SET attempts = attempts + 1, open_attempt = attempts + 1
WHERE slug = :slug AND task = :task RETURNING attempts

-- name: insert_attempt
-- Keep an attempt as it was opened.
INSERT INTO {schema}attempt (slug, task, number, fence, id, token_sha256, holder, actor, revision,
  opened_at, closed_seq, end_reason, result)
VALUES (:slug, :task, :number, :fence, :id, :token_sha256, :holder, :actor, :revision,
  :opened_at, NULL, NULL, NULL)

-- name: attempt_by_token
-- Find the attempt that a token belongs to.
SELECT task, number, fence, id, holder, actor, revision, closed_seq, result
FROM {schema}attempt WHERE slug = :slug AND token_sha256 = :token_sha256

-- name: attempt_by_number
-- Read one attempt of a task.
SELECT task, number, fence, id, token_sha256, holder, actor, revision, closed_seq, result
FROM {schema}attempt WHERE slug = :slug AND task = :task AND number = :number

-- name: close_attempt
-- Close an attempt.
UPDATE {schema}attempt SET closed_seq = :seq, end_reason = :end_reason, result = :result
WHERE slug = :slug AND task = :task AND number = :number

-- name: task
-- Read what a task's facts were before the event.
SELECT task, title, is_container, attempts, open_attempt, closes, crashes, contracts_missing,
  fingerprint
FROM {schema}task WHERE slug = :slug AND task = :task

-- name: set_facts
-- Say what a close did to its task.
UPDATE {schema}task SET open_attempt = NULL, closes = :closes, crashes = :crashes,
  contracts_missing = :contracts_missing, last_result = :last_result, last_end = :last_end,
  last_step = :last_step, last_seq = :last_seq, fingerprint = :fingerprint,
  is_same_fingerprint = :is_same_fingerprint, has_new_ruled_out = :has_new_ruled_out,
  has_question_only = :has_question_only, why = :why
WHERE slug = :slug AND task = :task

-- name: retry
-- Give a task a fresh count, whatever was skipped before it; what is ruled out stays.
UPDATE {schema}task SET closes = 0, crashes = 0, contracts_missing = 0, last_result = NULL,
  last_end = NULL, fingerprint = NULL, is_same_fingerprint = 0, has_new_ruled_out = 0,
  has_question_only = 0, is_stale = 0, why = NULL, resolution = NULL, last_seq = :seq,
  retried_seq = :seq
WHERE slug = :slug AND task = :task

-- name: resolve
-- Keep a person's word on a task.
UPDATE {schema}task SET resolution = :resolution, is_stale = 0, why = :why, last_seq = :seq
WHERE slug = :slug AND task = :task
