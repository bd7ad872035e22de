# ruff: noqa: RUF001 - dashes and the punctuation of Chinese are what is read
"""The forms that plans are written in."""

from __future__ import annotations

import pytest

from support.plans import only, report, tasks


@pytest.mark.parametrize(
    "heading",
    [
        "### T-042 Log in",
        "### T-042: Log in",
        "### T-042 | Log in",
        "### T-042 — Log in",
        "### T-042 – Log in",
        "### T-042 - Log in",
        "### T-042 · Log in ###",
        "## [T-042] Log in",
        "# **T-042** Log in",
        "### **T-042: Log in**",
        "### `T-042` Log in",
        "### [[T-042]] Log in",
        "### Task T-042: Log in",
        "### T-042：Log in",
        "### [P] T-042 Log in",
        "### T-042 [P] [US1] Log in",
        "- [ ] T-042 Log in",
        "* [ ] **T-042** [P] Log in",
        "1. [ ] T-042: Log in",
        "- [] T-042 Log in",
        "- [ ] **T-042 [P]** Log in",
    ],
)
def test_an_id_leads_a_heading_or_a_box(heading: str) -> None:
    task = only(heading)
    assert (task.id, task.title, task.text) == ("T-042", "Log in", "Log in")
    assert task.is_parallel == ("[P]" in heading)


@pytest.mark.parametrize(
    "name",
    ["T012", "FR-12", "US3-T4", "T-012R", "T-1.2", "AUTH-LOGIN-01", "P1_T03", "M1.T2", "task-12"],
)
def test_ids_have_letters_digits_and_separators(name: str) -> None:
    assert only(f"### {name} Title").id == name
    assert only(f"- [ ] {name}: Title").id == name


@pytest.mark.parametrize(
    "heading",
    ["## Phase 1: Setup", "### UTF-8 names", "### OAuth2 login", "## 2.1 Scope", "### ADR-7 Why"],
)
def test_a_heading_that_only_looks_numbered_is_no_task(heading: str) -> None:
    read = tasks(f"{heading}\n\n- [ ] T1 Do it\n")
    assert list(read) == ["T1"]


def test_a_numbered_task_heading_has_its_number_as_id() -> None:
    read = tasks("### Task 1: Parse\n\n- [ ] **Step 1: Test**\n\n### Task 2.1 — Print\n")
    assert {task.id: task.title for task in read.values()} == {"1": "Parse", "2.1": "Print"}
    assert read["1"].text == "Parse\n\n- [ ] **Step 1: Test**"


@pytest.mark.parametrize(
    ("box", "is_done"),
    [("[x]", True), ("[X]", True), ("[ ]", False), ("[-]", False), ("[~]", False), ("[✓]", False)],
)
def test_only_an_x_is_a_tick(box: str, *, is_done: bool) -> None:
    assert only(f"- {box} T1 Do it").is_done is is_done
    if box != "[ ]":
        assert only(f"### {box} T1 Do it").is_done is is_done


def test_a_letter_in_brackets_is_no_box() -> None:
    assert list(tasks("- [P] = parallel\n- [1] a footnote\n- [ ] T1 Do it")) == ["T1"]


def test_wrapped_lines_belong_to_their_box_and_later_paragraphs_only_when_indented() -> None:
    read = tasks(
        """\
        - [ ] T1 Change the permission-
          gated page (see
        the notes)

          and its test.

        Not a word of this.

        - [ ] T2 Next
        """
    )
    assert read["T1"].title == "Change the permission-gated page (see the notes)"
    assert read["T1"].text.endswith("  and its test.")
    assert read["T2"].text == "Next"


def test_code_and_comments_hold_no_tasks_and_no_dependencies() -> None:
    read = tasks(
        """\
        <!-- - [ ] T7 sample -->
        <!--
        - [ ] T8 sample
        -->
        ### T1 Do it
        ```md
        - [ ] T9 depends on T8, in `src/no.py`
        ```
        ~~~~
        ### T6 no
        ~~~
        ~~~~
        - ```sh
          ### T5 no
          ```
        In `src/a.py`.
        """
    )
    assert list(read) == ["T1"]
    assert read["T1"].files == ("src/a.py",)
    assert "- [ ] T9 depends on T8" in read["T1"].text


