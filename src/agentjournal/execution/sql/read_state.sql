-- name: open_attempts
-- Who works on what, and how long the lease runs.
SELECT t.task, a.number, a.actor, l.until FROM {schema}task t
JOIN {schema}attempt a ON a.slug = t.slug AND a.task = t.task AND a.number = t.open_attempt
LEFT JOIN {schema}lease l ON l.slug = a.slug AND l.task = a.task AND l.attempt = a.number
WHERE t.slug = :slug AND t.is_removed = 0
ORDER BY t.place, t.task LIMIT :limit

-- name: gate_counts
-- The evidence at gates, counted.
SELECT decision, outcome, COUNT(*) AS count FROM {schema}gate
WHERE slug = :slug GROUP BY decision, outcome ORDER BY decision, outcome

-- name: closing_step
-- Who said why a task is not done.
SELECT actor, revision FROM {schema}step WHERE id = :id AND is_hidden = 0
