"""Rows on SQLite and PostgreSQL behind one seam."""
