-- name: insert_completion
-- Store one call; the same id again changes nothing, but for an import that read the call before its end.
INSERT INTO {schema}completion (
  id, at, source, component, model, dialect, lane, owner, project, task, attempt, thread,
  input_total, cache_read, cache_write, cache_write_5m, cache_write_1h, output, reasoning, ms, violations, native
) VALUES (
  :id, :at, :source, :component, :model, :dialect, :lane, :owner, :project, :task, :attempt,
  :thread, :input_total, :cache_read, :cache_write, :cache_write_5m, :cache_write_1h, :output, :reasoning, :ms,
  :violations, :native
) ON CONFLICT (id) DO UPDATE SET
  input_total = excluded.input_total, cache_read = excluded.cache_read, cache_write = excluded.cache_write,
  cache_write_5m = excluded.cache_write_5m, cache_write_1h = excluded.cache_write_1h,
  output = excluded.output, reasoning = excluded.reasoning, violations = excluded.violations,
  native = excluded.native
WHERE completion.source = 'import' AND excluded.output > completion.output

-- name: insert_break
-- Store one broken prefix.
INSERT INTO {schema}prefix_break (
  id, at, source, component, model, owner, project, task, attempt, thread, turn, block, path, byte, cause,
  detail, lost
) VALUES (
  :id, :at, :source, :component, :model, :owner, :project, :task, :attempt, :thread, :turn, :block, :path,
  :byte, :cause, :detail, :lost
) ON CONFLICT (id) DO NOTHING

-- name: insert_touch
-- Store one touched file.
INSERT INTO {schema}file_touch (id, at, component, owner, project, task, attempt, thread, kind, path)
VALUES (:id, :at, :component, :owner, :project, :task, :attempt, :thread, :kind, :path)
ON CONFLICT (id) DO NOTHING

-- name: upsert_lane
-- Store what is known of a lane.
INSERT INTO {schema}lane (lane, model, capability) VALUES (:lane, :model, :capability)
ON CONFLICT (lane, model) DO UPDATE SET capability = excluded.capability

-- name: lanes
-- Read what is known of every lane.
SELECT lane, model, capability FROM {schema}lane ORDER BY lane, model

-- name: calls
-- Read the calls that come after one, in the order of time, a page at a time.
SELECT * FROM {schema}completion
WHERE (at, id) > (:at, :id) AND (CAST(:project AS TEXT) IS NULL OR project = :project)
ORDER BY at, id LIMIT :limit

-- name: last_call
-- Find where a follower begins.
SELECT at, id FROM {schema}completion ORDER BY at DESC, id DESC LIMIT 1

-- name: breaks
-- Read the broken prefixes that come after one, in the order of time, a page at a time.
SELECT * FROM {schema}prefix_break
WHERE (at, id) > (:at, :id) AND (CAST(:project AS TEXT) IS NULL OR project = :project)
ORDER BY at, id LIMIT :limit

-- name: newest_breaks
-- Read the newest broken prefixes, the newest first.
SELECT * FROM {schema}prefix_break
WHERE at >= :since AND (CAST(:project AS TEXT) IS NULL OR project = :project)
ORDER BY at DESC, id DESC LIMIT :limit

-- name: touches
-- Read the touched files that come after one, in the order of time, a page at a time.
SELECT * FROM {schema}file_touch
WHERE (at, id) > (:at, :id) AND (CAST(:project AS TEXT) IS NULL OR project = :project)
ORDER BY at, id LIMIT :limit
