"""What a journal is made of: entries, and the utterances that come in with a turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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


def sorted_utterances(texts: Mapping[str, str]) -> list[Utterance]:
    """Order texts by their speaker, so that equal mappings give equal bytes."""
    return [Utterance(speaker, texts[speaker]) for speaker in sorted(texts)]
