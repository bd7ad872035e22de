-- name: take_line
-- Take the number of the next line of the record.
UPDATE {schema}project SET lines = lines + 1, room_used = room_used + :size WHERE slug = :slug
RETURNING lines

-- name: next_line
-- Read the number that the next line will have, and where the floor is.
SELECT lines + 1 AS n, floor, room_used FROM {schema}project WHERE slug = :slug

-- name: insert_line
-- Keep one line of the record; an empty one stands for a close that was taken back.
INSERT INTO {schema}record_line (slug, n, seq, line) VALUES (:slug, :n, :seq, :line)

-- name: line_of_step
-- Find the line that a step left.
SELECT r.n AS n, r.line AS line FROM {schema}record_line r
JOIN {schema}step s ON s.slug = r.slug AND s.seq = r.seq WHERE s.id = :id AND s.slug = :slug

-- name: lines
-- Read the lines above the floor, in order.
SELECT r.n AS n, r.line AS line FROM {schema}record_line r
JOIN {schema}project p ON p.slug = r.slug
WHERE r.slug = :slug AND r.n > p.floor ORDER BY r.n

-- name: set_floor
-- Move the floor and count the reset of the prefix.
UPDATE {schema}project SET floor = :floor, room_used = :room_used, resets = resets + 1
WHERE slug = :slug
