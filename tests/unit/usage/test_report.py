"""Figures that can be trusted: weighted, unmeasured apart, unknown stays unknown."""

from __future__ import annotations

import contextlib
import json
import re
import sqlite3
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from agentjournal.errors import ConfigurationError, InputError
from agentjournal.storage.statement import Statement, load_statements
from agentjournal.usage import Subject, Usage
from agentjournal.usage.call import Break, Call
from agentjournal.usage.file import open_measurements
from agentjournal.usage.probe import probe
from agentjournal.usage.report.dashboard import dashboard
from agentjournal.usage.report.price import Prices, load_prices
from agentjournal.usage.report.render import render
from agentjournal.usage.report.report import build_report
from agentjournal.usage.report.since import read_since
from agentjournal.usage.sinks.prometheus import PrometheusSink
from support.golden import check

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)


def call(number, total, read, *, component="judge", owner=None, model="m", task=None, **more):
    return Call(
        id=f"c{number}",
        at=f"2026-11-30T10:{number:02}:00.000000Z",
        usage=Usage(input_total=total, cache_read=read, output=10, model=model, **more),
        subject=Subject(component=component, owner=owner, project=task and "shop", task=task),
        model=model,
    )


def report(*calls, by="component", breaks=(), prices=None):
    table = Prices() if prices is None else prices
    measurements = open_measurements(":memory:")
    try:
        measurements.store([*calls, *breaks])
        return build_report(measurements, by=by, since="", prices=table)
    finally:
        measurements.database.close()


def test_shares_are_weighted_by_tokens_and_unmeasured_calls_stand_apart():
    [line] = report(call(1, 9000, 9000), call(2, 1000, 0), call(3, 5000, None)).lines
    assert line.share == 0.9
    assert (line.calls, line.input, line.measured_input, line.unmeasured) == (3, 15000, 10000, 1)


def test_a_lane_that_never_measured_has_no_share():
    [line] = report(call(1, 5000, None)).lines
    assert line.share is None
    assert re.search(r"judge +1 +5,000 +- +1 ", render(report(call(1, 5000, None))))


def test_a_violation_counts_as_unmeasured():
    [line] = report(call(1, 100, 900, violations=("cache_read 900 exceeds input_total 100",))).lines
    assert (line.share, line.unmeasured, line.violations) == (None, 1, 1)


def test_amplification_is_computed_work_over_what_was_new():
    cold = [call(n, 1000 * n, 0, owner="a") for n in (1, 2, 3)]
    warm = [call(n + 10, 1000 * n, 1000 * (n - 1), owner="b") for n in (1, 2, 3)]
    lines = {line.key: line for line in report(*cold, *warm, by="owner").lines}
    assert lines["a"].amplification == 2.0
    assert lines["b"].amplification == 1.0


def test_without_an_owner_there_is_no_conversation_to_weigh():
    [line] = report(call(1, 1000, 0), call(2, 2000, 0)).lines
    assert line.amplification is None


def test_the_worst_turn_is_not_the_first_of_its_conversation():
    calls = [
        call(1, 9000, 0, owner="a"),
        call(2, 9500, 4000, owner="a"),
        call(3, 9900, 9500, owner="a"),
    ]
    [line] = report(*calls).lines
    assert (line.worst.tokens, line.worst.turn, line.worst.owner) == (5500, 2, "a")


def test_helper_calls_to_another_model_are_no_turns_of_the_conversation():
    talk = [call(n, 5000 + n, 5000 if n > 1 else 0, owner="a", model="large") for n in (1, 3, 5)]
    helpers = [call(n, 300, 0, owner="a", model="small") for n in (2, 4)]
    large, small = report(*talk, *helpers, by="model").lines
    assert (large.key, large.computed, large.new) == ("large", 5001 + 3 + 5, 5005)
    assert (small.key, small.computed, small.new, small.worst.turn) == ("small", 600, 300, 2)


def test_counts_too_large_to_add_are_no_error():
    [line] = report(*[call(n, 2**53 - 1, 0, owner="a") for n in range(2000)]).lines
    assert line.input > 2**62


def test_breaks_of_nobody_are_added_up_however_nobody_is_written():
    owners = [None, "", "-"]
    breaks = [
        replace(BREAK, id=f"b{n}", subject=replace(BREAK.subject, owner=owner))
        for n, owner in enumerate(owners)
    ]
    calls = [call(n, 10, 5, owner=owner) for n, owner in enumerate(owners)]
    [line] = report(*calls, breaks=breaks, by="owner").lines
    assert (line.key, line.calls, line.breaks) == ("-", 3, {"clock": 3})


