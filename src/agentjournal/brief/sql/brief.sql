-- name: project
-- What the plan is for, and how many lines of the record lie below its floor.
SELECT COALESCE(l.title, p.title) AS title, COALESCE(l.goal, '') AS goal, p.floor
FROM {schema}project p
LEFT JOIN {schema}plan l ON l.slug = p.slug AND l.revision = p.revision
WHERE p.slug = :slug

-- name: task
-- The task as the plan says it, and its attempts.
SELECT title, body, attempts, open_attempt FROM {schema}task
WHERE slug = :slug AND task = :task AND is_removed = 0

-- name: first_return
-- How the task came back for the first time without success.
SELECT attempt, actor, result, end_reason, action, handoff, faults FROM {schema}step
WHERE slug = :slug AND task = :task AND kind = 'close' AND is_hidden = 0 AND is_quarantined = 0
  AND is_late = 0 AND result <> 'success' ORDER BY seq LIMIT 1

-- name: last_return
-- How the task came back last.
SELECT attempt, actor, result, end_reason, action, handoff, faults FROM {schema}step
WHERE slug = :slug AND task = :task AND kind = 'close' AND is_hidden = 0 AND is_quarantined = 0
  AND is_late = 0 ORDER BY seq DESC LIMIT 1
