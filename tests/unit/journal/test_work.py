"""The price of a turn is the turn's: counted as memory asked for and calls made, not as time."""

from __future__ import annotations

import sys
import tracemalloc

import pytest

from agentjournal import Journal

TURN = "a line of some two hundred and forty bytes, as a worker would leave it behind " * 3
SAID = "ok " * 20


def record(journal, epoch):
    journal.record_turn(epoch, TURN + str(epoch), [("Reviewer", f"{epoch} {SAID}")], SAID)
    journal.needs_consolidation(10**9, 0.9)


def bytes_asked_for(action):
    """Give the most that the action held at once beyond what was there."""
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        action()
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()


def calls_made(action):
    count = 0

    def count_call(_frame, event, _argument):
        nonlocal count
        count += event in {"call", "c_call"}

    sys.setprofile(count_call)
    try:
        action()
    finally:
        sys.setprofile(None)
    return count


def grown(turns):
    journal = Journal("agent")
    for epoch in range(turns):
        record(journal, epoch)
    journal.render()
    return journal


def smallest(journal, turns, measure):
    """Measure some turns and take the cheapest: a list grows in jumps, now and then."""
    first = len(journal.entries)
    return min(measure(lambda n=n: record(journal, n)) for n in range(first, first + turns))


@pytest.mark.parametrize("measure", [bytes_asked_for, calls_made])
def test_a_turn_after_five_thousand_costs_what_a_turn_after_fifty_costs(measure):
    young, old = smallest(grown(50), 20, measure), smallest(grown(5_000), 20, measure)
    assert young > 0
    assert old <= young * 1.05


def test_a_render_after_one_more_turn_copies_the_bytes_once():
    journal = grown(5_000)
    record(journal, 5_000)
    size = len(journal.render())
    record(journal, 5_001)
    assert size < bytes_asked_for(journal.render) < size * 1.1


def test_a_render_of_an_unchanged_journal_copies_nothing():
    journal = grown(2_000)
    assert journal.render() is journal.render()
    assert bytes_asked_for(journal.render) < 1_000


def test_the_segments_after_one_more_turn_copy_no_closed_one():
    journal = grown(5_000)
    before = journal.segments()
    record(journal, 5_000)
    after = journal.segments()
    kept = len(before) - 1
    assert all(a is b for a, b in zip(before[1:kept], after[1:kept], strict=True))
    assert bytes_asked_for(journal.segments) < len(journal.render()) / 20


def test_the_meter_would_see_a_journal_that_renders_at_every_turn():
    def naive(journal):
        record(journal, 0)
        return "".join(entry.text for entry in journal.entries)

    young, old = grown(50), grown(2_000)
    assert bytes_asked_for(lambda: naive(old)) > 5 * bytes_asked_for(lambda: naive(young))
