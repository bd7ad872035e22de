"""The bytes of layout v2: line forms that no text can forge, separators at a segment's end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agentjournal.text.visible import visible

if TYPE_CHECKING:
    from agentjournal.journal.distilled import Distilled
    from agentjournal.journal.entry import Entry

INTRODUCTION = "=== Memory, oldest first ===\n\n"
TURN_END = "\n"


def entry_piece(entry: Entry, epoch_before: int | None) -> str:
    """Give one entry, under its epoch's line where the epoch is another than before."""
    head = "" if entry.epoch == epoch_before else f"[Epoch {entry.epoch}]\n"
    return f"{head}{_speaker(entry)}: {escaped(entry.text)}\n"


def distilled_text(span: Distilled) -> str:
    """Give a distilled span as a whole segment."""
    lines = [f"[{_epochs(span)}, distilled]"]
    if span.identity:
        lines.append(f"Who you were: {escaped(span.identity)}")
    lines += [f"- {escaped(line)}" for line in span.ledger]
    return "\n".join([*lines, "", ""])


def escaped(text: str) -> str:
    """Indent every line but the first, and write hidden characters out: markers stand at the edge."""
    return visible(text).replace("\n", "\n  ")


def unescaped(shown: str) -> str:
    """Take the indent away that `escaped` gave; what it wrote out stays written out."""
    return shown.replace("\n  ", "\n")


def _speaker(entry: Entry) -> str:
    if entry.kind == "situation":
        return "World"
    if entry.kind == "heard":
        return f"Heard {visible(json.dumps(entry.speaker, ensure_ascii=False))}"
    return "You"


def _epochs(span: Distilled) -> str:
    if span.epoch_start == span.epoch_end:
        return f"Epoch {span.epoch_start}"
    return f"Epochs {span.epoch_start}-{span.epoch_end}"
