"""The stretch of a section that answers the question, as one line."""

from __future__ import annotations

import re
from bisect import bisect_right

from agentjournal.engmem.ranking.spelling import runs, spell
from agentjournal.search.words import STOP
from agentjournal.text.visible import one_line
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Wanted", "snippet", "wanted"]

WIDTH = 140  # characters
SCANNED = 20_000  # characters: of a longer section the beginning stands for it
LOOKED_AT = 60  # places where a word was found
LEAD = 40  # characters before a word that is far from where its sentence begins
WORDS = 32
SHORT = 4  # letters: a shorter word is found only as a whole

Wanted = re.Pattern[str] | None

# Where something new begins: after a sentence, a paragraph, or at an item of a list.
_BEGINS = re.compile(r"(?<=[.!?])\s+|\n\s*\n\s*|\n[ \t]*(?=(?:[-*+|#>]|\d+[.)])[ \t])")


def wanted(texts: Iterable[str]) -> Wanted:
    """Make the pattern that finds the words of a question, inflected ones and parts too."""
    keys = dict.fromkeys(
        key
        for text in texts
        for run in runs(text)[:WORDS]
        for word in spell(run)
        if word.form not in STOP
        for key in (word.form, word.key, *(key for _, key in word.parts))
    )
    beginnings = {_beginning(key) for key in keys} - {""}
    ordered = sorted(beginnings, key=lambda each: (-len(each), each))
    return re.compile("|".join(ordered), re.IGNORECASE) if ordered else None


def snippet(text: str, words: Wanted, heading: str = "") -> str:
    """Cut one line of at most 140 characters that holds as much of what is asked as can be.

    It begins where a sentence or an item does, if the words are near enough, and ends with it; `…`
    stands where something was cut. An empty section is told by its heading.
    """
    text = text[:SCANNED].strip() or heading
    begins = [0, *(found.end() for found in _BEGINS.finditer(text))]
    start = _start(text, begins, words)
    end = next((each for each in begins if each > start), len(text))
    cut = one_line(text[start:end])
    if len(cut) > WIDTH:
        space = cut.rfind(" ", 0, WIDTH - 1)
        cut = cut[: space if space > WIDTH // 2 else WIDTH - 1] + "…"
    return cut if start in begins else f"…{cut}"


def _start(text: str, begins: list[int], words: Wanted) -> int:
    """Find where the stretch begins that holds the most different words, the earliest of equals."""
    if words is None:
        return 0
    found = []
    for each in words.finditer(text):
        found.append((each.start(), each[0].casefold()))
        if len(found) == LOOKED_AT:
            break
    best, start = 0, 0
    for at, _ in found:
        sentence = begins[bisect_right(begins, at) - 1]
        begin = (
            sentence if at - sentence < WIDTH - LEAD else text.find(" ", at - LEAD, at) + 1 or at
        )
        end = min([begin + WIDTH, *begins[bisect_right(begins, begin) :][:1]])
        held = {word for place, word in found if begin <= place < end}
        worth = sum(map(len, held))
        if worth > best:
            best, start = worth, begin
    return start


def _beginning(key: str) -> str:
    """Give the pattern of what all forms of a word begin with."""
    if len(key) < SHORT or not key.isascii():
        return rf"(?<![^\W_]){re.escape(key)}(?![^\W_])" if key.isascii() else re.escape(key)
    return re.escape(key[:-1] if key[-1] in "ey" and len(key) > SHORT else key)
