-- name: first
-- The first one.
SELECT 1;

-- name: second
-- The second one.
SELECT :one, :two;
