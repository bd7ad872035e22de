-- name: put_lane
-- Write where an owner's journal stands.
INSERT INTO {schema}lane (stream, last_seq, layout, turns, epoch, floor, forgotten, room, head,
  consolidations, revision, resets, neutralised, chars_per_token)
VALUES (:stream, :last_seq, :layout, :turns, :epoch, :floor, :forgotten, :room, :head,
  :consolidations, :revision, :resets, :neutralised, :chars_per_token)
ON CONFLICT (stream) DO UPDATE SET last_seq = excluded.last_seq, layout = excluded.layout,
  turns = excluded.turns, epoch = excluded.epoch, floor = excluded.floor,
  forgotten = excluded.forgotten, room = excluded.room, head = excluded.head,
  consolidations = excluded.consolidations, revision = excluded.revision,
  resets = excluded.resets, neutralised = excluded.neutralised,
  chars_per_token = excluded.chars_per_token

-- name: put_memory
-- Write what was distilled.
INSERT INTO {schema}lane_memory (stream, memory) VALUES (:stream, :memory)
ON CONFLICT (stream) DO UPDATE SET memory = excluded.memory

-- name: insert_turn
-- Give a turn its number and epoch.
INSERT INTO {schema}lane_turn (stream, n, seq, id, epoch, size)
VALUES (:stream, :n, :seq, :id, :epoch, :size)

-- name: put_heard
-- Remember what a speaker said last.
INSERT INTO {schema}lane_heard (stream, speaker, said) VALUES (:stream, :speaker, :said)
ON CONFLICT (stream, speaker) DO UPDATE SET said = excluded.said

-- name: insert_rewrite
-- Keep which turns went below the floor, and by which event.
INSERT INTO {schema}lane_rewrite (stream, seq, id, act, first_n, last_n)
VALUES (:stream, :seq, :id, :act, :first_n, :last_n)

-- name: turn_above
-- Find a turn above the floor by its event.
SELECT n FROM {schema}lane_turn WHERE stream = :stream AND n > :floor AND id = :id

-- name: rewrite_by_id
-- Find a rewrite by its event.
SELECT seq FROM {schema}lane_rewrite WHERE stream = :stream AND id = :id

-- name: room_above
-- Add up what the turns above a floor take.
SELECT CAST(COALESCE(SUM(size), 0) AS {integer}) AS size FROM {schema}lane_turn
WHERE stream = :stream AND n > :floor

-- name: clear_lane
-- Empty the table.
DELETE FROM {schema}lane

-- name: clear_stream_lane
-- Empty the table of one owner.
DELETE FROM {schema}lane WHERE stream = :stream

-- name: clear_lane_turn
-- Empty the table.
DELETE FROM {schema}lane_turn

-- name: clear_stream_lane_turn
-- Empty the table of one owner.
DELETE FROM {schema}lane_turn WHERE stream = :stream

-- name: clear_lane_heard
-- Empty the table.
DELETE FROM {schema}lane_heard

-- name: clear_stream_lane_heard
-- Empty the table of one owner.
DELETE FROM {schema}lane_heard WHERE stream = :stream

-- name: clear_lane_rewrite
-- Empty the table.
DELETE FROM {schema}lane_rewrite

-- name: clear_stream_lane_rewrite
-- Empty the table of one owner.
DELETE FROM {schema}lane_rewrite WHERE stream = :stream

-- name: clear_lane_memory
-- Empty the table.
DELETE FROM {schema}lane_memory

-- name: clear_stream_lane_memory
-- Empty the table of one owner.
DELETE FROM {schema}lane_memory WHERE stream = :stream

-- name: clear_episode
-- Empty the index.
DELETE FROM {schema}episode

-- name: clear_stream_episode
-- Empty the index of one owner.
DELETE FROM {schema}episode WHERE stream = :stream

-- name: clear_episode_word
-- Empty the index.
DELETE FROM {schema}episode_word

-- name: clear_stream_episode_word
-- Empty the index of one owner.
DELETE FROM {schema}episode_word WHERE stream = :stream

-- name: clear_episode_vector
-- Empty the index.
DELETE FROM {schema}episode_vector

-- name: clear_stream_episode_vector
-- Empty the index of one owner.
DELETE FROM {schema}episode_vector WHERE stream = :stream
