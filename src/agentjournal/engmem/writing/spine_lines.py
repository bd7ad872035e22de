"""Changing single fields of a front matter in place: every other byte stays as it is."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import yaml

from agentjournal.engmem.front_matter import FrontMatter, read_front_matter
from agentjournal.engmem.writing.refusal import WriteRefused

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["with_fields"]

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r|$)")
_END = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True)
class _Entry:
    """One field of the block: the line its key stands on, counted from 0, and the last of its value."""

    name: str
    line: int
    last: int
    column: int
    is_text: bool


def with_fields(data: bytes, fields: Mapping[str, str]) -> bytes:
    """Give the document's bytes with these fields set, each on a line of its own.

    A field that is not there yet is added at the end of the block, in its line ends; a document
    without a block gets one.

    Raises:
        WriteRefused: a field is no single line at the left margin, or stands there twice.
    """
    read = read_front_matter(_text(data))
    if not isinstance(read, FrontMatter):
        raise WriteRefused(f"it does not parse: {read.reason}")
    bom = data[:3] if data.startswith(b"\xef\xbb\xbf") else b""
    lines = _LINE.findall(data[len(bom) :].decode())
    end = _closing(lines)
    if end is None:
        ending = _ending(lines[0]) or "\n"
        block = [
            f"---{ending}",
            *(f"{name}: {fields[name]}{ending}" for name in fields),
            f"---{ending}",
        ]
        changed = [*block, *lines]
    else:
        changed = [*_changed(lines[:end], fields), *lines[end:]]
    written = bom + "".join(changed).encode()
    _verify(read, written, fields)
    return written


def _closing(lines: list[str]) -> int | None:
    """Find the line that closes the block, None where no line opens one."""
    if lines[0].strip() != "---":
        return None
    return next(at for at, line in enumerate(lines[1:], 1) if line.strip() == "---")


def _changed(block: list[str], fields: Mapping[str, str]) -> list[str]:
    """Set the fields in the lines of a block, the opening one first."""
    entries = list(_entries("".join(_plain(line) for line in block[1:])))
    changed = list(block)
    for name, value in fields.items():
        found = [entry for entry in entries if entry.name == name]
        if not found:
            changed.append(f"{name}: {value}{_ending(block[-1])}")
            continue
        at = _own_line(name, found) + 1
        changed[at] = f"{name}: {value}{_ending(block[at])}"
    return changed


def _entries(block: str) -> Iterator[_Entry]:
    """Give the fields of a block with the lines that they stand on."""
    depth, keys, name = 0, True, None
    for event in yaml.parse(block, Loader=_LOADER):
        if isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
            is_value_over = depth == 1
        elif isinstance(event, yaml.CollectionStartEvent):
            if depth == 0 and event.flow_style:
                raise WriteRefused("the front matter is a flow mapping: no field has its own line.")
            depth += 1
            is_value_over = False
        else:
            is_value_over = isinstance(event, yaml.ScalarEvent) and depth == 1
        if depth != 1 or not is_value_over:
            continue
        if keys:
            name = event
        else:
            yield _entry(block, name, event)
        keys = not keys


def _entry(block: str, key: yaml.Event | None, value: yaml.Event) -> _Entry:
    start = _index(key.start_mark) if key else 0
    line = block.count("\n", 0, start)
    return _Entry(
        name=getattr(key, "value", ""),
        line=line,
        last=line + block.count("\n", start, _index(value.end_mark)),
        column=start - (block.rfind("\n", 0, start) + 1),
        is_text=isinstance(value, yaml.ScalarEvent),
    )


def _index(mark: object) -> int:
    """Give the character of the block that a mark stands before."""
    return int(getattr(mark, "index", 0))


def _own_line(name: str, found: list[_Entry]) -> int:
    entry = found[0]
    if len(found) > 1:
        raise WriteRefused(f"the front matter has more than one line {name!r}: which one counts?")
    if entry.column:
        raise WriteRefused(f"the field {name!r} is indented, so it cannot be changed safely.")
    if entry.last != entry.line or not entry.is_text:
        raise WriteRefused(f"the field {name!r} has more than one line or is no text.")
    return entry.line


def _verify(before: FrontMatter, after: bytes, fields: Mapping[str, str]) -> None:
    """Make sure that nothing but the fields reads differently now."""
    others = {name: value for name, value in before.fields.items() if name not in fields}
    if read_front_matter(_text(after)) == FrontMatter(others | dict(fields), before.body):
        return
    raise WriteRefused("the front matter is written in a way that cannot be changed safely.")


def _text(data: bytes) -> str:
    return _END.sub("\n", data.decode("utf-8-sig"))


def _plain(line: str) -> str:
    return _END.sub("\n", line)


def _ending(line: str) -> str:
    found = _END.search(line)
    return found[0] if found else ""