def test_a_numbered_item_with_children_is_a_container() -> None:
    read = tasks(
        """\
        - [ ] 1. Server
          - [ ] 1.1 Routes
            - [ ] 1.1.1 Login
          - [ ]* 1.2 Tests
        - [ ]* 2. Extras
          - [ ] 2.1 Colours
        - [ ] 3. Client
        - [ ] 3.1 Page (P)
        - [ ] 3.2 Menu (P)
        """
    )
    assert [name for name, task in read.items() if task.is_container] == ["1", "1.1", "2", "3"]
    assert [name for name, task in read.items() if task.is_optional] == ["1.2", "2", "2.1"]
    assert {name: task.parent for name, task in read.items()} == {
        "1": None,
        "1.1": "1",
        "1.1.1": "1.1",
        "1.2": "1",
        "2": None,
        "2.1": "2",
        "3": None,
        "3.1": "3",
        "3.2": "3",
    }
    assert read["3.1"].is_parallel
    assert read["3.1"].title == "Page"


def test_steps_and_criteria_inside_a_task_are_its_text() -> None:
    read = tasks(
        """\
        ### T-1 Log in
        - [ ] write it
        - [ ] 1. first
        - [ ] AC-1 works
        - [ ] T-1.1 A part of its own
        - [ ] T2 Box
          - [x] 1. step
          - [ ] R-3 covered
        """
    )
    assert list(read) == ["T-1", "T-1.1", "T2"]
    assert "AC-1 works" in read["T-1"].text
    assert read["T2"].text == "Box\n- [x] 1. step\n- [ ] R-3 covered"


def test_numbers_that_end_in_zero_are_parents_too() -> None:
    read = tasks(
        "- [ ] 1.0 A\n  - [ ] 1.1 B\n- [ ] 2.0 C\n- [ ] 2.1 D\n- [ ] Task 3: E\n  - [ ] 3.1 F"
    )
    assert {name: task.parent for name, task in read.items() if task.parent} == {
        "1.1": "1.0",
        "2.1": "2.0",
        "3.1": "3",
    }


def test_boxes_below_criteria_are_no_tasks_without_an_id() -> None:
    read = tasks(
        """\
        | Task ID | Task | Depends on |
        |---------|------|------------|
        | `FE-EP002-01` | Draw | 无 |
        | `FE-EP002-02` | Edit | `FE-EP002-01` |

        **Acceptance Criteria:**
        - [ ] it starts
          - [ ] soon

        ## Definition of done
        - [ ] all pass
        """
    )
    assert [(task.id, task.depends) for task in read.values()] == [
        ("FE-EP002-01", ()),
        ("FE-EP002-02", ("FE-EP002-01",)),
    ]


def test_a_chapter_with_an_id_is_a_section_when_it_holds_tasks() -> None:
    read = tasks("## M1 Core\n- [ ] 1. One\n- [ ] FR-2 Two\n## M2 Page\nText.\n")
    assert {name: task.section for name, task in read.items()} == {
        "1": "M1 Core",
        "FR-2": "M1 Core",
        "M2": "",
    }


def test_a_table_with_an_id_column_holds_tasks() -> None:
    read = tasks(
        r"""
        | Status | ID | Task Name | Deps | Files | Verify |
        |:-------|----|-----------|------|-------|--------|
        | [x] | T-1 | Import \| export | — | src/a.py, src/b.py | |
        | todo | **T-2** | Print | T-1 | `docs/x.md` | `make test` |
        | **Total** | | | | | |

        No row: T-3 | Not a task
        """
    )
    assert [(task.id, task.title, task.is_done) for task in read.values()] == [
        ("T-1", r"Import \| export", True),
        ("T-2", "Print", False),
    ]
    assert read["T-1"].files == ("src/a.py", "src/b.py")
    assert read["T-2"].depends == ("T-1",)
    assert read["T-2"].verify == "make test"


def test_a_table_of_something_else_holds_no_tasks() -> None:
    read = tasks(
        "| # | Risk |\n|---|---|\n| 1 | Fire |\n\n| ID | Name |\n|---|---|\n| R-1 | Fire |\n\n### T1 Do it\n"
    )
    assert list(read) == ["T1"]


def test_a_row_about_a_task_that_stands_elsewhere_adds_to_it() -> None:
    read = tasks(
        """\
        | ID | Task | Depends on | Status |
        |----|------|------------|--------|
        | T1 | Parse | | Done |
        | T2 | Print | T1 | open |

        ### T1: Parse
        ### T2: Print
        """
    )
    assert [(task.id, task.depends, task.is_done) for task in read.values()] == [
        ("T1", (), True),
        ("T2", ("T1",), False),
    ]


