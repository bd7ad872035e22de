-- name: totals
-- Add up the calls of each key and model; sums are floats at first, so that no count can overflow them.
WITH call AS (
  SELECT *,
    violations IS NULL AND cache_read IS NOT NULL AND input_total > 0 AS measured,
    violations IS NULL AND cache_read IS NOT NULL AND input_total IS NOT NULL AND output IS NOT NULL AS priced
  FROM {schema}completion
  WHERE at >= :since AND (CAST(:project AS TEXT) IS NULL OR project = :project)
), conversation AS (
  SELECT component, owner, project, task, model, COUNT(*) AS calls, COUNT(violations) AS violated,
    TOTAL(measured) AS measured, TOTAL(priced) AS priced,
    TOTAL(CASE WHEN input_total > 0 THEN input_total END) AS input,
    TOTAL(CASE WHEN output > 0 THEN output END) AS output,
    TOTAL(CASE WHEN measured THEN input_total END) AS measured_input,
    TOTAL(CASE WHEN measured THEN cache_read END) AS cached,
    TOTAL(CASE WHEN measured THEN cache_write END) AS written,
    TOTAL(CASE WHEN priced THEN input_total END) AS priced_input,
    TOTAL(CASE WHEN priced THEN cache_read END) AS priced_read,
    TOTAL(CASE WHEN priced THEN cache_write END) AS priced_write,
    TOTAL(CASE WHEN priced THEN cache_write_1h END) AS priced_write_1h,
    TOTAL(CASE WHEN priced THEN output END) AS priced_output
  FROM call
  GROUP BY component, owner, thread, attempt, project, task, model
)
SELECT
  CASE :by WHEN 'component' THEN component WHEN 'model' THEN model WHEN 'owner' THEN owner
    ELSE COALESCE(project || '/', '') || task END AS key,
  model, SUM(calls) AS calls, SUM(violated) AS violations,
  CAST(TOTAL(measured) AS INTEGER) AS measured, CAST(TOTAL(priced) AS INTEGER) AS priced,
  CAST(TOTAL(input) AS INTEGER) AS input, CAST(TOTAL(output) AS INTEGER) AS output,
  CAST(TOTAL(measured_input) AS INTEGER) AS measured_input,
  CAST(TOTAL(cached) AS INTEGER) AS cached, CAST(TOTAL(written) AS INTEGER) AS written,
  CAST(TOTAL(priced_input) AS INTEGER) AS priced_input,
  CAST(TOTAL(priced_read) AS INTEGER) AS priced_read,
  CAST(TOTAL(priced_write) AS INTEGER) AS priced_write,
  CAST(TOTAL(priced_write_1h) AS INTEGER) AS priced_write_1h,
  CAST(TOTAL(priced_output) AS INTEGER) AS priced_output
FROM conversation
GROUP BY 1, 2
ORDER BY 1, 2

-- name: work
-- Weigh the measured turns of each key's conversations; owner, thread and at are those of the worst turn.
-- The turn before is one step back in the index: a window function would sort, and hold, every call.
WITH call AS (
  SELECT *, input_total - cache_read AS computed FROM {schema}completion
  WHERE at >= :since AND input_total > 0 AND violations IS NULL AND cache_read IS NOT NULL
), turn AS (
  SELECT *, (
    SELECT earlier.input_total FROM call AS earlier
    WHERE earlier.component = call.component AND earlier.owner = call.owner
      AND earlier.thread IS call.thread AND earlier.attempt IS call.attempt
      AND earlier.project IS call.project AND earlier.task IS call.task AND earlier.model = call.model
      AND (earlier.at, earlier.id) < (call.at, call.id)
    ORDER BY earlier.at DESC, earlier.id DESC LIMIT 1
  ) AS before
  FROM call
  WHERE CAST(:project AS TEXT) IS NULL OR project = :project
), conversation AS (
  SELECT component, owner, thread, attempt, project, task, model, at,
    TOTAL(CASE WHEN owner IS NOT NULL THEN computed END) AS computed,
    TOTAL(CASE WHEN owner IS NOT NULL THEN MAX(input_total - COALESCE(before, 0), 0) END) AS new,
    MAX(CASE WHEN owner IS NULL OR before IS NOT NULL THEN computed ELSE -1 END) AS later
  FROM turn
  GROUP BY component, owner, thread, attempt, project, task, model
), worst AS (
  SELECT *, CASE WHEN later < 0 THEN CAST(computed AS INTEGER) ELSE later END AS tokens FROM conversation
)
SELECT
  CASE :by WHEN 'component' THEN component WHEN 'model' THEN model WHEN 'owner' THEN owner
    ELSE COALESCE(project || '/', '') || task END AS key,
  CAST(TOTAL(computed) AS INTEGER) AS computed, CAST(TOTAL(new) AS INTEGER) AS new,
  MAX(tokens) AS tokens, owner, thread, at,
  CASE WHEN owner IS NULL THEN 1 ELSE (
    SELECT COUNT(*) FROM call
    WHERE call.component = worst.component AND call.owner = worst.owner AND call.thread IS worst.thread
      AND call.attempt IS worst.attempt AND call.project IS worst.project AND call.task IS worst.task
      AND call.model = worst.model AND call.at <= worst.at
  ) END AS turn
FROM worst
GROUP BY 1

-- name: break_counts
-- Count the broken prefixes of each key by their causes.
SELECT
  CASE :by WHEN 'component' THEN component WHEN 'model' THEN model WHEN 'owner' THEN owner
    ELSE COALESCE(project || '/', '') || task END AS key,
  cause, COUNT(*) AS count
FROM {schema}prefix_break
WHERE at >= :since AND (CAST(:project AS TEXT) IS NULL OR project = :project)
GROUP BY 1, 2
ORDER BY 1, 2
