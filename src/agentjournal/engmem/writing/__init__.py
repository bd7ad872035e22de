"""Writing into a store: whole or not at all, never through a link."""
