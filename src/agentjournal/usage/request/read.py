"""Reads a request body of any dialect into blocks, in the order in which the engine's prompt has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from agentjournal.usage.request.block import MARKS, Block, Request, plain_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from agentjournal.usage.request.block import Kind

__all__ = ["read_request"]

_SYSTEM_ROLES = ("system", "developer")
_TEMPLATE = ("chat_template", "chat_template_kwargs")
_SETTINGS = ("tool_choice", "thinking", "reasoning", "response_format", "output_config", "text")
_CONTINUING = ("previous_response_id", "conversation")
_ANTHROPIC_REACH = 20
_NO_CONTENT = ("role", "id", "type", "status", *MARKS)


def read_request(body: object) -> Request:
    """Give the blocks of one body; plain text is a prompt of one block, anything unknown has none."""
    if isinstance(body, str):
        return Request(blocks=(Block(path="prompt", kind="prompt", role="", value=body),))
    if not isinstance(body, Mapping):
        return Request(blocks=())
    blocks = [*_tools(body), *_system(body), *_messages(body)]
    if blocks and _is_mark(body):  # the whole request is marked: its last block is
        blocks[-1] = replace(blocks[-1], is_marked=True)
    model = body.get("model")
    return Request(
        blocks=tuple(blocks),
        model=model if isinstance(model, str) else "",
        template={name: plain_text(body[name]) for name in _TEMPLATE if body.get(name)},
        settings={name: plain_text(body[name]) for name in _SETTINGS if body.get(name)},
        reach=_reach(body, blocks),
        continues=any(body.get(name) for name in _CONTINUING),
    )


def _reach(body: Mapping[str, object], blocks: list[Block]) -> int | None:
    """Give how far marks look back: 20 blocks at Anthropic, none where breakpoints are named."""
    if not any(block.is_marked for block in blocks):
        return None
    return 0 if "prompt_cache_breakpoint" in plain_text(dict(body)) else _ANTHROPIC_REACH


def _tools(body: Mapping[str, object]) -> Iterator[Block]:
    config = body.get("toolConfig")
    places = {"tools": body.get("tools"), "functions": body.get("functions")}
    if isinstance(config, Mapping):
        places["toolConfig.tools"] = config.get("tools")
    for path, tools in places.items():
        if isinstance(tools, list):
            yield from _listed(path, "tool", "", tools)


def _system(body: Mapping[str, object]) -> Iterator[Block]:
    for path in ("system", "instructions", "systemInstruction", "system_instruction"):
        value = body.get(path)
        if isinstance(value, Mapping) and isinstance(value.get("parts"), list):
            yield from _listed(f"{path}.parts", "system", "system", value["parts"])
        elif value:
            yield from _content(path, "system", "system", value)


def _messages(body: Mapping[str, object]) -> Iterator[Block]:
    for path in ("messages", "input", "contents"):
        value = body.get(path)
        if isinstance(value, str):
            yield from _content(path, "message", "user", value)
        elif isinstance(value, list):
            yield from _turns(path, value)
    prompt = body.get("prompt")
    if isinstance(prompt, str):
        yield Block(path="prompt", kind="prompt", role="", value=prompt)


def _turns(path: str, messages: list[object]) -> Iterator[Block]:
    """Give each message's parts; system messages above all others are the system prompt."""
    is_head = True
    for place, message in enumerate(messages):
        here = f"{path}[{place}]"
        if not isinstance(message, Mapping) or not ({"role", "parts"} & message.keys()):
            role = _item_role(message)
            yield from _content(here, "message", role, message)
            is_head = False
            continue
        role = str(message.get("role") or "user")
        is_head = is_head and role in _SYSTEM_ROLES
        yield from _message(here, "system" if is_head else "message", role, message)


def _message(path: str, kind: Kind, role: str, message: Mapping[str, object]) -> Iterator[Block]:
    for name, value in message.items():
        if name in _NO_CONTENT or value in (None, [], ""):
            continue
        if isinstance(value, str) and name == "content":
            is_marked = _is_mark(message)
            yield Block(
                path=f"{path}.{name}", kind=kind, role=role, value=value, is_marked=is_marked
            )
        else:
            yield from _content(f"{path}.{name}", kind, role, value)


def _listed(path: str, kind: Kind, role: str, values: list[object]) -> Iterator[Block]:
    """Give a list's items; Bedrock's cache points are marks on the item before them."""
    kept: Block | None = None
    for place, value in enumerate(values):
        if kept is not None and isinstance(value, Mapping) and "cachePoint" in value:
            kept = replace(kept, is_marked=True)
            continue
        for block in _content(f"{path}[{place}]", kind, role, value):
            if kept is not None:
                yield kept
            kept = block
    if kept is not None:
        yield kept


def _content(path: str, kind: Kind, role: str, value: object) -> Iterator[Block]:
    if isinstance(value, list):
        yield from _listed(path, kind, role, value)
        return
    if not isinstance(value, Mapping):
        yield Block(path=path, kind=kind, role=role, value=value)
        return
    is_marked = _is_mark(value)
    bare = {name: each for name, each in value.items() if name not in MARKS}
    text = bare.get("text")
    if isinstance(text, str) and kind != "tool" and bare.keys() <= {"text", "type", "annotations"}:
        yield Block(path=f"{path}.text", kind=kind, role=role, value=text, is_marked=is_marked)
        return
    yield Block(path=path, kind=kind, role=role, value=bare, is_marked=is_marked)


def _item_role(item: object) -> str:
    """Tell whether an item of the Responses API came from the model or a tool."""
    kind = str(item.get("type", "")) if isinstance(item, Mapping) else ""
    return "tool" if kind.endswith("_output") else "assistant" if kind else "user"


def _is_mark(value: Mapping[str, object]) -> bool:
    return any(value.get(name) for name in MARKS)
