"""A pass-through to an engine that measures what passes: usage per owner, broken prefixes, truncation."""
