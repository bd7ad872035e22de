-- name: take_line
-- Take the number of the next line of the record.
UPDATE {schema}project SET lines = lines + 1, room_used = room_used + :size WHERE slug = :slug
RETURNING lines

-- name: next_line
-- Read the number that the next line will have, and where the floor is.
SELECT lines + 1 AS n, floor, room_used FROM {schema}project WHERE slug = :slug

-- name: insert_line
-- Keep one line of the record; an empty one stands for what was taken back.
INSERT INTO {schema}record_line (slug, n, seq, id, quoted, line)
VALUES (:slug, :n, :seq, :id, :quoted, :line)

-- name: line_above
-- Find a line above the floor that an event left, or that quotes it.
SELECT r.n AS n FROM {schema}record_line r
JOIN {schema}project p ON p.slug = r.slug
WHERE r.slug = :slug AND r.n > p.floor AND (r.id = :id OR r.quoted = :id) LIMIT 1

-- name: lines
-- Read the lines above the floor, in order.
SELECT r.n AS n, r.line AS line FROM {schema}record_line r
JOIN {schema}project p ON p.slug = r.slug
WHERE r.slug = :slug AND r.n > p.floor ORDER BY r.n

-- name: set_floor
-- Move the floor and count the reset of the prefix.
UPDATE {schema}project SET floor = :floor, room_used = :room_used, resets = resets + 1
WHERE slug = :slug
