-- name: steps_after
-- The next steps of a project, in order.
SELECT id, seq, kind, at, task, attempt, actor, revision, action, result, end_reason, is_late,
       handoff
FROM {schema}step
WHERE slug = :slug AND seq > :after_seq AND is_hidden = 0 AND is_quarantined = 0
ORDER BY seq LIMIT :limit

-- name: count_after
-- How many steps follow.
SELECT COUNT(*) AS count FROM {schema}step
WHERE slug = :slug AND seq > :after_seq AND is_hidden = 0 AND is_quarantined = 0

-- name: task_steps_after
-- The next steps of one task, in order.
SELECT id, seq, kind, at, task, attempt, actor, revision, action, result, end_reason, is_late,
       handoff
FROM {schema}step
WHERE slug = :slug AND task = :task AND seq > :after_seq AND is_hidden = 0 AND is_quarantined = 0
ORDER BY seq LIMIT :limit

-- name: task_count_after
-- How many steps of one task follow.
SELECT COUNT(*) AS count FROM {schema}step
WHERE slug = :slug AND task = :task AND seq > :after_seq AND is_hidden = 0 AND is_quarantined = 0

-- name: step_by_id
-- One step.
SELECT id, slug, seq, kind, at, task, attempt, actor, revision, action, result, end_reason, is_late,
       is_quarantined, is_hidden, handoff
FROM {schema}step WHERE id = :id

-- name: step_id
-- Whether there is a step with exactly this id.
SELECT id FROM {schema}step WHERE id = :id

-- name: steps_by_part
-- The steps whose id begins or ends so.
SELECT id FROM {schema}step WHERE id LIKE :first OR id LIKE :last ORDER BY id LIMIT 2

-- name: ruled_out_item
-- Whether a ruled-out option is in force.
SELECT is_in_force FROM {schema}ruled_out WHERE id = :id
