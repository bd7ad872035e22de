"""A document for somebody else: without the rest of the store, this machine's paths and secrets."""
