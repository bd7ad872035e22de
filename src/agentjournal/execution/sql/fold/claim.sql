-- name: insert_ruled_out
-- Keep an option that was rejected.
INSERT INTO {schema}ruled_out (id, slug, seq, position, task, actor, revision, what, why, reopen_if,
  observed, supersedes, is_in_force, superseded_by)
VALUES (:id, :slug, :seq, :position, :task, :actor, :revision, :what, :why, :reopen_if,
  :observed, :supersedes, 1, NULL)

-- name: same_ruled_out
-- Find an item in force that says exactly the same of the same task.
SELECT id FROM {schema}ruled_out
WHERE slug = :slug AND task = :task AND what = :what AND why = :why
  AND COALESCE(reopen_if, '') = COALESCE(:reopen_if, '') AND is_in_force = 1

-- name: supersede
-- Take an item out of force.
UPDATE {schema}ruled_out SET is_in_force = 0, superseded_by = :superseded_by
WHERE id = :id AND slug = :slug AND is_in_force = 1

-- name: ruled_out
-- Read where an item stands.
SELECT id, slug, task, what, is_in_force, superseded_by FROM {schema}ruled_out WHERE id = :id

-- name: ruled_out_before
-- Name the options that were ruled out for a task before its attempt was opened.
SELECT DISTINCT what FROM {schema}ruled_out WHERE slug = :slug AND task = :task AND seq < :fence

-- name: ruled_out_since
-- Name the options that were ruled out for a task since its attempt was opened.
SELECT DISTINCT what FROM {schema}ruled_out WHERE slug = :slug AND task = :task AND seq > :fence

-- name: insert_decision
-- Keep a decision.
INSERT INTO {schema}decision (id, slug, seq, position, task, actor, revision, point, options,
  chosen, why, would_gate)
VALUES (:id, :slug, :seq, :position, :task, :actor, :revision, :point, :options,
  :chosen, :why, :would_gate)

-- name: insert_word
-- Say that a claim holds a word.
INSERT INTO {schema}claim_word (word, claim, slug, weight) VALUES (:word, :claim, :slug, :weight)
