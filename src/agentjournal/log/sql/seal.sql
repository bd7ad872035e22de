-- name: seals
-- Read the seals of a stream, in order.
SELECT first_seq, last_seq, sha256 FROM {schema}seal WHERE stream = :stream ORDER BY first_seq

-- name: last_seal
-- Read the newest seal of a stream.
SELECT first_seq, last_seq, sha256 FROM {schema}seal WHERE stream = :stream
ORDER BY first_seq DESC LIMIT 1

-- name: sealed_lines
-- Read what a seal covers of the next events of a stream.
SELECT seq, recorded_at, digest FROM {schema}event
WHERE stream = :stream AND seq > :after_seq AND seq <= :last_seq ORDER BY seq LIMIT :limit

-- name: insert_seal
-- Store a seal.
INSERT INTO {schema}seal (stream, first_seq, last_seq, sha256)
VALUES (:stream, :first_seq, :last_seq, :sha256)
