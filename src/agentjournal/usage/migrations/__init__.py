"""The tables of the measurement file, by number."""
