"""Which of the nineteen roles the active documents of a store have sections of."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.engmem.role import ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.engmem.reading.shelf import Shelf
    from agentjournal.engmem.role import Role

__all__ = ["count_roles", "roles_text"]

_WIDTH = max(map(len, ROLES))


def count_roles(shelf: Shelf) -> dict[Role, int]:
    """Count for each role the active documents that have a section of it."""
    counted = Counter(
        role for header in shelf.headers() if header.status == "active" for role in {*header.roles}
    )
    return {role: counted[role] for role in ROLES}


def roles_text(counts: Mapping[Role, int], scoreboard: str) -> str:
    """Give a line for each role, and the state of the store."""
    lines = [f"engmem roles: {len(ROLES)}; one of them narrows search and read: --role ROLE"]
    for role, count in counts.items():
        none = "" if count else "  (no document in this store has this section yet)"
        lines.append(f"  {role:<{_WIDTH}}  {count} document(s){none}")
    return "\n".join([*lines, scoreboard])
