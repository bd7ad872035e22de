-- name: clear_project
-- Empty the table.
DELETE FROM {schema}project

-- name: clear_stream_project
-- Empty the table of one project.
DELETE FROM {schema}project WHERE slug = :slug

-- name: clear_plan
-- Empty the table.
DELETE FROM {schema}plan

-- name: clear_stream_plan
-- Empty the table of one project.
DELETE FROM {schema}plan WHERE slug = :slug

-- name: clear_task
-- Empty the table.
DELETE FROM {schema}task

-- name: clear_stream_task
-- Empty the table of one project.
DELETE FROM {schema}task WHERE slug = :slug

-- name: clear_dependency
-- Empty the table.
DELETE FROM {schema}dependency

-- name: clear_stream_dependency
-- Empty the table of one project.
DELETE FROM {schema}dependency WHERE slug = :slug

-- name: clear_attempt
-- Empty the table.
DELETE FROM {schema}attempt

-- name: clear_stream_attempt
-- Empty the table of one project.
DELETE FROM {schema}attempt WHERE slug = :slug

-- name: clear_step
-- Empty the table.
DELETE FROM {schema}step

-- name: clear_stream_step
-- Empty the table of one project.
DELETE FROM {schema}step WHERE slug = :slug

-- name: clear_record_line
-- Empty the table.
DELETE FROM {schema}record_line

-- name: clear_stream_record_line
-- Empty the table of one project.
DELETE FROM {schema}record_line WHERE slug = :slug

-- name: clear_ruled_out
-- Empty the table.
DELETE FROM {schema}ruled_out

-- name: clear_stream_ruled_out
-- Empty the table of one project.
DELETE FROM {schema}ruled_out WHERE slug = :slug

-- name: clear_decision
-- Empty the table.
DELETE FROM {schema}decision

-- name: clear_stream_decision
-- Empty the table of one project.
DELETE FROM {schema}decision WHERE slug = :slug

-- name: clear_touch
-- Empty the table.
DELETE FROM {schema}touch

-- name: clear_stream_touch
-- Empty the table of one project.
DELETE FROM {schema}touch WHERE slug = :slug

-- name: clear_artifact
-- Empty the table.
DELETE FROM {schema}artifact

-- name: clear_stream_artifact
-- Empty the table of one project.
DELETE FROM {schema}artifact WHERE slug = :slug

-- name: clear_gate
-- Empty the table.
DELETE FROM {schema}gate

-- name: clear_stream_gate
-- Empty the table of one project.
DELETE FROM {schema}gate WHERE slug = :slug

-- name: clear_claim_word
-- Empty the table.
DELETE FROM {schema}claim_word

-- name: clear_stream_claim_word
-- Empty the table of one project.
DELETE FROM {schema}claim_word WHERE slug = :slug

