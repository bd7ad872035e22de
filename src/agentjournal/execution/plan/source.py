"""A plan file as numbered lines; code, comments and front matter are marked as quiet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.errors import Fault, InputError
from agentjournal.execution.form_yaml import read_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["MAX_BYTES", "Line", "Source", "decode", "read_source", "too_long"]

MAX_BYTES = 4 * 1024 * 1024
MAX_LINES = 100_000
MAX_FRONT = 16 * 1024
_TAB = 4
_FENCE = re.compile(r"(?:(?:[-*+]|[0-9]{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})")


class Line(NamedTuple):
    """One line without its end; `indent` in columns; `is_quiet` where it says nothing of tasks."""

    number: int
    text: str
    indent: int
    is_quiet: bool

    @property
    def is_blank(self) -> bool:
        """Whether only white space stands in it."""
        return not self.text.strip()


@dataclass(frozen=True, kw_only=True)
class Source:
    """The lines of one file, its front matter, and what is wrong before any task is looked for."""

    text: str
    lines: Sequence[Line]
    front: Mapping[str, object]
    faults: tuple[Fault, ...]


def decode(data: bytes) -> tuple[str, tuple[Fault, ...]]:
    """Give the text and its faults: what is no UTF-8 becomes U+FFFD, what is too long becomes ''."""
    if excess := too_long(len(data), data.count(b"\n") + 1):
        return "", (excess,)
    faults = []
    if 0 in data:
        faults.append(_bad_bytes(data, data.index(0), "it holds no NUL", "Remove the NUL."))
    try:
        return data.decode(), tuple(faults)
    except UnicodeDecodeError as error:
        faults.append(_bad_bytes(data, error.start, "it is UTF-8", "Save it as UTF-8."))
        return data.decode(errors="replace"), tuple(faults)


def too_long(length: int, lines: int) -> Fault | None:
    """Give the fault of a plan that has too many bytes or lines."""
    if length <= MAX_BYTES and lines <= MAX_LINES:
        return None
    return Fault(
        field="line 1",
        rule=f"a plan has at most {MAX_BYTES:,} bytes and {MAX_LINES:,} lines",
        got=f"{length:,} bytes, {lines:,} lines",
        remedy="Split it into several plans, or leave out what is no plan.",
    )


def _bad_bytes(data: bytes, at: int, rule: str, remedy: str) -> Fault:
    number = data.count(b"\n", 0, at) + 1
    return Fault(field=f"line {number}", rule=rule, got=f"byte {data[at]:#04x}", remedy=remedy)


def read_source(text: str) -> Source:
    """Number the lines and mark code fences, comments and front matter."""
    raw = text.removeprefix("\ufeff").split("\n")
    front_end = _front_end(raw)
    front, faults = _front("\n".join(raw[1 : front_end - 1])) if front_end else ({}, [])
    quiet, opened = _quiet(raw, front_end)
    if opened:
        faults.append(_unclosed(opened, raw[opened - 1]))
    lines = [
        Line(number, line.rstrip(), _indent(line), number in quiet)
        for number, line in enumerate(raw, 1)
    ]
    return Source(text=text, lines=lines, front=front, faults=tuple(faults))


def _indent(line: str) -> int:
    bare = line.lstrip(" \t")
    return len(line[: len(line) - len(bare)].expandtabs(_TAB))


def _front_end(raw: Sequence[str]) -> int:
    """Give the number of the line that ends the front matter; 0 where there is none."""
    if raw[0].rstrip() != "---":
        return 0
    ends = (number for number, line in enumerate(raw, 1) if line.rstrip() in {"---", "..."})
    return next((number for number in ends if number > 1), 0)


def _front(text: str) -> tuple[Mapping[str, object], list[Fault]]:
    """Read front matter, at most 16 KiB and 8 levels, as texts."""
    try:
        if len(text.encode()) > MAX_FRONT:
            raise InputError(f"it has more than {MAX_FRONT:,} bytes")  # noqa: TRY301 - one way out
        read = read_yaml(text)
    except (InputError, RecursionError) as error:
        return {}, [
            Fault(
                field="line 2, front matter",
                rule="it is plain YAML, small and without anchors",
                got=str(error)[:300],
                remedy="Correct it or take it out; the tasks need none.",
            )
        ]
    return (read, []) if isinstance(read, dict) else ({}, [])


def _quiet(raw: Sequence[str], front_end: int) -> tuple[set[int], int]:
    """Give the numbers of the quiet lines, and the line of a fence or comment left open, or 0."""
    quiet = set(range(1, front_end + 1))
    close, opened = "", 0
    for number, line in enumerate(raw[front_end:], front_end + 1):
        bare = line.strip()
        if close:
            quiet.add(number)
            close = "" if _closes(bare, close) else close
        elif (found := _opening(bare)) is not None:
            quiet.add(number)
            close, opened = found, number
    return quiet, opened if close else 0


def _opening(bare: str) -> str | None:
    """Give what closes the fence or comment that this line opens: nothing where it also ends it."""
    if bare.startswith("<!--"):
        return "" if "-->" in bare else "-->"
    found = _FENCE.match(bare)
    return found[1] if found else None


def _closes(bare: str, close: str) -> bool:
    if close == "-->":
        return close in bare
    return bare.startswith(close) and not bare.strip(close[0])


def _unclosed(number: int, line: str) -> Fault:
    return Fault(
        field=f"line {number}",
        rule="a code fence or comment that is opened is closed",
        got=line.strip()[:80],
        remedy="Close it: everything below it is read as no part of the plan.",
    )
