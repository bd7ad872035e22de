"""A document's text for an agent: what it is, what it says, and how it is cited."""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agentjournal.engmem.ledger.cost_row import COST, read_delivery
from agentjournal.engmem.reading.found import find_document
from agentjournal.engmem.reading.part import Part, part_of
from agentjournal.engmem.writing.ledger_line import append_line
from agentjournal.engmem.writing.versions import retain_version
from agentjournal.text.bounded import size
from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agentjournal.engmem.ledger.stamp import Channel, Stamp
    from agentjournal.engmem.reading.found import Found
    from agentjournal.engmem.reading.shelf import Shelf
    from agentjournal.engmem.role import Role

__all__ = ["Read", "ReadRequest", "read", "read_text"]

_REFUSALS = frozenset(os.strerror(each) for each in (errno.EACCES, errno.EPERM, errno.EROFS))
_UNATTRIBUTED: dict[Channel, str] = {
    "cli": "note: unattributed read — pass --session <draft-id>",
    "mcp": "note: unattributed read — pass session_id <draft-id>",
}


@dataclass(frozen=True, kw_only=True)
class ReadRequest:
    """What is to be read: `reference` is `id` or `id@version`; a role or a section, or neither."""

    reference: str
    role: Role | None = None
    section: str | None = None
    session: str | None = None


@dataclass(frozen=True, kw_only=True)
class Read:
    """A document or a part of it as it is printed; `notes` say what could not be kept or recorded."""

    found: Found
    part: Part
    text: str

    def data(self) -> dict[str, object]:
        """Give what was read as plain values, for `--json`."""
        header, document = self.found.header, self.found.document
        return {
            "id": header.id,
            "version": document.version,
            "is_former": self.found.is_former,
            "title": document.title,
            "status": header.status,
            "superseded_by": header.superseded_by,
            "part": self.part.label,
            "text": self.part.text,
            "sections": [
                {"locator": each.locator, "role": each.role, "bytes": size(each.text)}
                for each in document.sections
            ],
        }


def read_text(root: Path, shelf: Shelf, request: ReadRequest, stamp: Stamp) -> str:
    """Read as `read` does and give the text alone."""
    return read(root, shelf, request, stamp).text


def read(
    root: Path,
    shelf: Shelf,
    request: ReadRequest,
    stamp: Stamp,
    shown: Callable[[str, object], str] | None = None,
) -> Read:
    """Read a document; a copy of what may be cited is kept, and the bytes handed over are recorded.

    Hidden characters are written out. Nothing bounds the text: it is what was asked for. `shown`
    gives what of text and data reaches whoever asked, where that is not the text.

    Raises:
        NotFoundError: there is no such document, version, role or section.
        InputError: the version is none, or its copy was altered.
    """
    found = find_document(root, shelf, request.reference)
    part = _shown(found, part_of(found.document, role=request.role, section=request.section))
    unkept = _kept(root, found)
    lines = [*_head(found, part), "", visible(part.text), *_cited(found)]
    if not (request.session or "").strip():
        lines.append(_UNATTRIBUTED[stamp.channel])
    told = Read(found=found, part=part, text="\n".join([*lines, *_unkept_note(found, unkept)]))
    delivered = size(shown(told.text, told.data()) if shown else told.text)
    uncounted = append_line(root, COST, _line(found, request, stamp, delivered))
    return replace(told, text="\n".join([*lines, *_state(found, unkept, uncounted)]))


def _shown(found: Found, part: Part) -> Part:
    """Give a whole draft with its header: who completes it has to carry that over."""
    if part.label or found.header.status != "draft":
        return part
    text = found.data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    return Part("", text.strip("\n"))


def _head(found: Found, part: Part) -> list[str]:
    header, document = found.header, found.document
    by = f", superseded by {_spelled(header.superseded_by)}" if header.superseded_by else ""
    state = f"{header.status}{by if header.status == 'superseded' else ''}"
    lines = [f"document: {_spelled(header.id)} -- {_spelled(document.title)} (status: {state})"]
    if found.is_former:
        lines.append(
            f"note: this is version {document.version}, as cited; the document has changed since"
            f" -- read '{_spelled(header.id)}' for what it says now"
        )
    if header.status == "draft":
        lines.append(
            f"note: a draft (version: {document.version}): nobody reviewed it yet, so do not cite it"
            " as a decision"
        )
    return [*lines, part.label] if part.label else lines


def _cited(found: Found) -> list[str]:
    if found.header.status == "draft":
        return []
    id_, version = _spelled(found.header.id), found.document.version
    return [f"cite as (Reuse Log prior-doc): {id_}@{version}"]


def _kept(root: Path, found: Found) -> str | None:
    """Keep a copy of what may be cited; give the reason where that failed."""
    if found.header.status == "draft" or found.is_former:
        return None
    return retain_version(root, found.header.id, found.data)


def _line(found: Found, request: ReadRequest, stamp: Stamp, delivered: int) -> dict[str, object]:
    return read_delivery(
        stamp,
        session=(request.session or "").strip() or None,
        delivered=delivered,
        doc_id=found.header.id,
        role=request.role,
    )


def _state(found: Found, unkept: str | None, uncounted: str | None) -> list[str]:
    """Say what was not written; a store that takes nothing says so once."""
    if unkept and unkept == uncounted and unkept in _REFUSALS:
        return [f"note: the store refused writing — cost and versions were not recorded ({unkept})"]
    costs = [f"note: cost not recorded ({visible(uncounted, keep='')})"] if uncounted else []
    return [*_unkept_note(found, unkept), *costs]


def _unkept_note(found: Found, unkept: str | None) -> list[str]:
    if not unkept:
        return []
    what = f"version of '{_spelled(found.header.id)}' not retained ({_spelled(unkept)})"
    return [f"note: {what} — a quote from it can only be checked against the current text"]


def _spelled(text: str) -> str:
    return visible(text, keep="")
