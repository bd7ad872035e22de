"""Creating a draft: a document of its own, never over another one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.document import version_of
from agentjournal.engmem.writing.commit import commit_save
from agentjournal.engmem.writing.content import checked_content
from agentjournal.engmem.writing.folder import sessions_of
from agentjournal.engmem.writing.lock import locked
from agentjournal.engmem.writing.placing import put_new
from agentjournal.engmem.writing.refusal import WriteRefused, checked_id, place_of

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.config.engmem import Mode
    from agentjournal.engmem.document import Document
    from agentjournal.engmem.ledger.stamp import Channel

__all__ = ["create_draft"]


_SESSION = {
    "cli": "pass --session {} on every engmem search",
    "mcp": "pass session_id {} on every engmem_search",
}
_KEEP = {
    "cli": "--expected-version to engmem draft complete",
    "mcp": "expected_version to engmem_complete_draft",
}
_MODES = {
    "daily": "no Pre-reg is needed, and reviews do not count this session",
    "research": "the plan written before any search is what reviews compare with",
}


def create_draft(
    root: Path, id_: str, content: bytes, *, mode: Mode, channel: Channel = "cli"
) -> str:
    """Write a new document with status `draft` and give what to tell; nothing is ever overwritten.

    `mode` is the configured one, which the content has to state.

    Raises:
        WriteRefused: the id or the content breaks a rule, or the document exists.
        NotFoundError: there is no store.
        StoreError: it cannot be written.
    """
    document = checked_content(checked_id(id_), content, "draft")
    _check_mode(document, mode)
    with sessions_of(root) as folder, locked(folder, id_):
        if not put_new(folder, f"{id_}.md", content):
            message = (
                f"{place_of(id_)} already exists, and creating a draft never overwrites. Complete "
                "that draft, or choose another id."
            )
            raise WriteRefused(message)
    reason = commit_save(root, place_of(id_), f"engmem: draft {id_}")
    note = f"\nnote: saved, but not committed ({reason})" if reason else ""
    return _told(id_, version_of(content), mode, channel) + note


def _check_mode(document: Document, mode: Mode) -> None:
    if document.mode is None:
        message = f"the content states no mode: add `mode: {mode}` (see `engmem mode show`)."
        raise WriteRefused(message)
    if document.mode != mode:
        message = (
            f"the content's mode is {document.mode!r}, the configured one {mode!r}: write "
            f"`mode: {mode}`, or have the user run `engmem mode set`."
        )
        raise WriteRefused(message)
    has_plan = any(section.role == "prereg" for section in document.sections)
    if mode == "research" and not has_plan and document.baseline_unavailable is None:
        message = (
            "a research session needs `## Pre-reg`, a plan written before any search, or "
            "`baseline_unavailable: <reason>` in the front matter."
        )
        raise WriteRefused(message)


def _told(id_: str, version: str, mode: Mode, channel: Channel) -> str:
    return (
        f"created {place_of(id_)} (status: draft, version: {version}). "
        f"Now {_SESSION[channel].format(id_)} for this task: others count as unattributed. "
        f"Keep the version: pass it as {_KEEP[channel]} when the work is done. "
        f"Recorded mode: {mode} — {_MODES[mode]}. "
        "Reuse Log: one `| prior-doc | taken | impact | classification |` row per prior document — "
        "prior-doc is the id@version that `cite as` shows, taken quotes the words used, "
        "classification is reuse, anti-reuse or harmful — or exactly `Prior docs used: none.`"
    )
