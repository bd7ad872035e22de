-- name: insert_plan
-- Keep one revision of the plan.
INSERT INTO {schema}plan (slug, revision, seq, id, sha256, path, title, goal, body)
VALUES (:slug, :revision, :seq, :id, :sha256, :path, :title, :goal, :body)

-- name: plan_by_id
-- Find the plan that an event registered.
SELECT revision FROM {schema}plan WHERE slug = :slug AND id = :id

-- name: insert_task
-- Give a task its row; nothing has happened yet.
INSERT INTO {schema}task (slug, task, place, title, body, section, section_place, rank, parent,
  is_container, is_optional, is_explicit, is_discovered, discovery, verify, revision, is_removed, is_stale,
  attempts, open_attempt, closes, crashes, contracts_missing, last_result, last_end, last_step,
  last_seq, fingerprint, is_same_fingerprint, has_new_ruled_out, has_question_only, why, resolution,
  retried_seq)
VALUES (:slug, :task, :place, :title, :body, :section, :section_place, :rank, :parent,
  :is_container, :is_optional, :is_explicit, :is_discovered, :discovery, :verify, :revision, 0, 0,
  0, NULL, 0, 0, 0, NULL, NULL, NULL,
  0, NULL, 0, 0, 0, NULL, NULL,
  0)
ON CONFLICT (slug, task) DO NOTHING

-- name: discovered_by
-- Find the task that an event made.
SELECT task FROM {schema}task WHERE slug = :slug AND discovery = :discovery

-- name: insert_dependency
-- Say what a task needs.
INSERT INTO {schema}dependency (slug, task, needs) VALUES (:slug, :task, :needs)
ON CONFLICT (slug, task, needs) DO NOTHING
