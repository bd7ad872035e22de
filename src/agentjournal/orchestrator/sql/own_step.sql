-- name: last_own_step
-- The newest step that was logged while the attempt was open.
SELECT id FROM {schema}step
WHERE slug = :slug AND task = :task AND attempt = :attempt AND kind = 'step' AND is_hidden = 0
ORDER BY seq DESC LIMIT 1
