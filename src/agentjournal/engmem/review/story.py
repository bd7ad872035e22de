"""A document as the review reads it: what its writer took from others, and under which conditions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from agentjournal.engmem.review.reuse_row import reuse_rows, says_none

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.engmem.document import Document, Status
    from agentjournal.engmem.review.reuse_row import ReuseRow
    from agentjournal.engmem.role import Role

__all__ = ["COUNTED", "Observation", "Story", "collapsed", "read_story"]

Observation = Literal[
    "daily", "unrecognized_mode", "incomplete", "legacy", "missing_baseline", "research"
]
COUNTED: frozenset[Observation] = frozenset({"legacy", "research"})

TRACES = ("shell", "paste", "miss")
OWN_REPOSITORY = "engmem"
DIGITS = 15  # of a number that somebody meant


@dataclass(frozen=True, kw_only=True)
class Story:
    """One document; `repos` is None where it is stated and cannot be read.

    `baseline_tokens` is None where the document
    states none: unmeasured, never zero.
    """

    id: str
    file: str
    title: str
    date: str
    status: Status
    superseded_by: str | None
    tags: frozenset[str]
    related: frozenset[str]
    repos: frozenset[str] | None
    mode: str | None
    baseline_unavailable: str | None
    is_backfilled: bool
    has_prereg: bool
    has_trace: bool
    trace: str | None
    has_reuse_log: bool
    says_none: bool
    rows: tuple[ReuseRow, ...]
    baseline_tokens: int | None
    body: str

    @property
    def observation(self) -> Observation:
        """Say under which conditions the work was done: only `legacy` and `research` count."""
        match self.mode:
            case "daily":
                return "daily"
            case str(mode) if mode != "research":
                return "unrecognized_mode"
            case _ if self.baseline_unavailable is not None:
                return "incomplete"
            case None:
                return "legacy"
            case _:
                return "research" if self.has_prereg else "missing_baseline"

    @property
    def is_counted(self) -> bool:
        """Say whether the work was observed under conditions that count."""
        return self.observation in COUNTED

    @property
    def is_about_the_memory(self) -> bool:
        """Say whether the work was on this memory itself."""
        return OWN_REPOSITORY in (self.repos or ())

    @property
    def is_conflicting(self) -> bool:
        """Say whether its log states both that nothing helped and what did."""
        return self.says_none and bool(self.rows)

    @cached_property
    def collapsed_body(self) -> str:
        """Give the body with every run of white space as one space."""
        return collapsed(self.body)


def collapsed(text: str) -> str:
    """Give the text with every run of white space as one space: quotes are compared so."""
    return " ".join(text.split())


def read_story(document: Document) -> Story:
    """Take what the review needs of a document; the lines of its rows are not known yet."""
    reuse = "\n".join(_texts(document, "reuse"))
    prereg = "\n".join(_texts(document, "prereg"))
    traces = [line.strip() for each in _texts(document, "trace") for line in each.split("\n")]
    return Story(
        id=document.id,
        file=document.file,
        title=document.title,
        date=document.date,
        status=document.status,
        superseded_by=document.superseded_by,
        tags=_names(document.tags),
        related=_names(document.related),
        repos=None if document.has_unknown_repos else _names(document.repos),
        mode=document.mode,
        baseline_unavailable=document.baseline_unavailable,
        is_backfilled=document.backfilled,
        has_prereg=bool(prereg.strip()),
        has_trace=bool(_texts(document, "trace")),
        trace=next((line for line in traces if line in TRACES), None),
        has_reuse_log=bool(_texts(document, "reuse")),
        says_none=says_none(reuse),
        rows=tuple(reuse_rows(reuse)),
        baseline_tokens=_count(document.baseline_tokens or _stated(prereg, "baseline_tokens")),
        body=document.body,
    )


def _texts(document: Document, role: Role) -> list[str]:
    return [section.text for section in document.sections if section.role == role]


def _names(names: Iterable[str]) -> frozenset[str]:
    return frozenset(name.strip().casefold() for name in names) - {""}


def _stated(text: str, label: str) -> str:
    """Find `label: value` on a line of its own."""
    pairs = (line.partition(":") for line in text.split("\n"))
    return next((value for name, _, value in pairs if name.strip() == label), "")


def _count(text: str) -> int | None:
    bare = text.strip()
    return int(bare) if bare.isascii() and bare.isdigit() and len(bare) <= DIGITS else None
