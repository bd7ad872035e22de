"""What the command line sees of the world: files, lock files, the plan on disk."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import UTC, datetime

import pytest

CHANGES = "path src/*.py changes"
FAILED = {
    "result": "failed",
    "action": "Tried it",
    "current_state": "It fails.",
    "next_step": "Try otherwise.",
}


def git(home, *args):
    subprocess.run(["git", *args], cwd=home / "here", check=True, capture_output=True)


@pytest.fixture
def repository(home):
    """A repository with one tracked source file."""
    git(home, "init", "--quiet")
    (home / "here" / "src").mkdir()
    (home / "here" / "src" / "a.py").write_text("a = 1\n")
    git(home, "add", "src")
    return home / "here"


def ruled_out(condition):
    return {**FAILED, "ruled_out": [{"option": "One file", "why": "no", "reopen_if": condition}]}


def log(shell, shop, condition):
    form = json.dumps({**ruled_out(condition), "project_slug": shop, "plan_ref": "T-001"})
    assert shell("log", "--from", "-", stdin=form).code == 0


def run(shell, shop, condition):
    """Let a worker hand the same off at its end."""
    program = (
        "import os; open(os.environ['AGENTJOURNAL_HANDOFF'], 'w')"
        f".write({json.dumps(ruled_out(condition))!r})"
    )
    assert shell("run", shop, "T-001", "--", sys.executable, "-c", program).code == 0


@pytest.mark.parametrize("write", [log, run])
def test_an_option_may_be_reopened_once_a_file_is_changed(shell, repository, shop, write):
    write(shell, shop, CHANGES)
    reads = (("context", shop, "T-001"), ("why", "--project", shop, "one", "file"))
    for read in reads:
        assert f"reopen if: {CHANGES} [" in shell(*read).out
    (repository / "src" / "a.py").write_text("a = 2\n")
    for read in reads:
        assert f"may be reopened: {CHANGES}" in shell(*read).out
    (repository / "src" / "a.py").write_text("a = 1\n")
    assert f"reopen if: {CHANGES} [" in shell(*reads[0]).out


def test_a_change_stays_one_once_it_is_added_and_a_lost_file_is_one(shell, repository, home, shop):
    (repository / "src" / "a.py").write_text("a = 2\n")
    log(shell, shop, CHANGES)
    git(home, "add", "src")
    assert f"reopen if: {CHANGES} [" in shell("context", shop, "T-001").out
    (repository / "src" / "a.py").unlink()
    assert f"may be reopened: {CHANGES}" in shell("context", shop, "T-001").out


def test_a_link_in_place_of_a_file_is_not_followed(shell, repository, home, shop):
    log(shell, shop, CHANGES)
    (home / "elsewhere").write_text("a = 1\n")
    (repository / "src" / "a.py").unlink()
    (repository / "src" / "a.py").symlink_to(home / "elsewhere")
    assert f"may be reopened: {CHANGES}" in shell("context", shop, "T-001").out


def test_a_library_and_a_day_are_looked_up(shell, repository, shop):
    condition, today = "library requests >= 2.32", datetime.now(UTC).date().isoformat()
    log(shell, shop, condition)
    assert f"reopen if: {condition} (not evaluated here)" in shell("context", shop, "T-001").out
    (repository / "requirements.txt").write_text("requests==2.31.0\n")
    assert f"reopen if: {condition} [" in shell("context", shop, "T-001").out
    (repository / "requirements.txt").write_text("requests==2.32.1\n")
    assert f"may be reopened: {condition}" in shell("context", shop, "T-001").out
    log(shell, shop, f"date {today}")
    assert f"may be reopened: date {today}" in shell("context", shop, "T-001").out


def test_a_plan_s_drift_is_said_wherever_it_lies_and_one_stands(shell, home, monkeypatch):
    plan = home / "notes.md"
    plan.write_text("# Shop\n\n### T-1 One\n")
    assert shell("plan", "add", "shop", str(plan)).code == 0
    (home / "other").mkdir()
    monkeypatch.chdir(home / "other")
    reads = (("state", "shop"), ("context", "shop", "T-1"), ("history", "shop"))
    assert not any("drifted" in shell(*read).out for read in reads)
    plan.write_text("# Shop\n\n### T-1 Two\n")
    (home / "other" / "notes.md").write_text("# Another plan\n")
    assert all("plan drifted since revision 1" in shell(*read).out for read in reads)
    plan.unlink()
    assert not any("drifted" in shell(*read).out for read in reads)


def test_a_plan_inside_a_project_is_found_from_every_copy_of_it(shell, repository, monkeypatch):
    (repository / "plan.md").write_text("# Shop\n\n### T-1 One\n")
    assert shell("init", "--slug", "shop").code == 0
    assert shell("plan", "add", "shop", "plan.md").code == 0
    copy = repository.rename(repository.with_name("clone"))
    monkeypatch.chdir(copy)
    assert "drifted" not in shell("state").out
    (copy / "plan.md").write_text("# Shop\n\n### T-1 Two\n")
    assert "plan drifted since revision 1" in shell("state").out


def test_a_project_keeps_the_id_that_its_repository_has(shell, repository):
    (repository / "plan.md").write_text("# Shop\n\n### T-1 One\n")
    assert shell("init", "--slug", "shop").code == 0
    id_ = (repository / ".agentjournal.toml").read_text().split('id = "')[1].split('"')[0]
    assert shell("plan", "add", "shop", "plan.md").code == 0
    assert shell("plan", "add", "other", "plan.md").code == 0
    lines = [json.loads(line) for line in shell("db", "export").out.splitlines()]
    told = [json.loads(e["event"]["payload"]) for e in lines if "event" in e]
    assert {p["slug"]: p["repository"] for p in told if "slug" in p} == {"shop": id_, "other": ""}
