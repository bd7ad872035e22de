"""Which documents answer a question, in which order, and how far that may be believed."""
