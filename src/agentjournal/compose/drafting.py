"""Drafts the document of a project: its log, the store that it goes to, and what was measured."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from agentjournal.compose.usage import measurements, measurements_path
from agentjournal.config.engmem import mode_file, saved_engmem_mode
from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.review.story import collapsed
from agentjournal.engmem.store import BYTES, SESSIONS
from agentjournal.engmem.writing.creating import create_draft
from agentjournal.engmem.writing.versions import retain_version
from agentjournal.errors import AgentJournalError
from agentjournal.recall.drafting.draft import Circumstances, draft
from agentjournal.recall.drafting.material import load_material
from agentjournal.system.files import read_inside
from agentjournal.system.git import run_git

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from agentjournal.compose.services import Services
    from agentjournal.config.engmem import Mode
    from agentjournal.recall.drafting.draft import Drafted
    from agentjournal.usage.record import Usage

__all__ = ["draft_finished", "draft_project"]


def draft_project(services: Services, slug: str, mode: Mode, *, is_kept: bool = True) -> Drafted:
    """Draft the document of a project; versions of documents that it cites are kept in the store.

    Not so where the draft itself is not kept there.

    Raises:
        NotFoundError: there is no such project.
        StoreError: the log cannot be read.
    """
    root = services.root
    around = Circumstances(
        mode=mode,
        author=_author(services.world.cwd),
        repos=(root.name,) if root else (),
        cost=_cost(services, slug),
        cite=partial(_cited, services.settings.engmem_store, is_kept),
    )
    return draft(load_material(services.log, slug), around)


def draft_finished(services: Services, slug: str) -> list[str]:
    """Draft the document of a finished plan in the store; say so, raise nothing.

    A document that is there already stays as it is.
    """
    store, world = services.settings.engmem_store, services.world
    try:
        mode = saved_engmem_mode(mode_file(world.environment, world.home)) or "daily"
        made = draft_project(services, slug, mode)
        if (store / SESSIONS / f"{made.id}.md").exists():
            return []
        create_draft(store, made.id, made.text.encode(), mode=mode)
    except AgentJournalError as error:
        return [f"No document was drafted: {error.message}"]
    told = (
        f"Drafted {made.id}: read it in {store / SESSIONS}, then publish it by "
        f"`engmem draft complete {made.id} --as-is`. No search finds it before."
    )
    return [told]


def _author(cwd: Path) -> str:
    try:
        answer = run_git(["config", "--get", "user.name"], cwd)
    except AgentJournalError:
        return ""
    return answer.out.decode(errors="replace").strip() if answer.code == 0 else ""


def _cost(services: Services, slug: str) -> str:
    """Say what the calls of a project took; empty where nothing was measured."""
    if not measurements_path(services.settings).is_file():
        return ""
    with measurements(services) as store:
        usages = (each.usage for each in store.each_call(project=slug))
        return _summed(usage for usage in usages if usage.is_reported)


def _summed(usages: Iterable[Usage]) -> str:
    """Add up calls one by one: a project may have made any number."""
    calls = 0
    sums: dict[str, int | None] = dict.fromkeys(("input_total", "output"))
    for usage in usages:
        calls += 1
        for name, before in sums.items():
            count = getattr(usage, name)
            sums[name] = before if count is None else count + (before or 0)
    told = {name: "unmeasured" if each is None else f"{each:,}" for name, each in sums.items()}
    if not calls:
        return ""
    tokens = f"{told['input_total']} input and {told['output']} output tokens"
    return f"{tokens} in {calls} measured calls"


def _cited(root: Path, is_kept: bool, document: str, quote: str) -> str:  # noqa: FBT001 - bound once
    """Give the id with the version that holds the quote, kept in the store; else as it was said."""
    if "@" in document or "/" in document:
        return document
    file = f"{document}.md"
    try:
        data = read_inside(root, f"{SESSIONS}/{file}", BYTES)
    except AgentJournalError:
        return document
    read = read_document(file, data)
    if not isinstance(read, Document) or collapsed(quote) not in collapsed(read.body):
        return document
    if read.id != document or (is_kept and retain_version(root, document, data)):
        return document
    return f"{document}@{read.version}"
