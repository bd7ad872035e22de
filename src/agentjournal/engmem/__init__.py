"""Markdown documents of past tasks: read with limits, searched, never changed here."""
