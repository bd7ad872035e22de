"""Where calls go: the log's fields, counters, spans, and the measurement file."""

from __future__ import annotations

import json
import logging
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import CollectorRegistry, generate_latest

from agentjournal.errors import StoreUnavailableError
from agentjournal.usage import Observer, Subject, Usage, normalise
from agentjournal.usage.file import open_measurements
from agentjournal.usage.lane import Lanes
from agentjournal.usage.sinks.database import DatabaseSink
from agentjournal.usage.sinks.log import log_fields
from agentjournal.usage.sinks.opentelemetry import OpenTelemetrySink
from agentjournal.usage.sinks.prometheus import PrometheusSink

DATA = Path(__file__).parents[2] / "data" / "usage"
VECTORS = json.loads((DATA / "vectors.json").read_text())
WARM = Usage(
    input_total=100, cache_read=75, cache_write=5, output=7, model="m", dialect="anthropic"
)
COLD = Usage(input_total=100, cache_read=0, output=1, model="m")
SILENT = Usage(input_total=100, output=1, model="m")


def observed(*usages, **more):
    calls = []
    observer = Observer(sinks=[calls.append], subject=Subject(component="judge"), **more)
    for usage in usages:
        observer.observe(usage)
    return calls


@pytest.mark.parametrize(
    "vector", [v for v in VECTORS if "note" not in v and v["reported"]], ids=lambda v: v["name"]
)
def test_the_log_line_has_the_references_fields_in_order(vector):
    usage = normalise({"usage": json.loads(vector["usage_json"]), "model": vector["model"]})
    observer = Observer(subject=Subject(component=vector["component"]))
    fields = list(log_fields(observer.observe(usage)).items())
    assert [list(field) for field in fields] == vector["log_attrs_in_order"]


def test_a_measured_zero_is_logged_and_silence_is_not():
    cold, silent = map(log_fields, observed(COLD, SILENT))
    assert (cold["cached_tokens"], cold["cached_share"]) == (0, 0)
    assert not {"cached_tokens", "cached_share"} & silent.keys()


def test_a_violation_has_no_share_in_the_log():
    [call] = observed(normalise({"usage": {"prompt_tokens": 1, "cached_tokens": 9}}))
    assert log_fields(call)["cached_tokens"] == 9
    assert "cached_share" not in log_fields(call)


def test_what_was_not_reported_is_no_line(caplog):
    with caplog.at_level(logging.DEBUG):
        observed(Usage(), logger=logging.getLogger("some"))
    assert caplog.records == []


def test_the_requested_model_stands_where_the_engine_names_none():
    observer = Observer()
    assert observer.observe(Usage(model="served"), requested_model="asked").model == "served"
    assert observer.observe(Usage(), requested_model=" asked ").model == "asked"


def text_of(*usages, **more):
    registry = CollectorRegistry()
    sink = PrometheusSink(registry, **more)
    for call in observed(*usages):
        sink(call)
    lines = generate_latest(registry).decode().splitlines()
    return {
        line.partition("{")[0]: float(line.rpartition(" ")[2])
        for line in lines
        if not line.startswith("#") and "_created" not in line
    }


def test_counters_keep_measured_and_unmeasured_prompts_apart():
    counted = text_of(WARM, SILENT)
    assert counted["agentjournal_llm_prompt_tokens_total"] == 200
    assert counted["agentjournal_llm_measured_prompt_tokens_total"] == 100
    assert counted["agentjournal_llm_cached_prompt_tokens_total"] == 75
    assert counted["agentjournal_llm_completion_tokens_total"] == 8
    assert counted["agentjournal_llm_unmeasured_calls_total"] == 1


def test_an_unmeasured_lane_has_no_series_of_zeros_and_a_cold_one_has():
    assert "agentjournal_llm_cached_prompt_tokens_total" not in text_of(SILENT)
    assert text_of(COLD)["agentjournal_llm_cached_prompt_tokens_total"] == 0


def test_a_violation_feeds_no_share():
    counted = text_of(normalise({"usage": {"prompt_tokens": 1, "cached_tokens": 9}}))
    assert counted["agentjournal_llm_violations_total"] == 1
    assert "agentjournal_llm_cached_prompt_tokens_total" not in counted


def test_older_dashboards_find_their_names():
    assert text_of(WARM, prefix="mills_llm")["mills_llm_cached_prompt_tokens_total"] == 75


