-- name: closed_attempts
-- The last fifty closed attempts of a task, oldest first, with the steps that closed them.
SELECT a.number, a.result, a.end_reason, s.id AS step
FROM {schema}attempt a JOIN {schema}step s ON s.slug = a.slug AND s.seq = a.closed_seq
WHERE a.slug = :slug AND a.task = :task
  AND a.number > (SELECT MAX(number) - 50 FROM {schema}attempt WHERE slug = :slug AND task = :task)
ORDER BY a.number
