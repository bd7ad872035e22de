"""Reads usage from answers as they pass, in bounded memory, and wraps the clients that ask."""
