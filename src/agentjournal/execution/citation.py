"""Who said a quoted thing, where in the log, under which revision of the plan."""

from __future__ import annotations

__all__ = ["cited", "short_id"]

_SHORT = 12  # the last group of a UUID: 48 random bits


def cited(actor: object, id_: object, revision: object) -> str:
    """Give the bracket that ends each quoted item: actor, step, revision."""
    return f"[{actor} {id_} r{revision}]"


def short_id(id_: str) -> str:
    """Give the end of a step's id: the part that two steps of a project never share in practice."""
    return id_[-_SHORT:]
