-- name: create_stream
-- Give a stream its row.
INSERT INTO {schema}stream (stream, last_seq) VALUES (:stream, 0) ON CONFLICT (stream) DO NOTHING

-- name: lock_stream
-- Hold a stream until the end of the transaction.
SELECT last_seq, sealed_seq FROM {schema}stream WHERE stream = :stream {for_update}

-- name: lock_streams
-- Hold every stream until the end of the transaction.
SELECT stream FROM {schema}stream ORDER BY stream {for_update}

-- name: streams
-- Name every stream that is mentioned anywhere, with what its row says of it.
SELECT named.stream AS stream, s.last_seq AS last_seq, s.sealed_seq AS sealed_seq
FROM (
  SELECT stream FROM {schema}stream
  UNION SELECT DISTINCT stream FROM {schema}event
  UNION SELECT DISTINCT stream FROM {schema}seal
) AS named LEFT JOIN {schema}stream AS s ON s.stream = named.stream
WHERE named.stream <> '' ORDER BY named.stream

-- name: unsealed_streams
-- Name the streams that have at least so many unsealed events.
SELECT stream FROM {schema}stream WHERE last_seq - sealed_seq >= :minimum ORDER BY stream

-- name: take_seq
-- Take the next place in a stream.
UPDATE {schema}stream SET last_seq = last_seq + 1 WHERE stream = :stream RETURNING last_seq

-- name: set_last_seq
-- Say how far an imported stream reaches.
UPDATE {schema}stream SET last_seq = :last_seq WHERE stream = :stream

-- name: set_sealed_seq
-- Say how far a stream is sealed.
UPDATE {schema}stream SET sealed_seq = :sealed_seq WHERE stream = :stream
