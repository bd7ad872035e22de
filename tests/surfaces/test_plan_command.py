"""`agentjournal plan`: what is shown of a registered plan, and what is said of one with faults."""

from __future__ import annotations


def test_one_name_alone_is_a_task_where_the_folder_has_a_project(shell, shop, monkeypatch):
    assert shell("plan", "show", "T-001").code == 2
    monkeypatch.setenv("AGENTJOURNAL_PROJECT", shop)
    assert shell("plan", "show").out == shell("plan", "show", shop).out
    assert shell("plan", "show", "T-001").out == shell("plan", "show", shop, "T-001").out
    assert "Count the stock" in shell("plan", "show", "T-001").out
    assert shell("plan", "show", shop, "T-001", "more").code == 2


def test_what_is_not_there_is_named_with_what_to_do(shell, shop):
    absent = shell("plan", "show", "nothing")
    assert absent.code == 2
    assert "agentjournal plan add nothing FILE" in absent.err
    absent = shell("plan", "show", shop, "T-999")
    assert absent.code == 2
    assert f"agentjournal plan show {shop}" in absent.err


def test_the_stored_plan_is_shown_as_it_was_and_the_drift_is_said_beside_it(shell, shop, plan_file):
    before = shell("plan", "show", shop)
    assert before.err == ""
    plan_file.write_text("# Another\n")
    after = shell("plan", "show", shop)
    assert (after.out, after.err) == (before.out, "plan drifted since revision 1\n")


def test_a_task_is_data_as_plan_check_names_it(shell, shop):
    data = shell("plan", "show", shop, "T-002", "--json").data
    assert (data["optional"], data["container"]) == (False, False)
    assert data["text"].startswith("Take an order")
    assert shell("plan", "show", shop, "--json").data["revision"] == 1


def test_a_plan_with_faults_is_refused_with_each_of_them(shell, home):
    path = home / "bad.md"
    path.write_text("# Bad\n\n### T-1 One\n\nDepends on: T-9\n\n### T-1 Again\n")
    answer = shell("plan", "add", "bad", str(path), "--json")
    assert answer.code == 2
    assert answer.error["kind"] == "input"
    assert len(answer.error["faults"]) == 2
    assert "plan ids" in answer.error["next"]
    assert shell("plan", "check", str(path)).code == 1


def test_ids_are_written_only_where_one_is_missing(shell, home):
    path = home / "plan.md"
    path.write_text("# Plan\n\n- [ ] One\n")
    assert "Wrote" in shell("plan", "ids", str(path), "--write").err
    written = path.read_bytes()
    assert "nothing was written" in shell("plan", "ids", str(path), "--write").err
    assert path.read_bytes() == written
