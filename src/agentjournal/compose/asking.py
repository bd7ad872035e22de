"""Asking a store: what the answer needs of this machine is put together for it."""

from __future__ import annotations

import os.path
from functools import partial

from agentjournal.engmem.answer.answer import CAP, answer
from agentjournal.engmem.answer.recorded import record_search
from agentjournal.engmem.answer.request import Occasion
from agentjournal.engmem.version import PROGRAM
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from agentjournal.engmem.answer.answer import Answer
    from agentjournal.engmem.answer.request import Channel, SearchRequest
    from agentjournal.engmem.header import Header
    from agentjournal.engmem.index.store_index import StoreIndex

__all__ = ["ask", "occasion"]


def occasion(root: Path, *, cwd: Path, now: datetime, channel: Channel = "cli") -> Occasion:
    """Say where, when and through what a store is asked."""
    return Occasion(
        root=root,
        now=now,
        channel=channel,
        program=PROGRAM,
        snapshots=partial(_snapshots, cwd=cwd),
    )


def ask(index: StoreIndex, request: SearchRequest, when: Occasion, cap: int = CAP) -> Answer:
    """Search a store and record that; `text` is all that stdout or a tool gives back.

    Nothing that fails beside the search fails it: the answer says what was not recorded.
    """
    return answer(index, request, when, partial(record_search, when.root), cap)


def _snapshots(headers: Sequence[Header], cwd: Path) -> Mapping[str, str]:
    """Ask git only in a checkout, and only about documents that are linked to it."""
    name = _repository_name(cwd) if any(map(_links, headers)) else ""
    linked = [header for header in headers if name.casefold() in _links(header)] if name else []
    if not linked:
        return {}
    from agentjournal.compose.snapshot import snapshots

    return snapshots(linked, name, cwd)


def _repository_name(cwd: Path) -> str:
    """Give the name of the folder that holds the checkout here, without asking git."""
    names = str(cwd).split("/")
    for end in range(len(names), 0, -1):
        if os.path.exists("/".join([*names[:end], ".git"])):  # noqa: PTH110 - no Path is loaded
            return names[end - 1]
    return ""


def _links(header: Header) -> set[str]:
    names = [*header.repos, *(repository for repository, _ in header.verified_at)]
    return {each.strip().casefold() for each in names}
