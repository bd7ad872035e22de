-- name: event_by_id
-- Find one event.
SELECT stream, seq, id, kind, actor, at, payload, turn, digest, recorded_at
FROM {schema}event WHERE id = :id

-- name: events_after
-- Read the next events of a stream, in order.
SELECT stream, seq, id, kind, actor, at, payload, turn, digest, recorded_at
FROM {schema}event WHERE stream = :stream AND seq > :after_seq ORDER BY seq LIMIT :limit

-- name: seqs_after
-- Read where the next events of a stream stand, without their text.
SELECT seq FROM {schema}event WHERE stream = :stream AND seq > :after_seq ORDER BY seq LIMIT :limit

-- name: revocations
-- Read what retracts or redacts events of a stream (index event_revocation).
SELECT stream, seq, id, kind, actor, at, payload, turn, digest, recorded_at
FROM {schema}event WHERE stream = :stream AND kind IN ('retract', 'redact') ORDER BY seq

-- name: insert_event
-- Store one event at its place.
INSERT INTO {schema}event (stream, seq, id, kind, actor, at, payload, turn, digest, recorded_at)
VALUES (:stream, :seq, :id, :kind, :actor, :at, :payload, :turn, :digest, :recorded_at)

-- name: replace_payload
-- Put a marker in the place of a redacted event's text.
UPDATE {schema}event SET payload = :payload, turn = NULL WHERE id = :id
