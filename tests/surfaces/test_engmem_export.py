"""`engmem export` and `engmem backfill` at the terminal."""

from __future__ import annotations

import io

import pytest

from support.everyday import DRAFT, ROUTER, everyday_store

NOTES = "20260101-old-notes"


@pytest.fixture
def store(home):
    return everyday_store(home / "engmem")


def engmem(shell, *args, **more):
    return shell(*args, program="engmem", **more)


def test_a_document_is_looked_at_and_then_written_once(shell, store, home):
    shown = engmem(shell, "export", ROUTER)
    assert shown.code == 0
    data = engmem(shell, "export", ROUTER, "--json").data
    assert f"fingerprint: {data['fingerprint']}\n" in shown.out
    args = ("export", ROUTER, "--out", "router.md", "--confirm", data["fingerprint"])
    written = engmem(shell, *args)
    path = home / "here" / "router.md"
    assert written.out == (
        f"engmem export: wrote {path} ({data['bytes']} bytes, fingerprint {data['fingerprint']})"
        " -- the file the preview showed; the store is unchanged\n"
    )
    assert path.read_text() == data["text"]
    again = engmem(shell, *args)
    assert again.code == 2
    assert "already exists" in again.out


@pytest.mark.parametrize(
    "args",
    [
        (DRAFT,),
        (ROUTER, "--out", "x.md"),
        (ROUTER, "--confirm", "7449b25c2c8e8225"),
        (ROUTER, "--out", "x.md", "--confirm", "7449b25c2c8e8225"),
    ],
    ids=str,
)
def test_nothing_is_written_unless_it_was_looked_at(shell, store, home, args):
    answer = engmem(shell, "export", *args)
    assert answer.code == 2
    assert answer.out == answer.err
    assert list((home / "here").iterdir()) == []


def test_old_notes_get_front_matter_when_somebody_agrees(shell, store):
    path = store / "sessions" / f"{NOTES}.md"
    before = path.read_bytes()
    for args, stdin in [(("--dry-run",), ""), ((), ""), ((), "n\n"), ((), "yes?\n")]:
        answer = engmem(shell, "backfill", "--id", NOTES, *args, stdin=stdin)
        assert answer.code == 0
        assert path.read_bytes() == before
    agreed = engmem(shell, "backfill", "--all", stdin="y\n")
    assert agreed.code == 0
    assert "1 document(s) written, 0 failed" in agreed.out
    assert path.read_bytes().endswith(before)
    again = engmem(shell, "backfill", "--id", NOTES, "--yes")
    assert f"{NOTES}: its spine is complete" in again.out
    found = engmem(shell, "read", NOTES, "--json").data
    assert found["title"] == "Depot notes"


def test_yes_asks_nothing_and_json_says_what_was_written(shell, store):
    data = engmem(shell, "backfill", "--all", "--yes", "--json").data
    assert data["written"] == [NOTES]
    assert data["failed"] == {}
    assert data["proposals"][0]["fields"]["tags"]["value"] == ["parcel-core", "depot-api"]


def test_what_cannot_be_added_to_is_named_and_is_2(shell, store):
    (store / "sessions" / "flow.md").write_text("---\n{title: T, tags: [a]}\n---\n# H\n")
    answer = engmem(shell, "backfill", "--all", "--yes")
    assert answer.code == 2
    assert "error: flow: 'flow.md': its front matter is written in a way" in answer.out
    assert "1 document(s) written, 1 failed" in answer.out


@pytest.mark.parametrize(
    "args", [(), ("--id", "x-y", "--all"), ("--all", "--json"), ("--id", "nope")]
)
def test_a_call_that_says_too_little_is_2(shell, store, args):
    answer = engmem(shell, "backfill", *args)
    assert answer.code == 2
    assert (store / "sessions" / f"{NOTES}.md").read_text().startswith("# Knowledge Base")


def test_ctrl_c_at_the_question_is_130_and_writes_nothing(shell, store, monkeypatch):
    class Interrupted(io.TextIOWrapper):
        def readline(self, *_):
            raise KeyboardInterrupt

    monkeypatch.setattr(io, "TextIOWrapper", Interrupted)
    answer = engmem(shell, "backfill", "--all")
    assert answer.code == 130
    assert (store / "sessions" / f"{NOTES}.md").read_text().startswith("# Knowledge Base")
