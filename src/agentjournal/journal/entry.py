"""What a journal is made of: entries, and the utterances that come in with a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from agentjournal.errors import Fault, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, kw_only=True, slots=True)
class Entry:
    """One remembered line: what the world did, what somebody said, what the owner said.

    `kind` is `situation`, `heard` or `own`; any other is kept and renders as `own`.
    """

    epoch: int
    kind: str
    speaker: str
    text: str


class Utterance(NamedTuple):
    """What one speaker said; a plain pair of speaker and text does as well."""

    speaker: str
    text: str


def check_epoch(epoch: object) -> None:
    """Let a whole number of 64 bits through: another would render, and never be read again.

    Raises:
        InputError: it is something else.
    """
    if not isinstance(epoch, int) or isinstance(epoch, bool) or not -(2**63) <= epoch < 2**63:
        raise _wrong("epoch", "a whole number of 64 bits", epoch)


def check_texts(**texts: object) -> None:
    """Let texts through.

    Raises:
        InputError: names the first one that is something else.
    """
    for name, text in texts.items():
        if not isinstance(text, str):
            raise _wrong(name, "a text", text)


def sorted_utterances(texts: Mapping[str, str]) -> list[Utterance]:
    """Order texts by their speaker, so that equal mappings give equal bytes."""
    return [Utterance(speaker, texts[speaker]) for speaker in sorted(texts)]


def _wrong(field: str, rule: str, got: object) -> InputError:
    fault = Fault(field=field, rule=rule, got=type(got).__name__, remedy=f"Give {rule}.")
    return InputError("This is nothing that a journal can record.", faults=(fault,))
