-- name: first_page
-- Read the first rows of a projection in the order of its key; its fold says {table} and {key}.
SELECT * FROM {schema}{table} ORDER BY {key} LIMIT :limit

-- name: next_page
-- Read the rows that follow a key.
SELECT * FROM {schema}{table} WHERE ({key}) > ({after}) ORDER BY {key} LIMIT :limit
