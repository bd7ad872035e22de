"""Take what a worker hands off: from its file, else from the last block that carries its token."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from agentjournal.errors import InputError
from agentjournal.execution.form import handoff_blocks, read_form

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["HandedOff", "pick_up"]


@dataclass(frozen=True)
class HandedOff:
    """What was found: the fields where they could be read, and always the text as it was written."""

    source: Literal["file", "fence"]
    text: str
    fields: Mapping[str, object] | None


def pick_up(file: str | None, output: str, token: str) -> HandedOff | None:
    """Give the worker's handoff; None where it left none.

    A block with another token, or with none, is not this worker's and is not looked at.
    """
    left = _read(file)
    if left is not None and left.fields is not None:
        return left
    return _last_block(output, token) or left


def _read(file: str | None) -> HandedOff | None:
    if file is None:
        return None
    try:
        return HandedOff("file", file, read_form(file))
    except InputError:
        return HandedOff("file", file, None)


def _last_block(output: str, token: str) -> HandedOff | None:
    for text in reversed([block for block in handoff_blocks(output) if token in block]):
        try:
            fields = read_form(text)
        except InputError:
            return HandedOff("fence", text, None)
        if fields.get("attempt") == token:
            return HandedOff("fence", text, fields)
    return None
