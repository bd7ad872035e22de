"""Which documents never enter a brief, as their store itself says in `engmem.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from agentjournal.errors import AgentJournalError, NotFoundError
from agentjournal.system.files import read_inside

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["SETTINGS", "Withheld", "read_withheld"]

SETTINGS = "engmem.toml"
KEY = "never_in_brief"

_BYTES = 64 * 1024


@dataclass(frozen=True, kw_only=True)
class Withheld:
    """Everything, or the documents whose ids match a pattern (`*`, `?`, `[abc]`).

    `fault` says why the setting cannot be read; then everything is held back.
    """

    is_everything: bool = False
    patterns: tuple[str, ...] = ()
    fault: str = ""

    def holds(self, id_: str) -> bool:
        """Say whether this document is kept out of briefs."""
        return self.is_everything or any(fnmatchcase(id_, each) for each in self.patterns)


def read_withheld(root: Path) -> Withheld:
    """Read `never_in_brief` of a store: true, or a list of ids and patterns.

    A store without that file holds nothing back; one whose setting cannot be read, everything.
    """
    try:
        stated = tomllib.loads(read_inside(root, SETTINGS, _BYTES).decode())
    except NotFoundError:
        return Withheld()
    except AgentJournalError as error:
        return _faulty(error.message)
    except (ValueError, RecursionError):
        return _faulty(f"{SETTINGS} of the store is no TOML")
    match stated.get(KEY, False):
        case bool(flag):
            return Withheld(is_everything=flag)
        case list(patterns) if all(isinstance(each, str) for each in patterns):
            return Withheld(patterns=tuple(patterns))
        case _:
            return _faulty(f"{KEY} in {SETTINGS} of the store is neither true nor a list of ids")


def _faulty(why: str) -> Withheld:
    return Withheld(is_everything=True, fault=why)
