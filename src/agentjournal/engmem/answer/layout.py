"""What an answer consists of, in its order, before it is known how much of it has room."""

from __future__ import annotations

from agentjournal.engmem.answer.hit_block import Form, hit_block, successor_block
from agentjournal.engmem.answer.page import Line, Page
from agentjournal.engmem.answer.scope import scope_line
from agentjournal.engmem.answer.shown import shown_hit, shown_successor
from agentjournal.engmem.answer.snippet import wanted
from agentjournal.engmem.answer.state import (
    drafts_line,
    scoreboard,
    strays_line,
    unattributed,
    unread_lines,
)
from agentjournal.engmem.ranking.query import read_query
from agentjournal.frozen import frozen
from agentjournal.text.visible import one_line
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Self

    from agentjournal.engmem.answer.choice import Choice
    from agentjournal.engmem.answer.page import Block
    from agentjournal.engmem.answer.request import Occasion, SearchRequest
    from agentjournal.engmem.answer.shown import Shown, ShownHit
    from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["Layout"]

NAMES = 300  # bytes
ERROR = 400

_REDIRECT = 112
_NAMES = 58


@frozen(kw_only=True)
class Layout:
    """Everything that may be printed: hits, the ends of superseded chains by id, and their facts.

    `searched` is how many documents the scope has, 0 where none was asked for.
    """

    index: StoreIndex
    request: SearchRequest
    occasion: Occasion
    choice: Choice
    hits: tuple[ShownHit, ...]
    successors: Mapping[str, Shown]
    searched: int

    @classmethod
    def of(
        cls, index: StoreIndex, request: SearchRequest, occasion: Occasion, choice: Choice
    ) -> Self:
        """Look up what is told of the documents of a choice."""
        words = wanted([request.query, *request.names])
        chosen = choice.hits[: request.limit]
        ends = {each.end.id: each.end for each in choice.redirects if each.end}
        headers = [*(hit.header for hit in chosen), *ends.values()]
        snapshots = occasion.snapshots(headers) if headers else {}
        return cls(
            index=index,
            request=request,
            occasion=occasion,
            choice=choice,
            hits=tuple(
                shown_hit(
                    index,
                    hit,
                    words,
                    role=request.role,
                    snapshot=snapshots.get(hit.header.id),
                )
                for hit in chosen
            ),
            successors={
                id_: shown_successor(index, end, snapshots.get(id_)) for id_, end in ends.items()
            },
            searched=_searched(index, request),
        )

    def page(self, cap: int, notes: Sequence[Line] = ()) -> Page:
        """Print as many hits as have room with their first lines, and of the rest what is worth most."""
        pages = (self._page(count, notes).within(cap) for count in range(len(self.hits), -1, -1))
        return next(page for page in pages if page is not None)

    def _page(self, count: int, notes: Sequence[Line]) -> Page:
        hits, request = self.hits[:count], self.request
        is_miss = not self.choice.hits and not self.choice.redirects
        state = [
            *drafts_line(self.choice.drafts),
            *([] if self.index.scan_error else unread_lines(self.index)),
            scoreboard(self.index.counts, self.occasion.now.date()),
            *notes,
            *([] if request.session else [unattributed(self.occasion.channel)]),
        ]
        return Page(
            head=tuple(self._head()),
            blocks=tuple(filter(None, self._blocks(hits))),
            remarks=(*self._names(), *(strays_line(self.index.strays) if is_miss else [])),
            state=tuple(state),
        )

    def _head(self) -> Iterator[Line]:
        if self.index.scan_error:
            yield Line(f"error: {one_line(self.index.scan_error, ERROR)}")
        if self.index.stray_error:
            yield Line(f"warning: {one_line(self.index.stray_error, ERROR)}")

    def _blocks(self, hits: Sequence[ShownHit]) -> Iterator[Block]:
        yield tuple(Line(each) for each in self._first(hits))
        for rank, each in enumerate(hits):
            yield hit_block(each, rank, self._form)
        yield from self._redirects({each.header.id for each in hits})
        if more := len(self.choice.hits) - len(hits):
            count = f"{more}+" if self.choice.is_cut else more
            yield (Line(f"({count} {self._withheld(len(hits))} — narrow the query to see them.)"),)

    @property
    def _form(self) -> Form:
        tells_repos = self.request.scope is not None
        return Form(
            root=self.occasion.root,
            role=self.request.role,
            tells_repos=tells_repos,
            ambiguous=self.choice.ambiguous,
            compounds=_compounds(self.request.query),
        )

    def _first(self, hits: Sequence[ShownHit]) -> Iterator[str]:
        """Say what was searched, and how far the hits may be believed."""
        request, choice = self.request, self.choice
        if request.scope:
            yield scope_line(request.scope, self.searched)
        if request.role:
            yield f"role: {request.role}"
        if not choice.hits and not choice.redirects:
            yield self._miss()
        elif hits and not choice.redirects and all(each.hit.is_weak for each in hits):
            yield "prior context: no reliable match — only weak candidates below"

    def _miss(self) -> str:
        role, matched = self.request.role, self.choice.matched
        if not role:
            return "prior context: none found"
        if not matched:
            return "prior context: none found — no document matched the query"
        return (
            f"prior context: none found — {matched} document(s) matched the query, "
            f"but none has a '{role}' section"
        )

    def _redirects(self, shown: set[str]) -> Iterator[Block]:
        """Tell where superseded documents lead; a document at an end is shown once."""
        for each in self.choice.redirects:
            ids = (each.header.id, *(header.id for header in each.chain))
            yield (Line(each.line, _REDIRECT, ids=ids),)
            if each.end and each.end.id not in shown:
                shown = shown | {each.end.id}
                yield successor_block(self.successors[each.end.id], self._form)

    def _withheld(self, shown: int) -> str:
        if role := self.request.role:
            return f"more document(s) have a '{role}' section but rank below the top {shown}"
        return f"more document(s) matched below the top {shown}"

    def _names(self) -> list[Line]:
        names = ", ".join(self.request.names)
        return (
            [Line(f"(names added to the query: {one_line(names, NAMES)})", _NAMES)] if names else []
        )


def _compounds(question: str) -> frozenset[str]:
    asked = read_query(question)
    return frozenset(asked.words[each.word] for each in asked.tokens if each.is_part)


def _searched(index: StoreIndex, request: SearchRequest) -> int:
    scope = request.scope
    if scope is None:
        return 0
    return sum(each.status != "draft" and scope.admits(each) for each in index.headers())
