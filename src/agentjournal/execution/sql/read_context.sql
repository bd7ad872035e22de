-- name: task
-- One task as the plan says it; of its text no more than can be shown.
SELECT t.title, t.is_container, t.last_seq, SUBSTR(t.body, 1, :characters) AS body,
       OCTET_LENGTH(t.body) AS bytes, p.revision AS plan_revision, l.sha256
FROM {schema}task t
JOIN {schema}project p ON p.slug = t.slug
LEFT JOIN {schema}plan l ON l.slug = p.slug AND l.revision = p.revision
WHERE t.slug = :slug AND t.task = :task

-- name: ruled_out
-- What is ruled out for one task, newest first, each row with the number of all.
SELECT id, actor, revision, what, why, reopen_if, observed, COUNT(*) OVER () AS total
FROM {schema}ruled_out
WHERE slug = :slug AND task = :task AND is_in_force = 1
ORDER BY seq DESC, position LIMIT :limit

-- name: latest_handoff
-- The newest handoff that somebody wrote for the task; a late one is an attempt among others.
SELECT id, seq, kind, at, task, attempt, actor, revision, action, result, end_reason, is_late,
       handoff, 1 AS total
FROM {schema}step
WHERE slug = :slug AND task = :task AND is_hidden = 0 AND is_quarantined = 0 AND is_late = 0
  AND is_handed_off = 1
ORDER BY seq DESC LIMIT 1

-- name: attempts
-- How the task's attempts ended, newest first, each row with the number of all.
SELECT id, seq, kind, at, task, attempt, actor, revision, action, result, end_reason, is_late,
       handoff, COUNT(*) OVER () AS total
FROM {schema}step
WHERE slug = :slug AND task = :task AND kind = 'close' AND is_hidden = 0 AND is_quarantined = 0
  AND id <> :latest AND (end_reason IS NULL OR end_reason <> 'import')
ORDER BY seq DESC LIMIT :limit

-- name: neighbour_handoffs
-- The newest handoff of each task that touched, or plans to touch, what this one does. (CROSS JOIN
-- keeps the order of the tables: each one leads to an index of the next.)
WITH
own AS (SELECT kind, name FROM {schema}touch WHERE slug = :slug AND task = :task),
overlap AS (
  SELECT DISTINCT o.kind, o.name, o.task FROM own w CROSS JOIN {schema}touch o
  WHERE o.slug = :slug AND o.kind = w.kind AND o.name = w.name AND o.task <> :task
),
counted AS (SELECT task, COUNT(*) AS shared, MIN(name) AS name FROM overlap GROUP BY task),
newest AS MATERIALIZED (
  SELECT c.shared, c.name, (
    SELECT s.seq FROM {schema}step s
    WHERE s.slug = :slug AND s.task = c.task AND s.is_hidden = 0 AND s.is_quarantined = 0
      AND s.is_late = 0 AND s.is_handed_off = 1
    ORDER BY s.seq DESC LIMIT 1
  ) AS seq
  FROM counted c
),
shown AS (
  SELECT seq, shared, name, COUNT(*) OVER () AS total FROM newest WHERE seq IS NOT NULL
  ORDER BY shared DESC, seq DESC LIMIT :limit
)
SELECT s.id, s.seq, s.kind, s.at, s.task, s.attempt, s.actor, s.revision, s.action, s.result,
       s.end_reason, s.is_late, s.handoff, w.shared, w.name AS shared_name, w.total
FROM shown w CROSS JOIN {schema}step s WHERE s.slug = :slug AND s.seq = w.seq
ORDER BY w.shared DESC, w.seq DESC

-- name: open_gates
-- What a person has to decide about the task, newest first, and what ran although it was denied.
SELECT g.category, g.operation, g.decision, g.outcome, g.why, s.id AS step, s.actor, s.revision,
       COUNT(*) OVER () AS total
FROM {schema}task t CROSS JOIN {schema}gate g CROSS JOIN {schema}step s
WHERE t.slug = :slug AND t.task = :task AND g.slug = :slug AND g.task = :task
  AND s.slug = :slug AND s.seq = g.seq AND s.is_hidden = 0
  AND (g.outcome = 'leaked'
       OR (t.last_result = 'gated' AND g.decision IN ('ask', 'deny') AND g.outcome = 'not_run'))
ORDER BY g.seq DESC, g.id LIMIT :limit

-- name: children
-- What a container holds.
SELECT task FROM {schema}task
WHERE slug = :slug AND parent = :task AND is_removed = 0 ORDER BY place, task LIMIT :limit
