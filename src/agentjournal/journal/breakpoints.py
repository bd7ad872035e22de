"""Where a prompt's cache marks stand, by the rules of the APIs that want them.

Anthropic looks back over 20 blocks from each mark for what an earlier request wrote at one of its
marks. OpenAI (gpt-5.6 and later) finds only what was written at a place that this request marks
too. Both take at most four marks. The places follow from the segments alone, so that two processes
with the same memory send the same body.
"""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.journal.segment import Segment

MOST_MARKS = 4
WINDOW = 20
_STRIDE = 8

Rule = Literal["look back", "exact"]


def breakpoints(
    segments: Sequence[Segment], rule: Rule, earlier: Sequence[Segment] = ()
) -> frozenset[int]:
    """Give the places of the segments that carry a mark: closed ones only, at most four.

    Where the segments of the request before are given, `exact` marks again the deepest place that
    they marked too; else that place is found as long as at most one segment closed since.

    One is the last closed segment. Under `look back` no 20 blocks in a row are without a mark; of
    more than 80 blocks, which four marks cannot cover, that holds for the newest 60.
    """
    closed = [place for place, segment in enumerate(segments) if segment.is_closed]
    if not closed:
        return frozenset()
    head = [place for place in closed if segments[place].kind != "lived"]
    if rule == "look back":
        wanted = _looking_back(closed, head)
    else:
        again = _marked_before(segments, earlier)
        wanted = [closed[-1], *again, *_exact(closed, head, _surviving(segments, head))]
    return frozenset(list(dict.fromkeys(wanted))[:MOST_MARKS])


def _looking_back(closed: list[int], head: list[int]) -> list[int]:
    """Fixed places 20 apart, then what survives a consolidation: the newest parts of the head."""
    last = closed[-1]
    steps = list(range(WINDOW - 1, last, WINDOW))[-(MOST_MARKS - 1) :]
    fixed = [max(place for place in closed if place <= step) for step in steps]
    return [last, *fixed, *reversed(head), *reversed(closed)]


def _exact(closed: list[int], head: list[int], surviving: list[int]) -> list[int]:
    """The last two closed, what will survive a consolidation, and one that many requests share.

    That one hits where several segments closed since the last request. After a consolidation, while
    little is lived, the head's last two stand in: one of them survived.
    """
    last_two = closed[:-3:-1]
    lived = [place for place in closed if not head or place > head[-1]]
    shared = [place for count, place in enumerate(lived[:-_STRIDE], 1) if count % _STRIDE == 0]
    if not shared:
        return [*last_two, *reversed(head), *reversed(closed)]
    return [*last_two, *surviving, shared[-1], *reversed(head)]


def _marked_before(segments: Sequence[Segment], earlier: Sequence[Segment]) -> list[int]:
    """Give the deepest place that the request before marked and that has not changed since."""
    same = takewhile(lambda pair: pair[0] == pair[1], zip(segments, earlier, strict=False))
    count = sum(1 for _ in same)
    marked = [place for place in breakpoints(earlier, "exact") if place < count] if count else []
    return [max(marked)] if marked else []


def _surviving(segments: Sequence[Segment], head: list[int]) -> list[int]:
    """Give what the next consolidation leaves: a single block of memory is rewritten as a whole."""
    memory = [place for place in head if segments[place].kind == "memory"]
    return head[-2:-1] if len(memory) == 1 else head[-1:]
