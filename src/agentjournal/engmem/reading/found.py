"""From an id to the document as it is, or as it was when it was cited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from agentjournal.engmem.document import Document, read_document, version_of
from agentjournal.engmem.front_matter import Refusal
from agentjournal.engmem.kept_version import Missing, kept_version
from agentjournal.engmem.scan import SESSIONS, why
from agentjournal.engmem.store import BYTES
from agentjournal.errors import AgentJournalError, InputError, NotFoundError
from agentjournal.system.files import read_inside
from agentjournal.text.bounded import clip
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.engmem.header import Header
    from agentjournal.engmem.reading.shelf import Shelf

__all__ = ["Found", "find_document", "the_header"]

_REASON = 300  # bytes
_SHOWN = 200  # bytes of an id that is none


@dataclass(frozen=True, kw_only=True)
class Found:
    """A document as it was read; `header` says what the store knows of it now.

    `data` are the bytes it was read from; `is_former` says that they are no longer those of the
    file.
    """

    header: Header
    document: Document
    data: bytes
    is_former: bool


def find_document(root: Path, shelf: Shelf, reference: str) -> Found:
    """Find a document by `id` or `id@version`; ids lead to files by the index, never by a path.

    Raises:
        NotFoundError: no document has that id, or that version was not kept.
        InputError: the version is none, or the kept copy has other bytes than its name says.
    """
    header, version = _named(shelf, reference)
    place = f"{SESSIONS}/{header.file}"
    data = _read(root, place, header.id)
    if version is None or version == version_of(data):
        return _found(header, data, is_former=False)
    return _found(header, _kept(root, header.id, version), is_former=True)


def the_header(shelf: Shelf, id_: str) -> Header:
    """Give what is known of the document with that id.

    Raises:
        NotFoundError: there is none; the message says where its file could not be read.
    """
    header = shelf.header(id_)
    if header is None:
        _refuse_unknown(shelf, id_)
    return header


def _named(shelf: Shelf, reference: str) -> tuple[Header, str | None]:
    """Read the reference; an id that holds an `@` and exists is that id."""
    id_, at, version = reference.rpartition("@")
    whole = shelf.header(reference) if at else the_header(shelf, reference)
    if whole is not None:
        return whole, None
    header = the_header(shelf, id_)
    return header, version


def _kept(root: Path, id_: str, version: str) -> bytes:
    data = kept_version(root, id_, version)
    if isinstance(data, Missing):
        raise InputError(
            f"That version of {id_!r} cannot be read: {data.reason}.",
            next=f"The current text: engmem read {one_line(id_)}",
        )
    return data


def _read(root: Path, place: str, id_: str) -> bytes:
    try:
        return read_inside(root, place, BYTES)
    except AgentJournalError as error:
        raise NotFoundError(
            f"{id_!r} cannot be read now: {why(place, error)}.", next="Try again."
        ) from error


def _found(header: Header, data: bytes, *, is_former: bool) -> Found:
    read = read_document(header.file, data, header.date)
    if isinstance(read, Refusal):
        raise InputError(
            f"{header.id!r} cannot be read: {read.reason}.", next=f"Repair {header.file!r}."
        )
    return Found(header=header, document=read, data=data, is_former=is_former)


def _refuse_unknown(shelf: Shelf, id_: str) -> NoReturn:
    failed = next((each for each in shelf.failures if each.file == f"{id_}.md"), None)
    if failed is None:
        raise NotFoundError(
            f"no document with id {clip(id_, _SHOWN)!r} in the store.",
            next='Look for it: engmem search "<words>"',
        )
    raise NotFoundError(
        f"no document with id {clip(id_, _SHOWN)!r} in the store -- its file was not loaded:"
        f" {one_line(failed.reason, _REASON)}.",
        next=f"Repair {failed.file!r}.",
    )
