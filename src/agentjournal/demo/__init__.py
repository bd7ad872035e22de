"""A plan carried out offline by real worker processes."""
