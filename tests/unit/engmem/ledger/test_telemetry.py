from __future__ import annotations

import json

from agentjournal.engmem.ledger.navigation import count_navigation_misses
from agentjournal.engmem.ledger.telemetry import CHANNELS, read_telemetry
from support import golden
from support.documents import document
from support.everyday import everyday_store, index_of
from support.ledgers import search_row, write_ledger

NAME = "telemetry.jsonl"


def test_the_figures_are_those_of_the_specification(tmp_path):
    hits = [search_row(context_bytes=1000, context_tokens_estimate=286)] * 7
    misses = [search_row(result="miss", context_bytes=205, context_tokens_estimate=58)] * 5
    other = search_row(result="ambiguous", context_bytes=81, context_tokens_estimate=24)
    write_ledger(tmp_path, NAME, *hits, *misses, other)
    first, cli, *_ = read_telemetry(tmp_path).text().splitlines()
    assert first == "telemetry: 13 row(s)"
    assert cli == (
        "  cli           13 row(s)   hit-rate  53.8%   misses 5   ambiguous 1   context 7.9 KB"
        " (~2316 tokens est.)"
    )


def test_no_searches_and_bad_lines(tmp_path):
    assert read_telemetry(tmp_path).text() == "telemetry: 0 row(s) recorded"
    write_ledger(tmp_path, NAME, "{bad", "5")
    assert read_telemetry(tmp_path).text() == (
        "telemetry: 0 row(s) recorded (2 unreadable line(s) skipped)"
    )


def test_channels_weak_hits_misses_of_navigation_and_hostile_names(tmp_path):
    missed = "\n- {doc: 2100-old-router, query: depot queue}\n- {doc: x}"
    more = document("2300-missed-find", navigation_miss=missed)
    root = everyday_store(tmp_path / "store", **{"2300-missed-find": more})
    write_ledger(
        root,
        NAME,
        search_row(),
        search_row(weak_only=True),
        search_row(channel="mcp", result="miss"),
        search_row(channel="\x1b[31m\nforged: 1"),
        "{bad",
    )
    misses = count_navigation_misses(root, index_of(root).headers())
    found = read_telemetry(root, misses)
    golden.check("engmem_telemetry.txt", found.text())
    assert json.loads(json.dumps(found.data()))["overall"]["weak_only_hits"] == 1


def test_a_log_of_a_thousand_channels_is_told_in_a_few_lines(tmp_path):
    write_ledger(tmp_path, NAME, *(search_row(channel=f"c{n}") for n in range(1000)))
    found = read_telemetry(tmp_path)
    assert len(found.text().splitlines()) == CHANNELS + 3
    assert found.data()["overall"]["searches"] == 1000
