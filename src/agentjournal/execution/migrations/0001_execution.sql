-- Projections of the streams project/<slug>: rebuilt from the log at any time. Only `lease` is not one.

CREATE TABLE {schema}project (
  slug {text} PRIMARY KEY,
  title {text} NOT NULL,
  repository {text} NOT NULL,           -- the id in .agentjournal.toml; '' where there is none
  revision {integer} NOT NULL,          -- latest plan revision; 0 = none
  last_seq {integer} NOT NULL,          -- last event folded
  lines {integer} NOT NULL,             -- lines ever left in the record: n of the newest
  floor {integer} NOT NULL,             -- lines with n <= floor lie below the record
  room_used {integer} NOT NULL,         -- bytes of the rendered lines above the floor, newlines included
  resets {integer} NOT NULL,            -- prefix resets so far (floor moves, revisions, redactions, retractions)
  discovered {integer} NOT NULL,        -- number of the newest U-nnn
  quarantined {integer} NOT NULL        -- steps with an unknown token
);

CREATE TABLE {schema}plan (
  slug {text} NOT NULL,
  revision {integer} NOT NULL,
  seq {integer} NOT NULL,
  id {text} NOT NULL,                   -- of the event
  sha256 {text} NOT NULL,               -- of the file's bytes as they were read
  path {text} NOT NULL,                 -- as given, relative to the project root where it lies in it
  title {text} NOT NULL,
  goal {text} NOT NULL,
  body {text} NOT NULL,                 -- full text, secrets redacted
  PRIMARY KEY (slug, revision)
);

CREATE TABLE {schema}task (
  slug {text} NOT NULL,
  task {text} NOT NULL,                 -- T-042, 2.1, U-001
  place {integer} NOT NULL,             -- order in the plan; discovered ones come after, from 1000000
  title {text} NOT NULL,
  body {text} NOT NULL,                 -- the task's own text
  section {text} NOT NULL,
  section_place {integer} NOT NULL,
  rank {integer} NOT NULL,              -- within its section, from 1
  parent {text},                        -- container's id
  is_container {integer} NOT NULL,
  is_optional {integer} NOT NULL,
  is_explicit {integer} NOT NULL,       -- explicit dependencies replace the order
  is_discovered {integer} NOT NULL,
  discovery {text},                     -- id of the event that made it, where it was discovered
  verify {text},                        -- acceptance command, shown, never run here
  revision {integer} NOT NULL,          -- the last one that holds it with this text
  is_removed {integer} NOT NULL,
  is_stale {integer} NOT NULL,          -- done, then its text changed
  -- facts, from the closes in order; the status word is derived from them at read
  attempts {integer} NOT NULL,          -- attempts ever opened
  open_attempt {integer},               -- number of the open one
  closes {integer} NOT NULL,            -- counted closes since the last retry by a person
  crashes {integer} NOT NULL,           -- of these: signal, timeout, no_stop_event
  contracts_missing {integer} NOT NULL, -- of these: contract_missing
  last_result {text},                   -- of the last counted close; NULL = none, or reset by a retry
  last_end {text},
  last_step {text},                     -- id of the last counted close
  last_seq {integer} NOT NULL,
  fingerprint {text},                   -- of the last failure
  is_same_fingerprint {integer} NOT NULL,
  has_new_ruled_out {integer} NOT NULL, -- the last close ruled out an option that was not yet ruled out for the task
  has_question_only {integer} NOT NULL, -- the last close has open questions and no ruled-out option
  why {text},                           -- one line: why it failed, is partial, skipped or gated
  resolution {text},                    -- done, skip: a person's word; NULL otherwise
  retried_seq {integer} NOT NULL,       -- of the last retry by a person: what was skipped before holds it no more
  PRIMARY KEY (slug, task)
);

CREATE INDEX task_place ON {schema}task (slug, place);
CREATE INDEX task_parent ON {schema}task (slug, parent);

CREATE TABLE {schema}dependency (
  slug {text} NOT NULL,
  task {text} NOT NULL,
  needs {text} NOT NULL,
  PRIMARY KEY (slug, task, needs)
);

CREATE INDEX dependency_needs ON {schema}dependency (slug, needs);

CREATE TABLE {schema}attempt (
  slug {text} NOT NULL,
  task {text} NOT NULL,
  number {integer} NOT NULL,            -- per task, from 1
  fence {integer} NOT NULL,             -- seq of the opening event
  id {text} NOT NULL UNIQUE,            -- the claim id: id of the opening event
  token_sha256 {text} NOT NULL UNIQUE,  -- a holder `step` has no token: sha256 of `step/<id>`
  holder {text} NOT NULL,               -- wrapper, hook, hand, step (opened and closed by one step)
  actor {text} NOT NULL,
  revision {integer} NOT NULL,          -- of the plan, when it was opened
  opened_at {text} NOT NULL,
  closed_seq {integer},
  end_reason {text},                    -- the word `end` of the close
  result {text},
  PRIMARY KEY (slug, task, number)
);

