"""What a row of a Reuse Log is worth: whether its quote holds, how near it came from, if it counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.engmem.kept_version import Missing
from agentjournal.engmem.review.reuse_row import CLASSIFICATIONS
from agentjournal.engmem.review.story import collapsed
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.engmem.review.reuse_row import ReuseRow
    from agentjournal.engmem.review.shelf import Shelf
    from agentjournal.engmem.review.story import Story

__all__ = ["Distance", "Integrity", "Judged", "judge"]

Integrity = Literal[
    "no_quote", "cited_missing", "version_unavailable", "quote_not_found", "verified"
]
Distance = Literal["adjacent", "distant", "undecidable"]

_SHOWN = 120  # bytes


@dataclass(frozen=True, kw_only=True)
class Judged:
    """A row with its axes; `distance` and `staleness` are those of a cited document that is there.

    `excluded` is why it does not count, None for one that does. `quote` is the one that failed,
    else the first.
    """

    story: str
    file: str
    line: int
    cited: str
    version: str | None
    quote: str
    integrity: Integrity
    detail: str
    classification: str
    distance: Distance | None
    staleness: Literal["cited_superseded", "cited_active"] | None
    excluded: str | None

    @property
    def is_valid(self) -> bool:
        """Say whether the row counts."""
        return self.excluded is None


@dataclass(frozen=True)
class _Checked:
    integrity: Integrity
    quote: str = ""
    detail: str = ""


def judge(shelf: Shelf) -> tuple[Judged, ...]:
    """Judge every row of every Reuse Log, by document and line."""
    known = frozenset(shelf.stories)
    ordered = sorted(shelf.stories.values(), key=lambda story: story.file)
    return tuple(_judged(shelf, known, story, row) for story in ordered for row in story.rows)


def _judged(shelf: Shelf, known: frozenset[str], story: Story, row: ReuseRow) -> Judged:
    cited, version = row.split_version(known)
    checked = _checked(shelf, row, cited, version)
    other = shelf.stories.get(cited)
    word = row.classification.casefold()
    return Judged(
        story=story.id,
        file=story.file,
        line=row.line,
        cited=cited,
        version=version,
        quote=checked.quote,
        integrity=checked.integrity,
        detail=checked.detail,
        classification=word if word in CLASSIFICATIONS else "unrecognized" if word else "missing",
        distance=_distance(story, other) if other and checked.integrity == "verified" else None,
        staleness=_staleness(other) if other else None,
        excluded=next(_exclusions(story, row, checked, cited), None),
    )


def _checked(shelf: Shelf, row: ReuseRow, cited: str, version: str | None) -> _Checked:
    if not row.quotes:
        return _Checked("no_quote", detail="no quote in the `taken` cell")
    first = row.quotes[0]
    if cited not in shelf.stories:
        return _Checked("cited_missing", first, "cited document not in store")
    text = shelf.text(cited, version)
    if isinstance(text, Missing):
        told = f"cited version cannot be checked -- {text.reason}"
        return _Checked("version_unavailable", first, told)
    lost = next((each for each in row.quotes if collapsed(each) not in text), None)
    if lost is not None:
        return _Checked("quote_not_found", lost, "quote not found in cited document")
    return _Checked("verified", first)


def _distance(story: Story, other: Story) -> Distance:
    is_linked = other.id.casefold() in story.related or story.id.casefold() in other.related
    if is_linked or story.tags & other.tags:
        return "adjacent"
    if story.repos is None or other.repos is None:
        return "undecidable"
    return "adjacent" if story.repos & other.repos else "distant"


def _staleness(other: Story) -> Literal["cited_superseded", "cited_active"]:
    return "cited_superseded" if other.status == "superseded" else "cited_active"


def _exclusions(story: Story, row: ReuseRow, checked: _Checked, cited: str) -> Iterator[str]:
    """Give every reason not to count a row; the first one is told."""
    if checked.detail:
        yield checked.detail
    if cited == story.id:
        yield "cites itself"
    if story.status != "active":
        yield f"citing document is {story.status}"
    if not story.is_counted:
        yield f"outside the experiment ({_condition(story)})"
    if story.is_backfilled:
        yield "backfilled (the ritual was never run on it)"
    if story.is_about_the_memory:
        yield "dogfooding (story about this repository)"
    word = row.classification.casefold()
    if not word:
        yield "classification cell missing"
    elif word not in CLASSIFICATIONS:
        yield f"classification unrecognized: {one_line(row.classification, _SHOWN)}"
    elif word != "reuse":
        yield f"classification {word}"


def _condition(story: Story) -> str:
    match story.observation:
        case "incomplete":
            return f"baseline unavailable: {one_line(story.baseline_unavailable or '', _SHOWN)}"
        case "missing_baseline":
            return "research without a Pre-reg"
        case _:
            return f"mode: {one_line(story.mode or '', _SHOWN)}"
