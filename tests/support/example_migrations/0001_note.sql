-- Projections of the tests' example fold.

CREATE TABLE {schema}note (
  stream {text} NOT NULL,
  seq {integer} NOT NULL,
  id {text} NOT NULL UNIQUE,
  words {text},
  PRIMARY KEY (stream, seq)
);

CREATE TABLE {schema}tally (
  stream {text} PRIMARY KEY,
  events {integer} NOT NULL,
  hidden {integer} NOT NULL,
  record {text} NOT NULL
);
