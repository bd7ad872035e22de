-- name: journal
-- Everything that the view for other tools shows.
SELECT * FROM {schema}journal ORDER BY seq
