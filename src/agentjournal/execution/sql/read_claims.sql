-- name: word_count
-- How many claims of a project hold a word.
SELECT COUNT(*) AS count FROM {schema}claim_word WHERE word = :word AND slug = :slug

-- name: claims_with
-- The newest claims in force that hold a word.
SELECT w.claim, COALESCE(r.seq, d.seq) AS seq, COALESCE(r.position, d.position) AS position
FROM {schema}claim_word w
LEFT JOIN {schema}ruled_out r ON r.id = w.claim
LEFT JOIN {schema}decision d ON d.id = w.claim
WHERE w.word = :word AND w.slug = :slug AND (r.is_in_force = 1 OR d.id IS NOT NULL)
ORDER BY 2 DESC, 3 DESC LIMIT :limit

-- name: claims_with_both
-- Those claims with one word that hold another one too.
SELECT w.claim FROM {schema}claim_word w
JOIN {schema}claim_word o ON o.word = :other AND o.claim = w.claim
WHERE w.word = :word AND w.slug = :slug

-- name: ruled_out
-- One ruled-out option.
SELECT id, task, actor, revision, what, why, reopen_if, observed FROM {schema}ruled_out WHERE id = :id

-- name: decision
-- One decision.
SELECT id, task, actor, revision, point, options, chosen, why, would_gate
FROM {schema}decision WHERE id = :id
