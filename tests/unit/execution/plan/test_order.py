"""Sections, ranks, and who waits for whom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypothesis import assume, given
from hypothesis import strategies as st

from agentjournal.execution.plan import waits
from agentjournal.execution.plan.cycles import find_cycles
from agentjournal.execution.plan.order import needed_earlier
from support.plans import report, tasks

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


@dataclass(frozen=True, kw_only=True)
class Row:
    """A task as a row of the database would give it."""

    id: str
    section_place: int = 1
    rank: int = 1
    depends: tuple[str, ...] = ()
    is_explicit: bool = False
    parent: str | None = None
    is_optional: bool = False
    is_container: bool = False


def test_consecutive_parallel_tasks_share_a_rank_and_sections_begin_anew() -> None:
    read = tasks(
        """\
        - [ ] T0 before any section
        ## One
        Nothing here.
        ## Two
        - [ ] T1 a
        - [ ] T2 [P] b
        ### Sub
        - [ ] T3 [P] c
        - [ ] T4 d
        - [ ] T5 [P] e
        ## Two
        - [ ] T6 [P] f
        # Part
        - [ ] T7 g
        """
    )
    assert [(t.id, t.section, t.section_place, t.rank, t.place) for t in read.values()] == [
        ("T0", "", 1, 1, 1),
        ("T1", "Two", 2, 1, 2),
        ("T2", "Two", 2, 2, 3),
        ("T3", "Two", 2, 2, 4),
        ("T4", "Two", 2, 3, 5),
        ("T5", "Two", 2, 4, 6),
        ("T6", "Two", 3, 1, 7),
        ("T7", "", 4, 1, 8),
    ]


PLAN = """\
## One
- [ ] T1 a
- [ ] T2 [P] b
- [ ] T3 [P] c
## Two
- [ ] 4. d
  - [ ]* 4.1 e
  - [ ] 4.2 f
  - [ ] 4.3 g
