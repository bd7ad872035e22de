"""Reads captured requests and names each turn whose prefix broke."""
