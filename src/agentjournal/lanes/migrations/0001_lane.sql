-- Projections of the streams lane/<name>, agent/<namespace>/<id> and item/<id>: rebuilt from the log at any time.

CREATE TABLE {schema}lane (
  stream {text} PRIMARY KEY,
  last_seq {integer} NOT NULL,          -- last event folded
  layout {text} NOT NULL,               -- v1, v2: of the render, for life
  turns {integer} NOT NULL,             -- number of the newest turn
  epoch {integer} NOT NULL,             -- highest epoch so far; the next turn's is one more
  floor {integer} NOT NULL,             -- turns with n <= floor lie below what is rendered
  forgotten {integer} NOT NULL,         -- turns with n <= forgotten were cleared: in no archive either
  room {integer} NOT NULL,              -- bytes of the turns above the floor, as rendered
  head {integer} NOT NULL,              -- bytes of what is rendered above them; 0 = nothing
  consolidations {integer} NOT NULL,
  revision {integer} NOT NULL,          -- consolidations, clears, additions to the ledger, revocations
  resets {integer} NOT NULL,            -- of these, rewrites after which the earlier render was no prefix
  neutralised {integer} NOT NULL,       -- forged lines and speakers that were made harmless
  chars_per_token {text} NOT NULL       -- calibration of the estimate, shortest decimal
);

CREATE TABLE {schema}lane_turn (
  stream {text} NOT NULL,
  n {integer} NOT NULL,                 -- n-th turn of the stream: only grows
  seq {integer} NOT NULL,
  id {text} NOT NULL,                   -- of the event
  epoch {integer} NOT NULL,             -- as rendered
  size {integer} NOT NULL,              -- bytes of the render that it adds; 0 = hidden
  PRIMARY KEY (stream, n)
);

CREATE TABLE {schema}lane_heard (
  stream {text} NOT NULL,
  speaker {text} NOT NULL,
  said {text} NOT NULL,                 -- what it said last: a redelivery of it is stale
  PRIMARY KEY (stream, speaker)
);

CREATE TABLE {schema}lane_rewrite (
  stream {text} NOT NULL,
  seq {integer} NOT NULL,
  id {text} NOT NULL,                   -- of the event `consolidated`
  act {text} NOT NULL,                  -- consolidate, move, append, clear, import
  first_n {integer} NOT NULL,           -- turns that went below the floor; first_n > last_n = none
  last_n {integer} NOT NULL,
  PRIMARY KEY (stream, seq)
);

CREATE TABLE {schema}lane_memory (
  stream {text} PRIMARY KEY,
  memory {text} NOT NULL                -- what was distilled: a snapshot's fields for it, canonical JSON
);

-- An index over the turns below the floor: no projection, made when it is needed, dropped at any time.

CREATE TABLE {schema}episode (
  stream {text} NOT NULL,
  number {integer} NOT NULL,
  first_n {integer} NOT NULL,
  last_n {integer} NOT NULL,
  neutral {text} NOT NULL,              -- ledger lines that tell it; '' = none
  neutral_words {integer} NOT NULL,
  verbatim_words {integer} NOT NULL,
  PRIMARY KEY (stream, number)
);

CREATE TABLE {schema}episode_word (
  stream {text} NOT NULL,
  word {text} NOT NULL,                 -- stem
  batch {integer} NOT NULL,             -- number of the first episode of its batch
  postings {text} NOT NULL,             -- `number.neutral.verbatim` of each episode, weights in both keys
  PRIMARY KEY (stream, word, batch)
);

CREATE TABLE {schema}episode_vector (
  stream {text} NOT NULL,
  number {integer} NOT NULL,
  model {text} NOT NULL,                -- name of the embedder
  neutral {text} NOT NULL,              -- little-endian 32-bit floats, base64; '' = no such key
  verbatim {text} NOT NULL,
  PRIMARY KEY (stream, model, number)
);
