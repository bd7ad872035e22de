"""Transcripts as the programs write them: each call once, subagents joined, breaks told from counts."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from agentjournal.errors import NotFoundError
from agentjournal.text.canonical import sha256_hex
from agentjournal.usage.file import open_measurements
from agentjournal.usage.transcripts.take_in import read_transcripts, take_in

HOSTS = Path(__file__).parents[2] / "data" / "usage" / "hosts"
SESSION = "2b5c0384-5d51-470d-a563-4b3c89e9e31c"
AGENT = "a693b08c2da9902b2"
THREAD = "01a22dd3-6a9b-7f02-b0a9-b9690477d2ea"
TOKEN = "aj-" + "b" * 26


@pytest.fixture
def store(tmp_path):
    opened = open_measurements(tmp_path / "store" / "usage.db")
    yield opened
    opened.database.close()


@pytest.fixture
def kept(tmp_path):
    """The folder as Claude Code keeps it: the session's file, and its subagents' beside it."""
    project = tmp_path / "projects" / "-home-me-projh"
    subagents = project / SESSION / "subagents"
    subagents.mkdir(parents=True)
    copies = {
        project / f"{SESSION}.jsonl": "claude-transcript.jsonl",
        subagents / f"agent-{AGENT}.jsonl": "claude-transcript-subagent.jsonl",
        subagents / f"agent-{AGENT}.meta.json": "claude-subagent.meta.json",
    }
    for target, name in copies.items():
        target.write_bytes((HOSTS / name).read_bytes())
    return project


def totals(calls):
    return {
        name: sum(getattr(call.usage, name) or 0 for call in calls)
        for name in ("input_total", "cache_read", "cache_write", "output")
    }


@pytest.mark.parametrize("is_flat", [True, False], ids=["copied flat", "as kept"])
def test_a_claude_session_adds_up_to_what_the_program_itself_counted(store, kept, is_flat):
    take_in(store, HOSTS if is_flat else kept)
    calls = [call for call in store.calls() if call.subject.owner == SESSION]
    last = (HOSTS / "claude-transcript.jsonl").read_text().splitlines()[-1]
    told = json.loads(last)["modelUsage"]["claude-opus-5-5"]
    counted = totals(calls)
    assert len(calls) == 6
    assert counted["cache_read"] == told["cacheReadInputTokens"]
    assert counted["cache_write"] == told["cacheCreationInputTokens"]
    assert counted["output"] == told["outputTokens"]
    assert counted["input_total"] == 600 + 300 + 5400
    assert {call.usage.cache_write_5m for call in calls} == {50}


def test_a_subagents_calls_stand_under_its_session_with_its_kind(store, kept):
    imported = take_in(store, kept)
    assert (imported.sessions, imported.agents, imported.files) == (1, 2, 2)
    inside = [call for call in store.calls() if call.subject.thread]
    assert {call.subject.component for call in inside} == {"claude-code/general-purpose"}
    assert {call.subject.thread for call in inside} == {AGENT}
    assert len(inside) == 2


def test_a_codex_thread_counts_each_response_once(store):
    imported = take_in(store, HOSTS / "codex-rollout.jsonl")
    calls = store.calls()
    assert imported.calls == len(calls) == 3
    assert totals(calls) == {
        "input_total": 3150,
        "cache_read": 2700,
        "cache_write": 0,
        "output": 60,
    }
    assert {(call.model, call.subject.owner) for call in calls} == {("gpt-stub", THREAD)}


def test_reading_the_same_folder_again_adds_nothing(store, kept):
    first = take_in(store, kept)
    again = take_in(store, kept)
    assert first.new == 6
    assert (again.calls, again.new) == (6, 0)


def write(path, *lines):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


def said(number, *, session="s", at="00:00:00", model="m", tools=(), **counts):
    return {
        "type": "assistant",
        "sessionId": session,
        "timestamp": f"2026-11-30T{at}.000Z",
        "message": {
            "id": f"msg_{number}",
            "model": model,
            "usage": {"input_tokens": 10, "output_tokens": 5, **counts},
            "content": [{"type": "tool_use", "name": name, "input": i} for name, i in tools],
        },
    }


def cached(read, written):
    return {"cache_read_input_tokens": read, "cache_creation_input_tokens": written}


def test_of_a_streamed_message_the_last_counts_stand(store, tmp_path):
    write(tmp_path / "t" / "s.jsonl", said(1, output_tokens=1), said(1, output_tokens=40))
    take_in(store, tmp_path / "t")
    assert [call.usage.output for call in store.calls()] == [40]


def test_a_message_that_was_read_before_its_end_takes_its_last_counts_later(store, tmp_path):
    path = tmp_path / "t" / "s.jsonl"
    for counts, new in ((1, 1), (40, 1), (40, 0)):
        write(path, said(1, output_tokens=counts))
        assert take_in(store, tmp_path / "t").new == new
    assert [call.usage.output for call in store.calls()] == [40]


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-14:00", "noon"])
def test_a_call_at_a_time_that_is_none_counts_without_one(store, tmp_path, at):
    write(tmp_path / "t" / "s.jsonl", {**said(1), "timestamp": at})
    take_in(store, tmp_path / "t")
    assert [call.at for call in store.calls()] == [""]


def test_a_resumed_session_does_not_count_what_it_copied(store, tmp_path):
    write(tmp_path / "t" / "a.jsonl", said(1, tools=[("Read", {"file_path": "x"})]))
    copied = said(1, session="b", tools=[("Read", {"file_path": "x"})])
    write(tmp_path / "t" / "b.jsonl", copied, said(2, session="b"))
    imported = take_in(store, tmp_path / "t")
    assert (imported.calls, imported.touches) == (2, 1)


def test_the_programs_own_words_are_no_calls(store, tmp_path):
    write(tmp_path / "t" / "s.jsonl", said(1, model="<synthetic>"), said(2))
    assert take_in(store, tmp_path / "t").calls == 1


def test_touched_files_are_kept_with_how_they_were_touched(store, tmp_path):
    tools = [
        ("Read", {"file_path": "/p/a.py"}),
        ("Edit", {"file_path": "/p/b.py"}),
        ("NotebookEdit", {"notebook_path": "/p/c.ipynb"}),
        ("Bash", {"command": "cat /p/d.py"}),
        ("Write", {"file_path": 5}),
        ("Write", {"file_path": "/p/\u202e\ud800.py"}),
    ]
    write(tmp_path / "t" / "s.jsonl", said(1, tools=tools))
    take_in(store, tmp_path / "t")
    assert [(row["kind"], row["path"]) for row in store.each_touch()] == [
        ("read", "/p/a.py"),
        ("write", "/p/b.py"),
        ("write", "/p/c.ipynb"),
        ("write", "/p/\\u202e\\ud800.py"),
    ]


BROKEN = [
    (
        "an unknown cause",
        [said(1, **cached(0, 5000)), said(2, at="00:01:00", **cached(2000, 3500))],
        (2, "unknown", 3000, "held for 2000 of 5000 tokens"),
    ),
    (
        "nothing held",
        [said(1, **cached(0, 5000)), said(2, at="00:01:00", **cached(0, 5500))],
        (2, "unknown", 5000, "the very start changed"),
    ),
    (
        "another model",
        [said(1, **cached(0, 5000)), said(2, at="00:01:00", model="n", **cached(0, 5500))],
        (2, "model change", 5000, "m to n"),
    ),
    (
        "idle for too long",
        [said(1, **cached(0, 5000)), said(2, at="00:06:00", **cached(0, 5500))],
        (2, "expired", 5000, "idle for 6 min, kept for 5 min"),
    ),
    (
        "compacted",
        [
            said(1, **cached(0, 5000)),
            {"type": "system", "subtype": "compact_boundary", "sessionId": "s"},
            said(2, at="00:01:00", **cached(500, 900)),
        ],
        (2, "edited history", 4500, "compacted"),
    ),
]


@pytest.mark.parametrize(("name", "lines", "expected"), BROKEN, ids=[case[0] for case in BROKEN])
def test_a_cache_that_gave_back_less_than_it_held_is_a_break(
    store, tmp_path, name, lines, expected
):
    write(tmp_path / "t" / "s.jsonl", *lines)
    take_in(store, tmp_path / "t")
    [found] = store.breaks()
    turn, cause, lost, detail = expected
    assert (found.turn, found.cause, found.lost) == (turn, cause, lost), name
    assert detail in found.detail


def test_a_warm_history_and_one_that_is_not_measured_are_no_breaks(store, tmp_path):
    write(
        tmp_path / "t" / "s.jsonl",
        said(1, **cached(0, 5000)),
        said(2, at="00:01:00", **cached(5000, 400)),
        said(3, at="00:02:00", **cached(5300, 100)),
    )
    write(tmp_path / "t" / "u.jsonl", said(4, session="u"), said(5, session="u"))
    assert take_in(store, tmp_path / "t").breaks == 0


def test_an_hours_lifetime_is_not_expired_after_ten_minutes(store, tmp_path):
    long = {"cache_creation": {"ephemeral_1h_input_tokens": 5000}}
    write(
        tmp_path / "t" / "s.jsonl",
        said(1, **long, **cached(0, 5000)),
        said(2, at="00:10:00", **cached(0, 5500)),
    )
    take_in(store, tmp_path / "t")
    assert store.breaks()[0].cause == "unknown"


def test_an_attempts_token_in_the_brief_says_whose_the_calls_are(store, tmp_path):
    brief = {"type": "user", "sessionId": "s", "message": {"content": f"BRIEF token {TOKEN}."}}
    agent = said(2, **cached(0, 9)) | {"agentId": "x", "isSidechain": True}
    write(tmp_path / "t" / "s.jsonl", brief, said(1))
    write(tmp_path / "t" / "s" / "subagents" / "agent-x.jsonl", agent)
    digest = sha256_hex(TOKEN)
    take_in(store, tmp_path / "t", resolve={digest: ("shop", "T-1")}.get)
    subjects = [call.subject for call in store.calls()]
    assert {(s.project, s.task, s.attempt) for s in subjects} == {("shop", "T-1", digest)}
    assert TOKEN not in repr(store.calls())


def event(kind, payload, at="00:00:00"):
    return {"type": kind, "timestamp": f"2026-11-30T{at}.000Z", "payload": payload}


def running(total, last):
    names = ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_output_tokens")
    counts = [dict(zip(names, values, strict=True)) for values in (total, last)]
    info = {"total_token_usage": counts[0], "last_token_usage": counts[1]}
    return event("event_msg", {"type": "token_count", "info": info})


def test_older_codex_versions_are_counted_from_their_running_totals(store, tmp_path):
    write(
        tmp_path / "rollout-1.jsonl",
        event("session_meta", {"id": "th"}),
        event("turn_context", {"model": "gpt"}),
        event("event_msg", {"type": "token_count", "info": None}),
        running((100, 0, 5, 2), (100, 0, 5, 2)),
        running((100, 0, 5, 2), (100, 0, 5, 2)),
        running((250, 90, 9, 2), (150, 90, 4, 0)),
    )
    take_in(store, tmp_path)
    usages = [call.usage for call in store.calls()]
    assert [(u.input_total, u.cache_read, u.output) for u in usages] == [(100, 0, 5), (150, 90, 4)]
    assert usages[0].reasoning == 2


def test_codex_threads_that_another_started_stand_under_it_and_patches_are_touches(store, tmp_path):
    item = {"tool": "spawn_agent", "receiver_thread_ids": ["child"]}
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: src/b.py\n*** End Patch"
    write(
        tmp_path / "rollout-p.jsonl",
        event("session_meta", {"id": "parent"}),
        event("event_msg", {"type": "item_completed", "item": item}),
        running((10, 0, 1, 0), (10, 0, 1, 0)),
        event("response_item", {"type": "custom_tool_call", "name": "apply_patch", "input": patch}),
    )
    arguments = json.dumps({"command": ["apply_patch", patch]})
    write(
        tmp_path / "rollout-c.jsonl",
        event("session_meta", {"id": "child"}),
        running((20, 0, 1, 0), (20, 0, 1, 0)),
        event("response_item", {"type": "function_call", "arguments": arguments}),
    )
    take_in(store, tmp_path)
    subjects = {(c.subject.owner, c.subject.thread, c.subject.component) for c in store.calls()}
    assert subjects == {("parent", None, "codex"), ("parent", "child", "codex/subagent")}
    assert (
        sorted(str(row["path"]) for row in store.each_touch())
        == ["src/a.py"] * 2 + ["src/b.py"] * 2
    )


def test_lines_that_are_no_objects_are_counted_and_passed_over(store, tmp_path):
    write(tmp_path / "t" / "s.jsonl", said(1))
    with (tmp_path / "t" / "s.jsonl").open("ab") as file:
        file.write(b"{half\n\xff\xfe\n[1]\n\n" + b"[" * 100_000 + b"\n")
    imported = take_in(store, tmp_path / "t")
    assert (imported.calls, imported.unreadable_lines) == (1, 4)


def test_other_files_are_no_transcripts(tmp_path):
    write(tmp_path / "events.jsonl", {"type": "log", "text": "x"})
    (tmp_path / "folder.jsonl").mkdir()
    assert read_transcripts(tmp_path).files == 0


def test_a_folder_that_is_not_there_is_said(tmp_path):
    with pytest.raises(NotFoundError):
        read_transcripts(tmp_path / "nothing")


def test_mangled_transcripts_never_raise(store, tmp_path):
    chance = random.Random(5)  # noqa: S311 - a seed, no secret
    odd = [None, 5, "x", [], {}, True, -1, 1e300, "2026-13-45T00:00:00Z", "\ud800"]

    def mangled(value):
        if chance.random() < 0.06:
            return chance.choice(odd)
        if isinstance(value, dict):
            return {key: mangled(each) for key, each in value.items()}
        return [mangled(each) for each in value] if isinstance(value, list) else value

    names = ["claude-transcript", "claude-transcript-subagent", "codex-rollout"]
    for round_ in range(30):
        for name in names:
            lines = (HOSTS / f"{name}.jsonl").read_text().splitlines()
            write(
                tmp_path / f"{round_}" / f"{name}.jsonl", *[mangled(json.loads(x)) for x in lines]
            )
        take_in(store, tmp_path / f"{round_}")
