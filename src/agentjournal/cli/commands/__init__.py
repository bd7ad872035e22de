"""One command a file; each translates and prints, and decides nothing."""
