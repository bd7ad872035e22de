"""Every citation checked against the text that it cites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.engmem.review.judge import judge
from agentjournal.engmem.review.shelf import read_shelf
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.engmem.review.judge import Judged
    from agentjournal.engmem.review.shelf import Shelf

__all__ = ["Problem", "Verified", "verify"]

_QUOTE = 200  # bytes
_NAME = 160


@dataclass(frozen=True, kw_only=True)
class Problem:
    """One citation that cannot be taken as it stands; a document as a whole has line 0."""

    file: str
    line: int
    kind: Literal["unverifiable", "stale", "conflicting"]
    told: str

    def __str__(self) -> str:
        """Give the problem as one visible line."""
        place = f":{self.line}" if self.line else ""
        return f"{one_line(self.file, _NAME)}{place}: {self.kind}: {self.told}"


@dataclass(frozen=True, kw_only=True)
class Verified:
    """How many rows were checked, what is wrong with some, and the files that were not read."""

    rows: int
    problems: tuple[Problem, ...]
    failures: tuple[str, ...]

    @property
    def is_sound(self) -> bool:
        """Say whether every quote could be verified."""
        return all(each.kind != "unverifiable" for each in self.problems)


def verify(root: Path) -> Verified:
    """Check every row of every Reuse Log, drafts included.

    Raises:
        NotFoundError: there is no folder `sessions`.
        InputError: it cannot be listed.
    """
    shelf = read_shelf(root)
    rows = judge(shelf)
    problems = [*_conflicts(shelf), *(problem for row in rows for problem in _problems(row, shelf))]
    return Verified(
        rows=len(rows),
        problems=tuple(sorted(problems, key=lambda each: (each.file, each.line, each.kind))),
        failures=tuple(
            f"{one_line(each.file, _NAME)}: not read: {one_line(each.reason)}"
            for each in shelf.failures
        ),
    )


def _conflicts(shelf: Shelf) -> Iterator[Problem]:
    for story in shelf.stories.values():
        if story.is_conflicting:
            told = f"says that nothing helped and has {len(story.rows)} rows"
            yield Problem(file=story.file, line=0, kind="conflicting", told=told)


def _problems(row: Judged, shelf: Shelf) -> Iterator[Problem]:
    cited = one_line(row.cited, _NAME)
    if row.integrity != "verified":
        quote = f": {one_line(row.quote, _QUOTE)}" if row.quote else ""
        told = f"{one_line(row.detail)} ({cited}){quote}"
        yield Problem(file=row.file, line=row.line, kind="unverifiable", told=told)
    if row.staleness == "cited_superseded":
        successor = shelf.stories[row.cited].superseded_by
        by = f" by {one_line(successor, _NAME)}" if successor else ""
        told = f"{cited} is superseded{by}"
        yield Problem(file=row.file, line=row.line, kind="stale", told=told)
