"""A store of documents on disk, opened and asked as a command would."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.engmem.answer.answer import answer
from agentjournal.engmem.answer.request import Occasion, SearchRequest
from agentjournal.engmem.index.looked import looked_at
from agentjournal.engmem.index.refresh import refreshed

if TYPE_CHECKING:
    from typing import Any

    from agentjournal.engmem.answer.answer import Answer
    from agentjournal.engmem.index import StoreIndex

NOW = datetime(2026, 9, 20, 12, tzinfo=UTC)


def write_store(root: Path, files: dict[str, str | bytes]) -> Path:
    """Write files below `sessions/`, or beside it where the name begins with `../`."""
    for name, text in files.items():
        path = root / "sessions" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    (root / "sessions").mkdir(parents=True, exist_ok=True)
    return root


def open_store(root: Path) -> StoreIndex:
    """Open the index of a store, kept beside it."""
    return refreshed(looked_at(root), root.parent / f"{root.name}-cache", now=0)


def ask(
    index: StoreIndex, query: str, *, channel: Any = "cli", record: Any = None, **asked: Any
) -> Answer:
    """Ask a store as if it lay at /store: goldens name no path of a machine."""
    occasion = Occasion(root=Path("/store"), now=NOW, channel=channel, program="agent-journal 9.9")
    snapshots = asked.pop("snapshots", None)
    if snapshots is not None:
        occasion = Occasion(
            root=Path("/store"), now=NOW, channel=channel, program="agent-journal 9.9",
            snapshots=lambda _: snapshots,
        )  # fmt: skip
    return answer(index, SearchRequest(query=query, **asked), occasion, record)
