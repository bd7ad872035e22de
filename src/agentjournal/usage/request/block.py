"""One block of a prompt: a tool, a part of the system prompt, a part of a message."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

__all__ = ["MARKS", "Block", "Kind", "Request", "plain_text"]

Kind = Literal["tool", "system", "message", "prompt"]
MARKS = ("cache_control", "prompt_cache_breakpoint")
ANSWERING = ("assistant", "model", "tool", "function")


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block with its place in the body; `value` is its text, or a structure without cache marks."""

    path: str
    kind: Kind
    role: str
    value: object
    is_marked: bool = False

    @cached_property
    def text(self) -> str:
        """Give the block's characters, keys in the order in which they were sent."""
        return plain_text(self.value)

    @cached_property
    def size(self) -> int:
        """Count the block's bytes."""
        return len(self.text.encode(errors="surrogatepass"))

    @property
    def identity(self) -> tuple[str, str, str]:
        """Give what two equal blocks share, wherever they stand."""
        return (self.kind, self.role, self.text)

    @property
    def is_answer(self) -> bool:
        """Say whether the model or a tool said it: then all above it is history."""
        return self.kind == "message" and self.role in ANSWERING

    @property
    def label(self) -> str:
        """Name the block for a reader."""
        if self.kind == "tool":
            name = _tool_name(self.value)
            return f"tool {name!r}" if name else "tool"
        return {"system": "system prompt", "prompt": "prompt"}.get(
            self.kind, f"{self.role} message"
        )


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request: its blocks in prompt order, and the settings that shape every prompt byte.

    `reach` is how many blocks above a mark an earlier mark is still found; None: any prefix is.
    `continues` says that the server keeps what stands above: the blocks are not the whole prompt.
    """

    blocks: tuple[Block, ...]
    model: str = ""
    template: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, str] = field(default_factory=dict)
    reach: int | None = None
    continues: bool = False

    @property
    def marks(self) -> list[int]:
        """Give the places of the marked blocks."""
        return [place for place, block in enumerate(self.blocks) if block.is_marked]

    @property
    def tail(self) -> int:
        """Give the place where the newest words begin: what follows the last answer."""
        answers = [place for place, block in enumerate(self.blocks) if block.is_answer]
        if answers:
            return answers[-1] + 1
        heads = [p for p, block in enumerate(self.blocks) if block.kind in ("tool", "system")]
        return heads[-1] + 1 if heads else 0

    @property
    def has_answers(self) -> bool:
        """Say whether there is a history."""
        return any(block.is_answer for block in self.blocks)


def plain_text(value: object) -> str:
    """Give a value's characters: text as it is, a structure as JSON with its own key order."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _tool_name(value: object) -> str:
    if not isinstance(value, Mapping):
        return ""
    inner = value.get("function") or value.get("toolSpec")
    name = (inner if isinstance(inner, Mapping) else value).get("name")
    return name if isinstance(name, str) else ""
