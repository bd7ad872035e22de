-- name: first
-- One.
SELECT 1;
-- name: first
-- Again.
SELECT 2;
