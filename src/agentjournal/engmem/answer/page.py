"""Lines that compete for a page: what is worth most is kept, whole, and what is cited is told."""

from __future__ import annotations

from agentjournal.frozen import frozen
from agentjournal.text.bounded import size
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["ALWAYS", "Block", "Line", "Page", "own_words"]

ALWAYS = 1_000  # what a line is worth that has to be there

_CITE = "cite as (Reuse Log prior-doc): "
_CITE_COST = size(_CITE) + 1
# How our own lines begin: nothing taken from a document may.
_OURS = (
    "#",
    "(",
    "cite as ",
    "docs: ",
    "error: ",
    "matched: ",
    "note: ",
    "path: ",
    "prior context: ",
    "related: ",
    "repos: ",
    "role: ",
    "scope: ",
    "snapshot: ",
    "title: ",
    "unsaved drafts ",
    "warning: ",
    "weak candidate: ",
)


@frozen
class Line:
    """One or more lines that stay together, what they are worth, and which documents they show.

    `ids` are the documents shown, `cites` how those that may be quoted are cited.
    """

    text: str
    worth: int = ALWAYS
    ids: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()


Block = tuple[Line, ...]


@frozen(kw_only=True)
class Page:
    """Everything that is printed: the result in blocks, what stands before it, and what after.

    How shown documents are cited is told between the remarks and the lines of state.
    """

    blocks: tuple[Block, ...]
    head: Block = ()
    remarks: Block = ()
    state: Block = ()

    @property
    def result(self) -> str:
        """Give the result alone: blocks with an empty line between them."""
        return "\n\n".join(_joined(block) for block in self.blocks)

    @property
    def text(self) -> str:
        """Give the whole page, with a newline at its end."""
        cites = ", ".join(dict.fromkeys(cite for line in self._shown() for cite in line.cites))
        cited = _CITE + cites if cites else ""
        parts = [_joined(self.head), self.result, _joined(self.remarks), cited, _joined(self.state)]
        return "\n".join([*filter(None, parts), ""])

    @property
    def ids(self) -> tuple[str, ...]:
        """Give the ids of the documents that are shown, in their order, each once."""
        return tuple(dict.fromkeys(each for line in self._shown() for each in line.ids))

    def within(self, cap: int) -> Page | None:
        """Keep the lines that have room in so many bytes; None where not even those that must have.

        A line is kept before any that is worth less, and in a block none without the first one,
        than which no other is worth more.
        """
        ranked = sorted(self._placed(), key=lambda each: (-each[0], *each[1:3]))
        kept: set[tuple[int, int]] = set()
        room = cap - _CITE_COST
        for worth, block, at, line in ranked:
            if at and block < len(self.blocks) and (block, 0) not in kept:
                continue
            cost = size(line.text) + 1 + (not at) + sum(size(cite) + 2 for cite in line.cites)
            if cost <= room:
                kept.add((block, at))
                room -= cost
            elif worth >= ALWAYS:
                return None
        return self._with_only(kept)

    def _groups(self) -> list[Block]:
        return [*self.blocks, self.head, self.remarks, self.state]

    def _placed(self) -> Iterator[tuple[int, int, int, Line]]:
        """Give every line after its worth and its place: the number of its group, and where in it."""
        for group, lines in enumerate(self._groups()):
            most = lines[0].worth if group < len(self.blocks) else ALWAYS
            for at, line in enumerate(lines):
                yield min(line.worth, most), group, at, line

    def _with_only(self, kept: set[tuple[int, int]]) -> Page:
        groups = [
            tuple(line for at, line in enumerate(lines) if (block, at) in kept)
            for block, lines in enumerate(self._groups())
        ]
        head, remarks, state = groups[-3:]
        blocks = tuple(filter(None, groups[:-3]))
        return Page(blocks=blocks, head=head, remarks=remarks, state=state)

    def _shown(self) -> Iterator[Line]:
        return (line for block in self.blocks for line in block)


def own_words(text: str) -> str:
    """Give a document's words as a line that cannot be taken for one of ours."""
    return f"\\{text}" if text.startswith(_OURS) else text


def _joined(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)
