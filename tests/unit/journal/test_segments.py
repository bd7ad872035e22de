from __future__ import annotations

from agentjournal import Consolidation, Journal, Prompt
from agentjournal.journal.segment import SEGMENT_BYTES


def text_of(segments):
    return "".join(segment.text for segment in segments)


def closed(segments):
    return [segment for segment in segments if segment.is_closed]


def test_closed_segments_stay_and_their_number_never_falls():
    journal, before = Journal("agent"), []
    for epoch in range(200):
        journal.record_turn(epoch, f"{epoch} " + "word " * 30, [("A", f"said {epoch}")], "ok")
        now = closed(journal.segments())
        assert now[: len(before)] == before
        assert text_of(journal.segments()) == journal.render()
        before = now
    assert len(before) > 5


def test_a_segment_closes_at_a_turns_end_also_within_one_epoch():
    journal = Journal("agent")
    for turn in range(300):
        journal.record_turn(7, f"turn {turn} " + "x" * 50, [("A", f"{turn}")], "done")
    lived = closed(journal.segments())[1:]
    assert len(lived) > 2
    assert all(segment.text.endswith("You said: done") for segment in lived)


def test_a_turn_that_does_not_end_is_cut_late():
    journal = Journal("agent")
    for line in range(3000):
        journal.record(1, "heard", "A", f"{line} " + "x" * 30)
    sizes = [len(segment.text) for segment in closed(journal.segments())[1:]]
    assert sizes
    assert all(4 * SEGMENT_BYTES <= size < 5 * SEGMENT_BYTES for size in sizes)


def test_a_restored_journal_has_the_same_segments():
    journal = Journal("agent")
    for epoch in range(150):
        journal.record_turn(epoch // 3, f"{epoch} " + "word " * 30, own="ok")
    journal.apply_consolidation(Consolidation("me", ["[Epoch 0] a"]), 50)
    assert Journal.from_json(journal.to_json()).segments() == journal.segments()


def test_an_empty_journal_has_one_open_segment():
    (only,) = Journal("agent").segments()
    assert (only.text, only.is_closed) == ("You are at the beginning. No memories yet.", False)


def test_a_prompt_is_preamble_memory_boundary_and_tail():
    first, second = Journal("agent"), Journal("lane")
    first.record_turn(1, "It began.")
    second.append_ledger(["[Epoch 1] a"])
    prompt = Prompt.of("You are the planner.\n\n", first, second, tail="Plan it.")
    prefix = "You are the planner.\n\n" + first.render() + second.render()
    assert prompt.cacheable_prefix == text_of(prompt.segments()) == prefix
    assert prompt.to_text() == prefix + "\n\n======== boundary ========\n\nPlan it."
    assert [segment.kind for segment in prompt.segments()] == [
        "preamble",
        "memory",
        "lived",
        "memory",
    ]


def test_a_prompt_keeps_the_state_that_it_was_built_from():
    journal = Journal("agent")
    prompt = Prompt.of("", journal)
    journal.record_turn(1, "later")
    assert prompt.to_text() == "You are at the beginning. No memories yet."


def test_a_turn_that_ends_with_the_owner_closes_its_segment_at_once():
    journal = Journal("agent")
    journal.record_turn(1, "x" * SEGMENT_BYTES, own="ok")
    assert all(segment.is_closed for segment in journal.segments())
    journal.record_turn(2, "x" * SEGMENT_BYTES)
    assert not journal.segments()[-1].is_closed
