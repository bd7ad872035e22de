"""One row of a Reuse Log: which past document was taken from, and in which words."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["CLASSIFICATIONS", "COLUMNS", "NONE_LINE", "ReuseRow", "reuse_rows", "says_none"]

COLUMNS = ("prior-doc", "taken", "impact", "classification")
CLASSIFICATIONS = ("reuse", "anti-reuse", "harmful")
NONE_LINE = "Prior docs used: none."

SHORTEST_QUOTE = 4  # characters

_QUOTES = re.compile('"([^"]*)"|\u201c([^\u201d]*)\u201d|\u00ab([^\u00bb]*)\u00bb')
_SEPARATOR = re.compile(r":?-+:?")


@dataclass(frozen=True, kw_only=True)
class ReuseRow:
    """A row as it was written; `line` counts from 0 in the text that held it.

    `cited` is the id, or the id and version, of the document that was taken from.
    """

    line: int
    text: str
    cited: str
    taken: str
    impact: str
    classification: str

    @property
    def quotes(self) -> tuple[str, ...]:
        """Give the spans of four or more characters that stand in quotation marks."""
        spans = ("".join(groups) for groups in _QUOTES.findall(self.taken))
        return tuple(span for span in spans if len(span.strip()) >= SHORTEST_QUOTE)

    def split_version(self, known: frozenset[str]) -> tuple[str, str | None]:
        """Give the id and the version that are cited; an id that exists as written wins."""
        id_, at, version = self.cited.rpartition("@")
        return (self.cited, None) if self.cited in known or not at else (id_, version)


def reuse_rows(text: str) -> list[ReuseRow]:
    """Read the rows of a Reuse Log by the place of their cells; every `|` ends a cell."""
    return [
        _row(number, line.strip(), cells)
        for number, line in enumerate(text.split("\n"))
        if (cells := _cells(line)) and _is_row(cells)
    ]


def says_none(text: str) -> bool:
    """Say whether a Reuse Log states that nothing helped."""
    return any(line.strip() == NONE_LINE for line in text.split("\n"))


def _cells(line: str) -> list[str]:
    bare = line.strip()
    if not bare.startswith("|"):
        return []
    return [cell.strip() for cell in bare[1:].removesuffix("|").split("|")]


def _is_row(cells: list[str]) -> bool:
    is_separator = all(_SEPARATOR.fullmatch(cell) for cell in cells if cell)
    return len(cells) > 1 and cells[0].casefold() not in {"", COLUMNS[0]} and not is_separator


def _row(line: int, text: str, cells: list[str]) -> ReuseRow:
    cited, taken, impact, classification = [*cells, "", ""][:4]
    return ReuseRow(
        line=line,
        text=text,
        cited=cited.strip("[]` "),
        taken=taken,
        impact=impact,
        classification=classification,
    )
