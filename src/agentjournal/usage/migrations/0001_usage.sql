-- Measurements: calls, broken prefixes, touched files, and what is known of each lane.

CREATE TABLE {schema}completion (
  id {text} PRIMARY KEY,
  at {text} NOT NULL,
  source {text} NOT NULL,
  component {text} NOT NULL,
  model {text} NOT NULL,
  dialect {text},
  lane {text},
  owner {text},
  project {text},
  task {text},
  attempt {text},
  thread {text},
  input_total {integer},
  cache_read {integer},
  cache_write {integer},
  cache_write_5m {integer},
  cache_write_1h {integer},
  output {integer},
  reasoning {integer},
  ms {integer},
  violations {text},
  native {text}
);

CREATE INDEX completion_at ON {schema}completion (at, id);
CREATE INDEX completion_attempt ON {schema}completion (attempt) WHERE attempt IS NOT NULL;

CREATE TABLE {schema}prefix_break (
  id {text} PRIMARY KEY,
  at {text} NOT NULL,
  source {text} NOT NULL,
  component {text} NOT NULL,
  model {text} NOT NULL,
  owner {text},
  project {text},
  task {text},
  attempt {text},
  thread {text},
  turn {integer},
  block {text},
  path {text},
  byte {integer},
  cause {text} NOT NULL,
  detail {text} NOT NULL,
  lost {integer}
);

CREATE INDEX prefix_break_at ON {schema}prefix_break (at, id);

CREATE TABLE {schema}file_touch (
  id {text} PRIMARY KEY,
  at {text} NOT NULL,
  component {text} NOT NULL,
  owner {text},
  project {text},
  task {text},
  attempt {text},
  thread {text},
  kind {text} NOT NULL,
  path {text} NOT NULL
);

CREATE TABLE {schema}lane (
  lane {text} NOT NULL,
  model {text} NOT NULL,
  capability {text} NOT NULL,
  PRIMARY KEY (lane, model)
);
