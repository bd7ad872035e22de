"""Laws of the write side over any history."""

from hypothesis import given, settings
from hypothesis import strategies as st

from agentjournal.execution.projection.skeleton import skeleton
from agentjournal.execution.record import (
    COMPOSED_BYTES,
    LINE_BYTES,
    compose_line,
    floor_for,
    render_line,
    room_of,
)
from agentjournal.log.verify import verify
from agentjournal.storage.open import open_database
from support.clock import SettableClock
from support.histories import KINDS, History
from support.laws import examples

NUMBERS = st.integers(0, 2000)
MOVES = st.lists(st.tuples(st.integers(0, KINDS - 1), NUMBERS, NUMBERS), max_size=25)
TEXTS = st.text(max_size=400)
RESULTS = st.sampled_from(["success", "failed", "partial", "skipped", "gated"])
NAMES = st.from_regex(r"[A-Za-z0-9._-]{1,64}", fullmatch=True)


@given(MOVES)
@settings(max_examples=examples(60))
def test_live_projections_equal_rebuilt_ones_after_any_history(moves: list[tuple]) -> None:
    clock = SettableClock()
    database = open_database(":memory:", clock=clock)
    history = History(database, clock)
    history.play(moves)
    report = verify(history.log)
    database.close()
    assert report.faults == ()
    assert report.are_projections_compared


@given(st.tuples(NAMES, RESULTS, NAMES), TEXTS, st.lists(TEXTS, max_size=12), st.integers(1, 10**6))
def test_a_line_is_one_line_within_its_bytes_whatever_was_written(
    head: tuple[str, str, str], action: str, options: list[str], n: int
) -> None:
    task, result, actor = head
    line = compose_line(task=task, result=result, actor=actor, action=action, ruled_out=options)
    assert len(line.encode()) <= COMPOSED_BYTES
    assert line.splitlines() == [line]
    assert line.startswith(f"{task} {result} ({actor}): ")
    rendered = render_line(n, 999, line, is_late=True)
    assert len(rendered.encode()) <= LINE_BYTES
    assert rendered.startswith(f"[{n}] {task} {result} (attempt 999, late, {actor}): ")


@given(st.lists(st.integers(0, 90).map("x".__mul__), max_size=30))
def test_options_are_shown_whole_or_counted(options: list[str]) -> None:
    action = "Tried " + "it " * 32
    line = compose_line(task="T", result="failed", actor="a", action=action, ruled_out=options)
    _, mark, rest = line.partition(". Ruled out: ")
    assert bool(mark) == bool(options)
    shown = rest.split("; ") if mark else []
    more = int(shown.pop()[1:-5]) if shown and shown[-1].endswith(" more") else 0
    assert shown == options[: len(shown)]
    assert len(shown) + more == len(options)


@given(st.lists(st.integers(0, 200), max_size=80))
def test_a_moved_floor_leaves_at_most_half_the_room_and_as_much_as_fits(sizes: list[int]) -> None:
    lines = [(n, "x" * size) for n, size in enumerate(sizes, start=1)]
    floor = floor_for(lines, 1000)
    used = sum(room_of(line) for _, line in lines)
    if floor is None:
        assert used <= 1000
        return
    assert used > 1000
    kept = sum(room_of(line) for n, line in lines if n > floor)
    assert kept <= 500 < kept + room_of(lines[floor - 1][1])


JSON = st.recursive(
    st.none() | st.integers(0, 9) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(["step", "close", "resolve", "turn"]), st.dictionaries(TEXTS, JSON))
def test_a_skeleton_of_a_skeleton_is_the_same(kind: str, body: dict[str, object]) -> None:
    assert skeleton(kind, skeleton(kind, body)) == skeleton(kind, body)
