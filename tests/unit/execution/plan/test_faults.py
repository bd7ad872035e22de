"""All that is wrong is said at once, with line, rule and remedy."""

from __future__ import annotations

import pytest

from agentjournal.execution.plan import read_plan
from support.plans import real, report


def test_every_fault_of_a_plan_is_reported_at_once() -> None:
    read = report(
        """\
        # Plan
        - [ ] T1 One, depends on T9
        - [ ] T2 Two, depends on T3
        - [ ] T3 Three, depends on T2
        - [ ] T1 Again
        - [ ] no id
        - [ ] U-001 Found
        ```
        never closed
        """
    )
    assert read.plan is not None
    assert not read.is_valid
    assert [(fault.field, fault.rule, fault.got) for fault in read.faults] == [
        ("line 8", "a code fence or comment that is opened is closed", "```"),
        ("line 6", "a task has an id", "no id"),
        ("line 5, T1", "an id stands for one task", "T1 also in line 2"),
        ("line 2, T1", "a dependency names a task of the plan", "T9"),
        (
            "line 7, U-001",
            "U-001 and the like are kept for work that is discovered on the way",
            "U-001",
        ),
        ("line 3, T2", "no task waits for itself", "T2 → T3 → T2"),
    ]
    assert all(fault.remedy for fault in read.faults)
    assert [task.id for task in read.plan.tasks] == ["T1", "T2", "T3", "U-001"]


def test_the_seed_note_has_no_ids_and_names_the_command_that_proposes_some() -> None:
    read = real("execution-journal.txt")
    assert not read.is_valid
    assert read.faults[0].got == "no task id"
    assert "agentjournal plan ids" in read.faults[0].remedy
    lines = [int(fault.field.removeprefix("line ")) for fault in read.faults[1:]]
    assert lines == [38, 39, 40, 44, 45, 46, 47, 51, 52, 53]
    assert read.plan is not None
    assert read.plan.goal.startswith("Give Lovebug and its workers a durable, queryable")


@pytest.mark.parametrize(
    ("data", "field", "rule"),
    [
        (b"", "line 1", "a plan has tasks with ids"),
        (b"- [ ] T1 x\n\xff\n", "line 2", "it is UTF-8"),
        (b"- [ ] T1 x\n\n\0\n", "line 3", "it holds no NUL"),
        (
            b"- [ ] T1 a \x1b[31m\n<!-- x",
            "line 2",
            "a code fence or comment that is opened is closed",
        ),
        (
            b"---\na: &x 1\nb: *x\n---\n- [ ] T1 x",
            "line 2, front matter",
            "it is plain YAML, small and without anchors",
        ),
        (
            b"---\na: b: c\n---\n- [ ] T1 x",
            "line 2, front matter",
            "it is plain YAML, small and without anchors",
        ),
        (b"a" * 10_000_000, "line 1", "a plan has at most 4,194,304 bytes and 100,000 lines"),
        (b"x\n" * 100_001, "line 1", "a plan has at most 4,194,304 bytes and 100,000 lines"),
    ],
)
def test_what_cannot_be_read_is_a_fault_and_no_exception(
    data: bytes, field: str, rule: str
) -> None:
    read = read_plan(data, "plan.md")
    assert (read.faults[0].field, read.faults[0].rule) == (field, rule)
    assert not read.is_valid


def test_a_date_that_is_none_is_a_text_in_front_matter() -> None:
    assert report("---\ndate: 2026-99-99\n---\n- [ ] T1 x").is_valid


@pytest.mark.parametrize(
    ("text", "circle"),
    [
        ("- [ ] T1 a depends on T1", "T1 → T1"),
        (
            "- [ ] T1 a depends on T2\n- [ ] T2 b depends on T3\n- [ ] T3 depends on T1",
            "T1 → T2 → T3 → T1",
        ),
        ("- [ ] 1. a\n  - [ ] 1.1 b\n    Depends on 1\n", "1 → 1.1 → 1"),
        ("- [ ] 1. a depends on 2\n  - [ ] 1.1 b\n- [ ] 2. c depends on 1", "1 → 1.1 → 2 → 1"),
    ],
)
def test_a_circle_of_dependencies_is_named(text: str, circle: str) -> None:
    faults = report(text).faults
    assert [fault.got for fault in faults] == [circle]


def test_each_knot_of_tasks_is_named_once_and_long_circles_are_shortened() -> None:
    ring = [f"- [ ] T{n} x depends on T{n % 30 + 1}" for n in range(1, 31)]
    pairs = ["- [ ] A1 x depends on A2", "- [ ] A2 x depends on A1"]
    got = [fault.got for fault in report("\n".join(ring + pairs)).faults]
    assert got[0].startswith("T1 → T2 → ")
    assert got[0].endswith("T12 → … → T1")
    assert got[1:] == ["A1 → A2 → A1"]


def test_faults_are_listed_up_to_a_limit_and_then_counted() -> None:
    read = report("\n".join("- [ ] no id" for _ in range(1000)))
    assert len(read.faults) == 201
    assert read.faults[-1].got == "801 more"


def test_too_many_dependencies_are_one_fault() -> None:
    lines = ["- [ ] T0000 x", "- [ ] T0001 x"]
    lines += [f"- [ ] T{n:04} x depends on T0000-T{n - 1:04}" for n in range(2, 700)]
    assert [fault.rule for fault in report("\n".join(lines)).faults] == [
        "a plan has at most 200,000 dependencies"
    ]
