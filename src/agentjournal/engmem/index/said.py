"""A document's words as the postings take them: a text for each of their fields."""

from __future__ import annotations

from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.engmem.ranking.encoded import Term

__all__ = ["BITS", "DRAFTS", "OUTSIDE", "WORDS", "Said", "said"]

WORDS = "words"
DRAFTS = "drafts"
OUTSIDE = "outside"  # words that no section holds
BITS = tuple(f"sections_{bit}" for bit in range(8))  # of how many more than one hold a word

_MOST = 2 ** len(BITS) - 1
_RANGE = 256
_LOUDEST = 16
# A word is said so often that its weight, which fades with repeats, comes out as its impact.
_REPEATS = [min(max(round(2 * n / (_RANGE - n)), 1), _LOUDEST) for n in range(_RANGE)]

Said = tuple[tuple[str, str], ...]  # name of a field, and its words


def said(terms: Mapping[Term, list[str]], *, is_draft: bool) -> Said:
    """Write down the words of a document; those of a draft are found, and counted nowhere."""
    repeated = " ".join([" ".join(keys * _REPEATS[each.impact]) for each, keys in terms.items()])
    if is_draft:
        return ((DRAFTS, repeated),)
    return ((WORDS, repeated), *_by_bit(terms))


def _by_bit(terms: Mapping[Term, list[str]]) -> list[tuple[str, str]]:
    """Sort words by the numbers of two that make up how many more sections than one hold them."""
    texts = [(each.sections - 1, " ".join(keys)) for each, keys in terms.items()]
    by_bit = {OUTSIDE: [text for more, text in texts if more < 0]}
    for bit, name in enumerate(BITS):
        by_bit[name] = [text for more, text in texts if more > 0 and min(more, _MOST) >> bit & 1]
    return [(name, " ".join(found)) for name, found in by_bit.items() if found]
