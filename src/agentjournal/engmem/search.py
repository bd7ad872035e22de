"""Searching documents, and the answer as a bounded text."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from agentjournal.engmem.find import Hit, find_documents
from agentjournal.engmem.memory_index import MemoryIndex
from agentjournal.search.excerpt import excerpt
from agentjournal.search.question import Question, read_question
from agentjournal.text.bounded import clip, size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.engmem.document import Document
    from agentjournal.engmem.memory_index import Index
    from agentjournal.engmem.store import Store
    from agentjournal.search.rank import Frequencies

__all__ = ["CAP", "SHOWN", "Found", "find_in", "found_data", "rendered", "search"]

CAP = 4_096  # bytes of the whole answer, its last lines included
SHOWN = 3
PASSAGES = 80  # looked at; the best of them decide
TOO_LITTLE = 0.1  # share of what was asked below which a weak hit is noise

_ID = 200  # bytes of one line's part
_PATH = 400
_TITLE = 200
_WORDS = 200
_NAMED = 300


@dataclass(frozen=True, kw_only=True)
class Found:
    """What a search found: the hits to show, of how many, and superseded ones with successors."""

    store: Store
    question: Question
    frequencies: Frequencies
    hits: tuple[Hit, ...]
    more: int
    redirects: tuple[Document, ...]

    @property
    def is_reliable(self) -> bool:
        """Say whether the hits are more than chance."""
        return any(hit.is_strong for hit in self.hits)


def search(store: Store, question: str, *, today: str, limit: int = SHOWN) -> str:
    """Search the documents of a store and give the whole answer, at most 4,096 bytes.

    `today` is `YYYY-MM-DD`: the last line says how old the newest document is.
    """
    return rendered(find_in(store, question, limit), today)


def find_in(store: Store, question: str, limit: int = SHOWN, index: Index | None = None) -> Found:
    """Search the documents of a store; weak hits are given only where there is no strong one."""
    asked = read_question(question)
    index = index or MemoryIndex(each for each in store.documents if each.status != "draft")
    passages = index.passages(asked.stems, PASSAGES)
    ranked = find_documents(asked, store.documents, passages)
    strong = [hit for hit in ranked if hit.is_strong]
    likely = strong or [hit for hit in ranked if hit.share >= TOO_LITTLE]
    active = [hit for hit in likely if hit.document.status == "active"]
    return Found(
        store=store,
        question=asked,
        frequencies=passages.frequencies,
        hits=tuple(active[:limit]),
        more=max(len(active) - limit, 0),
        redirects=tuple(hit.document for hit in strong if hit.document.status == "superseded"),
    )


def rendered(found: Found, today: str) -> str:
    """Render what was found; whole hits are left out, and counted, until the rest fits."""
    last = [*_redirects(found), *_unread(found.store), _scoreboard(found.store, today)]
    for kept in range(len(found.hits), -1, -1):
        blocks = [_block(found, hit) for hit in found.hits[:kept]]
        rest = _withheld(found.more + len(found.hits) - kept)
        text = "\n\n".join([*_head(found), *blocks, *rest, "\n".join(last)]) + "\n"
        if size(text) <= CAP:
            return text
    return clip("\n".join(last), CAP - 1) + "\n"


def found_data(found: Found) -> dict[str, object]:
    """Give what was found as plain values, for `--json`."""
    return {
        "is_reliable": found.is_reliable,
        "hits": [_data(hit) for hit in found.hits],
        "more": found.more,
        "superseded": [
            {"id": each.id, "superseded_by": each.superseded_by} for each in found.redirects
        ],
        "documents": len(found.store.documents),
        "degraded": {each.file: list(each.faults) for each in _degraded(found.store)},
        "failed": {each.file: each.reason for each in found.store.failures},
    }


def _head(found: Found) -> list[str]:
    if not found.hits:
        return ["prior context: none found"]
    if not found.is_reliable:
        return ["prior context: no reliable match — only weak candidates below"]
    return []


def _block(found: Found, hit: Hit) -> str:
    weak = "" if hit.is_strong else "  [weak candidate]"
    path = found.store.root / "sessions" / hit.document.file
    lines = [
        f"### {one_line(hit.document.id, _ID)} (score: {hit.score:.1f}){weak}",
        f"title: {one_line(hit.document.title, _TITLE)}",
        f"path: {one_line(str(path), _PATH)}",
        f"matched: {one_line(', '.join(hit.words), _WORDS)}",
    ]
    if hit.section:
        kilobytes = size(hit.section.text) / 1024
        told = excerpt(hit.section.text, found.question, found.frequencies)
        where = one_line(hit.section.locator, _TITLE)
        lines.append(f"  {where}   {kilobytes:.1f} KB   {one_line(told)}")
    return "\n".join(lines)


def _redirects(found: Found) -> list[str]:
    return [
        f"{one_line(each.id, _ID)}: superseded by {one_line(each.superseded_by, _ID)}"
        if each.superseded_by
        else f"{one_line(each.id, _ID)}: superseded (no successor recorded)"
        for each in found.redirects[:SHOWN]
    ]


def _withheld(count: int) -> list[str]:
    if not count:
        return []
    noun = "document" if count == 1 else "documents"
    return [f"({count} more {noun} matched — narrow the query to see them.)"]


def _unread(store: Store) -> list[str]:
    failed = [f"{each.file} ({each.reason})" for each in store.failures]
    degraded = [f"{each.file} ({'; '.join(each.faults)})" for each in _degraded(store)]
    return [
        clip(f"{word}: {one_line(', '.join(named))}", _NAMED)
        for word, named in (("failed to load", failed), ("read with faults", degraded))
        if named
    ]


def _scoreboard(store: Store, today: str) -> str:
    documents = store.documents
    counts = {
        "partial spine": sum(each.is_partial for each in documents),
        "degraded": len(_degraded(store)),
        "failed to load": len(store.failures),
    }
    parts = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    drafts = sum(each.status == "draft" for each in documents)
    newest = max((each.date for each in documents), default="")
    age = (date.fromisoformat(today) - date.fromisoformat(newest)).days if newest else None
    ago = "never" if age is None else f"{max(age, 0)}d ago"
    docs = f"docs: {len(documents)}" + (f" ({parts})" if parts else "")
    return f"{docs} | drafts: {drafts} | last doc: {ago}"


def _degraded(store: Store) -> list[Document]:
    return [each for each in store.documents if each.faults]


def _data(hit: Hit) -> dict[str, object]:
    return {
        "id": hit.document.id,
        "title": hit.document.title,
        "file": hit.document.file,
        "score": round(hit.score, 1),
        "is_reliable": hit.is_strong,
        "matched": list(hit.words),
        "section": hit.section.locator if hit.section else None,
    }
