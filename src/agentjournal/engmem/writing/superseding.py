"""Marking a document as superseded by another: two lines change, all else stays to the byte."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.document import read_document
from agentjournal.engmem.front_matter import Refusal
from agentjournal.engmem.writing.commit import commit_save
from agentjournal.engmem.writing.folder import checked_size, read_current, sessions_of
from agentjournal.engmem.writing.lock import locked
from agentjournal.engmem.writing.placing import put_over
from agentjournal.engmem.writing.refusal import (
    WriteRefused,
    changed_since,
    checked_id,
    place_of,
)
from agentjournal.engmem.writing.spine_lines import with_fields
from agentjournal.engmem.writing.versions import retain_version
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["mark_superseded"]


def mark_superseded(root: Path, id_: str, successor: str, expected_version: str) -> str:
    """Mark an active document superseded and give what to tell; the successor need not exist yet.

    The version that is replaced is kept first: somebody may have cited it.

    Raises:
        WriteRefused: it is not active, was changed since it was read, or cannot be changed safely.
        NotFoundError: there is no store.
        StoreError: it cannot be written.
    """
    checked_id(id_)
    checked_id(successor, "superseded_by")
    if id_ == successor:
        raise WriteRefused(f"a document cannot be superseded by itself ({id_!r}).")
    with sessions_of(root) as folder, locked(folder, id_):
        current = read_current(root, id_)
        if current.version != expected_version:
            raise changed_since(id_, expected_version, current.data, current.version)
        _check_active(id_, current.data)
        fields = {"status": "superseded", "superseded_by": successor}
        changed = checked_size(id_, with_fields(current.data, fields))
        unkept = retain_version(root, id_, current.data)
        if read_current(root, id_).version != expected_version:
            raise changed_since(id_, expected_version, current.data, current.version)
        put_over(folder, f"{id_}.md", changed, current.mode)
    told = [f"marked {place_of(id_)} superseded by {successor} (status: active -> superseded)"]
    if _is_draft(root, successor):
        told.append(
            f"note: {successor} is still a draft: no search shows either until it is completed"
        )
    if unkept:
        told.append(f"note: the version {expected_version} was not retained ({unkept})")
    reason = commit_save(root, place_of(id_), f"engmem: {id_} superseded by {successor}")
    if reason:
        told.append(f"note: saved, but not committed ({reason})")
    return "\n".join(told)


def _is_draft(root: Path, id_: str) -> bool:
    try:
        document = read_document(f"{id_}.md", read_current(root, id_).data)
    except AgentJournalError:  # it need not exist yet
        return False
    return not isinstance(document, Refusal) and document.status == "draft"


def _check_active(id_: str, data: bytes) -> None:
    document = read_document(f"{id_}.md", data)
    if isinstance(document, Refusal):
        raise WriteRefused(f"{place_of(id_)} does not parse: {document.reason}")
    if document.status != "active":
        message = f"{place_of(id_)} is {document.status}: only an active document is superseded."
        raise WriteRefused(message)
