"""What a finished document says of others: cited versions are kept, and what does not hold is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.engmem.document import Document
from agentjournal.engmem.ledger.cost_row import Delivery, cost_rows
from agentjournal.engmem.review.judge import judge
from agentjournal.engmem.review.shelf import Shelf
from agentjournal.engmem.review.story import read_story
from agentjournal.engmem.store import BYTES, SESSIONS, read_file, read_store
from agentjournal.engmem.writing.versions import retain_version
from agentjournal.errors import AgentJournalError, InputError
from agentjournal.system.files import read_inside
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.engmem.review.judge import Judged
    from agentjournal.engmem.review.story import Story

__all__ = ["notes_on"]

_NAMED = 5
_SHOWN = 120  # bytes of a value that a note repeats


def notes_on(root: Path, document: Document) -> list[str]:
    """Check what the Reuse Log of a saved document cites and give a note for each thing to know.

    Copies of cited versions are kept first, where they are still the current ones.
    """
    story = read_story(document)
    if not story.has_reuse_log:
        return ["note: there is no Reuse Log section, so nothing tells what memory was used"]
    cited = _cited(root, document.id, story)
    unkept = [note for each in cited.values() if (note := _kept(root, story, each))]
    known = {id_: read_story(each) for id_, each in cited.items()}
    judged = judge(Shelf(root, {**known, story.id: story}, ()))
    own = [row for row in judged if row.story == story.id]
    return [*unkept, *_problems(own), *_unread(root, story)]


def _cited(root: Path, own: str, story: Story) -> dict[str, Document]:
    """Find the cited documents: by file name, and in the whole store where that misses one."""
    names = {form for row in story.rows for form in (row.cited, row.split_version(frozenset())[0])}
    found: dict[str, Document] = {}
    for id_ in sorted(names - {own}):
        if "/" not in id_ and isinstance(read := read_file(root, f"{id_}.md").found, Document):
            found[read.id] = read
    if all(row.split_version(frozenset(found))[0] in found for row in story.rows):
        return found
    return {each.id: each for each in read_store(root).documents if each.id in names - {own}}


def _kept(root: Path, story: Story, cited: Document) -> str | None:
    """Keep the current bytes of a document where a row cites exactly them."""
    if f"{cited.id}@{cited.version}" not in {row.cited for row in story.rows}:
        return None
    try:
        data = read_inside(root, f"{SESSIONS}/{cited.file}", BYTES)
        reason = retain_version(root, cited.id, data)
    except AgentJournalError as error:
        reason = error.message
    return reason and f"note: version of {cited.id!r} not retained ({reason})"


def _problems(rows: list[Judged]) -> Iterator[str]:
    failed = [row for row in rows if row.integrity != "verified"]
    for row in failed[:_NAMED]:
        yield f"warning: citation of {one_line(row.cited, _SHOWN)}: {one_line(row.detail, _SHOWN)}"
    if len(failed) > _NAMED:
        yield f"warning: {len(failed) - _NAMED} more citation(s) do not hold (see `engmem verify`)"
    if loose := [row.cited for row in rows if row.version is None]:
        told = one_line(", ".join(loose), _SHOWN)
        yield f"note: cited without a version, checked against the current text only: {told}"


def _unread(root: Path, story: Story) -> Iterator[str]:
    """Name what this session read where its log says that nothing was used."""
    if not story.says_none:
        return
    try:
        deliveries = [row for row in cost_rows(root) if isinstance(row, Delivery) and row.is_read]
    except InputError:
        return
    read = {row.doc_id for row in deliveries if row.session == story.id and row.doc_id}
    read.discard(story.id)  # its own draft
    if read:
        told = one_line(", ".join(sorted(read)), _SHOWN)
        yield f"note: Reuse Log says none, but this session read: {told}"
