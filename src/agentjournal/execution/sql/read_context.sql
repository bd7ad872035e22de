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
SELECT id, task, attempt, actor, revision, action, result, end_reason, handoff
FROM {schema}step
WHERE slug = :slug AND task = :task AND is_hidden = 0 AND is_quarantined = 0 AND is_late = 0
  AND handoff IS NOT NULL
  AND (end_reason IS NULL OR end_reason IN ('handoff', 'acceptance_failed', 'by_hand'))
ORDER BY seq DESC LIMIT 1

-- name: attempts
-- How the task's attempts ended, newest first, each row with the number of all.
SELECT id, task, attempt, actor, revision, action, result, end_reason, is_late, handoff,
       COUNT(*) OVER () AS total
FROM {schema}step
WHERE slug = :slug AND task = :task AND kind = 'close' AND is_hidden = 0 AND is_quarantined = 0
  AND id <> :latest AND (end_reason IS NULL OR end_reason <> 'import')
ORDER BY seq DESC LIMIT :limit

-- name: dependency_handoffs
-- The newest handoff of each task that this one waits for: those that it names, else those of the
-- rank before, else the section before; what its container names counts too, and a container stands
-- for what it holds.
WITH RECURSIVE
above (task) AS (
  SELECT task FROM {schema}task WHERE slug = :slug AND task = :task
  UNION
  SELECT t.parent FROM {schema}task t JOIN above a ON a.task = t.task
  WHERE t.slug = :slug AND t.parent IS NOT NULL
),
own AS (
  SELECT section_place, rank FROM {schema}task
  WHERE slug = :slug AND task = :task AND is_explicit = 0 AND is_discovered = 0
),
rank_before AS (
  SELECT t.section_place, MAX(t.rank) AS rank FROM {schema}task t
  JOIN own o ON o.section_place = t.section_place AND t.rank < o.rank
  WHERE t.slug = :slug AND t.is_removed = 0 AND t.is_container = 0 AND t.is_optional = 0
  GROUP BY t.section_place
),
section_before AS (
  SELECT MAX(t.section_place) AS section_place FROM {schema}task t
  JOIN own o ON t.section_place < o.section_place
  WHERE t.slug = :slug AND t.is_removed = 0 AND t.is_container = 0 AND t.is_optional = 0
    AND NOT EXISTS (SELECT 1 FROM rank_before)
),
needed (task) AS (
  SELECT d.needs FROM {schema}dependency d JOIN above a ON a.task = d.task WHERE d.slug = :slug
  UNION
  SELECT t.task FROM {schema}task t
  JOIN rank_before r ON r.section_place = t.section_place AND r.rank = t.rank
  WHERE t.slug = :slug AND t.is_removed = 0
  UNION
  SELECT t.task FROM {schema}task t
  JOIN section_before b ON b.section_place = t.section_place
  WHERE t.slug = :slug AND t.is_removed = 0
),
held (task) AS (
  SELECT task FROM needed
  UNION
  SELECT t.task FROM {schema}task t JOIN held h ON h.task = t.parent WHERE t.slug = :slug
),
newest AS (
  SELECT h.task, (
    SELECT s.seq FROM {schema}step s
    WHERE s.slug = :slug AND s.task = h.task AND s.is_hidden = 0 AND s.is_quarantined = 0
      AND s.is_late = 0 AND s.handoff IS NOT NULL
      AND (s.end_reason IS NULL OR s.end_reason IN ('handoff', 'acceptance_failed', 'by_hand'))
    ORDER BY s.seq DESC LIMIT 1
  ) AS seq
  FROM held h
),
shown AS (
  SELECT seq, COUNT(*) OVER () AS total FROM newest WHERE seq IS NOT NULL
  ORDER BY seq DESC LIMIT :limit
)
SELECT s.id, s.task, s.attempt, s.actor, s.revision, s.action, s.result, s.end_reason,
       s.handoff, w.total
FROM shown w JOIN {schema}step s ON s.slug = :slug AND s.seq = w.seq
ORDER BY s.seq DESC

-- name: neighbour_handoffs
-- The newest handoff of each task that touched, or plans to touch, what this one does.
WITH
own AS (SELECT DISTINCT kind, name FROM {schema}touch WHERE slug = :slug AND task = :task),
overlap AS (
  SELECT DISTINCT o.kind, o.name, o.task FROM {schema}touch o
  JOIN own w ON w.kind = o.kind AND w.name = o.name
  JOIN {schema}task t ON t.slug = :slug AND t.task = o.task
  WHERE o.slug = :slug AND o.task <> :task AND t.attempts > 0
    AND (t.last_end IS NULL OR t.last_end <> 'import')
),
counted AS (SELECT task, COUNT(*) AS shared, MIN(name) AS name FROM overlap GROUP BY task),
newest AS (
  SELECT c.task, c.shared, c.name, (
    SELECT s.seq FROM {schema}step s
    WHERE s.slug = :slug AND s.task = c.task AND s.is_hidden = 0 AND s.is_quarantined = 0
      AND s.is_late = 0 AND s.handoff IS NOT NULL
      AND (s.end_reason IS NULL OR s.end_reason IN ('handoff', 'acceptance_failed', 'by_hand'))
    ORDER BY s.seq DESC LIMIT 1
  ) AS seq
  FROM counted c
),
shown AS (
  SELECT seq, shared, name, COUNT(*) OVER () AS total FROM newest WHERE seq IS NOT NULL
  ORDER BY shared DESC, seq DESC LIMIT :limit
)
SELECT s.id, s.task, s.attempt, s.actor, s.revision, s.action, s.result, s.end_reason,
       s.handoff, w.shared, w.name AS shared_name, w.total
FROM shown w JOIN {schema}step s ON s.slug = :slug AND s.seq = w.seq
ORDER BY w.shared DESC, s.seq DESC

-- name: open_gates
-- What a person has to decide about the task, newest first, and what ran although it was denied.
SELECT g.category, g.operation, g.decision, g.outcome, g.why, s.id AS step, s.actor, s.revision,
       COUNT(*) OVER () AS total
FROM {schema}gate g
JOIN {schema}task t ON t.slug = g.slug AND t.task = g.task
JOIN {schema}step s ON s.slug = g.slug AND s.seq = g.seq AND s.is_hidden = 0
WHERE g.slug = :slug AND g.task = :task
  AND (g.outcome = 'leaked'
       OR (t.last_result = 'gated' AND g.decision IN ('ask', 'deny') AND g.outcome = 'not_run'))
ORDER BY g.seq DESC, g.id LIMIT :limit

-- name: children
-- What a container holds.
SELECT task FROM {schema}task
WHERE slug = :slug AND parent = :task AND is_removed = 0 ORDER BY place, task LIMIT :limit
