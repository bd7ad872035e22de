"""Builds services from settings."""