def test_front_matter_gives_the_title_and_stays_in_the_text() -> None:
    text = (
        "---\ntitle: My plan\nup: '[[Home]]'\n---\n# Other\n\nWhat for.\n\n- [ ] T1 See [[T2|it]]\n"
    )
    read = report(text)
    assert read.is_valid
    assert read.plan is not None
    assert (read.plan.title, read.plan.goal, read.plan.text) == ("My plan", "What for.", text)
    assert read.plan.tasks[0].title == "See [[T2|it]]"


@pytest.mark.parametrize(
    ("text", "path", "title"),
    [
        ("## Only\n# Real **title** #\n", "a.md", "Real **title**"),
        ("- [ ] T1 x", "docs/plans/login.md", "login"),
        ("- [ ] T1 x", "C:\\plans\\login.txt", "login"),
        ("---\ntitle: ''\n---\n- [ ] T1 x", "plan", "plan"),
    ],
)
def test_a_title_comes_from_the_front_matter_the_first_heading_or_the_name(
    text: str, path: str, title: str
) -> None:
    read = report(text, path).plan
    assert read is not None
    assert read.title == title


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("# A\n\nFirst\npara.\n\nSecond.", "First para."),
        ("# A\n\nFirst.\n\n## 1. Overview\n\n- list\n\nThe **goal**.\n", "The **goal**."),
        ("# A\n\n![x](y)\n> quote\n\n## Goals\nThis.", "This."),
        ("Intro\n\nGoal\n\nThis one.\n", "This one."),
        ("# A", ""),
        ("# A\n\n## 目标\n\n做这个。\n", "做这个。"),
        ("# A\n\n## Goal\n\nGoal: Be fast.\n", "Be fast."),
        ("# A\n\n**Goal:** Be fast.\n**Stack:** Python\n", "Be fast."),
        ("# A\n\nGoal: Be fast,\nand small.\n", "Be fast, and small."),
        ("# A\n\nSummary of it: fast.\n", "Summary of it: fast."),
        ("# A\n\nGoals are hard.\n", "Goals are hard."),
        ("# A\n\n**Input**: x\n**Tests**: y\n\nBe fast.\n\n**Goal**: no\n", "Be fast."),
        ("# A\n\n**Input**: x\n\n## 1\n\nNotes.\n\n**Goal**: B.\n\n## 2\n\n**Goal**: C.", "B. C."),
        ("# A\n\n## 1\n\nNotes.\n\n**Goal**: B.\n", "B."),
        ("# A\n\n**Input**: x\n\n**Tests**: y\n\n## 1\n\nConventions.\n", "**Input**: x"),
    ],
)
def test_a_goal_is_the_stated_one_else_the_first_paragraph(text: str, goal: str) -> None:
    read = report(text).plan
    assert read is not None
    assert read.goal == goal


def test_a_long_goal_is_cut_at_a_sentence_and_a_long_title_at_a_word() -> None:
    read = report("# A\n\n" + "One more word (e.g. this). " * 40 + "\n\n- [ ] T1 " + "word " * 90)
    assert read.plan is not None
    assert len(read.plan.goal) <= 600
    assert read.plan.goal.endswith("this).")
    assert len(read.plan.tasks[0].title) <= 200
    assert read.plan.tasks[0].title.endswith("word…")


def test_chinese_and_korean_plans_are_read() -> None:
    read = tasks(
        """\
        # 任务清单

        ## 阶段 3.1：设置

        - [x] T001 [P] 在 `src/模型/用户.py` 中创建模型
        - [ ] T002 实现接口（依赖 T001）
        - [ ] T003创建 in src/서비스.py
        ### 任务 4：标题
        **依赖**：T002，T003
        """
    )
    assert [(task.id, task.section, task.depends) for task in read.values()] == [
        ("T001", "阶段 3.1：设置", ()),
        ("T002", "阶段 3.1：设置", ("T001",)),
        ("T003", "阶段 3.1：设置", ()),
        ("4", "阶段 3.1：设置", ("T002", "T003")),
    ]
    assert read["T001"].files == ("src/模型/用户.py",)
    assert read["T003"].files == ("src/서비스.py",)
