"""Which documents answer a question, in which order, and how far that may be believed.

An index keeps `encode(document)` as it is and the postings of `terms(encoded)`. A search reads its
query, looks up `query.keys`, has it `widened` by what the store says means the same or is spelled
nearly so, takes as candidates the documents with the highest sum of `rarity(key) * impact`, and
lets `rank` order those.
"""
