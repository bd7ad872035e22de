from __future__ import annotations

import pytest

from agentjournal import Consolidation, InputError, Journal, RevisionConflict
from agentjournal.journal.export import export_snapshot
from agentjournal.journal.floor import HARD_BYTES, keep_within, plan_floor

LAYOUTS = pytest.mark.parametrize("layout", ["v1", "v2"])


def lived(turns, layout, size=2000, start=0):
    journal = Journal("agent", layout=layout)
    for epoch in range(start, start + turns):
        journal.record_turn(epoch, f"{epoch} " + "x" * size, own=f"ok {epoch}")
    return journal


@LAYOUTS
def test_a_render_below_its_cap_is_left_alone(layout):
    journal = lived(100, layout)
    before = journal.to_json()
    assert plan_floor(journal) is None
    assert keep_within(journal) is None
    assert journal.to_json() == before


@LAYOUTS
def test_a_render_that_outgrows_its_cap_falls_to_about_half_and_recording_goes_on(layout):
    journal = lived(140, layout)
    assert journal.size > HARD_BYTES
    floor = keep_within(journal)
    assert HARD_BYTES // 8 < journal.size < HARD_BYTES * 0.6
    assert journal.entries[0].epoch == floor.first_kept // 2
    assert journal.episodic_ledger[-1].startswith(f"[Epoch {floor.first_kept // 2 - 1}] ")
    assert journal.consolidations == 1
    journal.record_turn(140, "more")
    assert journal.render().rstrip().endswith("more")


@LAYOUTS
def test_the_same_journal_gets_the_same_floor(layout):
    first, second = lived(140, layout), Journal.from_json(lived(140, layout).to_json())
    assert plan_floor(first) == plan_floor(second) or layout == "v1"
    keep_within(first)
    keep_within(second)
    assert first.render() == second.render()


@LAYOUTS
def test_a_life_of_any_length_stays_below_the_cap(layout):
    journal, cap, moves = Journal("agent", layout=layout), 16 * 1024, 0
    for epoch in range(1500):
        journal.record_turn(epoch, f"{epoch} " + "x" * 150, [("A", f"{epoch}")], "ok")
        moves += keep_within(journal, cap) is not None
        assert journal.size <= cap
    assert moves < 40
    assert journal.episodic_ledger[0].endswith(" earlier lines lie in the archive.")
    assert journal.entries[-1].epoch == 1499


@LAYOUTS
@pytest.mark.parametrize(
    "text", ["x" * 400_000, "\x01" * 300_000, "\n" * 10 + "a\n" * 200_000, "\U000e0001" * 90_000]
)
def test_one_turn_larger_than_the_cap_leaves_its_line(layout, text):
    journal = lived(3, layout)
    journal.record_turn(3, text, own="done")
    keep_within(journal)
    assert journal.size <= HARD_BYTES
    assert journal.entries == ()
    assert journal.episodic_ledger[-1].startswith("[Epoch 3] ")


@LAYOUTS
def test_what_was_distilled_may_be_what_is_too_large(layout):
    journal = lived(5, layout)
    lines = [f"[Epoch {n}] " + "y" * 3000 for n in range(200)]
    journal.apply_consolidation(Consolidation("me " * 100_000, lines), 2)
    keep_within(journal)
    assert journal.size <= HARD_BYTES
    assert journal.core_memories[0].startswith("me me")
    assert len(journal.entries) == 8
    assert journal.episodic_ledger[0].endswith("earlier lines lie in the archive.")


@LAYOUTS
def test_a_snapshot_over_the_cap_is_refused_and_never_cut(layout):
    journal = lived(130, layout)
    with pytest.raises(InputError, match="at most 262144 bytes") as caught:
        export_snapshot(journal)
    size = len(journal.to_json().encode())
    assert caught.value.faults[0].got == f"{size} bytes"
    small = lived(100, layout)
    assert export_snapshot(small) == small.to_json()


def test_the_cap_of_a_snapshot_counts_the_bytes_as_written():
    journal = Journal("agent")
    journal.record_turn(1, "<" * 50_000)
    with pytest.raises(InputError):
        export_snapshot(journal)


@LAYOUTS
def test_the_cap_itself_is_allowed(layout):
    journal = lived(20, layout)
    assert plan_floor(journal, journal.size) is None
    assert plan_floor(journal, journal.size - 1) is not None


@LAYOUTS
def test_no_line_below_the_floor_is_longer_than_it_may_be(layout):
    journal = lived(10, layout)
    journal.append_ledger(["y" * 5000, "z\n" * 5000])
    keep_within(journal, 16 * 1024)
    assert [len(line) <= 600 for line in journal.episodic_ledger[:2]] == [True, True]


class Racing(Journal):
    """Another thread adds to the ledger between the plan of a floor and its move."""

    def replace_memory(self, by, first_kept, *, revision=None):
        self.append_ledger(["meanwhile"])
        super().replace_memory(by, first_kept, revision=revision)


def test_a_rewrite_between_the_plan_and_the_move_is_a_conflict():
    journal = Racing("agent")
    for epoch in range(140):
        journal.record_turn(epoch, "x" * 2000)
    with pytest.raises(RevisionConflict):
        keep_within(journal)
    assert journal.episodic_ledger == ("meanwhile",)
