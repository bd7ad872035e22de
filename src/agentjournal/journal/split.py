"""Where a journal is cut when its oldest part is to be distilled."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.journal.entry import Entry


def first_kept_entry(entries: Sequence[Entry], keep_fraction: float) -> int:
    """Give the index of the first entry that stays: at an epoch's edge, at least 1.

    0 where nothing is to be split: no entries, or all of a single epoch to be kept.
    """
    if not entries:
        return 0
    cut = _whole_epochs(entries, _wanted(len(entries), keep_fraction))
    is_all_wanted = keep_fraction >= 1.0 and cut == len(entries)
    return 0 if is_all_wanted else cut


def _wanted(count: int, keep_fraction: float) -> int:
    if isnan(keep_fraction):
        return 1
    kept = min(max(keep_fraction, 0.0), 1.0)
    return min(max(int(count * (1.0 - kept)), 1), count)


def _whole_epochs(entries: Sequence[Entry], cut: int) -> int:
    """Move a cut inside an epoch to where that epoch ends."""
    epoch = entries[cut - 1].epoch
    while cut < len(entries) and entries[cut].epoch == epoch:
        cut += 1
    return cut
