-- name: begin
-- A write transaction whose waits for locks are bounded, until it ends.
BEGIN ISOLATION LEVEL READ COMMITTED; SELECT set_config('lock_timeout', :wait, true);

-- name: begin_snapshot
-- A reading transaction; its first query fixes what it sees.
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1;

-- name: lock_migrations
-- One migrating process at a time, until the transaction ends.
SELECT pg_advisory_xact_lock(hashtextextended(:name, 0));

-- name: has_schema
-- Whether the schema is there already: making it needs a right that its user may lack.
SELECT 1 AS found FROM pg_catalog.pg_namespace WHERE nspname = :schema;

-- name: create_schema
-- The schema of the store.
CREATE SCHEMA {schema_name};

-- name: vacuum
-- Write one table anew, without what was deleted.
VACUUM (FULL) {schema}{table};

-- name: facts
-- What guards the data.
SELECT current_setting('server_version') AS version,
  current_setting('server_encoding') AS encoding,
  current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS full_page_writes,
  current_setting('synchronous_commit') AS synchronous_commit,
  current_setting('data_checksums') AS data_checksums,
  current_setting('transaction_read_only') AS read_only,
  (SELECT datcollate FROM pg_catalog.pg_database WHERE datname = current_database()) AS collation;
