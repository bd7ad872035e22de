from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.answer.recorded import TELEMETRY, record_search
from agentjournal.engmem.answer.row import HITS, QUERY, may_hold_secret
from agentjournal.engmem.ledger.rows import ledger_rows
from agentjournal.text.redact import redact
from support.documents import document

KEYS = [
    "ts",
    "engmem_version",
    "query",
    "session_id",
    "channel",
    "n_docs",
    "hits",
    "surfaced",
    "result",
    "context_bytes",
    "context_tokens_estimate",
    "scope",
    "n_hits",
    "delivered_bytes",
]


def test_a_row_has_the_keys_of_other_tools_in_their_order(asked):
    files = {f"{n}-a.md": document(f"{n}-a", "## Notes\nquasar") for n in range(20)}
    row = asked(files, "quasar", session="1-a", channel="mcp").row
    assert list(row) == KEYS
    assert row["ts"] == "2026-09-20T12:00:00.000000+00:00"
    assert (row["session_id"], row["channel"], row["n_docs"]) == ("1-a", "mcp", 20)
    assert (len(row["hits"]), row["n_hits"], row["result"]) == (HITS, 20, "hit")
    assert row["surfaced"] == [hit["id"] for hit in row["hits"][:3]]
    assert row["context_tokens_estimate"] == -(-row["context_bytes"] * 2 // 7)
    assert row["scope"] is None


def test_a_miss_and_a_weak_find_say_so(asked):
    files = {"a-b.md": document("a-b", "## Notes\nThe relay hangs.")}
    assert asked(files, "vacation").row["result"] == "miss"
    row = asked(files, "relay race of the winter party").row
    assert (row["result"], row["weak_only"]) == ("hit", True)


def test_a_role_search_keeps_only_what_it_showed(asked):
    files = {
        "a-b.md": document("a-b", "## Decision Log\nquasar"),
        "c-d.md": document("c-d", "## Lessons Learned\nquasar"),
    }
    row = asked(files, "quasar", role="lessons").row
    assert (row["role"], [hit["id"] for hit in row["hits"]], row["n_hits"]) == (
        "lessons",
        ["c-d"],
        1,
    )


def test_a_long_question_is_cut_and_said_to_be(asked):
    row = asked({}, "quasar " * 1_000).row
    assert len(row["query"]) == QUERY
    assert row["query_truncated"] is True


def test_a_search_whose_line_cannot_be_written_is_answered_all_the_same(asked, tmp_path):
    os.mkfifo(tmp_path / TELEMETRY)
    answer = asked({}, "quasar", record=lambda row: record_search(tmp_path, row))
    assert "prior context: none found\n" in answer.text
    assert "note: telemetry not recorded (" in answer.text


def test_a_large_file_is_set_aside_and_still_read(tmp_path):
    for n in range(30):
        row = {"ts": f"2026-09-20T12:00:{n:02d}.000000+00:00", "query": "x" * 100, "n": n}
        assert record_search(tmp_path, row, full=1_000) is None
    parts = sorted(path.name for path in tmp_path.iterdir())
    assert len(parts) > 3
    assert parts[0].startswith("telemetry-20260920T1200")
    assert (tmp_path / TELEMETRY).stat().st_size < 1_200
    assert [row["n"] for row in ledger_rows(tmp_path, TELEMETRY)] == list(range(30))


def test_many_writers_that_set_a_file_aside_at_once_lose_nothing(tmp_path):
    def write(writer):
        for n in range(100):
            row = {"ts": f"2026-09-20T12:{writer:02d}:{n % 60:02d}", "n": writer * 1_000 + n}
            assert record_search(tmp_path, row, full=2_000) is None

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    lines = [
        json.loads(line) for path in tmp_path.iterdir() for line in path.read_text().splitlines()
    ]
    assert sorted(line["n"] for line in lines) == sorted(
        w * 1_000 + n for w in range(8) for n in range(100)
    )


def test_a_link_in_the_place_of_the_file_is_left_alone(tmp_path):
    (tmp_path / "elsewhere").write_text("x" * 2_000)
    (tmp_path / TELEMETRY).symlink_to("elsewhere")
    assert record_search(tmp_path, {"ts": "2026-09-20T12:00:00"}, full=1_000)
    assert (tmp_path / "elsewhere").read_text() == "x" * 2_000
    assert (tmp_path / TELEMETRY).is_symlink()


SECRETS = [
    "AKIA" + "IOSFODNN7EXAMPLE",
    "ghp_" + "a1B2" * 9,
    "sk-ant-" + "abcd-efgh-ijkl-mnop-qrst",
    "hf_" + "abcdefghijklmnopqrstuvwxyzABCDEFGH",
    "password=hunter2hunter2",
    "password: tr0ub4dor&3",
    "--api-key s3cr3tvalue1",
    "postgresql://ada:hunter2@db/log",
    "Authorization: Basic dXNlcjpwYXNzd29yZA==",
    "bearer abcdefgh-12345678",
    "xoxb-12-34-abc",
    "aj-" + "abcdefghijklmnopqrstuvwxyz",
    f"-----BEGIN PRIVATE KEY-----\n{'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC' * 4}\n-----END PRIVATE KEY-----",
]  # fmt: skip


@pytest.mark.parametrize("secret", SECRETS)
def test_a_secret_in_a_question_is_never_written_down(asked, secret):
    row = asked({}, f"why does {secret} fail").row
    assert redact(secret).kinds
    assert may_hold_secret(secret)
    assert row["query"] == redact(f"why does {secret} fail").text
    assert "[redacted:" in row["query"]


@given(st.text(st.sampled_from("aB1-_=:/@. keypasswordtoken\"'"), max_size=60))
def test_what_is_not_looked_at_holds_no_secret(text):
    if not may_hold_secret(text):
        assert redact(text).kinds == ()


@pytest.mark.parametrize(
    "query",
    [
        "ResponseCacheController ETAG revalidation",
        "2201-parcel-router",
        "token bucket secret santa",
    ],
)
def test_an_ordinary_question_needs_no_rules(query):
    assert not may_hold_secret(query)
