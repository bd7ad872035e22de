"""A model's answer to a consolidation, found in prose, fences and thinking, checked line by line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from agentjournal.errors import Fault, InputError
from agentjournal.journal.consolidation import Consolidation
from agentjournal.journal.forgery import forged_lines
from agentjournal.text.visible import one_line

if TYPE_CHECKING:
    from agentjournal.journal.consolidation import ConsolidationRequest

ANSWER_BYTES = 64 * 1024
LINE_BYTES = 400
IDENTITY_BYTES = 2_000
MOST_LINES = 64
_MOST_STARTS = 1_000
_DEEPEST = 3
_DECODER = json.JSONDecoder(strict=False)  # models break lines inside of strings
_TOKEN = re.compile(r"\{|<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_STAMP = re.compile(
    r"(?:[-*\u2022] )?\[Epochs? (-?\d{1,19})(?: ?(?:[-\u2013\u2014]|to) ?(-?\d{1,19}))?\][:,]? ?",
    re.IGNORECASE,
)


def read_answer(text: str, request: ConsolidationRequest) -> Consolidation:
    """Find the JSON object of an answer and check it against the span that was asked for.

    The last object outside of thinking blocks counts. A line without a stamp gets the span's; one
    that is stamped with other epochs, and an identity without a single event, are refused. What
    holds no word, like the dots of the form that the model was shown, counts as blank.

    Raises:
        InputError: there is no such object, or it breaks a rule; each one is named.
    """
    if len(text) > ANSWER_BYTES:
        raise _refused("answer", f"at most {ANSWER_BYTES} characters", str(len(text)))
    found = [each for value in _objects(text) for each in _within(value, 0)]
    if not found:
        got = one_line(text, 120) or "nothing"
        raise _refused("answer", "one JSON object with identity and ledger", got)
    return _checked(found[-1], request)


def _objects(text: str) -> list[object]:
    """Decode what begins at a brace outside of thinking blocks; other braces are prose.

    A block that only ends is one too: a template opened it before the answer begins.
    """
    found: list[object] = []
    at, starts, is_thinking = 0, 0, False
    while starts < _MOST_STARTS and (token := _TOKEN.search(text, at)):
        at = token.end()
        if token[0] != "{":
            if token[1] and not is_thinking:
                found.clear()
            is_thinking = not token[1]
        elif not is_thinking:
            starts += 1
            decoded = _decoded(text, token.start())
            if decoded is not None:
                found.append(decoded[0])
                at = decoded[1]
    return found


def _decoded(text: str, at: int) -> tuple[object, int] | None:
    try:
        return _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None


def _within(value: object, depth: int) -> Iterator[Mapping[str, object]]:
    """Give the object itself, or those inside it where it only wraps them."""
    if isinstance(value, Mapping):
        if "ledger" in value or "identity" in value:
            yield value
        elif depth < _DEEPEST:
            for item in value.values():
                yield from _within(item, depth + 1)
    elif isinstance(value, list) and depth < _DEEPEST:
        for item in value:
            yield from _within(item, depth + 1)


def _checked(value: Mapping[str, object], request: ConsolidationRequest) -> Consolidation:
    faults: list[Fault] = []
    identity = _identity(value.get("identity"), faults)
    ledger = _ledger(value.get("ledger"), request, faults)
    if not ledger and not faults:
        faults.append(_fault("ledger", "at least one event", "none"))
    if faults:
        raise InputError("The answer is no consolidation of its span.", faults=tuple(faults))
    return Consolidation(identity, ledger)


def _identity(value: object, faults: list[Fault]) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        faults.append(_fault("identity", "a text", type(value).__name__))
        return ""
    identity = one_line(value, IDENTITY_BYTES)
    if forged_lines(identity):
        faults.append(_fault("identity", "no marker of the journal's", repr(identity[:80])))
    return identity if _tells(identity) else ""


def _ledger(value: object, request: ConsolidationRequest, faults: list[Fault]) -> list[str]:
    items = [] if value is None else value
    if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
        faults.append(_fault("ledger", "a list of texts", one_line(repr(value), 80)))
        return []
    lines = [line for line in map(one_line, items) if _tells(line)]
    if len(lines) > MOST_LINES:
        faults.append(_fault("ledger", f"at most {MOST_LINES} lines", str(len(lines))))
        return []
    return [_stamped(line, n, request, faults) for n, line in enumerate(lines)]


def _tells(line: str) -> bool:
    """Say whether it holds a word or a number behind its stamp."""
    found = _STAMP.match(line)
    return any(map(str.isalnum, line[found.end() :] if found else line))


def _stamped(line: str, place: int, request: ConsolidationRequest, faults: list[Fault]) -> str:
    """Give the line under its own stamp, or under the span's where it has none."""
    lowest, highest = _epochs(request)
    found = _STAMP.match(line)
    if found is None:
        return one_line(f"{_stamp(lowest, highest)} {line}", LINE_BYTES)
    first, last = int(found[1]), int(found[2] or found[1])
    if not lowest <= first <= last <= highest:
        rule = f"epochs within {lowest}-{highest}"
        faults.append(_fault(f"ledger[{place}]", rule, repr(line[:80])))
    return one_line(f"{_stamp(first, last)} {line[found.end() :]}", LINE_BYTES)


def _epochs(request: ConsolidationRequest) -> tuple[int, int]:
    epochs = [request.epoch_start, request.epoch_end, *(entry.epoch for entry in request.entries)]
    epochs += [epoch for span in request.folded for epoch in (span.epoch_start, span.epoch_end)]
    return min(epochs), max(epochs)


def _stamp(first: int, last: int) -> str:
    return f"[Epoch {first}]" if first == last else f"[Epochs {first}-{last}]"


def _fault(field: str, rule: str, got: str) -> Fault:
    return Fault(field=field, rule=rule, got=got, remedy="Ask the model again, or another model.")


def _refused(field: str, rule: str, got: str) -> InputError:
    return InputError("The answer holds no consolidation.", faults=(_fault(field, rule, got),))