def test_a_call_is_a_span_with_the_conventions_names():
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    sink = OpenTelemetrySink(provider)
    for call in observed(WARM, SILENT, Usage()):
        sink(call)
    warm, silent = exporter.get_finished_spans()
    assert warm.name == "chat m"
    assert warm.attributes["gen_ai.usage.input_tokens"] == 100
    assert warm.attributes["gen_ai.usage.cache_read.input_tokens"] == 75
    assert warm.attributes["gen_ai.usage.output_tokens"] == 7
    assert "gen_ai.usage.cache_read.input_tokens" not in silent.attributes


def test_calls_are_read_back_from_the_measurement_file_as_they_were(tmp_path):
    measurements = open_measurements(tmp_path / "usage.db")
    sink = DatabaseSink(measurements)
    calls = observed(
        WARM,
        SILENT,
        normalise({"usage": {"prompt_tokens": 1, "cached_tokens": 9}}),
        normalise({"model": "\ud800", "usage": {"prompt_tokens": 5}}),
    )
    for call in [*calls, calls[0]]:
        sink(call)
    assert sink.flush()
    assert measurements.calls() == sorted(calls, key=lambda call: (call.at, call.id))
    assert measurements.store(calls) == 0
    measurements.database.close()


def test_calls_that_find_no_room_are_dropped_and_counted():
    entered, gate = threading.Event(), threading.Event()

    class Slow:
        def store(self, _):
            entered.set()
            gate.wait(20)

    sink = DatabaseSink(Slow(), capacity=2)
    [call] = observed(WARM)
    sink(call)
    entered.wait(20)
    for _ in range(5):
        sink(call)
    assert sink.dropped == 3
    gate.set()
    assert sink.flush()


def test_a_failing_file_stops_nothing(tmp_path):
    measurements = open_measurements(tmp_path / "usage.db")
    sink = DatabaseSink(measurements)
    [call] = observed(WARM)
    good, measurements.store = measurements.store, lambda _: 1 / 0
    sink(call)
    assert sink.flush()
    measurements.store = good
    sink(call)
    assert sink.flush()
    assert measurements.calls() == [call]
    measurements.database.close()


def test_a_row_that_cannot_be_written_takes_no_other_with_it(tmp_path):
    measurements = open_measurements(tmp_path / "usage.db")
    sink = DatabaseSink(measurements)
    [good] = observed(WARM)
    broken = replace(good, id="broken", subject=Subject(component="\ud800"))
    sink._store([broken, good])
    assert measurements.calls() == [good]
    measurements.database.close()


def test_a_store_that_is_gone_drops_and_counts():
    class Gone:
        def store(self, _):
            raise StoreUnavailableError("gone")

    sink = DatabaseSink(Gone())
    sink(observed(WARM)[0])
    assert sink.flush()
    assert sink.dropped == 1


def test_a_lane_that_reported_a_non_zero_leaves_zeros_out():
    lanes, lane = Lanes(), ("http://host/v1", "m")
    assert lanes.settle(lane, SILENT).cache_read is None
    assert lanes.capability(lane) == "unknown"
    lanes.settle(lane, WARM)
    assert lanes.capability(lane) == "reports_nonzero_only"
    assert lanes.settle(lane, SILENT).cache_read == 0
    assert lanes.settle(("http://host/v1", "other"), SILENT).cache_read is None


def test_a_lane_that_reports_zeros_means_nothing_by_silence():
    lanes, lane = Lanes(), ("http://host/v1", "m")
    lanes.settle(lane, COLD)
    lanes.settle(lane, WARM)
    assert lanes.capability(lane) == "reports_zero"
    assert lanes.settle(lane, SILENT).cache_read is None


def test_an_answer_without_a_prompt_says_nothing_of_its_lane():
    lanes, lane = Lanes({("h", "m"): "reports_nonzero_only"}), ("h", "m")
    assert lanes.settle(lane, Usage(output=3)).cache_read is None


def test_what_is_known_of_lanes_outlives_the_process(tmp_path):
    measurements = open_measurements(tmp_path / "usage.db")
    measurements.store_lanes({("h", "m"): "never"})
    measurements.store_lanes({("h", "m"): "reports_zero", ("h", "n"): "never"})
    assert measurements.lanes() == {("h", "m"): "reports_zero", ("h", "n"): "never"}
    measurements.database.close()
