"""Where a decision record stands, in whichever words its template says it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from agentjournal.recall.prose import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.recall.harvest.outline import Part

__all__ = ["RecordStanding", "standing_of"]

RecordStanding = Literal["accepted", "rejected", "undecided", "superseded"]

HEAD_LINES = 40

_LINE = re.compile(
    r"[\s|>*:-]{0,6}(?:current )?(?:status|state)\**\s*[:|]\**\s*(\S.{0,200})", re.IGNORECASE
)
_STATUS = re.compile(r"(?:current )?(?:status|state)", re.IGNORECASE)
_WORDS: Mapping[RecordStanding, re.Pattern[str]] = {
    "superseded": re.compile(r"superseded|deprecated|obsolete|replaced by|retired", re.IGNORECASE),
    "rejected": re.compile(
        r"reject|declined|withdrawn|abandoned|not accepted|won'?t", re.IGNORECASE
    ),
    "accepted": re.compile(
        r"accept|approved|final|active|implemented|done|adopted|decided|merged|agreed",
        re.IGNORECASE,
    ),
    "undecided": re.compile(
        r"propos|draft|pending|open|review|deferred|wip|discuss|provisional|trial", re.IGNORECASE
    ),
}
_BOX = re.compile(r"\[([ xX])\]([^\[]*)")


def standing_of(fields: Mapping[str, object], top: Part) -> RecordStanding:
    """Read the status from front matter, a heading or one of the first lines; none is accepted.

    A record that was merged without saying anything of itself is in use.
    """
    said = _ticked(_said(fields, top))
    found = [standing for standing, words in _WORDS.items() if words.search(said)]
    return found[0] if found else "accepted"


def _ticked(said: str) -> str:
    """Of a status that is a list of boxes, give what is ticked."""
    boxes = _BOX.findall(said)
    return " ".join(text for mark, text in boxes if mark != " ") if boxes else said


def _said(fields: Mapping[str, object], top: Part) -> str:
    for name, value in fields.items():
        if _STATUS.fullmatch(name) and isinstance(value, str):
            return value
    for part in top.walk():
        if _STATUS.fullmatch(part.heading):
            return plain(part.text)[:200]
    head = "\n\n".join([top.text, *(part.text for part in top.parts[:1])])
    for line in head.split("\n")[:HEAD_LINES]:
        if match := _LINE.match(line):
            return plain(match[1])
    return ""
