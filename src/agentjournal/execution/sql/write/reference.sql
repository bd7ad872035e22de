-- name: step_parent
-- Read where a step hangs.
SELECT slug, parent FROM {schema}step WHERE id = :id

-- name: open_children
-- Name the tasks below a container that nobody has finished, in order.
WITH RECURSIVE below (task) AS (
  SELECT task FROM {schema}task WHERE slug = :slug AND parent = :task
  UNION
  SELECT t.task FROM {schema}task t JOIN below b ON t.parent = b.task WHERE t.slug = :slug
)
SELECT t.task AS task FROM {schema}task t JOIN below b ON b.task = t.task
WHERE t.slug = :slug AND t.is_container = 0 AND t.is_removed = 0 AND t.resolution IS NULL
  AND COALESCE(t.last_result, '') <> 'success'
ORDER BY t.place LIMIT 10

-- name: claimed
-- Find the attempt that a claim opened.
SELECT slug, task, number, fence, token_sha256, revision FROM {schema}attempt WHERE id = :id

-- name: standing
-- Read what changes whenever something happens to a task.
SELECT attempts, open_attempt, last_seq, resolution, is_stale, revision
FROM {schema}task WHERE slug = :slug AND task = :task
