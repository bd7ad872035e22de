"""Whatever is stored, a read keeps its cap, its order and its word about what it left out."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from agentjournal.execution.citation import quoted_line
from agentjournal.execution.context.model import (
    Answer,
    Found,
    Gate,
    Related,
    RuledOutItem,
    TaskContext,
)
from agentjournal.execution.context.render import render_context
from agentjournal.execution.quoted import QuotedStep
from agentjournal.execution.state.model import Flight, ProjectState, Trouble
from agentjournal.execution.state.render import render_state
from agentjournal.text.bounded import size
from agentjournal.text.visible import is_hidden

TEXT = st.text(max_size=300) | st.text("ab \n", max_size=1200)
FEW = st.text(max_size=200)
WORDS = st.sampled_from(["pending", "ready", "in_flight", "done", "failed", "skipped", "blocked"])
HANDOFFS = st.fixed_dictionaries(
    {"current_state": TEXT, "next_step": TEXT, "goal": FEW},
    optional={
        "open_questions": st.lists(TEXT, max_size=3),
        "decisions": st.lists(
            st.fixed_dictionaries(
                {"point": FEW, "options": st.just(["a", "b"]), "chosen": st.just("a"), "why": TEXT}
            ),
            max_size=2,
        ),
    },
)
STEPS = st.builds(
    QuotedStep,
    id=st.just("01999999-0000-7000-8000-000000000001"),
    seq=st.just(1),
    kind=st.just("close"),
    at=st.just("2026-01-31T09:00:00.000000Z"),
    task=st.just("T-9"),
    attempt=st.sampled_from([None, 1]),
    actor=st.just("worker-1"),
    revision=st.just(1),
    action=FEW,
    result=st.just("failed"),
    end=st.sampled_from([None, "signal"]),
    is_late=st.booleans(),
    handoff=HANDOFFS,
)
ITEMS = st.builds(
    RuledOutItem,
    id=st.just("01999999-0000-7000-8000-000000000001#1"),
    actor=st.just("worker-1"),
    revision=st.just(1),
    option=FEW,
    why=TEXT,
    note=st.sampled_from(["", "may be reopened: date 2026-01-01", "reopen if: never"]),
)


def found(of, most):
    return st.builds(
        lambda rows, unread: Found(tuple(rows), len(rows) + unread),
        st.lists(of, max_size=most),
        st.integers(0, 500),
    )


RELATED = st.builds(
    Related, step=STEPS, shared=st.integers(0, 3), shared_name=FEW, ruled_out=found(ITEMS, 2)
)
CONTEXTS = st.builds(
    TaskContext,
    project=st.just("demo"),
    task=st.just("T-1"),
    title=FEW,
    revision=st.just(1),
    is_drifted=st.booleans(),
    ruled_out=found(ITEMS, 12),
    latest=st.none() | STEPS,
    attempts=found(STEPS, 3),
    dependencies=found(RELATED, 4),
    neighbours=found(RELATED, 3),
    gates=found(
        st.builds(
            Gate,
            category=st.just("secrets"),
            operation=FEW,
            decision=st.just("ask"),
            outcome=st.just("not_run"),
            why=TEXT,
            step=st.just("01999999-0000-7000-8000-000000000001"),
            actor=st.just("worker-1"),
            revision=st.just(1),
        ),
        2,
    ),
    answer=st.none() | st.just(Answer(id="a", actor="ada", verb="retry", why="w")),
    children=st.lists(st.sampled_from(["6.1", "6.2"]), max_size=3).map(tuple),
    body=TEXT,
    body_bytes=st.just(0),
).map(lambda context: replace(context, body_bytes=size(context.body)))


@given(CONTEXTS, st.integers(500, 16_000), st.booleans())
def test_a_context_keeps_its_cap_and_counts_every_option(context, cap, with_text):
    text = render_context(context, cap, with_text=with_text)
    assert size(text + "\n") <= cap  # what prints it ends the line
    assert text == render_context(context, cap, with_text=with_text)
    lines = text.splitlines()
    last = lines[-1] if lines[-1].startswith("Left out: ") else ""
    counted = re.search(r"ruled out (\d+)", last)
    part = _part(lines, "## Ruled out")
    assert len(part) + (int(counted[1]) if counted else 0) == context.ruled_out.total
    newest = [quoted_line(item.option) for item in context.ruled_out.rows][: len(part)]
    for line, option in zip(part, newest, strict=True):
        assert line.startswith(f"- {option}")
    assert sum(size(line) + 1 for line in part) <= cap // 2


@given(CONTEXTS, st.integers(500, 6_000))
def test_no_stored_character_of_a_context_is_hidden(context, cap):
    text = render_context(context, cap, with_text=True)
    assert not any(is_hidden(char) for char in text if char not in "\n\t")


def _part(lines, heading):
    start = next((at for at, line in enumerate(lines) if line.startswith(heading)), None)
    if start is None:
        return []
    after = lines[start + 1 :]
    stop = next(
        (at for at, line in enumerate(after) if line.startswith(("## ", "Left out: "))), len(after)
    )
    return after[:stop]


IDS = st.lists(st.integers(1, 300), unique=True, max_size=60).map(
    lambda numbers: tuple(f"T-{n}" for n in sorted(numbers))
)
TROUBLES = st.lists(
    st.builds(
        Trouble,
        tasks=st.just(("T-1",)),
        detail=st.sampled_from(["gated", "2 of 3"]),
        why=TEXT,
        citation=st.just("[worker-1 000000000001 r1]"),
    ),
    max_size=9,
).map(tuple)
STATES = st.builds(
    ProjectState,
    project=st.just("demo"),
    title=FEW,
    revision=st.integers(0, 9),
    is_drifted=st.booleans(),
    ids=st.dictionaries(WORDS, IDS),
    blocked=TROUBLES,
    failed=TROUBLES,
    flights=st.lists(
        st.builds(
            Flight,
            task=st.just("T-5"),
            attempt=st.just(1),
            actor=st.just("worker-1"),
            until=st.just("2026-01-31T09:15:00.000000Z"),
            is_alive=st.booleans(),
        ),
        max_size=5,
    ).map(tuple),
    next=IDS,
    next_title=FEW,
    discovered=st.dictionaries(WORDS, IDS, max_size=2),
    optional=st.just((0, 3)),
    containers=st.lists(st.just(("6", "1 of 2")), max_size=40).map(tuple),
    quarantined=st.integers(0, 3),
    gates=st.just({"ask": 2, "leaked": 1}),
)


@given(STATES, st.integers(500, 4_000))
def test_a_state_keeps_its_cap_and_hides_nothing(state, cap):
    text = render_state(state, cap)
    assert size(text + "\n") <= cap  # what prints it ends the line
    assert text == render_state(state, cap)
    assert f"{sum(map(len, state.ids.values()))} tasks: " in text
    assert not any(is_hidden(char) for char in text if char != "\n")
