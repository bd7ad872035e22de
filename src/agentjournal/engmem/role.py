"""The nineteen roles that a section's heading can name."""

from __future__ import annotations

import unicodedata

from agentjournal.engmem.heading import without_ordinal
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Literal

    Role = Literal[
        "acceptance",
        "architecture",
        "cheatsheet",
        "code",
        "context",
        "decisions",
        "flow",
        "graph",
        "keywords",
        "lessons",
        "prereg",
        "primer",
        "production",
        "requirements",
        "reuse",
        "status",
        "summary",
        "testing",
        "trace",
    ]

__all__ = ["ROLES", "role_of"]

LONGEST = 300  # characters of a heading that can name one

_HEADINGS: dict[Role, tuple[str, ...]] = {
    "acceptance": (
        "acceptance criteria analysis",
        "acceptance criteria status",
        "acceptance criteria",
    ),
    "architecture": ("system architecture",),
    "cheatsheet": ("one-page cheat sheet",),
    "code": ("code implementation",),
    "context": ("business context", "domain & technical glossary", "glossary"),
    "decisions": ("decision log", "decision log & scope"),
    "flow": ("end-to-end flow", "end-to-end business flow"),
    "graph": ("knowledge graph",),
    "keywords": ("search keywords",),
    "lessons": (
        "lessons learned",
        "lessons learned & traps",
        "lessons learned / defects caught",
        "landmines",
    ),
    "prereg": ("pre-reg",),
    "primer": (
        "future llm context (cold-start primer)",
        "future llm context",
        "cold-start primer",
        "future-llm cold-start primer",
    ),
    "production": ("production considerations",),
    "requirements": ("functional requirements",),
    "reuse": ("reuse log",),
    "status": ("status at a glance", "status board & todo"),
    "summary": ("executive summary",),
    "testing": ("testing knowledge",),
    "trace": ("search trace",),
}
ROLES: tuple[Role, ...] = tuple(_HEADINGS)
_BY_HEADING = {
    heading: role for role in ROLES for heading in (role, *_HEADINGS[role])
}  # every role's own name is a heading too


def role_of(heading: str) -> Role | None:
    """Give the role that a heading names, with or without one trailing `(...)`."""
    if len(heading) > LONGEST:
        return None
    plain = " ".join(unicodedata.normalize("NFKC", without_ordinal(heading)).split()).casefold()
    if plain in _BY_HEADING:
        return _BY_HEADING[plain]
    if not plain.endswith(")"):
        return None
    return _BY_HEADING.get(plain[: plain.rfind("(")].rstrip()) if "(" in plain else None
