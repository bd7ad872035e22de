"""What a document's own text says about the fields that its front matter does not state."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from agentjournal.engmem.backfill.keywords import keywords
from agentjournal.engmem.backfill.links import siblings
from agentjournal.engmem.backfill.preamble import is_dated, labelled, slugs
from agentjournal.engmem.document import SPINE
from agentjournal.frozen import replace
from agentjournal.text.visible import one_line, visible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agentjournal.engmem.document import Document

__all__ = ["Proposal", "Proposed", "propose"]

Value = str | bool | tuple[str, ...]

_SUPERSEDED = re.compile(r"(?<!not )(?<!never )superseded", re.IGNORECASE)
_DAY = re.compile(r"(\d{4})(?:-(?=\d\d-))?(\d{2})-?(\d{2})(?!\d)", re.ASCII)
_SHOWN = 200  # bytes of a line that is quoted as evidence


@dataclass(frozen=True)
class Proposed:
    """One field, its value, and what in the document says so."""

    name: str
    value: Value
    evidence: str

    @property
    def told(self) -> str:
        """Give the value as it is shown."""
        match self.value:
            case bool():
                return str(self.value).lower()
            case tuple():
                return f"[{', '.join(visible(each, keep='') for each in self.value)}]"
            case text:
                return visible(text, keep="")


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """The fields that would be added to one document, and what a person still has to say."""

    id: str
    file: str
    fields: tuple[Proposed, ...]
    notes: tuple[str, ...]

    def text(self) -> str:
        """Give each field with its evidence."""
        lines = [f"{visible(self.id, keep='')} ({visible(self.file, keep='')}):"]
        for each in self.fields:
            lines += [f"  {each.name}: {each.told}", f"    <- {each.evidence}"]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def data(self) -> dict[str, object]:
        """Give the proposal as plain values, for `--json`."""
        return {
            "id": self.id,
            "file": self.file,
            "fields": {
                each.name: {"value": _plain(each.value), "evidence": each.evidence}
                for each in self.fields
            },
            "notes": list(self.notes),
        }


def propose(document: Document, stated: Mapping[str, object]) -> Proposal | None:
    """Propose what the text says and the front matter does not; None where the spine is complete.

    A stated field is never proposed again, whatever it says.
    """
    if all(name in stated for name in SPINE):
        return None
    day = "" if "date" in stated or is_dated(document.body) else _named_day(document.file)
    if day:  # a copied file has the time of its copying, but still its name
        document = replace(document, date=day, task_date=day)
    fields: list[Proposed] = []
    notes: list[str] = []
    for derive in _DERIVED:
        for each in derive(document):
            if isinstance(each, str):
                notes.append(each)
            elif each.name not in stated:
                fields.append(each)
    if "entities" in stated:
        notes = [note for note in notes if note != NO_KEYWORDS]
    if "backfilled" in stated:
        notes = [note for note in notes if note != RITUAL]
    return Proposal(id=document.id, file=document.file, fields=tuple(fields), notes=tuple(notes))


NO_KEYWORDS = (
    "entities stays unset: there is no `Search Keywords` section that names any. Write them, or"
    " `entities: []` where there are none"
)
RITUAL = "backfilled stays unset: the document has a Pre-reg, so it was written with the work"


def _identity(document: Document) -> Iterator[Proposed]:
    stem = document.file.removesuffix(".md")
    yield Proposed("id", stem, "the file's name")
    source = "the file's name" if document.title == stem else "the first `# ` heading"
    yield Proposed("title", document.title, source)


def _dates(document: Document) -> Iterator[Proposed]:
    if not document.date:
        return
    if is_dated(document.body):
        source = "the line `- Date:` or `- Updated:`"
    else:
        is_named = document.date == _named_day(document.file)
        source = "the day in the file's name" if is_named else "the file's time"
    yield Proposed("date", document.date, source)
    yield Proposed("task_date", document.task_date, "the date")


def _named_day(file: str) -> str:
    """Give the day with which a file's name begins, `YYYYMMDD` or `YYYY-MM-DD`; empty where none is."""
    match = _DAY.match(file)
    try:
        return date(*map(int, match.groups())).isoformat() if match else ""
    except ValueError:
        return ""


def _status(document: Document) -> Iterator[Proposed]:
    line = labelled(document.body, "status")
    if not _SUPERSEDED.search(line):
        source = f"the line `- Status: {one_line(line, _SHOWN)}`" if line else "no line `- Status:`"
        yield Proposed("status", "active", source)
        return
    source = f"the line `- Status: {one_line(line, _SHOWN)}`"
    yield Proposed("status", "superseded", source)
    if successors := siblings(line):
        yield Proposed("superseded_by", successors[0], f"the link in {source}")


def _origin(document: Document) -> Iterator[Proposed | str]:
    if any(each.role == "prereg" for each in document.sections):
        yield RITUAL
    else:
        yield Proposed("backfilled", True, "no `Pre-reg` section")


def _links(document: Document) -> Iterator[Proposed]:
    line = labelled(document.body, "repos")
    names = slugs(line)
    source = f"the line `- Repos: {one_line(line, _SHOWN)}`" if names else "no line `- Repos:`"
    yield Proposed("tags", names, source)
    if names:
        yield Proposed("repos", names, source)
    own = {document.id, document.file.removesuffix(".md")}
    related = tuple(each for each in siblings(document.body) if each not in own)
    source = "links to files beside it" if related else "no link to a file beside it"
    yield Proposed("related", related, source)


def _entities(document: Document) -> Iterator[Proposed | str]:
    section = next((each for each in document.sections if each.role == "keywords"), None)
    names = keywords(section.text) if section else ()
    if section and names:
        yield Proposed("entities", names, f"{len(names)} terms of {one_line(section.locator)}")
    else:
        yield NO_KEYWORDS


_DERIVED: tuple[Callable[[Document], Iterator[Proposed | str]], ...] = (
    _identity,
    _dates,
    _status,
    _origin,
    _links,
    _entities,
)


def _plain(value: Value) -> object:
    return list(value) if isinstance(value, tuple) else value