def test_of_very_many_breaks_the_newest_are_listed_and_all_are_counted():
    breaks = [replace(BREAK, id=f"b{n}", at=f"2026-11-30T{n:06}") for n in range(250)]
    found = report(call(1, 10, 5, owner="a"), breaks=breaks)
    assert [line.breaks for line in found.lines] == [{"clock": 250}]
    assert (len(found.breaks), found.breaks_unlisted) == (200, 50)
    assert found.breaks[0].id == "b249"
    assert "50 older broken prefixes" in render(found)


def test_a_report_reads_an_index_alone_and_sorts_no_calls():
    measurements = open_measurements(":memory:")
    for name, statement in load_statements("agentjournal.usage", "sql/report.sql").items():
        if name == "break_counts":
            continue
        plan = Statement(
            name=name,
            sqlite=f"EXPLAIN QUERY PLAN {statement.sqlite}",
            postgres="",
            parameters=statement.parameters,
        )
        rows = measurements.database.rows(plan, by="owner", since="", project=None)
        steps = [str(row["detail"]) for row in rows]
        reads = [step for step in steps if "completion" in step]
        assert reads
        assert all("COVERING INDEX completion_conversation" in step for step in reads)
        assert sum("TEMP B-TREE" in step for step in steps) == 1  # for the keys, one row each
    measurements.database.close()


def test_a_file_of_before_gets_the_index_and_keeps_its_calls(tmp_path):
    path = tmp_path / "usage.db"
    first = open_measurements(path)
    first.store([call(1, 10, 5, owner="a")])
    first.database.close()
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        old.execute("DROP INDEX completion_conversation")
        old.execute("DROP INDEX file_touch_at")
        old.execute("DELETE FROM migration WHERE package = 'usage' AND number = 2")
    second = open_measurements(path)
    built = build_report(second, by="owner", since="", prices=Prices())
    second.database.close()
    assert [(line.key, line.calls, line.cached) for line in built.lines] == [("a", 1, 5)]


@pytest.mark.parametrize(
    ("by", "keys"),
    [
        ("component", {"judge", "weaver"}),
        ("model", {"m", "n"}),
        ("owner", {"a", "-"}),
        ("task", {"shop/T-1", "-"}),
    ],
)
def test_rows_are_by_component_model_owner_or_task(by, keys):
    calls = [call(1, 10, 5, owner="a", task="T-1"), call(2, 10, 5, component="weaver", model="n")]
    assert {line.key for line in report(*calls, by=by).lines} == keys


OPUS = {"cache_write": 300, "cache_write_1h": 0}


def test_cost_is_what_the_program_itself_says():
    usage = Usage(input_total=6300, cache_read=5400, output=120, **OPUS)
    price = load_prices().of("claude-opus-5-5")
    assert price.of(usage) == pytest.approx(0.00738)


def test_a_price_holds_for_dated_names_and_behind_vendors_but_not_for_near_ones():
    prices = load_prices()
    same = ["anthropic/claude-haiku-4-5", "claude-haiku-4-5-20251001", "Claude-Haiku-4-5"]
    same += ["us.anthropic.claude-haiku-4-5-20251001-v1:0", "claude-haiku-4-5@20251001"]
    assert {prices.of(name) for name in same} == {prices.by_model["claude-haiku-4-5"]}
    assert prices.of("gpt-5-2025-08-07") == prices.by_model["gpt-5"]
    assert [prices.of(name) for name in ("gpt-5.6", "gpt-5-turbo", "", "qwen")] == [None] * 4


def test_an_unknown_price_is_no_error_and_no_zero():
    [line] = report(call(1, 10, 5), prices=load_prices()).lines
    assert (line.cost, line.unpriced) == (None, 1)


def test_an_unmeasured_call_has_an_unknown_cost():
    [line] = report(call(1, 10, None, model="gpt-5"), prices=load_prices()).lines
    assert (line.cost, line.unpriced) == (None, 1)


def test_a_table_of_ones_own_overrides_and_adds(tmp_path):
    own = tmp_path / "prices.toml"
    own.write_text(
        'as_of = "2027-01-01"\n[[price]]\nmodel = "gpt-5"\ninput = 2\noutput = 4\n'
        '[[price]]\nmodel = "local"\ninput = 0\noutput = 0\n'
    )
    prices = load_prices(own)
    assert prices.as_of == "2027-01-01"
    assert prices.of("gpt-5").of(Usage(input_total=10**6, cache_read=10**6, output=0)) == 2.0
    assert prices.of("local").of(Usage(input_total=9, cache_read=0, output=9)) == 0.0
    assert prices.of("claude-haiku-4-5") is not None


