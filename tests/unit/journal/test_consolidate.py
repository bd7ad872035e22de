from __future__ import annotations

import asyncio
import threading

import pytest

from agentjournal import (
    Consolidation,
    ConsolidationError,
    InputError,
    Journal,
    RevisionConflict,
    consolidate,
)


def lived(turns):
    journal = Journal("agent")
    for epoch in range(1, turns + 1):
        journal.record_turn(epoch, f"Situation {epoch}", own="I remember.")
    return journal


@pytest.mark.parametrize(
    ("epochs", "fraction", "first_kept"),
    [
        ([10, 3], 0.5, 15),
        ([10, 3], 1.0, 3),
        ([10, 3], 0.0, 30),
        ([10, 3], 9.0, 3),
        ([10, 3], -3, 30),
        ([10, 3], 0.9, 3),
        ([10, 3], 0.95, 3),
        ([10, 3], 0.1, 27),
        ([10, 3], 0.34, 21),
        ([10, 3], 0.7, 9),
        ([4, 3], 1.0, 3),
        ([4, 3], 0.0, 12),
        ([4, 3], 9.0, 3),
        ([10, 3], float("nan"), 3),
    ],
)
def test_the_split_is_where_the_reference_splits(epochs, fraction, first_kept):
    journal = Journal("agent")
    for epoch in range(epochs[0]):
        for line in range(epochs[1]):
            journal.record(epoch, "own", "agent", f"{line}")
    old, cut = journal.split_oldest(fraction)
    assert (len(old), cut) == (first_kept, first_kept)


@pytest.mark.parametrize(("fraction", "first_kept"), [(0.5, 6), (0.9, 1), (0.0, 7), (0.2, 6)])
def test_an_epoch_is_never_split(fraction, first_kept):
    journal = Journal("agent")
    for epoch in (1, 2, 2, 2, 2, 2, 3):
        journal.record(epoch, "own", "agent", "x")
    assert journal.split_oldest(fraction)[1] == first_kept


def test_a_single_epoch_goes_as_a_whole_unless_all_is_to_be_kept():
    journal = Journal("agent")
    for _ in range(3):
        journal.record(1, "own", "agent", "x")
    assert journal.split_oldest(0.5)[1] == 3
    assert journal.split_oldest(1.0) == ((), 0)


@pytest.mark.parametrize(
    "result",
    [
        Consolidation(),
        Consolidation(" ", ["", "\n"]),
        Consolidation("me"),
        Consolidation("", ["A"]),
    ],
)
def test_a_result_that_brings_nothing_new_changes_nothing(result):
    journal = lived(4)
    journal.apply_consolidation(Consolidation("me", ["a"]), 0)
    before, revision = journal.to_json(), journal.revision
    with pytest.raises(ConsolidationError) as caught:
        consolidate(journal, lambda _: result)
    assert caught.value.message.endswith("empty result for epochs 1-2; journal left intact")
    assert (journal.to_json(), journal.revision) == (before, revision)


def test_the_cause_of_a_failure_stays_to_be_seen():
    cause = TimeoutError("90 s")

    def fail(_):
        raise cause

    with pytest.raises(
        ConsolidationError, match="journalengine: consolidate agent: 90 s"
    ) as caught:
        consolidate(lived(2), fail)
    assert caught.value.__cause__ is cause


def test_a_cancellation_passes_through_untouched():
    def cancelled(_):
        raise asyncio.CancelledError

    journal = lived(2)
    with pytest.raises(asyncio.CancelledError):
        consolidate(journal, cancelled)
    assert journal.consolidations == 0


def test_turns_recorded_while_a_span_is_distilled_are_kept():
    journal = lived(4)

    def slow(_):
        journal.record_turn(5, "meanwhile")
        return Consolidation("me", ["[Epochs 1-2] a"])

    assert consolidate(journal, slow).dropped == 4
    assert journal.render().endswith("[Epoch 5]\nThe world: meanwhile")


@pytest.mark.parametrize(
    "meanwhile",
    [
        lambda journal: consolidate(journal, lambda _: Consolidation("other", ["[1] other"])),
        lambda journal: journal.append_ledger(["[Epochs 1-2] a"]),
        lambda journal: journal.clear(),
    ],
    ids=["consolidated", "ledger appended", "cleared"],
)
def test_decision_3_a_rewrite_meanwhile_is_a_conflict_and_nothing_is_lost(meanwhile):
    journal = lived(8)

    def distil(_):
        meanwhile(journal)
        states.append(journal.to_json())
        return Consolidation("mine", ["[Epochs 1-4] mine"])

    states = []
    with pytest.raises(RevisionConflict, match="nothing was changed"):
        consolidate(journal, distil)
    assert [journal.to_json()] == states


def test_decision_3_of_two_simultaneous_consolidations_one_loses_and_no_epoch_is_lost():
    journal, gate, outcomes = lived(8), threading.Barrier(2), []

    def distil(request):
        gate.wait(10)
        return Consolidation(f"me {request.epoch_end}", [f"[to {request.epoch_end}] a"])

    def run():
        try:
            outcomes.append(consolidate(journal, distil).dropped)
        except RevisionConflict:
            outcomes.append("conflict")

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(map(str, outcomes)) == ["8", "conflict"]
    assert [entry.epoch for entry in journal.entries] == [5, 5, 6, 6, 7, 7, 8, 8]


@pytest.mark.parametrize(
    ("identity", "ledger"), [("me", "one line"), ("me", None), ("me", ["a", None]), (None, ["a"])]
)
def test_what_no_memory_can_hold_is_refused(identity, ledger):
    with pytest.raises(InputError, match=r"got (str|list|NoneType)"):
        Consolidation(identity, ledger)


def test_one_text_is_no_list_of_ledger_lines():
    journal = Journal("agent")
    with pytest.raises(InputError, match="a list of texts"):
        journal.append_ledger("one line")
    assert journal.append_ledger(iter(["one line"])) == 1


@pytest.mark.parametrize("answer", [None, {"identity": "me"}, ("me", ["a"])])
def test_a_consolidator_that_gives_something_else_has_failed(answer):
    journal = lived(4)
    before = journal.render()
    with pytest.raises(ConsolidationError, match="no Consolidation"):
        consolidate(journal, lambda _: answer)
    assert journal.render() == before
