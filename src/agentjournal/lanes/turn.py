"""A turn: what the world did, what was heard and what the owner said, as it is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, cast

from agentjournal.errors import DamagedError, Fault, InputError
from agentjournal.journal.entry import Entry, check_texts
from agentjournal.journal.tiered_wire import entry_piece, escaped, unescaped
from agentjournal.journal.wire import WORLD, byte_length, entry_line, repair, trim
from agentjournal.lanes.neutral import harmless_entry, storable
from agentjournal.text.canonical import canonical_json, parse_json
from agentjournal.text.redact import redact, redact_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from agentjournal.journal.memory import LayoutName

__all__ = [
    "TURN_BYTES",
    "Prepared",
    "Said",
    "Turn",
    "composed",
    "made_harmless",
    "prepare",
    "said_in",
]

TURN_BYTES = 128 * 1024  # of one turn as rendered: half of what a render may take


@dataclass(frozen=True, kw_only=True)
class Turn:
    """What is to be remembered; `result` is kept in the same event and never rendered.

    `result` holds what canonical JSON can hold: no fractions.
    """

    situation: str = ""
    heard: Sequence[tuple[str, str]] = ()
    own: str = ""
    result: Mapping[str, object] | None = None


class Said(NamedTuple):
    """One entry of a turn, which has no epoch yet."""

    kind: str
    speaker: str
    text: str


@dataclass(frozen=True, kw_only=True)
class Prepared:
    """A turn's entries without secrets and without forged markers, and what was taken out."""

    layout: LayoutName
    said: tuple[Said, ...]
    result: Mapping[str, object] | None = None
    neutralised: int = 0
    redacted: tuple[str, ...] = ()

    def news(self, last_heard: Mapping[str, str]) -> tuple[Said, ...]:
        """Give the entries but those that their speaker has said last: redelivered, stale."""
        heard = dict(last_heard)
        kept: list[Said] = []
        for each in self.said:
            if each.kind == "heard" and heard.get(each.speaker) == each.text:
                continue
            if each.kind == "heard":
                heard[each.speaker] = each.text
            kept.append(each)
        return tuple(kept)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Name who was heard, each once, in order."""
        return tuple(sorted({each.speaker for each in self.said if each.kind == "heard"}))


def prepare(owner: str, turn: Turn, layout: LayoutName) -> Prepared:
    """Make a turn fit to be kept: trimmed, what is blank or the owner's echo left out.

    Raises:
        InputError: a part is no text, or all is longer than 128 KiB as rendered.
    """
    given = [
        Said("situation", WORLD, turn.situation),
        *(Said("heard", who, text) for who, text in turn.heard),
        Said("own", owner, turn.own),
    ]
    for each in given:
        check_texts(speaker=each.speaker, text=each.text)
    given = [each for each in given if each.kind != "heard" or repair(each.speaker) != owner]
    _check_size("\n".join(entry_line(*each) for each in given))
    trimmed = (each._replace(text=trim(repair(each.text))) for each in given)
    kept = made_harmless((each for each in trimmed if each.text), layout)
    kept = replace(
        kept, said=tuple(s for s in kept.said if s.kind != "heard" or s.speaker != owner)
    )
    _check_size(composed(kept.said, layout)[0])
    if turn.result is None:
        return kept
    result, kinds = redact_value(parse_json(canonical_json(turn.result)))
    return replace(
        kept,
        result=cast("Mapping[str, object]", result),
        redacted=tuple(sorted({*kept.redacted, *kinds})),
    )


def made_harmless(given: Iterable[Said], layout: LayoutName) -> Prepared:
    """Take secrets out of entries, and what v1 could not tell from a marker: v2 escapes it."""
    said: list[Said] = []
    neutralised = 0
    kinds: set[str] = set()
    for each in given:
        clean = redact(storable(each.text))
        kept, count = storable(each.speaker), 0
        text = clean.text
        if layout == "v1":
            kept, text, count = harmless_entry(each.kind, kept, text)
        said.append(Said(each.kind, kept, text))
        neutralised += count
        kinds.update(clean.kinds)
    return Prepared(
        layout=layout,
        said=tuple(said),
        neutralised=neutralised,
        redacted=tuple(sorted(kinds)),
    )


def composed(said: Sequence[Said], layout: LayoutName) -> tuple[str, list[list[str | int]]]:
    """Give what a render shows of the entries, and how `said_in` finds them again in it.

    That is how many characters each text has there. One that v2 writes out stands there once more.
    """
    lines = [_line(each, layout) for each in said]
    if layout == "v1":
        shown = "\n".join(lines)
        return shown, [[kind, speaker, len(text)] for kind, speaker, text in said]
    shown = "".join(f"{line}\n" for line in lines)
    return shown, [[each.kind, each.speaker, _where(each.text)] for each in said]


def said_in(shown: str, entries: object, layout: LayoutName) -> Iterator[Said]:
    """Read the entries out of what `composed` wrote.

    Raises:
        DamagedError: the two do not belong together.
    """
    at = 0
    for kind, speaker, where in cast("list[tuple[str, str, str | int]]", entries):
        start = at + len(_line(Said(kind, speaker, ""), layout))
        end = start + (len(escaped(where)) if isinstance(where, str) else where)
        at = end + 1
        if isinstance(where, str):
            yield Said(kind, speaker, where)
        else:
            text = shown[start:end]
            yield Said(kind, speaker, text if layout == "v1" else unescaped(text))
    if at not in {0, len(shown) + (layout == "v1")}:
        raise DamagedError(
            f"A turn of {len(shown)} characters is described as one of {at - 1}.",
            next="Run `agentjournal db verify`, then restore a backup.",
        )


def _line(said: Said, layout: LayoutName) -> str:
    if layout == "v1":
        return entry_line(*said)
    entry = Entry(epoch=0, kind=said.kind, speaker=said.speaker, text=said.text)
    return entry_piece(entry, 0).removesuffix("\n")


def _where(text: str) -> str | int:
    shown = escaped(text)
    return len(shown) if unescaped(shown) == text else text


def _check_size(shown: str) -> None:
    size = byte_length(repair(shown))
    if size > TURN_BYTES:
        fault = Fault(
            field="turn",
            rule=f"must hold at most {TURN_BYTES} bytes of text",
            got=f"{size} bytes",
            remedy="Keep the whole elsewhere and record its end and where it lies.",
        )
        raise InputError("The turn is too long to be remembered.", faults=(fault,))
