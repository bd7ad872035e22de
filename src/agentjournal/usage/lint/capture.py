"""Captured requests as people have them: files of bodies, lists of them, or one turn a line."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import InputError, NotFoundError
from agentjournal.usage.request.read import read_request

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from agentjournal.usage.request.block import Request

__all__ = ["Captured", "read_captures"]

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


def read_captures(path: Path) -> list[Captured]:
    """Read a file, or every file of a folder in the order of their names (2 before 10).

    A line or object is a request body, a text, or wraps one as `request` or `body`, with an `owner` or
    `session` where several conversations are mixed.

    Raises:
        NotFoundError: there is nothing at that path.
        InputError: a file holds no request.
    """
    if not path.exists():
        raise NotFoundError(
            f"There is no {path}.", next="Give a file of request bodies, or a folder."
        )
    files = [path] if path.is_file() else sorted(filter(_is_capture, path.rglob("*")), key=_natural)
    found = [captured for file in files for captured in _read_file(file, path)]
    if not found:
        raise InputError(
            f"{path} holds no captured request.",
            next="Give request bodies as .json, or one a line as .jsonl.",
        )
    return found


def _is_capture(path: Path) -> bool:
    return path.suffix in _KINDS and path.is_file() and not path.is_symlink()


def _natural(path: Path) -> list[tuple[int, str]]:
    return [(int(part or 0), text) for text, part in re.findall(r"(\D*)(\d*)", str(path))]


def _read_file(file: Path, root: Path) -> Iterator[Captured]:
    name = str(file.relative_to(root)) if file != root else file.name
    if file.stat().st_size > _FILE_BYTES:
        raise InputError(
            f"{name} is larger than {_FILE_BYTES} bytes.", next="Split it into several files."
        )
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix == ".txt":
        yield _captured(name, text)
        return
    if file.suffix != ".json":
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                yield _captured(f"{name}:{number}", _parsed(line, f"{name}:{number}"))
        return
    whole = _parsed(text, name)
    for number, each in enumerate(whole if isinstance(whole, list) else [whole], 1):
        yield _captured(f"{name}[{number}]" if isinstance(whole, list) else name, each)


def _parsed(text: str, where: str) -> object:
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where} is no JSON: {error}.", next="Capture whole request bodies, as they are sent."
        ) from error
    return value


def _captured(where: str, value: object) -> Captured:
    owner: str | None = None
    for _ in range(_DEPTH):
        if isinstance(value, str) and value.lstrip().startswith("{"):
            value = _parsed(value, where)
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
    request = read_request(value)
    if not request.blocks:
        raise InputError(
            f"{where} is no request body: it has no messages, input, contents or prompt.",
            next="Capture what the client sends, not what comes back.",
        )
    return Captured(where=where, owner=owner, request=request)
