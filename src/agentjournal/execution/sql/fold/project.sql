-- name: put_project
-- Register a project, or give it its new title.
INSERT INTO {schema}project (slug, title, repository, revision, last_seq, lines, floor, room_used,
  resets, discovered, quarantined)
VALUES (:slug, :title, :repository, 0, 0, 0, 0, 0, 0, 0, 0)
ON CONFLICT (slug) DO UPDATE SET title = excluded.title, repository = excluded.repository

-- name: project
-- Read one project.
SELECT slug, title, repository, revision, last_seq, lines, floor, room_used, resets, discovered,
  quarantined
FROM {schema}project WHERE slug = :slug

-- name: set_last_seq
-- Say how far the stream is folded.
UPDATE {schema}project SET last_seq = :seq WHERE slug = :slug

-- name: set_revision
-- Say which revision of the plan holds; each after the first changes the stable prefix.
UPDATE {schema}project
SET revision = :revision, resets = resets + CASE WHEN :revision > 1 THEN 1 ELSE 0 END
WHERE slug = :slug

-- name: count_quarantined
-- Count a step with an unknown token.
UPDATE {schema}project SET quarantined = quarantined + 1 WHERE slug = :slug

-- name: count_discovered
-- Take the next number of discovered work.
UPDATE {schema}project SET discovered = discovered + 1 WHERE slug = :slug RETURNING discovered

-- name: count_reset
-- Count a change of what stood in the stable prefix.
UPDATE {schema}project SET resets = resets + 1 WHERE slug = :slug
