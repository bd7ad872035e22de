"""Words and ranking, shared by every search."""
