"""A document's bytes with more fields in its front matter; everything else stays as it is."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Any

import yaml

from agentjournal.engmem.document import read_document
from agentjournal.engmem.front_matter import FrontMatter, Refusal, read_front_matter
from agentjournal.engmem.writing.refusal import WriteRefused

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from agentjournal.engmem.backfill.proposal import Proposed, Value

__all__ = ["extended", "stated_in"]

_BOM = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n|$)")
_ONE_LINE: dict[str, Any] = {"allow_unicode": True, "width": 10**9}
_DATES = frozenset({"date", "task_date"})


def stated_in(data: bytes) -> Mapping[str, object]:
    """Give the fields that a document states, as they are written.

    Raises:
        WriteRefused: its front matter cannot be read.
    """
    return _block(data).fields


def extended(file: str, data: bytes, fields: Sequence[Proposed]) -> bytes:
    """Add the fields: in place of a key without a value, else at the end of the front matter.

    The result is read again before it is given: it must state what it did and what was added, and
    its body must be the same bytes.

    Raises:
        WriteRefused: the front matter is written in a way that cannot be added to.
    """
    mark = _BOM if data.startswith(_BOM) else b""
    lines = _LINE.findall(data[len(mark) :])
    end = _closing(lines)
    ending = _ending(lines[0])
    written = {each.name: _line(each, ending) for each in fields}
    if end is None:
        block = [b"---" + ending, *written.values(), b"---" + ending]
        rest = lines
    else:
        block = [lines[0], *_filled(lines[1:end], written), lines[end]]
        rest = lines[end + 1 :]
    result = mark + b"".join([*block, *rest])
    _refuse_unfaithful(file, data, result, fields)
    return result


def _block(data: bytes) -> FrontMatter:
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    block = read_front_matter(text)
    if isinstance(block, Refusal):
        raise WriteRefused(f"{block.reason}.", next="Repair the front matter by hand.")
    return block


def _closing(lines: Sequence[bytes]) -> int | None:
    """Give the line that closes the front matter, None where there is none."""
    if lines[0].decode().strip() != "---":
        return None
    return next(
        (at for at, line in enumerate(lines[1:], 1) if line.decode().strip() == "---"), None
    )


def _ending(line: bytes) -> bytes:
    for ending in (b"\r\n", b"\r", b"\n"):
        if line.endswith(ending):
            return ending
    return b"\n"


def _filled(block: Sequence[bytes], written: Mapping[str, bytes]) -> Iterable[bytes]:
    """Put each field where its key stands without a value; the others come last."""
    left = dict(written)
    for line in block:
        match = re.match(rb"(\w+)[ \t]*:[ \t]*(?:~|null)?[ \t]*(?:#.*)?$", line.rstrip(b"\r\n"))
        yield left.pop(match[1].decode(), line) if match else line
    yield from left.values()


def _line(field: Proposed, ending: bytes) -> bytes:
    if isinstance(field.value, tuple):
        value = yaml.safe_dump([*field.value], default_flow_style=True, **_ONE_LINE)
        return f"{field.name}: {value.rstrip()}".encode() + ending
    is_date = field.name in _DATES and isinstance(field.value, str)
    value = date.fromisoformat(str(field.value)) if is_date else field.value
    line: str = yaml.safe_dump({field.name: value}, **_ONE_LINE)
    return line.rstrip("\n").encode() + ending


def _refuse_unfaithful(file: str, before: bytes, after: bytes, fields: Sequence[Proposed]) -> None:
    """Refuse a result that says anything else than the document and the new fields."""
    told = {each.name: _told(each.value) for each in fields}
    try:
        old, new = _block(before), _block(after)
        faults = getattr(read_document(file, after), "faults", ("it cannot be read",))
    except WriteRefused:
        is_faithful = False
    else:
        is_faithful = (
            new.fields == {**old.fields, **told}
            and new.body == old.body
            and not (set(faults) - set(getattr(read_document(file, before), "faults", ())))
        )
    if not is_faithful:
        raise WriteRefused(
            f"{file!r}: its front matter is written in a way that cannot be added to safely.",
            next="Add the fields by hand.",
        )


def _told(value: Value) -> object:
    if isinstance(value, tuple):
        return list(value)
    return str(value).lower() if isinstance(value, bool) else value
