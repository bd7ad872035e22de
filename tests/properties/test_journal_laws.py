"""What holds for every history of a journal."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from agentjournal import (
    Consolidation,
    Entry,
    Journal,
    first_divergence,
    is_cache_safe,
    render_entries,
)

TEXT = st.text(max_size=12) | st.sampled_from(["A", "a ", "\n[Epoch 1]", "é😀", "\x1c", "=== x"])
EPOCH = st.integers(-2, 3)
SPEAKER = st.sampled_from(["A", "B", "agent", "You", ""])
TURN = st.tuples(
    st.just("record_turn"), EPOCH, TEXT, st.lists(st.tuples(SPEAKER, TEXT), max_size=3), TEXT
)
RECORD = st.tuples(
    st.just("record"), EPOCH, st.sampled_from(["situation", "heard", "own", "?"]), SPEAKER, TEXT
)
LEDGER = st.tuples(st.just("append_ledger"), st.lists(TEXT, max_size=3))
APPLY = st.tuples(
    st.just("apply_consolidation"),
    st.builds(Consolidation, TEXT, st.lists(TEXT, max_size=2)),
    st.integers(-1, 9),
)
CLEAR = st.just(("clear",))
HISTORY = st.lists(TURN | RECORD | LEDGER | APPLY | CLEAR, max_size=20)
RECORDING = {"record_turn", "record"}


def reference_render(journal):
    """Render from the whole state, line by line, as the specification says."""
    if not (journal.entries or journal.core_memories or journal.episodic_ledger):
        return "You are at the beginning. No memories yet."
    lines = []
    if journal.core_memories:
        lines.append("=== Core memories (distilled from earlier epochs) ===")
        for memory in journal.core_memories:
            lines += [memory, ""]
    if journal.episodic_ledger:
        lines += ["=== Episodic ledger (what happened, in order) ===", *journal.episodic_ledger, ""]
    lines.append("=== Lived memory ===")
    current = -1
    for entry in journal.entries:
        if entry.epoch != current:
            lines += ["", f"[Epoch {entry.epoch}]"]
        if entry.kind == "situation":
            lines.append("The world: " + entry.text)
        elif entry.kind == "heard":
            lines.append(entry.speaker + " said: " + entry.text)
        else:
            lines.append("You said: " + entry.text)
        current = entry.epoch
    return "\n".join(lines)


def closed(journal):
    return [segment for segment in journal.segments() if segment.is_closed]


@given(HISTORY)
@settings(max_examples=400, deadline=None)
def test_renders_extend_resets_are_counted_and_nothing_is_derived_twice(history):
    journal = Journal("agent")
    for name, *arguments in history:
        before, frozen, resets = journal.render(), closed(journal), journal.resets
        was_empty = not (journal.entries or journal.core_memories or journal.episodic_ledger)
        revision = journal.revision
        getattr(journal, name)(*arguments)
        after = journal.render()
        assert after == reference_render(journal)
        assert "".join(segment.text for segment in journal.segments()) == after
        assert journal.token_estimate() == journal.tokens.estimate(after)
        if not was_empty:
            assert journal.resets - resets == (not is_cache_safe(before, after))
        if name in RECORDING:
            assert journal.revision == revision
            assert closed(journal)[: len(frozen)] == frozen


@given(HISTORY, HISTORY)
@settings(max_examples=300, deadline=None)
def test_a_restart_changes_nothing_that_follows(history, later):
    journal = Journal("agent")
    for name, *arguments in history:
        getattr(journal, name)(*arguments)
    restored = Journal.from_json(journal.to_json())
    assert restored.to_json() == journal.to_json()
    for name, *arguments in [step for step in later if step[0] in RECORDING]:
        getattr(journal, name)(*arguments)
        getattr(restored, name)(*arguments)
        assert restored.segments() == journal.segments()
    assert restored.to_json() == journal.to_json()


@given(HISTORY, st.floats())
@settings(max_examples=200, deadline=None)
def test_a_split_keeps_order_and_never_cuts_an_epoch(history, fraction):
    journal = Journal("agent")
    for name, *arguments in history:
        getattr(journal, name)(*arguments)
    old, first_kept = journal.split_oldest(fraction)
    entries = journal.entries
    assert old == entries[:first_kept]
    assert first_kept > 0 or not entries or fraction >= 1.0
    if 0 < first_kept < len(entries):
        assert entries[first_kept - 1].epoch != entries[first_kept].epoch


@given(st.lists(st.builds(Entry, epoch=EPOCH, kind=SPEAKER, speaker=SPEAKER, text=TEXT)))
def test_entries_alone_are_the_lived_part_without_its_header(entries):
    journal = Journal("agent")
    for entry in entries:
        journal.record(entry.epoch, entry.kind, entry.speaker, entry.text)
    whole = journal.render().partition("=== Lived memory ===\n")[2]
    assert render_entries(journal.entries) == whole.removeprefix("\n")


@given(st.binary(max_size=8), st.binary(max_size=8), st.binary(max_size=8))
def test_the_first_divergence_is_the_first(common, left, right):
    earlier, later = common + left, common + right
    at = first_divergence(earlier, later)
    pairs = zip(earlier, later, strict=False)
    differing = [place for place, (a, b) in enumerate(pairs) if a != b]
    if differing:
        assert at == differing[0]
    else:
        assert at == (-1 if len(later) >= len(earlier) else len(later))
