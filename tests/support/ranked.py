"""Ranks documents held in memory, with the statistics that an index would count."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.index.digest import header_of
from agentjournal.engmem.ranking.encoded import Spellings, encode, extent, terms
from agentjournal.engmem.ranking.query import read_query
from agentjournal.engmem.ranking.rank import rank
from agentjournal.engmem.ranking.statistics import Statistics
from agentjournal.engmem.ranking.widen import widened

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.engmem.ranking.rank import Hit


def ranked(
    files: Mapping[str, str],
    question: str,
    *,
    names: Sequence[str] = (),
    synonyms: Mapping[str, tuple[str, ...]] | None = None,
) -> list[Hit]:
    """Rank every document that can be read."""
    read = [read_document(name, text.encode()) for name, text in files.items()]
    documents = [each for each in read if isinstance(each, Document) and each.status != "draft"]
    spellings = Spellings()
    encoded = [encode(each, spellings) for each in documents]
    held: Counter[str] = Counter()
    sections: Counter[str] = Counter()
    for each in encoded:
        for key, term in ((key, term) for term, keys in terms(each).items() for key in keys):
            held[key] += 1
            sections[key] += term.sections
    extents = [extent(each) for each in encoded]
    query = widened(
        read_query(question, names),
        held.__getitem__,
        lambda prefix: [key for key in held if key.startswith(prefix)],
        synonyms or {},
    )
    statistics = Statistics(
        documents=len(documents),
        sections=sum(count for count, _ in extents),
        words=sum(count for _, count in extents),
        holding={key: (held[key], sections[key]) for key in query.keys},
    )
    headers = map(header_of, documents)
    return rank(query, list(zip(headers, encoded, strict=True)), statistics)
