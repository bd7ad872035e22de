"""Journals that live in the log: owners that outlive their context window, and their process."""
