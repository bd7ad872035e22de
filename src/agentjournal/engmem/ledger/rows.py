"""The lines of a ledger (telemetry, costs, feedback), streamed: a bad one is counted, never fatal."""

from __future__ import annotations

import json
import re
from typing import IO, TYPE_CHECKING, NoReturn

from agentjournal.engmem.scan import why
from agentjournal.errors import InputError, NotFoundError
from agentjournal.system.files import list_inside, open_inside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["Row", "count_of", "ledger_rows", "number_of", "text_of"]

Row = dict[str, object]

LINE = 1024 * 1024  # bytes; a longer line is a bad one
_MOST = 2**53  # what every reader of JSON holds exactly


def ledger_rows(root: Path, name: str) -> Iterator[Row | None]:
    """Give each line of a ledger as an object, oldest part first; None is a line that holds none.

    Blank lines are no lines. Parts that were set aside (`telemetry-20261130.jsonl`) come before the
    one that is written now. A ledger that nobody wrote yet is empty.

    Raises:
        InputError: a part cannot be read, or is not UTF-8: what it holds is unknown, not nothing.
    """
    for part in [*_set_aside(root, name), name]:
        try:
            descriptor = open_inside(root, part)
        except NotFoundError:
            continue
        except InputError as error:
            raise _unreadable(root / part, why(part, error)) from error
        with open(descriptor, "rb") as file:  # noqa: PTH123 - it is a descriptor
            yield from _rows(file, root / part)


def text_of(row: Mapping[str, object], key: str) -> str | None:
    """Give the text at that key, None where there is none.

    Raises:
        ValueError: something else stands there.
    """
    value = row.get(key)
    if value is None or isinstance(value, str):
        return value
    raise ValueError(key)


def count_of(row: Mapping[str, object], key: str) -> int | None:
    """Give the whole number at that key, from 0 to 2^53, None where there is none.

    Raises:
        ValueError: something else stands there.
    """
    value = row.get(key)
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST:
        return value
    raise ValueError(key)


def number_of(row: Mapping[str, object], key: str) -> float | None:
    """Give the number at that key, from 0 to 2^53, None where there is none.

    Raises:
        ValueError: something else stands there.
    """
    value = row.get(key)
    if isinstance(value, float) and 0 <= value <= _MOST:
        return value
    return count_of(row, key)


def _set_aside(root: Path, name: str) -> list[str]:
    stem, ending = name.rsplit(".", 1)
    is_part = re.compile(rf"{re.escape(stem)}[.-]\d[\dTZ-]*\.{re.escape(ending)}").fullmatch
    try:
        return [each for each in list_inside(root).files if is_part(each)]
    except NotFoundError:
        return []


def _rows(file: IO[bytes], path: Path) -> Iterator[Row | None]:
    for number, line in enumerate(_lines(file, path), start=1):
        try:
            text = None if line is None else line.decode()
        except UnicodeDecodeError as error:
            raise _unreadable(path, f"line {number} is not UTF-8") from error
        if text is None or text.strip():
            yield None if text is None else _row(text)


def _lines(file: IO[bytes], path: Path) -> Iterator[bytes | None]:
    """Give each line, None for one that is too long to be read."""
    try:
        while line := file.readline(LINE + 1):
            is_whole = len(line) <= LINE
            while line and not line.endswith(b"\n") and not is_whole:
                line = file.readline(LINE)
            yield line if is_whole else None
    except OSError as error:
        raise _unreadable(path, str(error.strerror)) from error


def _row(text: str) -> Row | None:
    try:
        value = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _no_number(name: str) -> NoReturn:
    raise ValueError(name)


def _unreadable(path: Path, why: str) -> InputError:
    return InputError(
        f"{path} cannot be read ({why}), so that what it holds is unknown, not nothing.",
        next="Repair that file, or move it out of the store.",
    )
