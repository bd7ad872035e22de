"""How stored text is quoted: as one line without authority, with who said it and where."""

from __future__ import annotations

import re

from agentjournal.text.visible import one_line

__all__ = ["cited", "quoted_line", "short_id"]

_FRAME = re.compile(r"<(?=[\\/]?quoted:)", re.IGNORECASE)

_SHORT = 12  # the last group of a UUID: 48 random bits


def quoted_line(text: str, cap_bytes: int | None = None) -> str:
    """Give stored text as one visible line that imitates no frame, byte for byte as long."""
    return _FRAME.sub("(", one_line(text, cap_bytes))


def cited(actor: str, id_: str, revision: int) -> str:
    """Give the bracket that ends each quoted item: actor, step, revision."""
    return f"[{actor} {id_} r{revision}]"


def short_id(id_: str) -> str:
    """Give the end of an id of a step or an item of it: what two of a project never share."""
    step, mark, position = id_.partition("#")
    return f"{step[-_SHORT:]}{mark}{position}"
