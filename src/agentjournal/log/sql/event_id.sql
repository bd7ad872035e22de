-- name: event_id
-- Whether there is an event with exactly this id.
SELECT id FROM {schema}event WHERE id = :id

-- name: event_ids_by_part
-- The events whose id begins or ends so; two are enough to know that it is not one.
SELECT id FROM {schema}event WHERE id LIKE :first OR id LIKE :last ORDER BY id LIMIT 2
