"""The command line: what it prints, on which stream, in which form, with which exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module

import pytest

from agentjournal.cli.engmem import ENTRIES as ENGMEM
from agentjournal.cli.lazy import LazyGroup
from agentjournal.cli.main import ENTRIES, agentjournal

DONE = {"result": "success", "action": "Counted the stock", "current_state": "It is counted."}
FAILED = {
    "result": "failed",
    "action": "Tried to count the stock in a CSV file",
    "current_state": "Not counted.",
    "next_step": "Use a table.",
    "ruled_out": [{"option": "Keep the stock in a CSV file", "why": "Two writers lose rows."}],
    "decisions": [
        {
            "point": "Where counts live",
            "options": ["CSV", "table"],
            "chosen": "table",
            "why": "Locks.",
        }
    ],
}


def commands(
    group: LazyGroup, prefix: tuple[str, ...] = ()
) -> list[tuple[tuple[str, ...], object]]:
    found = []
    for name, entry in group.entries.items():
        module, _, attribute = entry.target.partition(":")
        command = getattr(import_module(module), attribute)
        found.append(((*prefix, name), command))
        if isinstance(command, LazyGroup):
            found += commands(command, (*prefix, name))
    return found


ALL = commands(agentjournal)


def test_help_lists_the_verbs_of_every_day_and_all_of_them_on_request(shell):
    short, whole = shell("--help"), shell("--help", "--all")
    assert short.code == whole.code == 0
    shown = [name for name, entry in ENTRIES.items() if not entry.is_rare]
    assert all(f"\n  {name} " in short.out for name in shown)
    assert "\n  resolve " not in short.out
    assert all(f"\n  {name} " in whole.out for name in ENTRIES)
    assert len([name for name in shown if name not in ("engmem", "journal", "db")]) <= 12


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) for path, _ in ALL])
def test_every_command_has_a_help_with_examples(shell, path, command):
    answer = shell(*path, "-h")
    assert answer.code == 0
    assert answer.out.startswith("Usage: agentjournal")
    if not isinstance(command, LazyGroup):
        assert "Example" in answer.out


def test_the_same_command_is_there_as_engmem(shell):
    answer = shell("-h", program="engmem")
    assert answer.code == 0
    assert all(name in answer.out for name in ENGMEM)


def test_an_unknown_command_is_misuse_and_near_names_are_offered(shell):
    answer = shell("contxt")
    assert answer.code == 2
    assert "Did you mean context?" in answer.err
    assert answer.out == ""


def test_misuse_under_json_is_an_error_in_json(shell):
    answer = shell("state", "--json", "--no-such-option")
    assert answer.code == 2
    assert answer.error["kind"] == "usage"
    assert answer.error["message"]


def test_an_error_says_what_failed_and_what_to_do(shell):
    answer = shell("state", "nothing")
    assert answer.code == 2
    assert answer.out == ""
    assert "nothing" in answer.err
    assert "Next:" in answer.err


def test_an_error_under_json_keeps_stdout_one_object(shell):
    answer = shell("state", "nothing", "--json")
    assert answer.code == 2
    assert set(answer.error) >= {"kind", "message", "next"}
    assert json.loads(answer.out)["schema_version"] == 1


def test_faults_of_a_form_are_all_listed_under_json(shell, shop):
    form = json.dumps({"result": "success", "action": "x" * 200, "nonsense": 1})
    answer = shell("log", "--project", shop, "--task", "T-001", "--from", "-", "--json", stdin=form)
    assert answer.code == 2
    assert {fault["field"] for fault in answer.error["faults"]} >= {
        "action",
        "nonsense",
        "current_state",
    }


def test_plan_check_answers_the_tasks_of_a_valid_plan(shell, plan_file):
    answer = shell("plan", "check", str(plan_file), "--json")
    assert answer.code == 0
    assert [task["id"] for task in answer.data["tasks"]] == ["T-001", "T-002"]
    fields = {"id", "title", "section", "rank", "depends", "parent", "files", "done", "optional"}
    assert set(answer.data["tasks"][0]) >= fields | {"container"}
    assert answer.data["tasks"][1]["depends"] == ["T-001"]
    assert answer.data["tasks"][0]["files"] == ["stock.py"]


def test_plan_check_exits_1_and_names_what_is_missing(shell, home):
    path = home / "notes.md"
    path.write_text("# Notes\n\n## Phase 1\n\n- Define the table.\n- Write the query.\n")
    answer = shell("plan", "check", str(path))
    assert answer.code == 1
    assert "plan ids" in answer.out


def test_plan_ids_prints_and_with_write_changes_the_file(shell, home):
    path = home / "notes.md"
    before = "# Notes\n\n## Phase 1\n\n- Define the table.\n- Write the query.\n"
    path.write_text(before)
    printed = shell("plan", "ids", str(path))
    assert path.read_text() == before
    assert printed.code == 0
    assert shell("plan", "ids", str(path), "--write").code == 0
    assert path.read_text() == printed.out
    assert shell("plan", "check", str(path)).code == 0


def test_plan_add_refuses_a_plan_with_faults_and_registers_nothing(shell, home):
    path = home / "bad.md"
    path.write_text("# Bad\n\n### T-1 One\n\nDepends on: T-9\n")
    answer = shell("plan", "add", "bad", str(path))
    assert answer.code != 0
    assert "T-9" in answer.err
    assert shell("state", "bad").code == 2


def test_plan_show_gives_the_plan_as_it_was_registered(shell, shop, plan_file):
    text = plan_file.read_text()
    plan_file.write_text("# Something else\n")
    assert shell("plan", "show", shop).out.strip() == text.strip()
    assert "Count the stock" in shell("plan", "show", shop, "T-001").out


def test_a_step_is_logged_from_one_flat_object_and_its_id_is_printed(shell, shop):
    form = json.dumps({**DONE, "project_slug": shop, "plan_ref": "T-001"})
    answer = shell("log", "--from", "-", stdin=form)
    assert answer.code == 0
    assert len(answer.out.strip()) == 36
    assert "close of T-001" in answer.err
    assert "done 1" in shell("state", shop).out


def test_the_same_id_again_gives_the_first_answer(shell, shop):
    form = json.dumps({**DONE, "project_slug": shop, "plan_ref": "T-001"})
    first = shell("log", "--from", "-", "--json", stdin=form).data
    again = {**json.loads(form), "id": first["id"]}
    second = shell("log", "--from", "-", "--json", stdin=json.dumps(again)).data
    assert (second["id"], second["seq"], second["is_repeat"]) == (first["id"], first["seq"], True)


def test_a_form_may_be_yaml_and_comes_ready_to_fill_in(shell, shop, home):
    form = shell("log", "--form", "success")
    assert form.code == 0
    filled = form.out.replace("action:  ", "action: Counted it  ").replace(
        "current_state:  ", "current_state: It is counted  "
    )
    path = home / "step.yml"
    path.write_text(filled)
    answer = shell("log", "--project", shop, "--task", "T-001", "--from", str(path))
    assert answer.code == 0, answer.err


def test_a_secret_is_replaced_before_it_is_written_and_the_answer_says_so(shell, shop, home):
    form = json.dumps({**DONE, "log": "export AWS_KEY=AKIAIOSFODNN7EXAMPLE"})
    answer = shell("log", "--project", shop, "--task", "T-001", "--from", "-", stdin=form)
    assert "Replaced a secret" in answer.err
    export = shell("db", "export").out
    assert "AKIAIOSFODNN7EXAMPLE" not in export
    assert "[redacted:" in export


def log_failed(shell, shop):
    form = json.dumps({**FAILED, "project_slug": shop, "plan_ref": "T-001"})
    return shell("log", "--from", "-", "--json", stdin=form).data["id"]


def test_context_state_why_history_and_tried_show_what_was_ruled_out(shell, shop):
    step = log_failed(shell, shop)
    assert "Keep the stock in a CSV file" in shell("context", shop, "T-001").out
    assert "failed 1" in shell("state", shop).out
    why = shell("why", "--project", shop, "csv")
    assert step[-12:] in why.out
    assert "Two writers lose rows." in why.out
    assert "Tried to count the stock" in shell("history", shop).out
    found = shell("tried", "store inventory as csv")
    assert "Keep the stock in a CSV file" in found.out
    assert shell("tried", "store inventory as csv", "--json").data


def test_a_reopened_item_leaves_every_read(shell, shop):
    step = log_failed(shell, shop)
    assert shell("ruled-out", "reopen", f"{step}#1", "--why", "one writer now").code == 0
    for args in (
        ("context", shop, "T-001"),
        ("tried", "csv file"),
        ("why", "--project", shop, "csv", "rows"),
    ):
        assert "Two writers lose rows" not in shell(*args).out


def test_context_brief_shows_the_boundary(shell, shop):
    answer = shell("context", shop, "T-001", "--brief")
    assert answer.out.count("======== boundary ========") == 1
    parts = shell("context", shop, "T-001", "--brief", "--json").data
    assert answer.out.startswith(parts["stable"])


def test_resolve_needs_a_verb_and_a_why(shell, shop):
    assert shell("resolve", shop, "T-001", "--why", "x").code == 2
    assert shell("resolve", shop, "T-001", "--done").code == 2
    assert shell("resolve", shop, "T-001", "--done", "--why", "by hand").code == 0
    assert "done 1" in shell("state", shop).out


def test_work_found_on_the_way_gets_an_id(shell, shop):
    answer = shell("discover", shop, "Upgrade the parser", "--from", "T-001")
    assert answer.out.startswith("U-001")
    assert "U-001" in shell("state", shop).out


def test_run_by_hand_prints_brief_and_token_and_log_closes_it(shell, shop):
    opened = shell("run", shop, "T-001", "--json").data
    assert opened["token"] in opened["brief"]
    assert opened["token"] not in shell("db", "export").out
    assert "in_flight 1" in shell("state", shop).out
    form = json.dumps({**DONE, "attempt": opened["token"]})
    closed = shell("log", "--project", shop, "--task", "T-001", "--from", "-", stdin=form)
    assert "close of T-001, attempt 1" in closed.err
    assert "done 1" in shell("state", shop).out


@pytest.mark.parametrize(
    ("program", "code", "end"),
    [
        ("import sys; sys.exit(0)", 0, "contract_missing"),
        ("import sys; sys.exit(3)", 3, "exit_nonzero"),
        ("import os; os.kill(os.getpid(), 15)", 143, "signal"),
    ],
)
def test_run_gives_the_exit_status_of_its_worker_and_tells_its_end(shell, shop, program, code, end):
    answer = shell("run", shop, "T-001", "--", sys.executable, "-c", program)
    assert answer.code == code
    assert f"T-001 attempt 1: partial ({end}), worker's exit status {code}; closed" in answer.err


def test_run_of_an_unknown_program_gives_127(shell, shop):
    answer = shell("run", shop, "T-001", "--", "no-such-program-here")
    assert answer.code == 127
    assert "no-such-program-here" in answer.err


def test_run_of_an_unknown_task_is_our_own_failure(shell, shop):
    answer = shell("run", shop, "T-999", "--", sys.executable, "-c", "")
    assert answer.code == 125
    assert "T-999" in answer.err


def test_what_a_worker_prints_passes_through(shell, shop):
    program = "import sys; print('to stdout'); print('to stderr', file=sys.stderr)"
    answer = shell("run", shop, "T-001", "--", sys.executable, "-c", program)
    assert answer.out == "to stdout\n"
    assert "to stderr" in answer.err


def test_loop_without_a_program_that_exists_exits_2(shell, shop):
    assert shell("loop", shop, "--worker", "no-such-program-here").code == 2
    assert shell("loop", shop).code == 2
    assert shell("loop", shop, "--worker", "'unclosed").code == 2


def test_loop_dry_run_only_says_what_is_next(shell, shop):
    assert "T-001" in shell("loop", shop, "--dry-run").out
    assert "ready 1" in shell("state", shop).out


def test_loop_interactive_asks_before_each_dispatch(shell, shop, home):
    script = home / "worker.py"
    script.write_text(
        "import json, os\n"
        "json.dump({'result': 'success', 'action': 'Did it', 'current_state': 'Ok'},"
        " open(os.environ['AGENTJOURNAL_HANDOFF'], 'w'))\n"
    )
    command = f"{sys.executable} {script}"
    answer = shell("loop", shop, "--worker", command, "--interactive", stdin="y\nstop\n")
    assert answer.code == 1
    assert "1 dispatched" in answer.out
    assert shell("loop", shop, "--worker", command).code == 0


def test_db_export_is_json_lines_that_import_takes_elsewhere(shell, shop, home):
    log_failed(shell, shop)
    export = shell("db", "export").out
    assert json.loads(export.splitlines()[0]) == {"format": "agentjournal", "version": 1}
    other = str(home / "other" / "log.db")
    assert shell("db", "import", "-", "--database", other, stdin=export).code == 0
    assert shell("db", "verify", "--database", other).code == 0
    assert shell("state", shop, "--database", other).out == shell("state", shop).out
    assert shell("db", "export", "--database", other).out == shell("db", "export").out


def test_db_verify_rebuild_and_backup(shell, shop, home):
    assert shell("db", "verify").code == 0
    assert shell("db", "rebuild").code == 0
    copy = home / "copy.db"
    assert shell("db", "backup", str(copy)).code == 0
    assert shell("db", "verify", "--database", str(copy)).code == 0
    assert shell("db", "backup", str(copy)).code != 0


@pytest.mark.parametrize("verb", ["retract", "redact"])
def test_a_revoked_step_leaves_every_read(shell, shop, verb):
    step = log_failed(shell, shop)
    assert shell("db", verb, step, "--why", "it was wrong").code == 0
    for args in (
        ("context", shop, "T-001"),
        ("tried", "csv"),
        ("history", shop),
        ("journal", "render", shop),
    ):
        assert "CSV" not in shell(*args).out
    assert ("CSV" in shell("db", "export").out) is (verb == "retract")
    assert shell("db", "verify").code == 0


def test_journal_render_gives_a_snapshot_or_a_project_s_record(shell, shop, home):
    path = home / "agent.json"
    path.write_text(
        '{"owner":"a","entries":[{"epoch":1,"kind":"own","speaker":"a","text":"Hello."}],'
        '"core_memories":null,"episodic_ledger":null,"consolidations":0,"chars_per_token":4}'
    )
    assert (
        shell("journal", "render", str(path)).out
        == "=== Lived memory ===\n\n[Epoch 1]\nYou said: Hello.\n"
    )
    log_failed(shell, shop)
    assert shell("journal", "render", shop).out.startswith("[1] T-001 failed (attempt 1, ")
    assert shell("journal", "render", "neither").code == 2


def test_doctor_says_what_is_in_order_and_exits_0(shell, shop):
    answer = shell("doctor", "--json")
    assert answer.code == 0
    assert {each["check"]: each["verdict"] for each in answer.data}["round trip"] == "ok"
    assert "fail" not in shell("doctor").out


def test_config_shows_each_value_and_its_origin(shell, monkeypatch):
    monkeypatch.setenv("AGENTJOURNAL_DATABASE", "postgresql://ada:secret@localhost/x")
    answer = shell("config")
    assert "AGENTJOURNAL_DATABASE" in answer.out
    assert "secret" not in answer.out + answer.err


@pytest.mark.parametrize("name", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell, name):
    answer = shell("completion", name)
    assert answer.code == 0
    assert "_AGENTJOURNAL_COMPLETE" in answer.out


def test_completion_offers_projects_and_tasks(shell, shop):
    words = {"COMP_WORDS": "agentjournal context shop ", "COMP_CWORD": "3"}
    run = subprocess.run(
        [sys.executable, "-c", "from agentjournal.cli.main import main; main()"],
        env={**os.environ, **words, "_AGENTJOURNAL_COMPLETE": "bash_complete"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "T-001" in run.stdout, run.stderr


def test_hostile_text_reaches_no_terminal(shell, shop):
    form = json.dumps({**DONE, "current_state": "red \x1b[31m and \u202e back", "log": "\x07"})
    assert shell("log", "--project", shop, "--task", "T-001", "--from", "-", stdin=form).code == 0
    for args in (("context", shop, "T-002"), ("history", shop), ("state", shop)):
        assert not set(shell(*args).out) & {"\x1b", "\x07", "\u202e"}


def test_a_changed_plan_file_is_said_by_every_read_and_the_stored_copy_stays(
    shell, plan_file, home
):
    subprocess.run(["git", "init", "--quiet"], cwd=home / "here", check=True)
    assert shell("plan", "add", "shop", "plan.md").code == 0
    assert "drifted" not in shell("state", "shop").out
    plan_file.write_text(plan_file.read_text().replace("Count the stock", "Count it all"))
    for args in (("state", "shop"), ("context", "shop", "T-001")):
        assert "plan drifted since revision 1" in shell(*args).out
    assert "Count the stock" in shell("plan", "show", "shop").out


def test_a_folder_with_one_file_per_task_is_a_plan(shell, home):
    folder = home / "here" / "tasks"
    (folder / "later").mkdir(parents=True)
    (folder / "T-1-first.md").write_text("# First\n\nDo it.\n")
    (folder / "later" / "T-2-second.md").write_text("# Second\n\nDepends on: T-1\n")
    assert shell("plan", "check", "tasks").code == 0
    assert shell("plan", "add", "shop", "tasks").code == 0
    assert "ready 1" in shell("state", "shop").out


def texts(value):
    if isinstance(value, dict):
        return [text for each in value.values() for text in texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return [value]


def test_json_is_ascii_and_holds_the_text_as_it_was_stored(shell, shop):
    said = "red \x1b[31m, \u0085 and \u202e back, M\u00fcller"
    form = json.dumps({**DONE, "current_state": said})
    assert shell("log", "--project", shop, "--task", "T-001", "--from", "-", stdin=form).code == 0
    answer = shell("context", shop, "T-001", "--json")
    assert answer.out.isascii()
    assert said in texts(answer.data)


def test_documents_that_cannot_be_read_are_said_and_the_rest_is_still_asked(shell, shop, home):
    log_failed(shell, shop)
    (home / "engmem").mkdir()
    (home / "engmem" / "sessions").symlink_to(home)
    answer = shell("tried", "keep the stock in a csv file")
    assert answer.code == 0
    assert "Keep the stock in a CSV file" in answer.out
    assert "Documents were not asked" in answer.err


def test_a_read_makes_no_store(shell, home):
    for args in (("state",), ("tried", "a cache"), ("doctor",), ("db", "verify"), ("config",)):
        assert shell(*args).code == 0, args
    assert not (home / "data").exists()
    answer = shell("db", "verify", "--database", str(home / "typo.db"))
    assert answer.code == 2
    assert "typo.db" in answer.err
    assert not (home / "typo.db").exists()


def test_state_outside_of_a_project_names_the_projects(shell, shop):
    assert shell("state").out == "shop: Shop, 2 tasks\n"
    assert shell("state", "--json").data[0]["slug"] == "shop"


def test_exactly_one_word_of_a_person_is_taken(shell, shop):
    answer = shell("resolve", shop, "T-001", "--skip", "--retry", "--why", "x")
    assert answer.code == 2
    assert "exactly one" in answer.err


def test_a_command_without_its_dashes_is_told_where_it_belongs(shell, shop):
    answer = shell("run", shop, "T-001", "my-agent")
    assert answer.code != 0
    assert "-- CMD" in answer.err


def test_an_empty_question_is_misuse(shell):
    assert shell("tried", " ").code == 2


def test_init_refuses_names_that_are_none_and_a_second_name(shell, home):
    subprocess.run(["git", "init", "--quiet"], cwd=home / "here", check=True)
    refused = shell("init", "--slug", "Ä b")
    assert refused.code == 2
    assert "--slug a-b" in refused.err
    assert shell("init", "--slug", "shop").code == 0
    again = shell("init", "--slug", "other")
    assert again.code == 1
    assert "the project shop already" in again.err
    assert shell("init").code == 0


def test_rare_commands_are_completed_too():
    run = subprocess.run(
        [sys.executable, "-c", "from agentjournal.cli.main import main; main()"],
        env={
            **os.environ,
            "COMP_WORDS": "agentjournal res",
            "COMP_CWORD": "1",
            "_AGENTJOURNAL_COMPLETE": "bash_complete",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert "resolve" in run.stdout


def test_printed_short_ids_are_taken_where_an_id_is_asked_for(shell, shop):
    step = log_failed(shell, shop)
    assert shell("history", "--step", step[-12:]).code == 0
    assert shell("ruled-out", "reopen", f"{step[-12:]}#1", "--why", "one writer now").code == 0
    assert shell("db", "retract", step[-12:], "--why", "it was wrong").code == 0
    assert shell("db", "retract", "nothing-here", "--why", "x").code == 2


def test_the_audit_shows_what_was_taken_back_and_why(shell, shop):
    step = log_failed(shell, shop)
    shell("ruled-out", "reopen", f"{step}#1", "--why", "one writer now")
    shell("db", "retract", step, "--why", "it was about another shop")
    audit = shell("history", shop, "--audit")
    assert audit.code == 0
    assert "one writer now" in audit.out
    assert "it was about another shop" in audit.out
    assert "another shop" not in shell("history", shop).out
    assert shell("history", shop, "--audit", "--json").data
