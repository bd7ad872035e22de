"""Markdown documents of past tasks."""
