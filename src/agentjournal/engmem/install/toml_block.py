"""The managed block in Codex's config.toml: three lines of ours between two marks."""

from __future__ import annotations

import json
import re
import tomllib
from typing import TYPE_CHECKING

from agentjournal.engmem.install.text_block import MARK, appended, decoded, without
from agentjournal.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["block_added", "block_removed", "codex_entry", "is_managed", "settings_of"]

BEGIN = "# engmem-mcp-server: begin (managed by `engmem install --agent codex`)"
END = "# engmem-mcp-server: end"
TABLE = "[mcp_servers.engmem]"
_END_OF_LINE = r"(?:\r\n|\n|\r)"
_BLOCK = re.compile(
    rf"(?<![^\r\n\ufeff]){re.escape(BEGIN)}(?P<lines>{_END_OF_LINE}.*?){re.escape(END)}(?=[\r\n]|\Z)",
    re.DOTALL,
)
_OURS = re.compile(
    rf"\[mcp_servers\.engmem\](?P<one>{_END_OF_LINE})command = [^\r\n]*{_END_OF_LINE}args = [^\r\n]*"
)


def block_added(data: bytes | None, command: str, args: list[str]) -> bytes:
    """Put the block in, or renew its three lines; what Codex added below them stays.

    Raises:
        InputError: it is not TOML, holds an entry that is not ours, or more than our entry would change.
    """
    text = None if data is None else decoded(data)
    before = settings_of(data or b"")
    block = _BLOCK.search(text) if text is not None else None
    if text is not None and block is not None:
        after = _renewed(text, block, command, args)
    elif codex_entry(before) is not None:
        raise InputError(f"it holds an {TABLE} that engmem did not write")
    else:
        after = appended(text, (BEGIN, *_lines(command, args), END))
    written = after.encode()
    try:
        settings = settings_of(written)
    except InputError as error:
        raise InputError(f"{TABLE} cannot be added to its mcp_servers") from error
    _check(before, settings, {"command": command, "args": args})
    return written


def block_removed(data: bytes) -> bytes | None:
    """Take the block out; None: the whole file was ours.

    Raises:
        InputError: it is not TOML, or other settings stand between the marks.
    """
    text = decoded(data)
    before = settings_of(data)
    block = _BLOCK.search(text)
    if block is None:
        return data
    left = without(text, block.start(), block.end())
    after = None if left is None else left.encode()
    if _without_ours(settings_of(after or b"")) != _without_ours(before):
        raise InputError("other settings stand between the marks of engmem's block")
    return after


def is_managed(data: bytes) -> bool:
    """Say whether our block stands there."""
    return _BLOCK.search(decoded(data)) is not None


def codex_entry(settings: Mapping[str, object]) -> Mapping[str, object] | None:
    """Give the server entry named engmem, whoever wrote it."""
    servers = settings.get("mcp_servers")
    entry = servers.get("engmem") if isinstance(servers, dict) else None
    return entry if isinstance(entry, dict) else None


def settings_of(data: bytes) -> dict[str, object]:
    """Read the settings.

    Raises:
        InputError: it is not TOML.
    """
    try:
        return tomllib.loads(decoded(data).removeprefix(MARK))
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is no TOMLDecodeError
        raise InputError(f"it is not valid TOML ({error})") from error


def _renewed(text: str, block: re.Match[str], command: str, args: list[str]) -> str:
    start, stop = block.span("lines")
    ours = _OURS.search(text, start, stop)
    if ours is None:
        raise InputError("engmem's block in it was changed by hand")
    lines = ours["one"].join(_lines(command, args))
    return text[: ours.start()] + lines + text[ours.end() :]


def _lines(command: str, args: list[str]) -> tuple[str, str, str]:
    told = ", ".join(_quoted(each) for each in args)
    return TABLE, f"command = {_quoted(command)}", f"args = [{told}]"


def _quoted(text: str) -> str:
    """Write a TOML string: JSON's escapes are TOML's, but for DEL and what JSON splits in two."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _check(
    before: dict[str, object], after: dict[str, object], entry: Mapping[str, object]
) -> None:
    written = codex_entry(after) or {}
    is_ours = {key: written.get(key) for key in entry} == dict(entry)
    if not is_ours or _without_ours(before) != _without_ours(after):
        raise InputError("writing the entry would change other settings")


def _without_ours(settings: dict[str, object]) -> dict[str, object]:
    servers = settings.get("mcp_servers")
    others = (
        {k: v for k, v in servers.items() if k != "engmem"}
        if isinstance(servers, dict)
        else servers
    )
    rest = {key: value for key, value in settings.items() if key != "mcp_servers"}
    return rest | {"mcp_servers": others} if others else rest