def test_a_price_of_ones_own_holds_for_the_name_that_the_engine_says(tmp_path):
    own = tmp_path / "prices.toml"
    own.write_text('[[price]]\nmodel = "Some-Lab/Model-3"\ninput = 1\noutput = 4\n')
    prices = load_prices(own)
    assert prices.of("Some-Lab/Model-3") == prices.by_model["some-lab/model-3"]
    assert prices.of("Model-3") is None


@pytest.mark.parametrize(
    "text",
    [
        "[[price]]\nmodel = 'x'\n",
        "[[price]]\nmodel = 'x'\ninput = -1\noutput = 1",
        "[[price]]\nmodel = 'x'\ninput = inf\noutput = 1",
        "price = 3",
        "[",
    ],
)
def test_a_wrong_table_is_refused_by_name(tmp_path, text):
    own = tmp_path / "mine.toml"
    own.write_text(text)
    with pytest.raises(ConfigurationError, match=r"mine\.toml"):
        load_prices(own)


def test_every_shipped_price_is_dated():
    assert all(
        re.fullmatch(r"20\d\d-\d\d", price.as_of) for price in load_prices().by_model.values()
    )


BREAK = Break(
    id="b1",
    at="2026-11-30T10:02:00.000000Z",
    subject=Subject(component="judge", owner="a"),
    model="m",
    turn=2,
    block="system prompt",
    path="messages[0].content",
    byte=6,
    cause="clock",
    lost=3000,
)


def test_the_report_reads_as_decided():
    calls = [
        call(1, 12000, 0, owner="a", model="claude-haiku-4-5"),
        call(2, 13000, 9000, owner="a", model="claude-haiku-4-5"),
        call(3, 800, None, component="weaver", model="local"),
        call(4, 100, 0, component=""),
    ]
    check("usage_report.txt", render(report(*calls, breaks=[BREAK], prices=load_prices())))


def test_a_report_of_nothing_says_what_to_do():
    assert "usage import" in render(report())


def test_a_long_report_stays_within_its_cap_and_counts_what_is_left_out():
    calls = [call(n, 10, 5, component=f"component-{n}") for n in range(500)]
    text = render(report(*calls), cap=5000)
    assert len(text.encode()) <= 5000
    assert re.search(r"\.\.\. and \d+ more lines", text)


def test_hostile_names_cannot_draw_on_a_terminal():
    text = render(report(call(1, 10, 5, component="\x1b[31mred\u202e\nx")))
    assert "\x1b" not in text
    assert "\u202e" not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (None, ""),
        ("90m", "2026-11-30T10:30:00.000000Z"),
        ("12h", "2026-11-30T00:00:00.000000Z"),
        ("7d", "2026-11-23T12:00:00.000000Z"),
        ("2026-11-01", "2026-11-01T00:00:00.000000Z"),
        ("2026-11-01T10:00:00+02:00", "2026-11-01T08:00:00.000000Z"),
    ],
)
def test_times_to_count_from(text, expected):
    assert read_since(text, NOW) == expected


@pytest.mark.parametrize(
    "text", ["yesterday", "7y", "999999w", "2026-13-01", "0001-01-01T00:00+14:00"]
)
def test_other_times_are_refused(text):
    with pytest.raises(InputError, match="no time to count from"):
        read_since(text, NOW)


def test_the_dashboard_asks_only_for_counters_that_exist():
    from prometheus_client import CollectorRegistry

    registry = CollectorRegistry()
    PrometheusSink(registry)
    names = {f"{family.name}_total" for family in registry.collect()}
    queries = json.dumps(json.loads(dashboard()))
    asked = set(re.findall(r"agentjournal_llm_\w+_total", queries))
    assert len(asked) >= 7
    assert asked <= names


def answered(read):
    details = {} if read is None else {"prompt_tokens_details": {"cached_tokens": read}}
    return {"model": "m", "usage": {"prompt_tokens": 5000, "completion_tokens": 1, **details}}


@pytest.mark.parametrize(
    ("reads", "capability", "is_cached"),
    [
        ((0, 4992), "reports_zero", True),
        ((0, 0), "reports_zero", False),
        ((None, 4992), "reports_nonzero_only", True),
        ((None, None), "never", None),
    ],
)
@pytest.mark.parametrize("dialect", ["openai-chat", "openai-responses", "anthropic"])
def test_one_repeated_prompt_settles_a_lane(reads, capability, is_cached, dialect):
    sent, answers = [], iter(reads)
    found = probe(
        lambda body: sent.append(json.dumps(body)) or answered(next(answers)),
        dialect=dialect,
        model="asked",
        nonce="n-1",
    )
    assert (found.capability, found.is_cached) == (capability, is_cached)
    assert sent[0] == sent[1]
    assert "n-1" in sent[0]
    assert len(sent[0]) > 4 * 4096
    assert found.told
