"""Words, ranking and matching, shared by every search."""
