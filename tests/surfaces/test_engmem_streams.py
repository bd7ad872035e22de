"""`engmem` where the system gives it less than a terminal: full and closed streams, long names."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support.documents import document, make_store

COMMAND = [sys.executable, "-P", "-m", "agentjournal.cli.engmem_quick"]
SEARCH = ["search", "ExportWorker"]
READ = ["read", "2201-export-worker"]


@pytest.fixture
def run(tmp_path):
    """Run the program in a shell, with what is redirected there."""
    text = document("2201-export-worker", "## Decision Log\nOne.", entities="[ExportWorker]")
    store = make_store(tmp_path / "store", {"2201-export-worker.md": text})
    kept = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ENGMEM_HOME": str(store)}

    def shell(args: list[str], redirected: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", "-c", f'exec "$@" {redirected}', "sh", *COMMAND, *args],
            capture_output=True,
            text=True,
            env=kept | more,
            cwd=tmp_path,
            check=False,
        )

    return shell


@pytest.mark.linux
@pytest.mark.parametrize("args", [SEARCH, READ, [*READ, "--json"], ["--help"]])
def test_an_answer_that_finds_no_room_is_one_error(run, args):
    done = run(args, ">/dev/full")
    assert done.returncode == 1
    assert done.stderr == "error: The system refused it (No space left on device).\n"


@pytest.mark.parametrize("args", [SEARCH, READ, [*READ, "--json"]])
def test_an_answer_that_nobody_asked_to_see_is_no_failure(run, args):
    done = run(args, ">&-")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_character_that_the_stream_has_no_byte_for_is_escaped(run):
    done = run(["search", "One"], "", PYTHONIOENCODING="ascii")
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)
    assert done.stdout.startswith("prior context: no reliable match \\u2014 only weak")


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["draft", "create", "2201-a"], "pass the document on standard input"),
        (["backfill", "--all"], "nothing written"),
    ],
)
def test_without_standard_input_nothing_is_written(run, args, told, tmp_path):
    before = "# Old notes\n"
    (tmp_path / "store" / "sessions" / "2201-old.md").write_text(before)
    done = run(args, "<&-")
    assert told in done.stdout
    assert "Traceback" not in done.stderr
    assert (tmp_path / "store" / "sessions" / "2201-old.md").read_text() == before


@pytest.mark.parametrize("args", [["install"], ["store", "show"]])
def test_a_name_that_is_too_long_for_the_system_is_told(run, args):
    done = run([*args, "--store", "n" * 5000], "")
    assert done.returncode in {1, 2}
    assert "error: " in done.stderr
    assert "File name too long" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("id_", [b"a\xffb", b"\xff"])
def test_an_id_that_is_no_text_is_refused_before_anything_is_written(run, id_, tmp_path):
    done = run(["start", "a", "task", "--id", os.fsdecode(id_)], "</dev/null")
    assert done.returncode == 2
    assert "error: invalid document id" in done.stderr
    assert len(list((tmp_path / "store" / "sessions").iterdir())) == 1
