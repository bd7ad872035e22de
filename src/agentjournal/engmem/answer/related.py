"""What a document names as related, with the state each of those is in now."""

from __future__ import annotations

from agentjournal.engmem.answer.spelled import ID, path_of, spelled
from agentjournal.frozen import frozen
from agentjournal.text.bounded import size
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from agentjournal.engmem.header import Header

__all__ = ["NAMED", "Related", "cited_as", "related_line", "related_to"]

NAMED = 3
LINE = 700  # bytes of those that are named


@frozen(kw_only=True)
class Related:
    """A document that another one names; `header` is None where the store has none of that id."""

    id: str
    header: Header | None
    successor: Header | None = None

    @property
    def state(self) -> str:
        """Give its status, or `missing`."""
        return self.header.status if self.header else "missing"


def related_to(header: Header, known: Callable[[str], Header | None]) -> tuple[Related, ...]:
    """Look up the first documents that this one names."""
    return tuple(_looked_up(each, known) for each in header.related[:NAMED])


def related_line(header: Header, related: Sequence[Related], root: Path) -> tuple[str, int]:
    """Give the line that names them, and how many of them it names; the others are counted."""
    told: list[str] = []
    for each in related:
        entry = _told(each, root)
        if told and size(", ".join([*told, entry])) > LINE:
            break
        told.append(entry)
    more = len(header.related) - len(told)
    return "related: " + ", ".join([*told, *([f"+{more} more"] if more else [])]), len(told)


def cited_as(header: Header | None) -> tuple[str, ...]:
    """Say how a document is cited; one that is missing or a draft is not."""
    if header is None or header.status == "draft":
        return ()
    return (f"{spelled(header.id, ID)}@{header.version}",)


def _looked_up(id_: str, known: Callable[[str], Header | None]) -> Related:
    header = known(id_)
    successor = known(header.superseded_by) if header and header.superseded_by else None
    return Related(id=id_, header=header, successor=successor)


def _told(related: Related, root: Path) -> str:
    header = related.header
    return f"{spelled(related.id, ID)} ({_state(header, related.successor, root)})"


def _state(header: Header | None, successor: Header | None, root: Path) -> str:
    if header is None:
        return "not in store"
    path = path_of(root, header)
    if header.status == "draft":
        return f"draft, {path}"
    if header.status == "superseded":
        if not header.superseded_by:
            return "superseded"
        by = f"superseded by {spelled(header.superseded_by, ID)}"
        return f"{by}, {path_of(root, successor)}" if successor else by
    return path
