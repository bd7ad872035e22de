-- name: add_note
-- Keep what an event says.
INSERT INTO {schema}note (stream, seq, id, words) VALUES (:stream, :seq, :id, :words)

-- name: count_event
-- Count an event and append its turn.
INSERT INTO {schema}tally (stream, events, hidden, record) VALUES (:stream, 1, :hidden, :turn)
ON CONFLICT (stream) DO UPDATE SET events = tally.events + 1,
  hidden = tally.hidden + excluded.hidden, record = tally.record || excluded.record

-- name: clear_notes
-- Forget every note.
DELETE FROM {schema}note

-- name: clear_tallies
-- Forget every tally.
DELETE FROM {schema}tally

-- name: clear_notes_of
-- Forget the notes of a stream.
DELETE FROM {schema}note WHERE stream = :stream

-- name: clear_tally_of
-- Forget the tally of a stream.
DELETE FROM {schema}tally WHERE stream = :stream

-- name: notes
-- Read every note.
SELECT stream, seq, id, words FROM {schema}note ORDER BY stream, seq

-- name: tallies
-- Read every tally.
SELECT stream, events, hidden, record FROM {schema}tally ORDER BY stream
