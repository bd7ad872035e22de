"""The project's record: a line for each close and each reopened option, above a floor that moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.storage.statement import load_statements
from agentjournal.text.bounded import clip, size
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from agentjournal.storage.database import Reader

__all__ = [
    "COMPOSED_BYTES",
    "LINE_BYTES",
    "RECORD_ROOM",
    "compose_line",
    "compose_reopened",
    "floor_for",
    "record_lines",
    "render_line",
    "room_of",
]

SQL = load_statements("agentjournal.execution", "sql/fold/record.sql")

COMPOSED_BYTES = 168  # of a line as it is stored in `turn` ...
LINE_BYTES = 200  # ... and as it is rendered, with its number and attempt
REASON_BYTES = 60  # of these, at least, for why an option was reopened
RECORD_ROOM = 5000  # of the stable part of a brief


def compose_line(
    *, task: str, result: str, actor: str, action: str, ruled_out: Sequence[str] = ()
) -> str:
    """Write one line of at most 168 bytes: `T-042 failed (worker-3): Tried X. Ruled out: Y; Z`.

    It is cut at a whole option, with `+k more`; no text in it can begin a line of its own.
    """
    head = f"{task} {result} ({actor}): "
    rest = f". Ruled out: +{len(ruled_out)} more" if ruled_out else ""
    line = head + one_line(action, max(COMPOSED_BYTES - size(head + rest), 0)).rstrip(". ")
    line = clip(line, COMPOSED_BYTES)
    if not ruled_out:
        return line
    options = [one_line(option) for option in ruled_out]
    whole = (f"{line}. Ruled out: {'; '.join(each)}" for each in _fewer_and_fewer(options))
    return next((each for each in whole if size(each) <= COMPOSED_BYTES), line)


def compose_reopened(*, task: str, actor: str, option: str, why: str) -> str:
    """Write one line of at most 168 bytes: `T-042 reopened (ada): X. Why: Y`.

    The option may take what its reason, or the beginning of it, leaves.
    """
    head, reason = f"{task or 'project'} reopened ({actor}): ", f". Why: {one_line(why)}"
    room = COMPOSED_BYTES - size(head) - min(size(reason), REASON_BYTES)
    return clip(head + one_line(option, max(room, 0)).rstrip(". ") + reason, COMPOSED_BYTES)


def _fewer_and_fewer(options: list[str]) -> Iterator[list[str]]:
    yield options
    for kept in range(len(options) - 1, -1, -1):
        yield [*options[:kept], f"+{len(options) - kept} more"]


def render_line(n: int, attempt: int | None, line: str, *, is_late: bool = False) -> str:
    """Give a composed line its place and attempt: at most 200 bytes up to a million lines."""
    head, bracket, tail = line.partition(" (")
    number = f"attempt {attempt}, " if attempt is not None else ""
    return f"[{n}] {head}{bracket}{number}{'late, ' if is_late else ''}{tail}"


def record_lines(reader: Reader, slug: str) -> list[str]:
    """Give the record above its floor, oldest first."""
    return [str(row["line"]) for row in reader.rows(SQL["lines"], slug=slug) if row["line"]]


def floor_for(lines: Sequence[tuple[int, str]], room: int = RECORD_ROOM) -> int | None:
    """Say where the floor goes when the lines overfill the room: the newest keep half of it.

    None where they fit.
    """
    sizes = [(n, room_of(line)) for n, line in lines]
    if sum(each for _, each in sizes) <= room:
        return None
    kept = 0
    for n, each in reversed(sizes):
        kept += each
        if kept > room // 2:
            return n
    return None


def room_of(line: str) -> int:
    """Give the bytes that a rendered line takes, its line end included; none for a hidden one."""
    return size(line) + 1 if line else 0
