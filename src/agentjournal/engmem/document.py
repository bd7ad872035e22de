"""One document of past work: what was read is what is on disk, and no field is guessed silently."""

from __future__ import annotations

import hashlib
import re
from datetime import date

from agentjournal.engmem.fields import Fields, NavigationMiss, Status
from agentjournal.engmem.front_matter import FrontMatter, Refusal, read_front_matter
from agentjournal.engmem.section import Section, split
from agentjournal.frozen import frozen, replace
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Document", "Status", "read_document", "version_of"]

SPINE = ("id", "title", "date", "task_date", "status", "tags", "entities")
_H1 = re.compile(r"^#[ \t]+(\S.*)$", re.MULTILINE)
_DATED = re.compile(
    r"[-*][ \t\xa0]+\**(?:Date|Updated)\**[ \t\xa0]*:\**[ \t\xa0]*(\d{4}-\d\d-\d\d)", re.ASCII
)
_PREFIX = re.compile(r"Knowledge Base\s+[\u2014\u2013-]\s+")
_LABELLED_LINES = 40
_TITLE = 300  # characters of a first heading that may stand as a title


@frozen(kw_only=True)
class Document:
    """A document as it was read.

    `faults` says which stated values were lost, `warnings` which were read in another way than
    written. Dates are `YYYY-MM-DD`, empty where none is known. `is_partial` says that one of the
    seven fields of the spine is missing; `has_unknown_repos` that its links to repositories cannot
    be read. In `verified_at` an empty commit is one that cannot be known.
    """

    id: str
    file: str
    version: str
    title: str
    date: str
    task_date: str
    status: Status
    tags: tuple[str, ...]
    entities: tuple[str, ...]
    related: tuple[str, ...]
    covers_files: tuple[str, ...]
    repos: tuple[str, ...]
    has_unknown_repos: bool
    superseded_by: str | None
    backfilled: bool
    capture_minutes: int | None
    verified_at_commit: str
    verified_at: tuple[tuple[str, str], ...]
    mode: str | None
    baseline_unavailable: str | None
    navigation_miss: tuple[NavigationMiss, ...]
    author: str
    branch: str
    pr: str
    baseline_tokens: str
    context_bytes: str
    answer_steps: str
    answer_tokens: str
    body: str
    sections: tuple[Section, ...]
    is_partial: bool
    faults: tuple[str, ...]
    warnings: tuple[str, ...]


def version_of(data: bytes) -> str:
    """Give the first 16 hex digits of the SHA-256 of a document's bytes."""
    return hashlib.sha256(data).hexdigest()[:16]


def read_document(file: str, data: bytes, changed: str = "") -> Document | Refusal:
    """Read a document from its file's name and bytes; `changed` is the day of its last change.

    A field that cannot be taken as stated falls back to what a missing one means, and is named in
    `faults`; only what cannot be read at all is refused.
    """
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        return Refusal(f"it is not UTF-8 (byte {error.start})")
    block = read_front_matter(text)
    return block if isinstance(block, Refusal) else _document(file, data, block, changed)


def _document(file: str, data: bytes, block: FrontMatter, changed: str) -> Document:
    fields, stem = Fields(block.fields), file.removesuffix(".md")
    day = (
        fields.day("date")
        or _dated(block.body.split("\n", _LABELLED_LINES)[:_LABELLED_LINES])
        or changed
    )
    repos = fields.repos()
    document = Document(
        id=fields.id() or stem,
        file=file,
        version=version_of(data),
        title=fields.line("title") or _title(block.body) or stem,
        date=day,
        task_date=fields.day("task_date") or day,
        status=fields.status(),
        tags=fields.texts("tags"),
        entities=fields.texts("entities"),
        related=fields.texts("related"),
        covers_files=fields.texts("covers_files"),
        repos=repos or (),
        has_unknown_repos=repos is None,
        superseded_by=fields.told("superseded_by") or None,
        backfilled=fields.flag("backfilled"),
        capture_minutes=fields.whole("capture_minutes"),
        verified_at_commit=fields.verified_at_commit(),
        verified_at=fields.verified_at(),
        mode=fields.mode(),
        baseline_unavailable=fields.baseline_unavailable(),
        navigation_miss=fields.navigation_misses(),
        author=fields.told("author"),
        branch=fields.told("branch"),
        pr=fields.told("pr"),
        baseline_tokens=fields.told("baseline_tokens"),
        context_bytes=fields.told("context_bytes"),
        answer_steps=fields.told("answer_steps"),
        answer_tokens=fields.told("answer_tokens"),
        body=block.body,
        sections=split(block.body),
        is_partial=any(name not in block.fields for name in SPINE),
        faults=tuple(fields.faults),
        warnings=(),
    )
    return replace(document, warnings=(*fields.warnings, *_oddities(document, stem)))


def _oddities(document: Document, stem: str) -> list[str]:
    found = []
    if not document.body.strip() and (document.status, document.mode) != ("draft", "daily"):
        found.append("document is empty")
    if not document.entities:
        found.append("entities is empty")
    if document.id != stem:
        found.append(f"id {document.id!r} does not match filename {stem!r}")
    return found


def _title(body: str) -> str:
    found = _H1.search(body)
    return _PREFIX.sub("", found[1].strip()[:_TITLE], count=1) if found else ""


def _dated(lines: Iterable[str]) -> str:
    for line in lines:
        if match := _DATED.match(line.strip()):
            try:
                return date.fromisoformat(match[1]).isoformat()
            except ValueError:
                return ""
    return ""
