-- name: page
-- Read some rows of a projection in the order of its key; its fold says {table} and {key}.
SELECT * FROM {schema}{table} ORDER BY {key} LIMIT :limit OFFSET :offset
