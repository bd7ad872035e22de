"""What an index keeps of a document: its header, its words and its sections, as one record."""

from __future__ import annotations

from agentjournal.engmem.header import Header, Passage
from agentjournal.engmem.role import role_of
from agentjournal.text.bounded import size
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.engmem.document import Document
    from agentjournal.engmem.section import Section

__all__ = ["header_of", "passages_of"]

PRIMER = 240  # characters
_LINES = 2
_COLD_START = ("cold start primer", "cold-start primer")


def header_of(document: Document) -> Header:
    """Take what is known of a document without its text."""
    return Header(
        id=document.id,
        file=document.file,
        title=document.title,
        date=document.date,
        status=document.status,
        version=document.version,
        task_date=document.task_date,
        superseded_by=document.superseded_by,
        tags=document.tags,
        entities=document.entities,
        related=document.related,
        covers_files=document.covers_files,
        repos=document.repos,
        has_unknown_repos=document.has_unknown_repos,
        verified_at=document.verified_at,
        verified_at_commit=document.verified_at_commit,
        mode=document.mode,
        is_partial=document.is_partial,
        faults=document.faults,
        warnings=document.warnings,
        roles=tuple(dict.fromkeys(each.role for each in document.sections if each.role)),
        primer=_primer(document),
    )


def passages_of(document: Document) -> list[Passage]:
    """Take the sections of a document."""
    return [
        Passage(
            place=each.place,
            anchor=each.anchor,
            heading=each.heading,
            role=each.role,
            size=size(each.text),
            text=each.text,
        )
        for each in document.sections
    ]


def _primer(document: Document) -> str:
    """Give the first two lines of the section for a reader with no context, cut at a word."""
    section = next(_primers(document), None)
    told = " ".join(_first_lines(section.text)) if section else ""
    if len(told) <= PRIMER:
        return told
    cut = told[: PRIMER - 1]
    return (cut[: cut.rfind(" ")] if " " in cut else cut).rstrip() + "…"


def _primers(document: Document) -> Iterator[Section]:
    """Give the section whose own heading names the role, else one that inherits it or is like it."""
    sections = document.sections
    held = [each for each in sections if each.role == "primer"]
    yield from (each for each in held if role_of(each.heading) == "primer")
    yield from held
    yield from (each for each in sections if any(w in each.heading.casefold() for w in _COLD_START))


def _first_lines(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.split("\n"):
        if line.lstrip().startswith("#") or len(lines) == _LINES:
            break
        if line.strip():
            lines.append(" ".join(line[: 2 * PRIMER].split()))
    return lines
