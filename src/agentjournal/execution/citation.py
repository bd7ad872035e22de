"""Who said a quoted thing, where in the log, under which revision of the plan."""

from __future__ import annotations

__all__ = ["cited", "short_id"]

_SHORT = 12  # the last group of a UUID: 48 random bits


def cited(actor: str, id_: str, revision: int) -> str:
    """Give the bracket that ends each quoted item: actor, step, revision."""
    return f"[{actor} {id_} r{revision}]"


def short_id(id_: str) -> str:
    """Give the end of an id of a step or an item of it: what two of a project never share."""
    step, mark, position = id_.partition("#")
    return f"{step[-_SHORT:]}{mark}{position}"
