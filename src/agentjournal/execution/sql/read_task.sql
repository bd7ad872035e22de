-- name: project_row
-- One project as its projections say.
SELECT p.slug, p.title, p.revision, p.last_seq, p.discovered, p.quarantined, l.sha256, l.goal,
       l.title AS plan_title
FROM {schema}project p
LEFT JOIN {schema}plan l ON l.slug = p.slug AND l.revision = p.revision
WHERE p.slug = :slug

-- name: task_facts
-- Every task of the plan, in its order.
SELECT task AS id, place, title, section,
       CASE WHEN is_discovered = 1 THEN 0 ELSE section_place END AS section_place, rank, parent, is_container, is_optional,
       is_explicit, is_discovered, is_stale, attempts, open_attempt, closes, crashes,
       contracts_missing, last_result, last_end, last_step, last_seq, is_same_fingerprint,
       has_new_ruled_out, has_question_only, why, resolution, retried_seq
FROM {schema}task WHERE slug = :slug AND is_removed = 0 ORDER BY place, task

-- name: task_order
-- What the order of every task depends on, and what came of it last.
SELECT task AS id, CASE WHEN is_discovered = 1 THEN 0 ELSE section_place END AS section_place, rank,
       parent, is_container, is_optional, is_explicit, attempts, last_end, last_seq
FROM {schema}task WHERE slug = :slug AND is_removed = 0 ORDER BY place, task

-- name: dependencies
-- What each task explicitly waits for.
SELECT task, needs FROM {schema}dependency WHERE slug = :slug ORDER BY task, needs

-- name: leases
-- Until when the open attempts are leased.
SELECT t.task, l.until FROM {schema}task t
JOIN {schema}lease l ON l.slug = t.slug AND l.task = t.task AND l.attempt = t.open_attempt
WHERE t.slug = :slug
