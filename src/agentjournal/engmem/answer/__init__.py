"""The answer to a search: which documents are shown, as one text of at most 4,096 bytes."""
