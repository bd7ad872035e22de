"""The command by which an agent program starts engmem's MCP server, and whether an entry is one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["ServerCommand", "is_ours", "store_of"]

# -P: a folder that happens to be current must not lend the server its modules.
_OURS = ["-P", "-m", "agentjournal.cli.engmem", "mcp"]
_THEIRS = ["-m", "engmem.cli", "mcp", "--store"]


@dataclass(frozen=True)
class ServerCommand:
    """A Python and a store: the whole command follows."""

    python: str
    store: Path

    @property
    def args(self) -> list[str]:
        """Give the arguments, the store among them."""
        return [*_OURS, "--store", str(self.store)]

    @property
    def entry(self) -> dict[str, object]:
        """Give what stands under the server's name in a settings file."""
        return {"command": self.python, "args": self.args}


def is_ours(entry: object) -> bool:
    """Say whether engmem wrote this entry: ours, or the older tool's in exactly its shape."""
    if not isinstance(entry, dict) or not isinstance(entry.get("command"), str):
        return False
    args = entry.get("args")
    if not isinstance(args, list) or not all(isinstance(each, str) for each in args):
        return False
    is_theirs = args[:-1] == _THEIRS and set(entry) == {"command", "args"}
    return args[: len(_OURS)] == _OURS or is_theirs


def store_of(entry: object) -> str | None:
    """Give the store that an entry names; None where it leaves that to the moment of the start."""
    args = entry.get("args") if isinstance(entry, dict) else None
    if not isinstance(args, list):
        return None
    for place, word in enumerate(args):
        if word == "--store" and place + 1 < len(args):
            return str(args[place + 1])
        if isinstance(word, str) and word.startswith("--store="):
            return word.removeprefix("--store=")
    return None
