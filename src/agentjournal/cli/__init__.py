"""The command line: translates and prints, decides nothing."""
