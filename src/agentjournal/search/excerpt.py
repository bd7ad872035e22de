"""The stretch of a text that says most about a question."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.search.words import read_words

if TYPE_CHECKING:
    from agentjournal.search.question import Question
    from agentjournal.search.rank import Frequencies

__all__ = ["excerpt"]

_RUN = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
_SCANNED = 20_000  # characters: of a longer section the beginning stands for it
_HITS = 200  # looked at: the window before the first hundreds is as good as any later one
_LEAD = 40  # characters before the first word that was found


def excerpt(text: str, question: Question, frequencies: Frequencies, width: int = 160) -> str:
    """Cut one line of at most `width` characters around the rarest words asked for.

    `…` stands where text was left out; without a word found it is the beginning.
    """
    line = " ".join(text[:_SCANNED].split())
    if len(line) <= width:
        return line
    start = min(_start(line, question, frequencies, width - 2), len(line) - width + 2)
    if start:  # go on to the next word, where the script has spaces
        start = max(line.find(" ", start, start + _LEAD) + 1, start)
    end = start + width - 2
    if end >= len(line):
        return f"…{line[start:]}"
    space = line.rfind(" ", end - _LEAD, end + 1)
    cut = line[start : space if space >= 0 else end]
    return f"{'…' if start else ''}{cut}…"


def _start(line: str, question: Question, frequencies: Frequencies, width: int) -> int:
    """Find where the window begins that holds the most, each word counted once."""
    wanted = {each: word.stems[0] for word in question.words for each in word.stems}
    hits = [
        (run.start(), run.end(), wanted[each])
        for run in _RUN.finditer(line)
        for word in read_words(run[0])
        for each in word.stems
        if each in wanted
    ][:_HITS]
    best, start = 0.0, 0
    for first, _, _ in hits:
        begin = max(first - _LEAD, 0)
        held = {word for at, end, word in hits if at >= begin and end <= begin + width}
        worth = sum(frequencies.rarity(word) for word in sorted(held))
        if worth > best:
            best, start = worth, begin
    return start
