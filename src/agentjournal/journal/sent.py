"""A request body as it is sent, read as the blocks that an API would match, in its order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from agentjournal.journal.wire import BOUNDARY

_MARKS = ("cache_control", "prompt_cache_breakpoint")
_LANES = ("model", "prompt_cache_key")
_TEXTS = ("text", "input_text", "output_text")
_NO_PROMPT = (*_MARKS, "id", "status", "type", "role", "content")


@dataclass(frozen=True, kw_only=True)
class SentBlock:
    """One block: its JSON path, its form (role and type), its text, whether a cache mark ends it.

    What is no text (a tool, an image) is its JSON, keys in the order in which they are sent.
    """

    path: str
    form: str
    text: str
    is_marked: bool = False
    is_text: bool = True


def sent_blocks(body: Mapping[str, object]) -> list[SentBlock]:
    """Give every block of a body of chat completions, Responses or Messages, first tools, then system.

    Model and routing key come first: another model, or another replica, has another cache.
    """
    return [
        *(_other(name, name, body[name]) for name in _LANES if isinstance(body.get(name), str)),
        *_tools(body.get("tools")),
        *_content("system", body.get("system"), "system"),
        *_content("instructions", body.get("instructions"), "system"),
        *_messages("messages", body.get("messages")),
        *_messages("input", body.get("input")),
    ]


def stable_blocks(body: Mapping[str, object], boundary: str = BOUNDARY) -> list[SentBlock]:
    """Give the blocks that are meant to stay: those above the boundary line.

    Where no block begins with that line, those up to the last cache mark; without marks, all, the
    last one only down to that line.
    """
    blocks = sent_blocks(body)
    for place, block in enumerate(blocks):
        if block.is_text and block.text.lstrip("\n").startswith(boundary):
            return blocks[:place]
    marked = [place for place, block in enumerate(blocks) if block.is_marked]
    return blocks[: marked[-1] + 1] if marked else _without_tail(blocks, boundary)


def above(text: str, boundary: str = BOUNDARY) -> str:
    """Give the part of a text that stands above its first boundary line."""
    return re.split(rf"(?:\A|\n){re.escape(boundary)}\r?(?:\n|\Z)", text, maxsplit=1)[0]


def _without_tail(blocks: list[SentBlock], boundary: str) -> list[SentBlock]:
    """Cut the last block where a whole prompt was sent as one: its text above the boundary stays."""
    if not blocks or not blocks[-1].is_text:
        return blocks
    last = blocks[-1]
    kept = above(last.text, boundary)
    return (
        blocks if kept == last.text else [*blocks[:-1], replace(last, text=kept.removesuffix("\n"))]
    )


def is_request(value: object) -> bool:
    """Say whether this reads as a request body rather than as any other object."""
    return isinstance(value, Mapping) and not {"messages", "input"}.isdisjoint(value)


def _tools(value: object) -> Iterator[SentBlock]:
    if isinstance(value, list | tuple):
        for place, tool in enumerate(value):
            yield _other(f"tools[{place}]", "tool", tool)


def _messages(path: str, value: object) -> Iterator[SentBlock]:
    if isinstance(value, str):
        yield SentBlock(path=path, form="user/text", text=value)
    if isinstance(value, list | tuple):
        for place, message in enumerate(value):
            yield from _message(f"{path}[{place}]", message)


def _message(path: str, message: object) -> Iterator[SentBlock]:
    if not isinstance(message, Mapping):
        yield _other(path, "message", message)
        return
    form = str(message.get("role") or message.get("type") or "message")
    yield from _content(f"{path}.content", message.get("content"), form)
    for key, value in message.items():
        if key not in _NO_PROMPT and value is not None:
            yield _other(f"{path}.{key}", f"{form}/{key}", value)


def _content(path: str, value: object, form: str) -> Iterator[SentBlock]:
    if isinstance(value, str):
        yield SentBlock(path=path, form=f"{form}/text", text=value)
    if isinstance(value, list | tuple):
        for place, block in enumerate(value):
            yield _block(f"{path}[{place}]", block, form)


def _block(path: str, block: object, form: str) -> SentBlock:
    if not isinstance(block, Mapping):
        return _other(path, form, block)
    kind, text = block.get("type"), block.get("text")
    if kind in _TEXTS and isinstance(text, str):
        return SentBlock(
            path=f"{path}.text", form=f"{form}/{kind}", text=text, is_marked=_is_marked(block)
        )
    return _other(path, f"{form}/{kind}", block)


def _other(path: str, form: str, value: object) -> SentBlock:
    is_marked = isinstance(value, Mapping) and _is_marked(value)
    if isinstance(value, Mapping):
        value = {key: item for key, item in value.items() if key not in _MARKS}
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=repr)
    return SentBlock(path=path, form=form, text=text, is_marked=is_marked, is_text=False)


def _is_marked(block: Mapping[str, object]) -> bool:
    return any(block.get(mark) is not None for mark in _MARKS)
