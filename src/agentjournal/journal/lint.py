"""Volatile content above a boundary, in a text or in a request body, with the place of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.journal.sent import above, stable_blocks
from agentjournal.journal.volatile import scan_volatile
from agentjournal.journal.wire import BOUNDARY

if TYPE_CHECKING:
    from agentjournal.journal.volatile import Volatile


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One suspicious run of text; `where` is the JSON path of its block, empty for a plain text."""

    where: str
    volatile: Volatile

    def __str__(self) -> str:
        """Give the finding as one line."""
        found = self.volatile
        place = f"{self.where}:{found.line}" if self.where else f"{found.line}"
        return f"{place}: {found.kind}: {found.text!r} ({found.reason})"


def lint_prompt(
    value: str | Mapping[str, object], *, today: str | None = None, boundary: str = BOUNDARY
) -> list[Finding]:
    """Find what should not stand above the boundary of a text, or of a request body as sent.

    Of a text without a boundary line, all of it is looked at; of a body, what stands up to the
    boundary or else up to the last cache mark. `today` (YYYY-MM-DD) makes that date a finding, and
    times on other days history.
    """
    return [
        Finding(where=where, volatile=found)
        for where, text in _texts(value, boundary)
        for found in scan_volatile(text, today=today)
    ]


def _texts(value: str | Mapping[str, object], boundary: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, str):
        yield "", above(value, boundary)
        return
    for block in stable_blocks(value, boundary):
        if block.is_text:
            yield block.path, block.text
    yield from _strings("tools", value.get("tools"))


def _strings(path: str, value: object) -> Iterator[tuple[str, str]]:
    """Give every text inside a tool: its keys stand in the order in which they are sent."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _strings(f"{path}.{key}", item)
    elif isinstance(value, list | tuple):
        for place, item in enumerate(value):
            yield from _strings(f"{path}[{place}]", item)
