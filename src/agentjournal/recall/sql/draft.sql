-- name: project
-- When a project began and when its newest step was recorded.
SELECT p.title, p.revision,
  (SELECT MIN(e.at) FROM {schema}event e WHERE e.stream = :stream) AS began_at,
  (SELECT MAX(s.at) FROM {schema}step s WHERE s.slug = :slug AND s.is_hidden = 0) AS ended_at
FROM {schema}project p WHERE p.slug = :slug

-- name: registered
-- The plan under which work began; where none did, the newest one.
SELECT l.revision, l.title, l.goal, l.body, l.path, l.sha256 FROM {schema}plan l
WHERE l.slug = :slug AND l.revision = COALESCE(
  (SELECT MIN(a.revision) FROM {schema}attempt a WHERE a.slug = :slug),
  (SELECT p.revision FROM {schema}project p WHERE p.slug = :slug))

-- name: tasks
-- What the plan holds and what came of it, in its order.
SELECT task, title, section, verify, last_result, resolution, attempts, COUNT(*) OVER () AS total
FROM {schema}task WHERE slug = :slug AND is_removed = 0 AND is_container = 0
ORDER BY place, task LIMIT :limit

-- name: results
-- How many tasks came back how.
SELECT COALESCE(resolution, last_result, 'not begun') AS word, COUNT(*) AS count FROM {schema}task
WHERE slug = :slug AND is_removed = 0 AND is_container = 0 GROUP BY 1 ORDER BY 1

-- name: closes
-- The newest closed attempts that say in somebody's own words where things stand.
SELECT id, seq, at, task, attempt, actor, revision, action, result, end_reason, handoff,
       COUNT(*) OVER () AS total
FROM {schema}step
WHERE slug = :slug AND is_hidden = 0 AND is_quarantined = 0 AND is_handed_off = 1
ORDER BY seq DESC LIMIT :limit

-- name: decisions
-- The newest decisions.
SELECT id, seq, position, task, actor, revision, point, options, chosen, why,
       COUNT(*) OVER () AS total
FROM {schema}decision WHERE slug = :slug ORDER BY seq DESC, position DESC LIMIT :limit

-- name: ruled_out
-- The newest options that are ruled out and in force.
SELECT id, seq, position, task, actor, revision, what, why, reopen_if, COUNT(*) OVER () AS total
FROM {schema}ruled_out WHERE slug = :slug AND is_in_force = 1
ORDER BY seq DESC, position DESC LIMIT :limit

-- name: touches
-- What was worked on, by name, with the tasks that did.
SELECT t.kind, t.name, COUNT(*) OVER () AS total FROM {schema}touch t
WHERE t.slug = :slug AND t.origin = 'done' GROUP BY t.kind, t.name
ORDER BY t.kind, t.name LIMIT :limit

-- name: task_files
-- The files that a task's work touched.
SELECT name FROM {schema}touch
WHERE slug = :slug AND task = :task AND origin = 'done' AND kind = 'file' ORDER BY name LIMIT :limit

-- name: commits
-- The newest commits that steps left behind.
SELECT a.ref FROM {schema}artifact a JOIN {schema}step s ON s.id = a.step
WHERE a.slug = :slug AND a.kind = 'commit' AND s.is_hidden = 0
ORDER BY s.seq DESC, a.position DESC LIMIT :limit

-- name: gates
-- What was decided at gates, newest first.
SELECT task, category, operation, decision, why, COUNT(*) OVER () AS total FROM {schema}gate
WHERE slug = :slug ORDER BY seq DESC, id LIMIT :limit
