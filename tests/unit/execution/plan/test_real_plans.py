"""The three real plans are read completely; the golden files were checked by eye, line by line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agentjournal.execution.plan import waits
from support.plans import PLANS, as_row, real

GOLDEN = Path(__file__).parents[3] / "golden"
NAMES = ["speckit-merge-products", "speckit-user-authentication", "kiro-user-authentication"]
BOX = re.compile(r"( *)- \[(.)\](\*?) ([\w.]+?)\.? ")


@pytest.mark.parametrize("name", NAMES)
def test_every_task_is_read_as_its_golden_file_says(name: str) -> None:
    report = real(f"{name}.md")
    assert report.plan is not None
    assert report.faults == ()
    golden = json.loads((GOLDEN / f"plan-{name}.json").read_text())
    assert [as_row(task) for task in report.plan.tasks] == golden


@pytest.mark.parametrize("name", NAMES)
def test_ids_ticks_and_sections_are_what_a_plain_search_of_the_lines_finds(name: str) -> None:
    section, found = "", []
    for number, line in enumerate((PLANS / f"{name}.md").read_text().split("\n"), 1):
        section = line[3:] if line.startswith("## ") else section
        if box := BOX.match(line):
            found.append((number, box[4], box[2] in "xX", bool(box[3]), section))
    plan = real(f"{name}.md").plan
    assert plan is not None
    read = [(t.line, t.id, t.is_done, t.is_optional, t.section) for t in plan.tasks]
    assert read == found


@pytest.mark.parametrize("name", NAMES)
def test_a_task_depends_on_the_ids_behind_the_words_in_its_own_lines(name: str) -> None:
    plan = real(f"{name}.md").plan
    assert plan is not None
    for task in plan.tasks:
        words = re.findall(
            r"depends\s+on\s+((?:T\d+[,/\s]*)+)", re.sub(r"\s+", " ", task.text), re.IGNORECASE
        )
        assert list(task.depends) == [name for part in words for name in re.findall(r"T\d+", part)]


@pytest.mark.parametrize("name", NAMES)
def test_none_of_the_real_tasks_says_that_it_depends_on_nothing(name: str) -> None:
    plan = real(f"{name}.md").plan
    assert plan is not None
    assert all(task.is_explicit == bool(task.depends) for task in plan.tasks)


def test_the_numbers_of_tasks_are_those_of_the_specification() -> None:
    merge, users, kiro = (real(f"{name}.md").plan for name in NAMES)
    assert merge is not None
    assert users is not None
    assert kiro is not None
    assert len(merge.tasks) == 28
    assert len(users.tasks) == 57
    assert len(kiro.tasks) == 47
    assert sum(task.is_container for task in kiro.tasks) == 11
    assert sum(task.is_optional for task in kiro.tasks) == 5
    assert sum(not (task.is_container or task.is_optional) for task in kiro.tasks) == 31


def test_titles_and_goals_are_one_line_each() -> None:
    merge, users, kiro = (real(f"{name}.md").plan for name in NAMES)
    assert merge is not None
    assert users is not None
    assert kiro is not None
    assert merge.title == "Tasks: Merge Products"
    assert merge.goal.startswith("A working Merge Products screen: pick canonical + duplicate, ")
    assert merge.goal.endswith("gated on `productsMerge`/Create, denied by default.")
    assert users.goal.startswith(
        "A user signs in with username/password, lands on a screen reflecting"
    )
    assert users.goal.endswith("admin-mediated recovery (FR-009, FR-010).")
    assert kiro.title == "Implementation Plan: User Authentication System"
    assert kiro.goal.startswith("This implementation plan converts the design into discrete coding")
    assert kiro.goal.endswith("and finally integration and testing.")


def test_a_task_keeps_its_wrapped_lines_and_bullets_without_box_and_marks() -> None:
    users, kiro = real(f"{NAMES[1]}.md").plan, real(f"{NAMES[2]}.md").plan
    assert users is not None
    assert kiro is not None
    wrapped = {task.id: task.text for task in users.tasks}
    assert wrapped["T040"] == (
        "Create `ChangePasswordScreen` in\n"
        "`lib/features/auth/presentation/account/change_password_screen.dart`\n"
        "(depends on T039)."
    )
    nested = {task.id: task.text for task in kiro.tasks}
    assert nested["1"] == "Set up database schema and migration service"
    assert nested["2.4"].split("\n") == [
        "Implement logout functionality",
        "- Implement logout() to delete session from database",
        "- Clear session cookie",
        "- _Requirements: 2.1, 2.2_",
    ]


def test_no_word_of_the_tasks_is_lost() -> None:
    kiro = real("kiro-user-authentication.md").plan
    assert kiro is not None
    body = (PLANS / "kiro-user-authentication.md").read_text().split("## Tasks")[1]
    words = re.sub(r"- \[.\]\*? [\d.]+ ", "", body.split("## Notes")[0]).split()
    assert " ".join(task.text for task in kiro.tasks).split() == words


def test_what_is_left_of_the_kiro_plan_may_start() -> None:
    kiro = real("kiro-user-authentication.md").plan
    assert kiro is not None
    unmet = waits(kiro.tasks, {task.id for task in kiro.tasks if task.is_done})
    assert set(unmet.values()) == {()}


def test_the_second_section_of_a_plan_waits_for_all_of_the_first() -> None:
    users = real("speckit-user-authentication.md").plan
    assert users is not None
    unmet = waits(users.tasks, set())
    assert unmet["T001"] == ()
    assert unmet["T002"] == ("T001",)
    assert unmet["T005"] == unmet["T010"] == ("T001", "T002", "T003", "T004")
    assert unmet["T011"] == ("T007", "T008")
    assert unmet["T014"] == ("T013",)
    assert unmet["T022"] == ("T016", "T017")
