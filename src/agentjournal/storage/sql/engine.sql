-- name: now
-- The engine's clock.
SELECT {now} AS now;

-- name: tables_sqlite
-- Every table of the file.
SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
ORDER BY name;

-- name: tables_postgres
-- Every table of the schema.
SELECT CAST(tablename AS text) AS name FROM pg_catalog.pg_tables WHERE schemaname = :schema
ORDER BY tablename;
