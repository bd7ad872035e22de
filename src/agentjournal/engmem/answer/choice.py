"""Which of the documents that answer are shown, and as what."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from agentjournal.engmem.answer.homonym import told_apart
from agentjournal.engmem.answer.redirect import redirect
from agentjournal.frozen import frozen

if TYPE_CHECKING:
    from agentjournal.engmem.answer.redirect import Redirect
    from agentjournal.engmem.answer.request import SearchRequest
    from agentjournal.engmem.header import Header
    from agentjournal.engmem.index.store_index import StoreIndex
    from agentjournal.engmem.ranking.rank import Hit

__all__ = ["Choice", "choose"]

REDIRECTS = 6
DRAFTS = 20  # looked at for the note


@frozen(kw_only=True)
class Choice:
    """The hits that may be shown, best first, of how many that matched; and what stands beside them.

    `redirects` are superseded documents that answer as well as what is shown; `drafts` would.
    """

    hits: tuple[Hit, ...]
    matched: int
    ambiguous: frozenset[str]
    redirects: tuple[Redirect, ...]
    drafts: tuple[Header, ...]


def choose(index: StoreIndex, request: SearchRequest) -> Choice:
    """Search, and sort what was found into hits, redirects and drafts."""
    if request.status == "draft":
        found = index.search_drafts(request.query, scope=request.within, names=request.names)
        return _choice(request, found)
    found = index.search(request.query, scope=request.within, names=request.names)
    hits = [hit for hit in found if hit.header.status == (request.status or "active")]
    hits, ambiguous = told_apart(request.query, hits)
    is_plain = request.status is None and request.role is None
    old = [hit for hit in found if hit.header.status == "superseded"] if is_plain else []
    shown = hits[: request.limit]
    last = _order(shown[-1]) if len(shown) == request.limit else None
    better = (hit for hit in old if last is None or _order(hit) < last)
    redirects = tuple(redirect(hit.header, index.header) for hit in islice(better, REDIRECTS))
    return _choice(request, hits, ambiguous, redirects, _drafts(index, request))


def _choice(
    request: SearchRequest,
    hits: list[Hit],
    ambiguous: frozenset[str] = frozenset(),
    redirects: tuple[Redirect, ...] = (),
    drafts: tuple[Header, ...] = (),
) -> Choice:
    role = request.role
    return Choice(
        hits=tuple(hit for hit in hits if role is None or role in hit.header.roles),
        matched=len(hits),
        ambiguous=ambiguous,
        redirects=redirects,
        drafts=drafts,
    )


def _drafts(index: StoreIndex, request: SearchRequest) -> tuple[Header, ...]:
    """Find drafts that would answer: in the scope or linked to no repository, never one's own."""
    if request.status is not None or not (request.names_drafts and index.counts.drafts):
        return ()
    found = (hit.header for hit in index.search_drafts(request.query, names=request.names))
    return tuple(
        header
        for header in islice(found, DRAFTS)
        if "decisions" in header.roles
        and header.id != request.session
        and (request.scope is None or not header.repos or request.scope.admits(header))
    )


def _order(hit: Hit) -> tuple[bool, bool, float]:
    return hit.is_weak, not hit.is_exact, -hit.score