- [ ] T5 h (depends on T1)
- [ ] T6 i (depends on 4, T5)
- [ ] T7 j (depends on 4.1)
- [ ]* T8 k
- [ ] T9 l
"""


def test_a_task_waits_for_the_rank_before_the_section_before_or_what_it_names() -> None:
    assert waits(list(tasks(PLAN).values()), set()) == {
        "T1": (),
        "T2": ("T1",),
        "T3": ("T1",),
        "4": ("4.2", "4.3"),
        "4.1": ("T1", "T2", "T3"),
        "4.2": ("T1", "T2", "T3"),
        "4.3": ("4.2",),
        "T5": ("T1",),
        "T6": ("4.2", "4.3", "T5"),
        "T7": (),
        "T8": ("T7",),
        "T9": ("T7",),
    }


def test_what_is_done_is_waited_for_no_longer() -> None:
    unmet = waits(list(tasks(PLAN).values()), {"T1", "T3", "4.2", "T5"})
    assert unmet["T2"] == ()
    assert unmet["4"] == ("4.3",)
    assert unmet["4.2"] == ("T2",)
    assert unmet["T6"] == ("4.3",)


def test_children_wait_for_what_their_container_depends_on() -> None:
    read = tasks(
        "- [ ] T1 a\n- [ ] 2. b depends on T1\n  - [ ] 2.1 c\n    - [ ] 2.1.1 d\n- [ ] 3. e\n  - [ ] 3.1 f\n"
    )
    assert waits(list(read.values()), set())["2.1.1"] == ("T1",)
    rows = [Row(id="1", is_container=True, depends=("9",)), Row(id="1.1", parent="1", rank=2)]
    assert waits(rows, set()) == {"1": ("1.1",), "1.1": ("9",)}
    assert waits(rows, {"9"}) == {"1": ("1.1",), "1.1": ()}


def test_what_is_needed_earlier_comes_earlier() -> None:
    text = "- [ ] T0 a\n- [ ] T1 b depends on T3\n- [ ] T2 c\n- [ ] T3 d\n- [ ] T4 e\n"
    assert waits(list(tasks(text).values()), {"T0"}) == {
        "T0": (),
        "T1": ("T3",),
        "T2": ("T1",),
        "T3": (),
        "T4": ("T3",),
    }
    assert report(text).notes == ("T3 comes earlier than it stands: a task before it needs it",)


def test_discovered_work_stands_outside_the_order() -> None:
    rows = [
        Row(id="T1"),
        Row(id="T2", rank=2),
        Row(id="U-001", section_place=0),
        Row(id="U-002", section_place=0, depends=("U-001",)),
    ]
    assert waits(rows, set()) == {"T1": (), "T2": ("T1",), "U-001": (), "U-002": ("U-001",)}


def test_a_dependency_that_is_no_task_any_more_stays_unmet() -> None:
    assert waits([Row(id="T1", depends=("T0",))], set()) == {"T1": ("T0",)}
    assert waits([Row(id="T1", depends=("T0",))], {"T0"}) == {"T1": ()}


def test_tasks_of_a_rank_share_one_answer_so_that_large_plans_stay_small() -> None:
    rows = [Row(id=f"A{n}") for n in range(5000)] + [
        Row(id=f"B{n}", section_place=2) for n in range(5000)
    ]
    unmet = waits(rows, set())
    assert len(unmet["B0"]) == 5000
    assert all(unmet[f"B{n}"] is unmet["B0"] for n in range(5000))


def test_parents_in_a_circle_do_not_hang() -> None:
    rows = [
        Row(id="1", is_container=True, parent="2"),
        Row(id="2", is_container=True, parent="1"),
        Row(id="3", parent="1", rank=2),
    ]
    assert waits(rows, set())["2"] == ("3",)


@st.composite
def plans(draw: st.DrawFn) -> list[Row]:
    """Draw a plan with sections, ranks, containers, optional tasks and any dependencies."""
    size = draw(st.integers(1, 9))
    names = [f"T{n}" for n in range(size)]
    rows: list[Row] = []
    section, rank = 1, 0
    for place, name in enumerate(names):
        if place and draw(st.integers(0, 4)) == 0:
            section, rank = section + 1, 0
        rank += 1 if rank == 0 or draw(st.booleans()) else 0
        parents = [None, *(row.id for row in rows if row.is_container)]
        parent = draw(st.sampled_from(parents))
        above = next((row for row in rows if row.id == parent), None)
        rows.append(
            Row(
                id=name,
                section_place=section,
                rank=rank,
                depends=tuple(draw(st.lists(st.sampled_from(names), max_size=2))),
                parent=parent,
                is_optional=draw(st.integers(0, 5)) == 0 or bool(above and above.is_optional),
                is_container=draw(st.integers(0, 4)) == 0,
            )
        )
    return rows


def plain_needs(rows: Sequence[Row]) -> Mapping[str, set[str]]:
    """Say the rules again, the slow way: the tasks that each task waits for when none is done."""
    by_id = {row.id: row for row in rows}

    def meant(name: str) -> set[str]:
        if by_id[name].is_optional:
            return set()
        if not by_id[name].is_container:
            return {name}
        return {leaf for child in rows if child.parent == name for leaf in meant(child.id)}

    def named(row: Row | None) -> set[str]:
        if row is None:
            return set()
        return {leaf for name in row.depends for leaf in meant(name)}

    def above(row: Row) -> set[str]:
        parent = by_id.get(row.parent or "")
        return named(parent) | (above(parent) if parent else set())

    return {
        row.id: meant(row.id)
        if row.is_container
        else (named(row) if row.depends else by_order(row, rows)) | above(row)
        for row in rows
    }


def by_order(row: Row, rows: Sequence[Row]) -> set[str]:
    waitable = [other for other in rows if not (other.is_optional or other.is_container)]
    section = [other for other in waitable if other.section_place == row.section_place]
    ranks = {other.rank for other in section if other.rank < row.rank}
    if ranks:
        return {other.id for other in section if other.rank == max(ranks)}
    earlier = {o.section_place for o in waitable if o.section_place < row.section_place}
    return {o.id for o in waitable if earlier and o.section_place == max(earlier)}


@given(plans(), st.sets(st.sampled_from([f"T{n}" for n in range(9)])))
def test_waiting_is_what_the_rules_say_one_by_one(rows: list[Row], done: set[str]) -> None:
    assume(not needed_earlier(rows))
    done -= {row.id for row in rows if row.is_container}
    required = {row.id: row for row in rows if not (row.is_container and row.is_optional)}
    unmet = {name: set(names) for name, names in waits(rows, done).items() if name in required}
    plain = plain_needs(rows)
    assert unmet == {name: plain[name] - done for name in required}


@given(plans())
def test_a_plan_without_a_circle_can_always_be_carried_out(rows: list[Row]) -> None:
    assume(not find_cycles(rows))
    work = {row.id for row in rows if not row.is_container}
    done: set[str] = set()
    while ready := {name for name, unmet in waits(rows, done).items() if not unmet} & work - done:
        done |= ready
    assert done >= {row.id for row in rows if not (row.is_container or row.is_optional)}


def test_a_task_that_depends_on_nothing_waits_for_nothing() -> None:
    read = tasks("- [ ] T1 a\n- [ ] T2 b\n  Depends on: none\n- [ ] T3 c\n")
    assert waits(list(read.values()), frozenset()) == {"T1": (), "T2": (), "T3": ("T2",)}
    rows = [
        Row(id="T0"),
        Row(id="T1", rank=2, depends=("T3",)),
        Row(id="T3", rank=3, is_explicit=True),
    ]
    assert waits(rows, frozenset()) == {"T0": (), "T1": ("T3",), "T3": ()}
