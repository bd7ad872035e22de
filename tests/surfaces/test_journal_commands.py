"""`agentjournal journal`: rendered, listed, checked, distilled and moved."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentjournal import Journal, Prompt
from agentjournal.journal.floor import HARD_BYTES
from support.chat_endpoint import Reply, endpoint

OWNER = "agent/shop/planner"
LAYOUTS = pytest.mark.parametrize("layout", ["v1", "v2"])


def lived(turns, layout="v1", size=2000):
    journal = Journal("planner", layout=layout)
    for epoch in range(1, turns + 1):
        journal.record_turn(epoch, f"Situation {epoch} " + "x" * size, own="Noted.")
    return journal


@pytest.fixture
def snapshot(home):
    """Write a snapshot into the folder one stands in, and give its name."""

    def write(journal, name="snapshot.json"):
        Path(name).write_text(journal.to_json(), encoding="utf-8")
        return name

    assert home.is_dir()
    return write


@pytest.fixture
def kept(shell, snapshot):
    """An owner in the store, begun with a snapshot."""

    def keep(journal):
        assert shell("journal", "import", snapshot(journal, "begin.json"), OWNER).code == 0
        return OWNER

    return keep


@LAYOUTS
def test_a_snapshot_and_an_owner_render_as_their_prompt_has_them(shell, snapshot, kept, layout):
    journal = lived(9, layout)
    assert shell("journal", "render", snapshot(journal)).out == journal.render() + "\n"
    answer = shell("journal", "render", kept(journal), "--json")
    assert answer.data == {"owner": "planner", "render": journal.render()}


@LAYOUTS
def test_segments_are_listed_with_their_marks(shell, snapshot, layout):
    journal = lived(30, layout)
    name = snapshot(journal)
    rows = shell("journal", "segments", name, "--json").data
    assert [row["bytes"] for row in rows] == [len(s.text.encode()) for s in journal.segments()]
    assert sum(row["is_marked"] for row in rows) == 4 if layout == "v2" else 3
    text = shell("journal", "segments", name, "--rule", "exact").out
    assert len(text.splitlines()) == len(rows)
    assert text.count("  mark") == 4


def test_an_open_segment_is_said_to_be_open(shell, snapshot):
    journal = lived(2)
    journal.record_turn(3, "short")
    assert "open" in shell("journal", "segments", snapshot(journal)).out.splitlines()[-1]


@pytest.mark.parametrize("command", ["segments", "consolidate", "export"])
def test_what_is_neither_a_file_nor_an_owner_is_said(shell, command):
    for source in ("nobody.json", "agent/shop/nobody"):
        answer = shell("journal", command, source)
        assert (answer.code, answer.out) == (2, "")
        assert answer.err


def test_lint_names_file_line_and_reason_and_exits_1(shell, home):
    Path("prompt.txt").write_text(
        "You plan.\nIt is 10:31:02.\n\n======== boundary ========\n\nturn 3 of 9\n"
    )
    answer = shell("journal", "lint", "prompt.txt")
    assert answer.code == 1
    assert answer.out == "prompt.txt:2: clock: '10:31:02' (a clock time)\n"
    assert home.is_dir()


def test_lint_is_silent_about_what_stands_below_or_on_another_day(shell, home):
    Path("p.txt").write_text("Begun 2026-11-29 10:31:02.\n--\nit is 10:31:02\n")
    answer = shell("journal", "lint", "p.txt", "--boundary", "--", "--today", "2026-11-30")
    assert (answer.code, answer.out) == (0, "Nothing volatile stands above the boundary.\n")
    assert shell("journal", "lint", "p.txt", "--boundary", "--", "--today", "2026-11-29").code == 1
    assert home.is_dir()


def test_lint_reads_request_bodies_by_their_json_paths(shell, home):
    body = {
        "model": "m",
        "tools": [{"function": {"name": "z", "description": "Retry 2 of 3", "a": {}}}],
        **Prompt(preamble="You have 3 messages left.", tail="turn 1 of 2").to_chat("openai-chat"),
    }
    Path("body.json").write_text(json.dumps(body))
    answer = shell("journal", "lint", "body.json", "--json")
    assert answer.code == 1
    assert [(found["where"], found["kind"]) for found in answer.data] == [
        ("messages[0].content[0].text", "counter"),
        ("tools[0].function.description", "retry"),
    ]
    assert home.is_dir()


def test_lint_reads_other_json_as_text_and_bounds_what_it_says(shell, home):
    Path("other.json").write_text('{"b": 1, "a": 2}')
    assert "keys out of order" in shell("journal", "lint", "other.json").out
    Path("many.txt").write_text("turn 1 of 2\n" * 300)
    lines = shell("journal", "lint", "many.txt").out.splitlines()
    assert (len(lines), lines[-1]) == (101, "200 more.")
    assert home.is_dir()


@LAYOUTS
def test_a_snapshot_is_distilled_in_place_without_a_model(shell, snapshot, layout):
    name = snapshot(lived(12, layout))
    answer = shell("journal", "consolidate", name)
    assert answer.out.endswith(" lines.\n")
    after = Journal.from_json(Path(name).read_text())
    assert after.consolidations == 1
    assert after.episodic_ledger[0].startswith("[Epoch 1] Situation 1 xxx")
    assert shell("journal", "consolidate", snapshot(Journal("a"))).out == "Nothing to distil.\n"
    one = Journal("a")
    one.record_turn(1, "A ticket arrived.")
    assert shell("journal", "consolidate", snapshot(one)).out == "1 entry became 1 line.\n"


def test_a_snapshot_too_large_to_move_can_still_be_distilled(shell, snapshot):
    name = snapshot(lived(400))
    assert Path(name).stat().st_size > 2 * HARD_BYTES
    assert shell("journal", "consolidate", name).code == 0
    assert shell("journal", "consolidate", name, "--keep", "0.1").code == 0


@LAYOUTS
def test_an_owner_is_distilled_in_the_store(shell, kept, layout):
    owner = kept(lived(12, layout))
    answer = shell("journal", "consolidate", owner, "--json")
    assert answer.data["dropped"] == (12 if layout == "v1" else 16)
    assert "Situation 1 xxx" in shell("journal", "render", owner).out
    assert Journal.from_json(shell("journal", "export", owner).out).consolidations == 1


def test_a_model_is_asked_with_the_key_of_the_environment(shell, snapshot, monkeypatch):
    monkeypatch.setenv("AGENTJOURNAL_API_KEY", "sk-1")
    name = snapshot(lived(8))
    with endpoint('{"identity":"A planner.","ledger":["it went on"]}') as played:
        answer = shell("journal", "consolidate", name, "--endpoint", played.url, "--model", "local")
    assert answer.code == 0
    assert played.headers[0]["Authorization"] == "Bearer sk-1"
    assert Journal.from_json(Path(name).read_text()).core_memories == ("A planner.",)


def test_a_model_that_fails_changes_nothing_and_exits_1(shell, snapshot, kept):
    name, owner = snapshot(lived(8)), kept(lived(8))
    before = Path(name).read_text()
    rendered = shell("journal", "render", owner).out
    with endpoint(Reply(401)) as played:
        for source in (name, owner):
            options = ("--endpoint", played.url, "--model", "local")
            answer = shell("journal", "consolidate", source, *options)
            assert (answer.code, answer.out) == (1, "")
            assert "status 401" in answer.err
    assert Path(name).read_text() == before
    assert shell("journal", "render", owner).out == rendered


@pytest.mark.parametrize("keep", ["2", "-0.5"])
def test_a_part_that_is_none_is_misuse_and_nothing_is_distilled(shell, snapshot, keep):
    name = snapshot(lived(8))
    assert shell("journal", "consolidate", name, "--keep", keep).code == 2
    assert Journal.from_json(Path(name).read_text()).consolidations == 0


def test_an_endpoint_without_a_model_is_misuse(shell, snapshot):
    answer = shell("journal", "consolidate", snapshot(lived(8)), "--endpoint", "http://127.0.0.1:1")
    assert (answer.code, answer.out) == (2, "")


def test_what_went_below_the_floor_is_found_again(shell, kept):
    owner = kept(lived(12))
    shell("journal", "consolidate", owner)
    answer = shell("journal", "search", owner, "situation", "3")
    assert answer.code == 0
    assert "<quoted:" in answer.out
    assert "Situation 3" in answer.out
    found = shell("journal", "search", owner, "situation", "3", "--json", "--limit", "1").data
    assert len(found["hits"]) == 1
    assert shell("journal", "search", "agent/shop/nobody", "x").code == 2


@LAYOUTS
def test_what_is_exported_can_be_imported_and_renders_the_same(shell, kept, layout):
    journal = lived(9, layout)
    out = shell("journal", "export", kept(journal)).out
    assert Journal.from_json(out).render() == journal.render()
    Path("again.json").write_text(out)
    assert shell("journal", "import", "again.json", "item/42").code == 0
    assert shell("journal", "render", "item/42").out == journal.render() + "\n"
    again = shell("journal", "import", "again.json", "item/42")
    assert (again.code, "42" in again.err) == (1, True)


def test_a_snapshot_over_the_cap_is_refused_and_no_byte_is_written(shell, snapshot):
    answer = shell("journal", "export", snapshot(lived(140)))
    assert (answer.code, answer.out) == (2, "")
    assert "at most 262144 bytes" in answer.err


def test_a_file_that_is_no_snapshot_is_named_as_such(shell, home):
    Path("x.json").write_text("[1]")
    for command in ("render", "segments", "consolidate", "export"):
        answer = shell("journal", command, "x.json")
        assert answer.code == 2
        assert "not an object" in answer.err
    assert home.is_dir()
