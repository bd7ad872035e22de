"""A document of past work, drafted from what the log of a project holds."""
