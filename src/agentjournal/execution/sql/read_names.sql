-- name: project_slugs
-- Every project, by name.
SELECT slug FROM {schema}project ORDER BY slug

-- name: projects
-- Every project with its title, revision and numbers of tasks, by name.
SELECT p.slug, p.title, p.revision,
  (SELECT COUNT(*) FROM {schema}task t
   WHERE t.slug = p.slug AND t.is_removed = 0 AND t.is_container = 0) AS tasks
FROM {schema}project p ORDER BY p.slug

-- name: task_ids
-- The tasks that a project's plan holds, in its order.
SELECT task FROM {schema}task WHERE slug = :slug AND is_removed = 0 ORDER BY place, task

-- name: plan_file
-- Where the newest revision of a project's plan was read from.
SELECT l.path FROM {schema}plan l JOIN {schema}project p
ON p.slug = l.slug AND p.revision = l.revision WHERE l.slug = :slug

-- name: plan_body
-- The newest revision of a project's plan.
SELECT l.revision, l.sha256, l.path, l.title, l.goal, l.body FROM {schema}plan l
JOIN {schema}project p ON p.slug = l.slug AND p.revision = l.revision WHERE l.slug = :slug

-- name: task_body
-- One task as the plan says it.
SELECT task AS id, title, body AS text, section, rank, parent, verify, is_optional, is_container
FROM {schema}task WHERE slug = :slug AND task = :task AND is_removed = 0
