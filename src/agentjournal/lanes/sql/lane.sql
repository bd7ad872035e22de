-- name: lane
-- Read where an owner's journal stands.
SELECT stream, last_seq, layout, turns, epoch, floor, forgotten, room, head, consolidations,
  revision, resets, neutralised, chars_per_token
FROM {schema}lane WHERE stream = :stream

-- name: memory
-- Read what was distilled.
SELECT memory FROM {schema}lane_memory WHERE stream = :stream

-- name: lanes
-- Name every owner.
SELECT stream FROM {schema}lane ORDER BY stream

-- name: heard_by
-- Read what one speaker said last.
SELECT said FROM {schema}lane_heard WHERE stream = :stream AND speaker = :speaker

-- name: heard
-- Read what each speaker said last.
SELECT speaker, said FROM {schema}lane_heard WHERE stream = :stream ORDER BY speaker

-- name: turns
-- Read where turns stand and which epochs they have.
SELECT n, seq, epoch, size FROM {schema}lane_turn
WHERE stream = :stream AND n > :after_n AND n <= :last_n ORDER BY n

-- name: turn_at
-- Find the number and epoch of the turn at a seq: only the few rewrites before it are passed over.
SELECT n, epoch FROM {schema}lane_turn
WHERE stream = :stream AND n <= :seq AND seq <= :seq ORDER BY n DESC LIMIT 1

-- name: distilled_since
-- Name the consolidations under which a turn went below the floor, and those since.
SELECT id FROM {schema}lane_rewrite
WHERE stream = :stream AND last_n >= :n AND act = 'consolidate' ORDER BY seq
