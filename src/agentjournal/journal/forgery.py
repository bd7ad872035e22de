"""Text that would read as the journal's own markers: what a strict journal refuses."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import normalize

from agentjournal.errors import Fault, InputError
from agentjournal.journal.wire import BOUNDARY, CORE_HEADER, LEDGER_HEADER, LIVED_HEADER
from agentjournal.text.visible import is_hidden, visible

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.journal.entry import Entry

_KINDS = ("situation", "heard", "own")
_HEADERS = (CORE_HEADER, LEDGER_HEADER, LIVED_HEADER)
_MARKER = re.compile(r"\[Epoch +-?\d+\]$|(?:The world|You said):( |$)")
_SAID = re.compile(r"\S.{0,199}? said:( |$)")
_BLANK = re.compile(r"\s")
_RESERVED = frozenset({"you", "the world"})


def refuse_forged_entries(entries: Iterable[Entry]) -> None:
    """Let entries through that cannot be taken for other entries, headers or another speaker.

    Raises:
        InputError: one of them could; nothing was recorded.
    """
    faults = [fault for entry in entries for fault in _entry_faults(entry)]
    if faults:
        raise InputError(
            "A strict journal refuses text that forges its markers.", faults=tuple(faults)
        )


def refuse_forged_memories(identity: str, ledger: Iterable[str]) -> None:
    """Let an identity and ledger lines through that cannot be taken for entries or headers.

    Raises:
        InputError: one of them could; nothing was changed.
    """
    named = [("identity", identity), *(("ledger", line) for line in ledger)]
    faults = [_fault(field, line) for field, text in named for line in forged_lines(text)]
    if faults:
        raise InputError(
            "A strict journal refuses text that forges its markers.", faults=tuple(faults)
        )


def forged_lines(text: str) -> list[str]:
    """Give the lines that would read as a header, an epoch, the world, the owner, or a boundary."""
    return [line for line in text.splitlines() if _is_marker(_as_seen(line))]


def is_forged(line: str) -> bool:
    """Say whether a later line of an entry would read as a marker, or as said by somebody."""
    seen = _as_seen(line)
    return _is_marker(seen) or _SAID.match(seen) is not None


def is_plain_name(speaker: str) -> bool:
    """Say whether a speaker's name can be taken for nothing else in `NAME said: TEXT`."""
    name = _as_seen(speaker).strip()
    return (
        bool(name)
        and len(f"{speaker}.".splitlines()) == 1
        and ": " not in f"{name} "  # what follows the name is a blank
        and not name.startswith(("===", "[Epoch"))
        and " ".join(normalize("NFKC", name).split()).casefold() not in _RESERVED
    )


def _entry_faults(entry: Entry) -> list[Fault]:
    # The first line stands behind the entry's own marker; only those after it can pose as another.
    rest = "".join(entry.text.splitlines(keepends=True)[1:])
    forged = [line for line in rest.splitlines() if is_forged(line)]
    faults = [_fault("text", line) for line in forged]
    if entry.kind not in _KINDS:
        faults.append(
            Fault(
                field="kind",
                rule="one of " + ", ".join(_KINDS),
                got=repr(entry.kind),
                remedy="Any other would read as the owner's own.",
            )
        )
    if entry.kind == "heard" and not is_plain_name(entry.speaker):
        faults.append(
            Fault(
                field="speaker",
                rule="one line without ': ', no colon at its end, not You or The world, no marker",
                got=repr(entry.speaker[:80]),
                remedy="Give the speaker a name of its own.",
            )
        )
    return faults


def _as_seen(line: str) -> str:
    """Make every blank a space and drop what does not show: both would hide a marker."""
    shown = _BLANK.sub(" ", line)
    if shown != visible(shown):
        shown = "".join(char for char in shown if not is_hidden(char))
    return shown.rstrip()


def _is_marker(line: str) -> bool:
    return line in _HEADERS or line.startswith(BOUNDARY) or _MARKER.match(line) is not None


def _fault(field: str, line: str) -> Fault:
    return Fault(
        field=field,
        rule="no line that reads as a marker",
        got=repr(line[:80]),
        remedy="Indent that line by one space.",
    )
