-- name: create
-- Where each store keeps which migrations it has.
CREATE TABLE IF NOT EXISTS {schema}migration (
  package {text} NOT NULL,
  number {integer} NOT NULL,
  name {text} NOT NULL,
  sha256 {text} NOT NULL,
  applied_at {text} NOT NULL,
  PRIMARY KEY (package, number)
);

-- name: applied
-- Every migration that the store has.
SELECT package, number, name, sha256 FROM {schema}migration ORDER BY package, number;

-- name: record
-- One more that it has.
INSERT INTO {schema}migration (package, number, name, sha256, applied_at)
VALUES (:package, :number, :name, :sha256, :applied_at);
