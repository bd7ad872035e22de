-- name: insert_step
-- Keep one step.
INSERT INTO {schema}step (id, slug, seq, kind, task, attempt, revision, actor, at, action, result,
  end_reason, is_late, is_quarantined, is_hidden, handoff, is_handed_off, faults, parent)
VALUES (:id, :slug, :seq, :kind, :task, :attempt, :revision, :actor, :at, :action, :result,
  :end_reason, :is_late, :is_quarantined, :is_hidden, :handoff, :is_handed_off, :faults, :parent)

-- name: step
-- Read where a step stands.
SELECT id, slug, seq, kind, task, attempt, result, end_reason, is_late, is_quarantined, parent
FROM {schema}step WHERE id = :id

-- name: put_touch
-- Say that a task involves a file or service.
INSERT INTO {schema}touch (slug, kind, name, task, origin, seq)
VALUES (:slug, :kind, :name, :task, :origin, :seq)
ON CONFLICT (slug, kind, name, task, origin) DO UPDATE SET seq = excluded.seq

-- name: insert_artifact
-- Keep what a step left behind.
INSERT INTO {schema}artifact (slug, step, position, task, kind, ref, note)
VALUES (:slug, :step, :position, :task, :kind, :ref, :note)

-- name: insert_gate
-- Keep what was considered at a gate.
INSERT INTO {schema}gate (id, slug, seq, task, attempt, category, operation, decision, outcome, why)
VALUES (:id, :slug, :seq, :task, :attempt, :category, :operation, :decision, :outcome, :why)
