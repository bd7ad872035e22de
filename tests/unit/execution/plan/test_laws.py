"""What holds for any text, and for hostile ones."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.execution.plan import read_plan, read_plan_folder, waits, with_ids

PIECES = [
    *(
        "- [ ] ",
        "- [x]* ",
        "* [-] ",
        "1. [ ] ",
        "### ",
        "## ",
        "# ",
        "| ",
        " | ",
        "|---|",
        "\n",
        "\n\n",
    ),
    *(
        "  ",
        "\t",
        "T001",
        "T-42",
        "2.1 ",
        "3. ",
        "FR-12",
        "US3-T4",
        "U-001",
        "[P] ",
        "[US1] ",
        "Task 1: ",
    ),
    *(
        "depends on ",
        "Depends on: ",
        "Blocked by: ",
        ", ",
        "/",
        ";",
        " and ",
        "-",
        "\u2013",
        "(",
        ")",
        ":",
        "—",
    ),
    *(
        "`src/a.py`",
        "in x/y.md ",
        "`",
        "Services: ",
        "Verify: `x`",
        "Files: ",
        "Status: done",
        "Task: ",
    ),
    *(
        "```\n",
        "~~~\n",
        "<!--",
        "-->",
        "---\n",
        "title: x\n",
        "id: T9\n",
        "&a ",
        "*a",
        "[[",
        "]]",
        "|x",
    ),
    *(
        "Phase 1",
        "Goal",
        "## Phase 2\n",
        "words that go on. ",
        "一、",
        "依赖 ",
        "ID",
        "Task",
        "\r\n",
        "\x00",
        "\x1b",
    ),
    *(
        "\u2028",
        "\ufeff",
        "\xa0",
        "**",
        "_",
        "(optional) ",
        "#",
        "\\",
        "{",
        "[",
        "!",
        "\x85",
        "\x0c",
    ),
]
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=40).map("".join)


@given(texts)
def test_any_text_gives_the_same_report_twice_and_no_exception(text: str) -> None:
    data = text.encode()
    read = read_plan(data, "plan.md")
    assert read == read_plan(data, "plan.md")
    assert read.plan is not None
    assert read.plan.text == text
    assert read.is_valid or read.faults
    assert all(fault.field and fault.rule and fault.remedy for fault in read.faults)
    assert len(waits(read.plan.tasks, set())) == len(read.plan.tasks)


@given(texts)
def test_tasks_are_whole_and_in_order(text: str) -> None:
    plan = read_plan(text.encode(), "plan.md").plan
    assert plan is not None
    ids = [task.id for task in plan.tasks]
    assert len(set(ids)) == len(ids)
    assert [task.place for task in plan.tasks] == list(range(1, len(ids) + 1))
    places = [(task.section_place, task.rank) for task in plan.tasks]
    assert places == sorted(places)
    lines = [task.line for task in plan.tasks]
    assert lines == sorted(lines)
    for task in plan.tasks:
        assert task.title
        assert "\n" not in task.title
        assert len(task.title) <= 200
        assert task.parent is None or task.parent in ids[: task.place]
        assert set(task.depends) <= set(ids)


@given(st.binary(max_size=200))
def test_any_bytes_give_a_report(data: bytes) -> None:
    assert read_plan(data, "").plan is not None
    assert read_plan_folder({"T-1.md": data, "T-2-x.md": data}, "").plan is not None


@given(texts)
def test_proposed_ids_lose_no_byte_and_read_back_everywhere(text: str) -> None:
    proposed = with_ids(text.encode())
    old, new = text.split("\n"), proposed.split("\n")
    assert len(old) == len(new)
    for before, after in zip(old, new, strict=True):
        rest = iter(after)
        assert all(character in rest for character in before)
    read = read_plan(proposed.encode(), "plan.md")
    assert [fault for fault in read.faults if fault.rule == "a task has an id"] == []
    assert with_ids(proposed.encode()) == proposed


K = 200_000
LINES = 20_000


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "data",
    [
        pytest.param(data, id=name)
        for name, data in {
            "one line": b"a" * K,
            "words of dependency": b"- [ ] T001 " + b"depends on " * (K // 11),
            "unknown ids": b"- [ ] T001 depends on " + b"T002, " * (K // 6),
            "backticks": b"- [ ] T001 " + b"`" * K,
            "spaces": b"- [ ] T001" + b" " * K + b"x",
            "hashes": b"# a" + b" " * K + b"x " + b"#" * K,
            "brackets": b"- [ ] T001 depends on T1 " + b"(" * K,
            "digits": b"- [ ] " + b"1" * K,
            "dots": b"- [ ] " + b"1." * K,
            "dashes": b"- [ ] A" + b"-A" * K,
            "slashes": b"- [ ] T001 in " + b"a/" * K,
            "labels": b"- [ ] T001 Services: " + b"A: " * K,
            "pipes": b"| ID | Task |\n|---|---|\n| T1 |" + b"|" * K,
            "rules": b"- " * K + b"x",
            "blank lines": b"\n" * (LINES * 4),
            "fences": b"```\n" * LINES,
            "the same heading": b"## T-1 x\n" * LINES,
            "deep nesting": b"\n".join(b" " * n + b"- [ ] T%d x" % n for n in range(1500)),
            "deep nesting, no ids": b"\n".join(b" " * n + b"- [ ] x" for n in range(1500)),
            "deep numbers": b"\n".join(b"- [ ] 1" + b".1" * (n % 6) + b" x" for n in range(LINES)),
            "deep front matter": b"---\na: " + b"[" * 15000 + b"\n---\n",
            "large front matter": b"---\n" + b"a: b\n" * LINES + b"---\n",
            "anchors": b"---\na: &x [1]\nb: [*x, *x]\n---\n",
            "phases": b"Phase 1\n\n" * LINES,
            "ring": b"\n".join(
                b"- [ ] T%d depends on T%d" % (n, (n + 1) % LINES) for n in range(LINES)
            ),
            "ranges": b"\n".join(b"- [ ] T%d x depends on T0-T%d" % (n, n) for n in range(LINES)),
        }.items()
    ],
)
def test_hostile_plans_end_soon_in_a_report(data: bytes) -> None:
    read = read_plan(data, "plan.md")
    assert len(read.faults) <= 201
    assert with_ids(data).count("\n") == data.count(b"\n")


def test_a_plan_of_ten_thousand_tasks_is_read_and_ordered() -> None:
    lines = ["# Large"]
    for n in range(10_000):
        if n % 100 == 0:
            lines.append(f"## Phase {n // 100}")
        lines.append(f"- [ ] T{n:05} [P] Do `src/f{n}.py`, depends on T{max(n - 1, 0) // 2:05}")
    lines[2] = "- [ ] T00000 Begin"
    read = read_plan("\n".join(lines).encode(), "plan.md")
    assert read.is_valid
    assert read.plan is not None
    assert len(read.plan.tasks) == 10_000
    assert len(waits(read.plan.tasks, set())) == 10_000
