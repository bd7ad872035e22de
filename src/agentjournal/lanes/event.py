"""The events of an owner's stream, as their writers compose them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.log.event import draft

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from agentjournal.log.event import Draft

__all__ = ["Act", "Signature", "rewrite_draft", "turn_draft"]

Act = Literal["consolidate", "move", "append", "clear", "import"]


@dataclass(frozen=True, kw_only=True)
class Signature:
    """Under which id something is written, by whom, and when (`YYYY-MM-DDTHH:MM:SS.ffffffZ`).

    The id is minted before the first try and kept until there is an answer: a repeat is harmless.
    """

    id: str
    actor: str
    at: str


def turn_draft(
    stream: str,
    by: Signature,
    shown: tuple[str, Sequence[object]],
    payload: Mapping[str, object | None],
) -> Draft:
    """Compose the event of a turn from what `turn.composed` gave; what is None is left out.

    The column `turn` holds what a render shows, the payload where who said what stands in it.
    """
    turn, entries = shown
    body = {"v": 1, "entries": entries, **{k: v for k, v in payload.items() if v is not None}}
    return draft(
        stream=stream, id=by.id, kind="turn", actor=by.actor, at=by.at, payload=body, turn=turn
    )


def rewrite_draft(
    stream: str, by: Signature, act: Act, floor: int, payload: Mapping[str, object | None]
) -> Draft:
    """Compose the event that moves the floor or changes what stands above the lived memory."""
    kept = {k: v for k, v in payload.items() if v is not None}
    body = {"v": 1, "act": act, "floor": floor, **kept}
    return draft(
        stream=stream, id=by.id, kind="consolidated", actor=by.actor, at=by.at, payload=body
    )
