"""What holds for every life as it is sent: between consolidations each request extends the one before."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentjournal import (
    Consolidation,
    ConsolidationError,
    Journal,
    Prompt,
    consolidate,
    is_cache_safe,
)
from agentjournal.journal.dialect import CHAT_DIALECTS
from agentjournal.journal.floor import keep_within
from agentjournal.journal.neutral import neutral_lines
from agentjournal.text.visible import visible
from support.cache_rules import parts
from support.laws import examples
from support.tiered import read_back

CAP = 6 * 1024
TEXT = (
    st.text(max_size=12)
    | st.sampled_from(["A", "\n[Epoch 1]\nYou: x", "é😀", "======== boundary ========", "- x"])
    | st.integers(0, 3000).map(lambda size: "x" * size)
)
SPEAKER = st.sampled_from(["A", "B", "agent", "You", 'Q"uote', "The world: A"])
HEARD = st.lists(st.tuples(SPEAKER, TEXT), max_size=3)
TURN = st.tuples(st.just("turn"), st.integers(-2, 40), TEXT, HEARD, TEXT)
RECORD = st.tuples(
    st.just("record"),
    st.integers(0, 3),
    st.sampled_from(["situation", "heard", "own"]),
    SPEAKER,
    TEXT,
)
RESTART = st.just(("restart",))
CONSOLIDATE = st.tuples(st.just("consolidate"), st.booleans())
FLOOR = st.just(("floor",))
FAIL = st.just(("fail",))
HISTORY = st.lists(TURN | TURN | RECORD | RESTART | CONSOLIDATE | FLOOR | FAIL, max_size=25)
LAYOUT = st.sampled_from(["v1", "v2"])


def step(journal, move):
    """Make one move; give the journal and whether its prefix may have been rewritten."""
    match move:
        case ("turn", epoch, situation, heard, own):
            journal.record_turn(epoch, situation, heard, own)
        case ("record", epoch, kind, speaker, text):
            journal.record(epoch, kind, speaker, text)
        case ("restart",):
            return Journal.from_json(journal.to_json()), False
        case ("consolidate", by_model):
            return journal, _consolidated(journal, by_model=by_model)
        case ("floor",):
            return journal, keep_within(journal, CAP) is not None
        case ("fail",):
            before = journal.to_json()
            try:
                consolidate(journal, lambda _: 1 / 0)
            except ConsolidationError:
                assert journal.to_json() == before
    return journal, False


def _consolidated(journal, *, by_model):
    made = Consolidation("me", [f"[Epochs 0-1] {len(journal.entries)}"])
    try:
        return bool(consolidate(journal, (lambda _: made) if by_model else neutral_lines).dropped)
    except ConsolidationError:  # nothing that was not known: nothing changed
        return False


def is_nothing(journal):
    return journal.layout == "v1" and not (
        journal.entries or journal.core_memories or journal.episodic_ledger
    )


@given(LAYOUT, HISTORY)
@settings(max_examples=examples(300))
def test_between_consolidations_every_adapters_request_extends_the_one_before(layout, history):
    journal = Journal("agent", layout=layout)
    for number, move in enumerate(history):
        before = Prompt.of("You plan.\n\n", journal, tail=f"now {number}")
        was_nothing = is_nothing(journal)
        journal, is_rewritten = step(journal, move)
        after = Prompt.of("You plan.\n\n", journal, tail=f"then {number}")
        if was_nothing or is_rewritten:
            continue
        assert is_cache_safe(before.cacheable_prefix, after.cacheable_prefix)
        assert is_cache_safe(before, after)
        frozen = [segment for segment in before.segments() if segment.is_closed]
        assert list(after.segments())[: len(frozen)] == frozen
        for dialect in CHAT_DIALECTS:
            assert is_cache_safe(before.to_chat(dialect), after.to_chat(dialect, earlier=before))


@given(LAYOUT, HISTORY)
@settings(max_examples=200, deadline=None)
def test_every_body_holds_the_prompts_bytes_and_marks_closed_blocks_only(layout, history):
    journal = Journal("agent", layout=layout)
    for move in history:
        journal, _ = step(journal, move)
    prompt = Prompt.of("You plan.\n\n", journal, tail="now")
    closed = [segment.is_closed for segment in prompt.segments()]
    for dialect in CHAT_DIALECTS:
        blocks = parts(prompt.to_chat(dialect))
        assert "".join(block.text for block in blocks) == prompt.to_text()
        marked = [place for place, block in enumerate(blocks) if block.is_marked]
        assert len(marked) <= 4
        assert all(closed[place] for place in marked)
        if dialect != "deepseek":
            assert marked[-1] == max(place for place, is_closed in enumerate(closed) if is_closed)


@given(LAYOUT, HISTORY)
@settings(max_examples=200, deadline=None)
def test_a_restart_and_a_second_process_send_the_same_bodies(layout, history):
    one = Journal("agent", layout=layout)
    for move in history:
        other = Journal.from_json(one.to_json())
        one, _ = step(one, move)
        other, _ = step(other, move)
        if layout == "v2":
            assert other.to_json() == one.to_json()
        for dialect in CHAT_DIALECTS:
            assert Prompt.of("P", other).to_chat(dialect) == Prompt.of("P", one).to_chat(dialect)


@given(HISTORY)
@settings(max_examples=examples(300))
def test_a_render_of_layout_v2_reads_back_as_what_was_recorded_and_as_nothing_else(history):
    journal = Journal("agent", layout="v2")
    for move in history:
        journal, _ = step(journal, move)
    entries, lines = read_back(journal.render())
    assert entries == [
        (
            entry.epoch,
            entry.kind,
            {"situation": "world", "heard": visible(entry.speaker), "own": None}[entry.kind],
            visible(entry.text),
        )
        for entry in journal.entries
    ]
    assert lines == [visible(line) for line in journal.episodic_ledger]


@given(LAYOUT, st.lists(TURN, max_size=30))
@settings(max_examples=200, deadline=None)
def test_a_floor_keeps_every_life_below_its_cap(layout, turns):
    journal = Journal("agent", layout=layout)
    for turn in turns:
        journal, _ = step(journal, turn)
        keep_within(journal, CAP)
        assert journal.size <= CAP
