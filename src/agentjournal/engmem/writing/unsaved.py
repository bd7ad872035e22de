"""Drafts that were begun in a repository and never finished."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.engmem.header import Header

__all__ = ["Unsaved", "unsaved_of"]

_NAMED = 3
_ID = 120  # bytes
_REPOSITORY = 120  # bytes


@dataclass(frozen=True)
class Unsaved:
    """The ids of the drafts of a repository, newest first."""

    repository: str
    ids: tuple[str, ...]

    def text(self) -> str:
        """Name three of them in one line, and count the others."""
        if not self.ids:
            return f"engmem: no unsaved drafts for {one_line(self.repository, _REPOSITORY)}"
        return (
            f"engmem: unsaved draft(s) {self._named()} — finish with /engmem.save.quick or "
            "leave them"
        )

    def hook(self) -> dict[str, object] | None:
        """Give what a Claude Code SessionStart hook reads; None where there is nothing to say."""
        if not self.ids:
            return None
        told = (
            f"engmem: unsaved session drafts for this repository: {self._named()}. "
            "Offer to finish one with /engmem.save.quick, or leave them."
        )
        inside = {"hookEventName": "SessionStart", "additionalContext": told}
        return {"systemMessage": self.text(), "hookSpecificOutput": inside}

    def _named(self) -> str:
        named = ", ".join(one_line(each, _ID) for each in self.ids[:_NAMED])
        more = len(self.ids) - _NAMED
        return f"{named} +{more} more" if more > 0 else named


def unsaved_of(drafts: Iterable[Header], repository: str) -> Unsaved:
    """Choose the drafts that are linked to the repository; names differ by case at most."""
    wanted = repository.strip().casefold()
    linked = [
        each
        for each in drafts
        if each.status == "draft" and wanted in {name.strip().casefold() for name in each.repos}
    ]
    ordered = sorted(sorted(linked, key=lambda each: each.id), key=lambda e: e.date, reverse=True)
    return Unsaved(repository, tuple(each.id for each in ordered))