CREATE TABLE {schema}step (
  id {text} PRIMARY KEY,
  slug {text} NOT NULL,
  seq {integer} NOT NULL,
  kind {text} NOT NULL,                 -- step, close
  task {text},
  attempt {integer},                    -- number; NULL for project-level and quarantined ones
  revision {integer} NOT NULL,
  actor {text} NOT NULL,
  at {text} NOT NULL,
  action {text} NOT NULL,
  result {text} NOT NULL,
  end_reason {text},
  is_late {integer} NOT NULL,
  is_quarantined {integer} NOT NULL,
  is_hidden {integer} NOT NULL,         -- retracted or redacted: in no read but the audit
  handoff {text},                       -- canonical JSON, NULL where there is none
  is_handed_off {integer} NOT NULL,     -- its handoff says in somebody's own words where things stand
  faults {text},                        -- JSON array: the first for which it was no valid handoff
  parent {text},
  UNIQUE (slug, seq)
);

CREATE INDEX step_task ON {schema}step (slug, task, seq);

CREATE TABLE {schema}record_line (
  slug {text} NOT NULL,
  n {integer} NOT NULL,                 -- n-th close or reopening of the stream that leaves a line
  seq {integer} NOT NULL,
  id {text} NOT NULL,                   -- of the event
  quoted {text} NOT NULL,               -- id of the step whose option was reopened, '' for a close
  line {text} NOT NULL,                 -- as rendered, without the newline, at most 200 bytes; '' = hidden
  PRIMARY KEY (slug, n)
);

CREATE TABLE {schema}ruled_out (
  id {text} PRIMARY KEY,                -- <step id>#<position from 1>
  slug {text} NOT NULL,
  seq {integer} NOT NULL,
  position {integer} NOT NULL,
  task {text},
  actor {text} NOT NULL,
  revision {integer} NOT NULL,
  what {text} NOT NULL,                 -- the option
  why {text} NOT NULL,
  reopen_if {text},
  observed {text},                      -- canonical JSON of facts kept for `path GLOB changes`
  supersedes {text},
  is_in_force {integer} NOT NULL,
  superseded_by {text}                  -- id of the item or reopen event that took it out of force
);

CREATE INDEX ruled_out_task ON {schema}ruled_out (slug, task, is_in_force, seq);

CREATE TABLE {schema}decision (
  id {text} PRIMARY KEY,                -- <step id>/<position from 1>
  slug {text} NOT NULL,
  seq {integer} NOT NULL,
  position {integer} NOT NULL,
  task {text},
  actor {text} NOT NULL,
  revision {integer} NOT NULL,
  point {text} NOT NULL,
  options {text} NOT NULL,              -- canonical JSON array
  chosen {text} NOT NULL,
  why {text} NOT NULL,
  would_gate {text}
);

CREATE INDEX decision_slug ON {schema}decision (slug, seq);

CREATE TABLE {schema}touch (
  slug {text} NOT NULL,
  kind {text} NOT NULL,                 -- file, service
  name {text} NOT NULL,
  task {text} NOT NULL,
  origin {text} NOT NULL,               -- planned, done
  seq {integer} NOT NULL,               -- of the newest event that says so
  PRIMARY KEY (slug, kind, name, task, origin)
);

CREATE INDEX touch_task ON {schema}touch (slug, task);

CREATE TABLE {schema}artifact (
  slug {text} NOT NULL,
  step {text} NOT NULL,
  position {integer} NOT NULL,
  task {text},
  kind {text} NOT NULL,
  ref {text} NOT NULL,
  note {text},
  PRIMARY KEY (step, position)
);

CREATE TABLE {schema}gate (
  id {text} PRIMARY KEY,                -- <step id>!<position from 1>, or the id of a gate event
  slug {text} NOT NULL,
  seq {integer} NOT NULL,
  task {text},
  attempt {integer},
  category {text} NOT NULL,
  operation {text} NOT NULL,
  decision {text} NOT NULL,             -- in_scope, ask, deny, not_evaluated
  outcome {text} NOT NULL,              -- not_run, ran, leaked
  why {text} NOT NULL
);

CREATE INDEX gate_slug ON {schema}gate (slug, seq);
CREATE INDEX gate_task ON {schema}gate (slug, task, seq);

CREATE TABLE {schema}claim_word (
  word {text} NOT NULL,                 -- stem
  claim {text} NOT NULL,                -- id of a ruled_out or decision row
  slug {text} NOT NULL,
  weight {integer} NOT NULL,            -- how often, option and point counted twice
  PRIMARY KEY (word, claim)
);

CREATE INDEX claim_word_claim ON {schema}claim_word (claim);

-- Beside the log: who is alive. Not rebuilt, not exported.
CREATE TABLE {schema}lease (
  slug {text} NOT NULL,
  task {text} NOT NULL,
  attempt {integer} NOT NULL,
  until {text} NOT NULL,
  beat_at {text} NOT NULL,
  host {text} NOT NULL,
  boot {text} NOT NULL,
  pid {integer},                        -- of the wrapper
  started {text},                       -- its start time, as the system gives it
  worker_pid {integer},                 -- leader of the worker's process group
  worker_started {text},
  PRIMARY KEY (slug, task, attempt)
);

-- The seed's own columns, for other tools on the same database.
CREATE VIEW {schema}journal AS
SELECT s.id, s.slug AS project_slug, s.task AS plan_ref, s.actor, s.action, s.result,
       {json e.payload log} AS log, s.handoff, {json e.payload artifacts} AS artifacts,
       {json e.payload started_at} AS started_at, s.at AS ended_at, s.parent AS parent_id,
       s.seq, s.revision, s.attempt
FROM {schema}step s JOIN {schema}event e ON e.id = s.id
WHERE s.is_hidden = 0 AND s.is_quarantined = 0;
