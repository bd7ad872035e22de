"""The number of what is written down of documents: an index with another one is made again."""

__all__ = ["FORMAT"]

FORMAT = 6  # of all files, of encoded texts and of terms
