"""`engmem read`, `roles` and `telemetry` at the terminal."""

from __future__ import annotations

import json

import pytest

from support.everyday import DRAFT, LOOKUP, ROUTER, everyday_store
from support.ledgers import search_row, write_ledger


@pytest.fixture
def store(home):
    return everyday_store(home / "engmem")


def test_a_section_is_read_as_a_search_names_it(shell, store):
    answer = shell(
        "read", ROUTER, "--section", "§2-decision-log", "--session", DRAFT, program="engmem"
    )
    assert answer.code == 0
    assert answer.out.splitlines()[:4] == [
        f"document: {ROUTER} -- Parcel router (status: active)",
        "section: §2-decision-log",
        "",
        "## Decision Log",
    ]
    [line] = (store / "cost.jsonl").read_text().splitlines()
    assert json.loads(line)["bytes"] == len(answer.out.rstrip("\n").encode())


def test_what_is_read_is_plain_values_too(shell, store):
    answer = shell("read", ROUTER, "--role", "lessons", "--json", program="engmem")
    [line] = (store / "cost.jsonl").read_text().splitlines()
    assert json.loads(line)["bytes"] == len(answer.out.rstrip("\n").encode())
    data = answer.data
    assert (data["id"], data["part"]) == (ROUTER, "section role: lessons")
    assert data["text"].startswith("## Lessons Learned")
    assert {"locator": "§2-decision-log", "role": "decisions", "bytes": 61} in data["sections"]


@pytest.mark.parametrize(
    "args",
    [
        ("read", "nope"),
        ("read", "../../etc/passwd"),
        ("read", ROUTER, "--role", "nope"),
        ("read", ROUTER, "--role", "flow"),
        ("read", f"{ROUTER}@0123456789abcdef"),
    ],
    ids=" ".join,
)
def test_a_refusal_stands_on_both_streams_and_is_2(shell, store, args):
    answer = shell(*args, program="engmem")
    assert answer.code == 2
    assert answer.out == answer.err
    assert answer.out.startswith("error: ")
    told = shell(*args, "--json", program="engmem")
    assert told.code == 2
    assert told.error["message"]


@pytest.mark.parametrize("command", ["read x-y", "roles", "telemetry", "feedback summary",
                                     "cost summary --session x", "export x-y", "backfill --all"])  # fmt: skip
def test_a_store_that_is_not_there_is_said(shell, home, command):
    answer = shell(*command.split(), "--store", str(home / "nowhere"), program="engmem")
    assert answer.code == 2
    assert answer.out == answer.err
    assert answer.out.startswith(f"error: store not found: {home}/nowhere/sessions does not exist")


def test_a_folder_that_cannot_be_listed_is_no_empty_store(shell, store, home):
    (store / "sessions").rename(home / "elsewhere")
    (store / "sessions").symlink_to(home / "elsewhere")
    for command in ("roles", "telemetry", f"read {LOOKUP}"):
        answer = shell(*command.split(), program="engmem")
        assert answer.code == 2
        assert "unknown, not zero. Next: " in answer.out


def test_roles_count_documents_and_end_with_the_state_of_the_store(shell, store):
    lines = shell("roles", program="engmem").out.splitlines()
    assert "  decisions     3 document(s)" in lines
    assert (
        "  flow          0 document(s)  (no document in this store has this section yet)" in lines
    )
    assert len(lines) == 21
    assert lines[-1].startswith(
        "docs: 5 (1 partial spine, 1 failed to load) | drafts: 1 | last doc: "
    )
    assert shell("roles", "--json", program="engmem").data["roles"]["lessons"] == 2


def test_telemetry_is_summed_up_and_never_zero_where_it_cannot_be_read(shell, store):
    write_ledger(store, "telemetry.jsonl", search_row(), "{bad")
    answer = shell("telemetry", program="engmem")
    assert answer.out.splitlines()[0] == "telemetry: 1 row(s) (1 unreadable line(s) skipped)"
    assert shell("telemetry", "--json", program="engmem").data["unreadable"] == 1
    (store / "telemetry.jsonl").write_bytes(b"\xff\n")
    answer = shell("telemetry", program="engmem")
    assert answer.code == 2
    assert "0 row(s)" not in answer.out
