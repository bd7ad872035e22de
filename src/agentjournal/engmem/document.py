"""One document of past work: what was read is what is on disk, and no field is guessed silently."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.engmem.front_matter import FrontMatter, Refusal, read_front_matter
from agentjournal.engmem.section import Section, split
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Document", "Status", "read_document"]

Status = Literal["draft", "active", "superseded"]

SPINE = ("id", "title", "date", "task_date", "status", "tags", "entities")
_STATUSES: Mapping[str, Status] = {each: each for each in get_args(Status)}
_H1 = re.compile(r"#[ \t]+(.*)")
_DATED = re.compile(
    r"[-*][ \t\xa0]+\**(?:Date|Updated)\**[ \t\xa0]*:\**[ \t\xa0]*(\d{4}-\d\d-\d\d)"
)
_PREFIX = re.compile(r"Knowledge Base\s+[\u2014\u2013-]\s+")
_SHOWN = 60  # bytes of a faulty value that a note repeats
_LABELLED_LINES = 40


@dataclass(frozen=True, kw_only=True)
class Document:
    """A document as it was read; `faults` says which fields could not be taken as stated.

    `date` is `YYYY-MM-DD`, empty where none is stated. `is_partial` says that one of the seven
    fields of the spine is missing.
    """

    id: str
    file: str
    title: str
    status: Status
    date: str
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    covers_files: tuple[str, ...]
    repos: tuple[str, ...]
    superseded_by: str | None
    sections: tuple[Section, ...]
    is_partial: bool
    faults: tuple[str, ...]


@dataclass
class _Fields:
    """Takes fields one by one; what cannot be taken as stated is noted and left out."""

    stated: Mapping[str, object]
    faults: list[str] = field(default_factory=list)

    def text(self, name: str) -> str | None:
        match self.stated.get(name):
            case None:
                return None
            case str(value) if value.strip() and "\n" not in value:
                return value.strip()
            case other:
                self._note(name, other, "is no single line")
                return None

    def texts(self, name: str) -> tuple[str, ...]:
        match self.stated.get(name):
            case None:
                return ()
            case str(value):
                return (value,)
            case list(values) if all(isinstance(each, str) for each in values):
                return tuple(values)
            case other:
                self._note(name, other, "is no list of texts")
                return ()

    def day(self, name: str) -> str | None:
        value = self.text(name)
        if value is None:
            return None
        try:
            return date.fromisoformat(value[:10]).isoformat()
        except ValueError:
            self._note(name, value, "is no date")
            return None

    def status(self) -> Status:
        value = self.text("status") or "active"
        if status := _STATUSES.get(value.casefold()):
            return status
        self._note("status", value, "is none of draft, active, superseded")
        return "active"

    def _note(self, name: str, value: object, problem: str) -> None:
        self.faults.append(f"{name} {problem}: {one_line(str(value), _SHOWN)}")


def read_document(file: str, data: bytes) -> Document | Refusal:
    """Read a document from its file's name and bytes.

    A field that cannot be taken as stated falls back to what a missing one means, and is named in
    `faults`; only what cannot be read at all is refused.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        return Refusal(f"it is not UTF-8 (byte {error.start})")
    block = read_front_matter(text)
    return block if isinstance(block, Refusal) else _document(file, block)


def _document(file: str, block: FrontMatter) -> Document:
    fields, lines = _Fields(block.fields), block.body.split("\n")
    stem = file.removesuffix(".md")
    return Document(
        id=fields.text("id") or stem,
        file=file,
        title=fields.text("title") or _title(lines) or stem,
        status=fields.status(),
        date=fields.day("date") or _dated(lines[:_LABELLED_LINES]),
        tags=fields.texts("tags"),
        entities=fields.texts("entities"),
        covers_files=fields.texts("covers_files"),
        repos=fields.texts("repos"),
        superseded_by=fields.text("superseded_by"),
        sections=split(block.body),
        is_partial=any(name not in block.fields for name in SPINE),
        faults=tuple(fields.faults),
    )


def _title(lines: Iterable[str]) -> str:
    found = next((match for line in lines if (match := _H1.match(line))), None)
    return _PREFIX.sub("", found[1].strip(), count=1) if found else ""


def _dated(lines: Iterable[str]) -> str:
    for line in lines:
        if match := _DATED.match(line.strip()):
            try:
                return date.fromisoformat(match[1]).isoformat()
            except ValueError:
                return ""
    return ""
