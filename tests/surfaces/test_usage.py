"""The command line of usage: import, report, lint, probe, watch, export, without any set-up."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.model_server import model_server

HOSTS = Path(__file__).parents[1] / "data" / "usage" / "hosts"


@pytest.fixture
def imported(shell, home):
    answer = shell("usage", "import", str(HOSTS))
    assert answer.code == 0, answer.err
    return answer


def test_transcripts_are_read_without_a_project_and_no_log_is_made(shell, home, imported):
    assert "3 transcripts: 2 sessions, 3 agents, 9 calls" in imported.out
    made = sorted(path.name for path in (home / "data" / "agentjournal").iterdir())
    assert "usage.db" in made
    assert "log.db" not in made
    assert "0 of these rows are new" in shell("usage", "import", str(HOSTS)).out


def test_a_report_has_rows_by_what_was_asked(shell, imported):
    text = shell("usage", "report")
    assert "claude-code/general-purpose" in text.out
    data = shell("usage", "report", "--by", "model", "--json").data
    shares = {row["key"]: row["share"] for row in data["rows"]}
    assert shares == {"claude-opus-5-5": 900 / 1050, "gpt-stub": 900 / 1050}
    costs = {row["key"]: row["cost"] for row in data["rows"]}
    assert costs["claude-opus-5-5"] == pytest.approx(0.00738)
    assert costs["gpt-stub"] is None
    assert shell("usage", "report", "--since", "2027-01-01", "--json").data["rows"] == []


def test_prices_beside_the_settings_are_used(shell, home, imported):
    table = home / "config" / "agentjournal" / "prices.toml"
    table.parent.mkdir(parents=True, exist_ok=True)
    table.write_text('[[price]]\nmodel = "gpt-stub"\ninput = 1\noutput = 1\n')
    rows = shell("usage", "report", "--by", "model", "--json").data["rows"]
    assert next(row for row in rows if row["key"] == "gpt-stub")["cost"] > 0


def test_the_export_is_json_lines_with_a_first_line_of_format(shell, imported):
    lines = [json.loads(line) for line in shell("usage", "export").out.splitlines()]
    assert lines[0] == {"format": "agentjournal-usage", "version": 1}
    assert [line["kind"] for line in lines[1:]] == ["call"] * 9
    assert lines[1]["cached_share"] == pytest.approx(900 / 1050)


def test_the_dashboard_is_json_for_grafana(shell):
    assert json.loads(shell("usage", "dashboard").out)["panels"]


def test_lint_exits_1_and_names_the_turn(shell, home):
    turns = [
        {"messages": [{"role": "system", "content": f"At 10:3{n}:00 you plan."}, *asked]}
        for n, asked in enumerate(
            [
                [{"role": "user", "content": "hello"}],
                [
                    {"role": "user", "content": "hello"},
                    {"role": "assistant", "content": "hi"},
                    {"role": "user", "content": "go on"},
                ],
            ]
        )
    ]
    file = home / "turns.jsonl"
    file.write_text("".join(f"{json.dumps(turn)}\n" for turn in turns))
    answer = shell("usage", "lint", str(file))
    assert answer.code == 1
    assert "turn 2 (turns.jsonl:2): clock" in answer.out
    assert "messages[0].content, byte 7" in answer.out
    [broken] = shell("usage", "lint", str(file), "--json").data["broken"]
    assert broken["difference"]["cause"] == "clock"
    file.write_text(json.dumps(turns[0]))
    assert shell("usage", "lint", str(file)).code == 0


def test_lint_of_nothing_is_misuse(shell, home):
    assert shell("usage", "lint", str(home / "nothing")).code == 2


def completion(read):
    details = {"cached_tokens": read}
    return {
        "model": "tiny",
        "usage": {"prompt_tokens": 5000, "completion_tokens": 1, "prompt_tokens_details": details},
    }


def test_a_probe_settles_what_a_lane_reports_and_remembers_it(shell, home):
    with model_server() as server:
        server.says_json({"data": [{"id": "tiny"}]})
        server.says_json(completion(0))
        server.says_json(completion(4992))
        answer = shell("usage", "probe", f"{server.url}/v1", "--json")
        assert answer.code == 0, answer.err
        assert (answer.data["capability"], answer.data["cache_read"]) == ("reports_zero", [0, 4992])
        assert server.paths == ["/v1/models", "/v1/chat/completions", "/v1/chat/completions"]
        assert server.bodies[0] == server.bodies[1]


def test_a_probe_sends_the_named_key_and_says_what_the_engine_refused(shell, monkeypatch):
    monkeypatch.setenv("SOME_KEY", "k-123")
    with model_server() as server:
        server.says_json({"error": "no such model"}, status=404)
        probing = ("usage", "probe", server.url, "--model", "x", "--dialect", "anthropic")
        answer = shell(*probing, "--key-env", "SOME_KEY")
        assert server.headers[0]["x-api-key"] == "k-123"
        assert server.paths == ["/v1/messages"]
    assert answer.code == 1
    assert "answered 404" in answer.err
    assert "k-123" not in answer.err


@pytest.mark.parametrize("url", ["ftp://x", "http://user:pw@host/v1", "localhost"])
def test_a_probe_of_no_base_url_is_misuse(shell, url):
    assert shell("usage", "probe", url, "--model", "x").code == 2


def test_an_engine_that_is_not_there_is_a_sentence(shell):
    answer = shell("usage", "probe", "http://127.0.0.1:9", "--model", "x")
    assert answer.code == 1
    assert "could not be asked" in answer.err


def test_watch_prints_calls_from_a_moment_on(shell, imported):
    answer = shell("usage", "watch", "--since", "2026-01-01", "--calls", "2")
    assert answer.code == 0
    assert len(answer.out.splitlines()) == 2
    assert "85.7 % cached" in answer.out


def test_watch_sees_what_another_process_measures(shell, home, imported):
    watching = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from agentjournal.cli.main import main; main()",
            "usage",
            "watch",
            "--every",
            "0.05",
            "--calls",
            "1",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    more = home / "more"
    more.mkdir()
    line = {
        "type": "assistant",
        "sessionId": "later",
        "timestamp": "2027-01-01T00:00:00Z",
        "message": {"id": "m9", "model": "new", "usage": {"input_tokens": 7, "output_tokens": 1}},
    }
    deadline = time.monotonic() + 60
    number = 0
    try:
        while watching.poll() is None and time.monotonic() < deadline:
            number += 1  # until it is up it begins after what is there: so new calls keep coming
            line["message"]["id"] = f"m{number}"
            line["timestamp"] = f"2027-01-01T00:{number // 60 % 60:02}:{number % 60:02}Z"
            (more / f"{number}.jsonl").write_text(json.dumps(line) + "\n")
            assert shell("usage", "import", str(more)).code == 0
        out, _ = watching.communicate(timeout=20)
    finally:
        watching.kill()
        watching.wait()
    assert "claude-code/later" in out
    assert "unmeasured" in out


def test_a_folder_of_links_is_not_followed_out(shell, home, tmp_path):
    (home / "here" / "loop").symlink_to(home / "here")
    shutil.copy(HOSTS / "codex-rollout.jsonl", home / "here")
    answer = shell("usage", "import", str(home / "here"), "--json")
    assert answer.data["files"] == 1


def test_a_folder_without_a_transcript_is_said_to_have_none(shell, home):
    (home / "empty").mkdir()
    assert "No file there is a transcript" in shell("usage", "import", str(home / "empty")).out
