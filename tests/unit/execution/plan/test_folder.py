"""One file for each task, in a folder."""

from __future__ import annotations

from agentjournal.execution.plan import folder_sha256, plan_sha256, read_plan_folder

FILES = {
    "README.md": b"# The plan\n\nWhat it is for.\n",
    "T-10-print.md": b"---\ndepends_on: [T-9]\nstatus: todo\nfiles: src/p.py\nservices: [api]\n"
    b"verify: make test\n---\n# T-10: Print it\n\nIn `src/a.py`.\n",
    "T-9-parse-it.md": b"Body, depends on US3-T4.\n\n- [ ] a step\n",
    "late/US3-T4_done.md": b"---\nid: US3-T4\ntitle: Named\nstatus: done\n---\n# Heading\n",
    "notes.md": b"Nothing.",
    "picture.png": b"\x89PNG",
}


def test_each_file_is_a_task_in_the_order_of_its_number() -> None:
    read = read_plan_folder(FILES, "docs/tasks")
    assert [str(fault) for fault in read.faults] == []
    assert read.plan is not None
    assert (read.plan.title, read.plan.goal) == ("The plan", "What it is for.")
    assert [(task.id, task.title, task.section) for task in read.plan.tasks] == [
        ("T-9", "parse it", ""),
        ("T-10", "Print it", ""),
        ("US3-T4", "Named", "late"),
    ]
    parse, show, named = read.plan.tasks
    assert (parse.depends, parse.is_done, parse.text) == (
        ("US3-T4",),
        False,
        "parse it\nBody, depends on US3-T4.\n\n- [ ] a step",
    )
    assert (show.depends, show.files, show.services, show.verify) == (
        ("T-9",),
        ("src/a.py", "src/p.py"),
        ("api",),
        "make test",
    )
    assert "status: todo" in show.text
    assert named.is_done
    assert read.notes[0] == "notes.md: its name begins with no task id; left out"


def test_faults_of_a_folder_name_the_file_or_the_task() -> None:
    files = {
        "T-1-a.md": b"---\na: [\n---\n",
        "x/T-1-b.md": b"Depends on T-8",
        "T-2.md": b"\xff Depends on T-3",
    }
    read = read_plan_folder(files, "tasks")
    assert [(fault.field, fault.rule) for fault in read.faults] == [
        ("T-1-a.md, line 2, front matter", "it is plain YAML, small and without anchors"),
        ("T-2.md, line 1", "it is UTF-8"),
        ("line 1, T-1", "an id stands for one task"),
        ("line 1, T-2", "a dependency names a task of the plan"),
    ]


def test_a_folder_without_tasks_or_too_large_is_a_fault() -> None:
    assert read_plan_folder({}, "tasks").faults[0].rule == "a plan has tasks with ids"
    large = read_plan_folder({"T-1.md": b"a" * 3_000_000, "T-2.md": b"a" * 3_000_000}, "tasks")
    assert large.plan is None
    assert large.faults[0].got == "6,000,000 bytes, 2 lines"


def test_a_hash_tells_whether_file_or_folder_changed() -> None:
    assert plan_sha256(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    read = read_plan_folder(FILES, "tasks").plan
    assert read is not None
    assert read.sha256 == folder_sha256(dict(reversed(FILES.items())))
    assert read.sha256 != folder_sha256({**FILES, "T-9-parse-it.md": b"Body"})
    assert folder_sha256({"a": b"x", "b": b"y"}) != folder_sha256({"a": b"y", "b": b"x"})
