# ruff: noqa: RUF001 - dashes are what is read
"""What a task's own words say: dependencies, files, services, acceptance."""

from __future__ import annotations

import pytest

from support.plans import only, report, tasks

OTHERS = "\n".join(f"- [ ] {name} x" for name in ("T002", "T003", "T005", "T007", "T-08", "US3-T4"))


def depends(words: str) -> tuple[str, ...]:
    read = tasks(f"{OTHERS}\n- [ ] T100 Do it. {words}\n")
    return read["T100"].depends


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("depends on T007, T-08", ("T007", "T-08")),
        ("Depends on T002/T005.", ("T002", "T005")),
        ("(depends on T003, T005,\n  T007).", ("T003", "T005", "T007")),
        ("(contracts.md; depends\n  on T005 and T002; T003)", ("T005", "T002", "T003")),
        ("DEPENDS ON: T002", ("T002",)),
        ("**Depends on**: T002", ("T002",)),
        ("**Depends on:** `T002`, **T003**", ("T002", "T003")),
        ("_Depends: [[T002]], [T003](x.md) and T005_", ("T002", "T003", "T005")),
        ("Depends on: [[T002|login]], T003", ("T002", "T003")),
        ("Depends on: T002 (the schema), T003 (done)", ("T002", "T003")),
        ("Blocked by: T002 & US3-T4", ("T002", "US3-T4")),
        ("Blocked-by: T002", ("T002",)),
        ("Dependencies: tasks T002, and T003", ("T002", "T003")),
        ("Depends on: T002-T005", ("T002", "T003", "T005")),
        ("depends on T002–T005, T-08", ("T002", "T003", "T005", "T-08")),
        ("Depends on T002. Depends on T002, T003", ("T002", "T003")),
        ("Depends on: none. Blocks: T003", ()),
        ("No dependencies; see T003.", ()),
        ("Depends on the schema of T003", ()),
        ("Depends on T002; T003 comes later, T005 not", ("T002", "T003")),
        ("Depends on T002 but not T003", ("T002",)),
        ("depends on Python 3.11 and 3 more", ()),
        ("depends on US1", ()),
    ],
)
def test_dependencies_are_the_ids_behind_the_words(words: str, names: tuple[str, ...]) -> None:
    assert depends(words) == names


def stated(words: str) -> bool:
    return tasks(f"{OTHERS}\n- [ ] T100 Do it. {words}\n")["T100"].is_explicit


@pytest.mark.parametrize(
    "words",
    [
        "Depends on: none",
        "**Depends on:** None.",
        "_Depends: nothing_",
        "Dependencies: -",
        "Blocked by: `—` (it comes first)",
        "Depends on nothing; can start at once",
        "depends on: n/a, blocks T003",
        "의존성: 없음",
    ],
)
def test_none_is_a_statement_about_dependencies(words: str) -> None:
    assert stated(words)
    assert depends(words) == ()
    assert depends(f"{words}\n  Depends on T002") == ("T002",)


@pytest.mark.parametrize(
    "words",
    [
        "Depends on none of the above",
        "Depends on nothing but luck",
        "Depends on: nonesuch",
        "Depends on: - T002 or so",
        "No dependencies",
        "depends on US1",
        "Depends on:",
    ],
)
def test_what_names_no_task_and_not_none_is_no_statement(words: str) -> None:
    assert not stated(words)


def test_a_dash_in_a_table_of_dependencies_is_a_statement_and_an_empty_cell_is_none() -> None:
    read = tasks("| id | task | deps |\n|---|---|---|\n| T1 | a | - |\n| T2 | b | |\n")
    assert [task.is_explicit for task in read.values()] == [True, False]


def test_a_story_named_as_a_dependency_is_noted_and_left_out() -> None:
    read = report("- [ ] T1 [US1] Do it, depends on US1")
    assert read.is_valid
    assert read.notes == ("line 1, T1: US1 is a story, no task; left out",)


def test_numbers_are_dependencies_where_the_plan_has_numbers() -> None:
    read = tasks("- [ ] 1. A\n- [ ] 2. B\n  - _Depends on: 1_\n- [ ] 3. C depends on Task 2, 1\n")
    assert [task.depends for task in read.values()] == [(), ("1",), ("2", "1")]


def test_what_stands_in_another_tasks_words_is_not_this_tasks_dependency() -> None:
    read = tasks(
        "- [ ] 1. A\n  - [ ] 1.1 B\n    Depends on 2\n- [ ] 2. C\n- [ ] 3. D\n  Depends on 2"
    )
    assert {name: task.depends for name, task in read.items() if task.depends} == {
        "1.1": ("2",),
        "3": ("2",),
    }


@pytest.mark.parametrize(
    ("words", "paths"),
    [
        ("Create `src/a.py` and `lib/core/`", ("src/a.py", "lib/core/")),
        ("Create User in src/models/user.py.", ("src/models/user.py",)),
        ("Change the tab in AdminTabs.vue, please", ("AdminTabs.vue",)),
        ("Files: src/a.py, b.py; c.py", ("src/a.py", "b.py", "c.py")),
        ("**Files:** `src/a.py:12-40`, `./b.py#L3`", ("src/a.py", "b.py")),
        (
            "See `app/[id]/page.tsx`, `.github/workflows/ci.yml`",
            ("app/[id]/page.tsx", ".github/workflows/ci.yml"),
        ),
        ("Edit `Makefile`, `docker/Dockerfile`", ("Makefile", "docker/Dockerfile")),
        ("`src/a.py`, in src/a.py", ("src/a.py",)),
        ("Run `tool/x.sh http://a/b.json`", ()),
        ("Call `state.canSubmit`, `p.photo`, `Icons.merge`", ()),
        ("Route `/products/merge`, url `http://a.b/c.json`", ()),
        ("Rights `allowCreate/Read/Update`, in and/or", ()),
        ("`../secret.txt`, `a/../b.py`, `.../model/x.dart`, `src/…`", ()),
        ("as listed in plan.md (in spec.md)", ()),
        ("sign in success/failure", ()),
        ("`src/*.py`, `.arb`, `v1.0`, `1.5/2.5`", ()),
    ],
)
def test_files_are_paths_in_backticks_or_behind_in(words: str, paths: tuple[str, ...]) -> None:
    assert only(f"- [ ] T1 {words}").files == paths


def test_services_and_the_acceptance_command_are_labelled() -> None:
    task = only(
        """\
        ### T1 Do it
        Services: api, `worker` and mailer.
        **Verify:** run `make test`; then `x`
        Verify: `other`
        Estimate: 2 h
        """
    )
    assert task.services == ("api", "worker", "mailer")
    assert task.verify == "make test"
    line = only("- [ ] T1 Do it. Services: api, db. Verify: `pytest -q\n  tests`. Files: a.py\n")
    assert (line.services, line.verify, line.files) == (("api", "db"), "pytest -q tests", ("a.py",))
    assert only("- [ ] T1 Services: none").services == ()
    assert only("- [ ] T1 Verify: by hand").verify is None


@pytest.mark.parametrize(
    ("line", "is_done"),
    [
        ("Status: done", True),
        ("- **Status**: [x]", True),
        ("**Status:** ✅ Done", True),
        ("Status: completed", True),
        ("Status: in progress, not done", False),
        ("Status: [ ]", False),
        ("Done when: all pass", False),
    ],
)
def test_a_heading_is_done_when_its_status_says_so(line: str, *, is_done: bool) -> None:
    assert only(f"### T1 Do it\n{line}\n").is_done is is_done
