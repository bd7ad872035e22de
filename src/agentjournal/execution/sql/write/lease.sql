-- name: put_lease
-- Say until when an attempt is held, and by whom on which machine.
INSERT INTO {schema}lease (slug, task, attempt, until, beat_at, host, boot, pid, started,
  worker_pid, worker_started)
VALUES (:slug, :task, :attempt, :until, :beat_at, :host, :boot, :pid, :started, NULL, NULL)
ON CONFLICT (slug, task, attempt) DO UPDATE SET until = excluded.until,
  beat_at = excluded.beat_at, host = excluded.host, boot = excluded.boot, pid = excluded.pid,
  started = excluded.started

-- name: beat
-- Extend the lease of an attempt that is still open.
UPDATE {schema}lease SET until = :until, beat_at = :beat_at
WHERE slug = :slug AND task = :task AND attempt = :attempt
  AND EXISTS (SELECT 1 FROM {schema}task t
    WHERE t.slug = :slug AND t.task = :task AND t.open_attempt = :attempt)

-- name: set_worker
-- Say which process group does the work.
UPDATE {schema}lease SET worker_pid = :worker_pid, worker_started = :worker_started
WHERE slug = :slug AND task = :task AND attempt = :attempt

-- name: end_leases
-- Forget the leases of a task's closed attempts.
DELETE FROM {schema}lease WHERE slug = :slug AND task = :task AND attempt IN (
  SELECT a.number FROM {schema}attempt a
  WHERE a.slug = :slug AND a.task = :task AND a.closed_seq IS NOT NULL)

-- name: held
-- Read the open attempt of a task with its lease.
SELECT a.actor AS actor, a.number AS number, l.until AS until
FROM {schema}task t
JOIN {schema}attempt a ON a.slug = t.slug AND a.task = t.task AND a.number = t.open_attempt
LEFT JOIN {schema}lease l ON l.slug = t.slug AND l.task = t.task AND l.attempt = t.open_attempt
WHERE t.slug = :slug AND t.task = :task

-- name: open_attempts
-- Read every open attempt of a project with what is known of its holder.
SELECT a.id AS id, a.slug AS slug, a.task AS task, a.number AS number,
  a.token_sha256 AS token_sha256,
  a.opened_at AS opened_at, l.until AS until, l.host AS host, l.boot AS boot, l.pid AS pid,
  l.started AS started, l.worker_pid AS worker_pid, l.worker_started AS worker_started
FROM {schema}task t
JOIN {schema}attempt a ON a.slug = t.slug AND a.task = t.task AND a.number = t.open_attempt
LEFT JOIN {schema}lease l ON l.slug = t.slug AND l.task = t.task AND l.attempt = t.open_attempt
WHERE t.slug = :slug AND t.open_attempt IS NOT NULL
ORDER BY t.place

-- name: projects_with_open_attempts
-- Name the projects that a reaper has to look at.
SELECT DISTINCT slug FROM {schema}task WHERE open_attempt IS NOT NULL ORDER BY slug
