-- The log: one table of events, and the seals that chain them in batches.

CREATE TABLE {schema}event (
  stream {text} NOT NULL,
  seq {integer} NOT NULL,
  id {text} NOT NULL UNIQUE,
  kind {text} NOT NULL,
  actor {text} NOT NULL,
  at {text} NOT NULL,
  payload {text} NOT NULL,
  turn {text},
  digest {text} NOT NULL,
  recorded_at {text} NOT NULL,
  PRIMARY KEY (stream, seq)
);

CREATE TABLE {schema}stream (
  stream {text} PRIMARY KEY,
  last_seq {integer} NOT NULL,
  sealed_seq {integer} NOT NULL DEFAULT 0
);

-- Not a stream: the row that whoever makes one holds, so that a rebuild can hold them all.
INSERT INTO {schema}stream (stream, last_seq) VALUES ('', 0);

CREATE TABLE {schema}seal (
  stream {text} NOT NULL,
  first_seq {integer} NOT NULL,
  last_seq {integer} NOT NULL,
  sha256 {text} NOT NULL,
  PRIMARY KEY (stream, first_seq)
);

CREATE INDEX event_revocation ON {schema}event (stream) WHERE kind IN ('retract', 'redact');
