"""Requests as engines see them: blocks in the order of the prompt, and where a later one parts."""
