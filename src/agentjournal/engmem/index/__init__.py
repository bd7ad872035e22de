"""The persistent index of a store: what a search needs, kept beside the store's own files.

The Markdown files are the truth. Whoever comes first makes the index, and brings it up to date by
what has changed; what does not verify is thrown away and made again.
"""

from agentjournal.engmem.index.counts import Counts
from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["Counts", "StoreIndex"]
