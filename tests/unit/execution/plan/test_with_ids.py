"""`plan ids`: ids are proposed where they are missing, and nothing else changes."""

from __future__ import annotations

import pytest

from agentjournal.errors import InputError
from agentjournal.execution.plan import read_plan, with_ids
from support.plans import PLANS, report


def changed(before: str, after: str) -> list[str]:
    """Give the lines that are no longer what they were."""
    lines = zip(before.split("\n"), after.split("\n"), strict=True)
    return [new for old, new in lines if old != new]


def test_the_items_of_the_seed_notes_phases_become_tasks() -> None:
    text = (PLANS / "execution-journal.txt").read_text()
    proposed = with_ids(text.encode())
    assert changed(text, proposed) == [
        (f"- [ ]* T-{n:03} " if n == 7 else f"- [ ] T-{n:03} ") + text.split("\n")[line - 1]
        for n, line in enumerate([38, 39, 40, 44, 45, 46, 47, 51, 52, 53], 1)
    ]
    read = read_plan(proposed.encode(), "execution-journal.md")
    assert read.is_valid
    assert read.plan is not None
    assert [task.id for task in read.plan.tasks] == [f"T-{n:03}" for n in range(1, 11)]
    assert read.plan.tasks[0].title == "Define journal table."
    assert [task.id for task in read.plan.tasks if task.is_optional] == ["T-007"]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("- [ ] T057 a\n- [ ] b\n- [x] [P] c\n", ["- [ ] T058 b", "- [x] T059 [P] c"]),
        ("### T-7 a\n### Task: b\n- [ ] its step\n", ["### T-8 Task: b"]),
        ("- [ ] 1. a\n  - [ ] 1.1 b\n- [ ] c\n  - [ ] its step\n", ["- [ ] 2. c"]),
        ("### Task 3: a\n\n### [x] Task: b\n", ["### [x] Task 4: Task: b"]),
        (
            "| ID | Task |\n|----|----|\n| T-9 | a |\n| | b |\n||c|",
            ["| T-10 | b |", "| T-11|c|"],
        ),
        ("## M1 Core\n- [ ] T1 a\n- [ ] b\n", ["- [ ] T2 b"]),
        ("- [ ] US3-T4 a\n- [ ]* b", ["- [ ]* US3-T5 b"]),
        ("# A\n- [ ] a\n\n- [ ]  b \r\n", ["- [ ] T-001 a", "- [ ]  T-002 b \r"]),
        (
            "## Phase 1: Set up\n- one\n  more\n  - sub\n- two\n## Notes\n- three",
            ["- [ ] T-001 one", "- [ ] T-002 two"],
        ),
        (
            "## Phase 1\n\n1. one\n2. two\n\n## Phase 2\n",
            ["1. [ ] T-001 one", "2. [ ] T-002 two", "## T-003 Phase 2"],
        ),
        (
            "Phase 1 - Begin\n\nPhase 2 - End\n\nDo it\nwell.\nThen rest.\n",
            ["### T-001 Phase 1 - Begin", "- [ ] T-002 Do it", "- [ ] T-003 Then rest."],
        ),
        ("\ufeff- [ ] a", ["\ufeff- [ ] T-001 a"]),
    ],
)
def test_ids_go_on_in_the_plans_own_manner(text: str, lines: list[str]) -> None:
    proposed = with_ids(text.encode())
    assert changed(text, proposed) == lines
    assert report(proposed).is_valid


@pytest.mark.parametrize(
    "text",
    ["Only prose.\n\n- a list\n", "```\n- [ ] code\n```\n", "- [ ] T1 all\n  - [ ] have\n", ""],
)
def test_what_has_no_task_or_every_id_stays_as_it_is(text: str) -> None:
    assert with_ids(text.encode()) == text


@pytest.mark.parametrize("data", [b"- [ ] a\xff", b"a" * 5_000_000])
def test_what_cannot_be_kept_is_refused(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        with_ids(data)
    assert caught.value.faults
