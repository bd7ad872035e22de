"""Which of the documents that answer are shown, and as what."""

from __future__ import annotations

from itertools import islice

from agentjournal.engmem.answer.homonym import told_apart
from agentjournal.engmem.answer.redirect import redirect
from agentjournal.engmem.answer.request import Within
from agentjournal.engmem.index.store_index import SURE
from agentjournal.frozen import frozen, replace
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from agentjournal.engmem.answer.redirect import Redirect
    from agentjournal.engmem.answer.request import SearchRequest
    from agentjournal.engmem.answer.scope import Scope
    from agentjournal.engmem.header import Header
    from agentjournal.engmem.index.store_index import StoreIndex
    from agentjournal.engmem.ranking.rank import Hit

__all__ = ["Choice", "choose"]

REDIRECTS = 6


@frozen(kw_only=True)
class Choice:
    """The hits that may be shown, best first, and what stands beside them.

    `is_cut` says that more may have matched than were looked at; `matched` counts documents that
    answer but lack the section that was asked for, where none has it. `redirects` are superseded
    documents that answer as well as what is shown; `drafts` would.
    """

    hits: tuple[Hit, ...]
    is_cut: bool = False
    matched: int = 0
    ambiguous: frozenset[str] = frozenset()
    redirects: tuple[Redirect, ...] = ()
    drafts: tuple[Header, ...] = ()


@frozen
class _Publishable:
    """Drafts that decide something, in the scope or linked to no repository, never one's own."""

    scope: Scope | None
    session: str | None

    def admits(self, header: Header) -> bool:
        return (
            "decisions" in header.roles
            and header.id != self.session
            and (self.scope is None or not header.repos or self.scope.admits(header))
        )


def choose(index: StoreIndex, request: SearchRequest) -> Choice:
    """Search, and sort what was found into hits, redirects and drafts."""
    if request.status == "draft":
        within = replace(request.within, role=request.role)
        found = index.search_drafts(request.query, scope=within, names=request.names)
        return Choice(hits=tuple(found))
    is_plain = request.status is None and request.role is None
    found = _found(index, request, is_any=is_plain)
    hits = [hit for hit in found if hit.header.status != "superseded" or not is_plain]
    if len(hits) < request.limit and len(found) >= SURE and is_plain:
        hits = _found(index, request)  # superseded ones took all the places
    kept, ambiguous = told_apart(request.query, hits)
    old = [hit for hit in found if hit.header.status == "superseded"] if is_plain else []
    return Choice(
        hits=tuple(kept),
        is_cut=len(found) >= SURE,
        matched=0 if hits or is_plain else len(_found(index, replace(request, role=None))),
        ambiguous=ambiguous,
        redirects=_redirects(index, old, kept[: request.limit], request.limit),
        drafts=_drafts(index, request),
    )


def _found(index: StoreIndex, request: SearchRequest, *, is_any: bool = False) -> list[Hit]:
    """Search active documents, or those of the status and with the section that are asked for."""
    within = request.within
    if not is_any:
        within = replace(within, role=request.role, status=request.status or "active")
    scope = None if within == Within() else within
    return index.search(request.query, scope=scope, names=request.names)


def _redirects(
    index: StoreIndex, old: list[Hit], shown: list[Hit], limit: int
) -> tuple[Redirect, ...]:
    """Give superseded documents that answer better than the weakest of as many as may be shown."""
    last = max(map(_order, shown)) if len(shown) == limit else None
    better = (hit for hit in old if last is None or _order(hit) < last)
    return tuple(redirect(hit.header, index.header) for hit in islice(better, REDIRECTS))


def _drafts(index: StoreIndex, request: SearchRequest) -> tuple[Header, ...]:
    """Find drafts that would answer."""
    if request.status is not None or not (request.names_drafts and index.counts.drafts):
        return ()
    scope = _Publishable(request.scope, request.session)
    found = index.search_drafts(request.query, scope=scope, names=request.names)
    return tuple(hit.header for hit in found)


def _order(hit: Hit) -> tuple[bool, bool, float]:
    return hit.is_weak, not hit.is_exact, -hit.score
