"""The append-only log of events, its seals and its projections' one fold."""
