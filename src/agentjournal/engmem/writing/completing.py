"""Completing a draft: the finished document takes its place, under the lock of that document."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.writing.citations import notes_on
from agentjournal.engmem.writing.commit import commit_save
from agentjournal.engmem.writing.content import checked_content
from agentjournal.engmem.writing.folder import read_current, sessions_of
from agentjournal.engmem.writing.lock import locked
from agentjournal.engmem.writing.placing import put_over
from agentjournal.engmem.writing.refusal import (
    WriteRefused,
    changed_since,
    checked_id,
    place_of,
)
from agentjournal.engmem.writing.reuse_shape import shape_faults
from agentjournal.engmem.writing.spine_lines import with_fields
from agentjournal.errors import AgentJournalError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["complete_as_is", "complete_draft"]


def complete_draft(root: Path, id_: str, content: bytes, expected_version: str) -> str:
    """Put the finished document in the place of its own draft and give what to tell.

    Raises:
        WriteRefused: the draft was changed since it was read, or the content breaks a rule.
        NotFoundError: there is no store.
        StoreError: it cannot be written.
    """
    checked_id(id_)
    with sessions_of(root) as folder, locked(folder, id_):
        current = read_current(root, id_)
        draft = _draft(id_, current.data)
        if current.version != expected_version:
            raise changed_since(id_, expected_version, current.data, current.version)
        document = checked_content(id_, content, "active")
        _check_kept(draft, document)
        _check_reuse_log(document)
        again = read_current(root, id_)  # an editor knows nothing of the lock
        if again.data != current.data:
            raise changed_since(id_, expected_version, again.data, again.version)
        put_over(folder, f"{id_}.md", content, current.mode)
    reason = commit_save(root, place_of(id_), f"engmem: save {id_}")
    return "\n".join(
        [
            f"completed {place_of(id_)} (status: draft -> active)",
            *(f"warning: {each}" for each in document.warnings),
            *([] if _planned(draft) == _planned(document) else [_OTHER_PLAN]),
            *_notes(root, document),
            *([f"note: saved, but not committed ({reason})"] if reason else []),
        ]
    )


def complete_as_is(root: Path, id_: str) -> str:
    """Complete a draft with the text that it has: somebody edited the file itself, or agrees.

    Raises:
        WriteRefused: it is no draft, or breaks a rule.
        NotFoundError: there is no store.
        StoreError: it cannot be written.
    """
    current = read_current(root, checked_id(id_))
    content = with_fields(current.data, {"status": "active"})
    return complete_draft(root, id_, content, current.version)


_OTHER_PLAN = (
    "warning: the Pre-reg is not the draft's, word for word: what was planned before memory was "
    "searched can no longer be told from what was written after"
)


def _planned(document: Document) -> list[str]:
    return [section.text.strip() for section in document.sections if section.role == "prereg"]


def _notes(root: Path, document: Document) -> list[str]:
    try:
        return notes_on(root, document)
    except AgentJournalError as error:  # it is saved, whatever cannot be looked at now
        return [f"note: what it cites was not checked ({error.message})"]


def _draft(id_: str, data: bytes) -> Document:
    draft = read_document(f"{id_}.md", data)
    if not isinstance(draft, Document):
        raise WriteRefused(f"{place_of(id_)} does not parse: {draft.reason}")
    if draft.status != "draft":
        message = (
            f"{place_of(id_)} is {draft.status}, no draft: only a draft is completed. To correct what "
            "it says, edit the file; to overturn it, save a new document and supersede this one."
        )
        raise WriteRefused(message)
    return draft


def _check_kept(draft: Document, document: Document) -> None:
    """Refuse a document that changes under which conditions its session was begun."""
    if document.mode != draft.mode:
        states = f"mode is {document.mode!r}" if document.mode else "front matter states no mode"
        kept = f"write `mode: {draft.mode}`." if draft.mode else "leave `mode` out."
        message = (
            f"the content's {states}, but the draft was begun with {draft.mode or 'none'!r}: "
            f"a session keeps its mode: {kept}"
        )
        raise WriteRefused(message)
    if draft.baseline_unavailable is not None and document.baseline_unavailable is None:
        message = "the draft states `baseline_unavailable`: keep that line in the content."
        raise WriteRefused(message)


def _check_reuse_log(document: Document) -> None:
    logs = [section.text for section in document.sections if section.role == "reuse"]
    if logs and (faults := shape_faults("\n".join(logs))):
        lines = "\n".join(f"  - {fault}" for fault in faults)
        message = f"the Reuse Log cannot be counted — nothing was written. Correct it:\n{lines}"
        raise WriteRefused(message)
