"""Captured requests as people have them: files of bodies, lists of them, or one turn a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError, NotFoundError
from agentjournal.text.visible import one_line
from agentjournal.usage.request.read import read_request

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.usage.request.block import Request

__all__ = ["Captured", "Captures", "read_captures"]

_WRAPPERS = ("request", "body", "request_body", "payload", "json")
_DEPTH = 3
_OWNERS = ("owner", "conversation", "session", "session_id", "thread", "thread_id", "agent")
_KINDS = (".json", ".jsonl", ".ndjson", ".txt")
_FILE_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, kw_only=True)
class Captured:
    """One captured turn: where it stands, whose it is where that is said, and its request."""

    where: str
    owner: str | None
    request: Request


@dataclass(frozen=True)
class Captures:
    """The turns in order, and why other files or lines were passed over."""

    turns: list[Captured]
    passed_over: list[str]


def read_captures(path: Path) -> Captures:
    """Read a file, or every file of a folder in the order of their names (2 before 10).

    A line or object is a request body, a text, or wraps one as `request` or `body`, with an `owner` or
    `session` where several conversations are mixed. What is no request, such as an answer, is passed over.

    Raises:
        NotFoundError: there is nothing at that path.
        InputError: there is no request in it; says why not.
    """
    if not path.exists():
        raise NotFoundError(
            f"There is no {path}.", next="Give a file of request bodies, or a folder."
        )
    files = [path] if path.is_file() else sorted(filter(_is_capture, path.rglob("*")), key=_natural)
    read = Captures([], [])
    for file in files:
        for where, text in _pieces(file, path):
            try:
                read.turns.append(_captured(where, text))
            except InputError as error:
                read.passed_over.append(error.message)
    if not read.turns:
        why = f" {read.passed_over[0]}" if read.passed_over else ""
        raise InputError(
            f"{path} holds no captured request.{why}",
            next="Give request bodies as .json, or one a line as .jsonl.",
        )
    return read


def _is_capture(path: Path) -> bool:
    return path.suffix in _KINDS and path.is_file() and not path.is_symlink()


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part or 0), text) for text, part in re.findall(r"(\D*)(\d*)", str(path))]


def _pieces(file: Path, root: Path) -> Iterator[tuple[str, object]]:
    """Give what a file holds, each with its place: a text, lines, one object, or a list of them."""
    name = str(file.relative_to(root)) if file != root else file.name
    if file.stat().st_size > _FILE_BYTES:
        raise InputError(
            f"{name} is larger than {_FILE_BYTES} bytes.", next="Split it into several files."
        )
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".txt":
        yield name, text
    elif file.suffix == ".json":
        whole = _read_json(text)
        listed = enumerate(whole, 1) if isinstance(whole, list) else ()
        yield from ((f"{name}[{number}]", each) for number, each in listed)
        if not isinstance(whole, list):
            yield name, whole
    else:
        lines = enumerate(text.split("\n"), 1)
        yield from (
            (f"{name}:{number}", _read_json(line)) for number, line in lines if line.strip()
        )


@dataclass(frozen=True)
class _NoJson:
    """What stands where JSON should."""

    why: str


def _read_json(text: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        return _NoJson(one_line(str(error), 200))
    return value


def _captured(where: str, value: object) -> Captured:
    owner: str | None = None
    for _ in range(_DEPTH):
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = _read_json(value)
        if not isinstance(value, Mapping):
            break
        owner = owner or next((str(value[name]) for name in _OWNERS if value.get(name)), None)
        inside = next(
            (value[n] for n in _WRAPPERS if isinstance(value.get(n), Mapping | str)), None
        )
        if inside is None:
            break
        value = inside
    if isinstance(value, Mapping):
        owner = owner or str(value.get("prompt_cache_key") or "") or None
        if not read_request(value).blocks:
            value = next((value[name] for name in ("text", "render") if value.get(name)), value)
    if isinstance(value, _NoJson):
        raise InputError(
            f"{where} is no JSON: {value.why}.", next="Capture whole bodies, as they are sent."
        )
    request = read_request(value)
    if not request.blocks:
        raise InputError(
            f"{where} is no request body: it has no messages, input, contents or prompt.",
            next="Capture what the client sends, not what comes back.",
        )
    return Captured(where=where, owner=owner, request=request)
