"""About sixty things that a person or worker may write wrongly, and what has to be said of each."""

from __future__ import annotations

import json
from dataclasses import dataclass

GOOD = {"result": "success", "action": "Did it", "current_state": "It is done"}
FAILED = {
    "result": "failed",
    "action": "Tried it",
    "current_state": "It fails",
    "next_step": "Try otherwise",
    "ruled_out": [{"option": "This way", "why": "It fails"}],
}
DECISION = {"point": "Which", "options": ["a", "b"], "chosen": "a", "why": "Because"}
REUSED = {"document": "2026-01-01-queue", "quote": "Use a queue", "impact": "A day"}
GATE = {"category": "secrets", "operation": "read .env", "decision": "ask", "why": "Asked"}
GATED = {
    "result": "gated",
    "action": "Stopped",
    "current_state": "It waits",
    "next_step": "Decide",
    "gate_events": [GATE],
}
UUID = "01999999-0000-7000-8000-00000000dead"


@dataclass(frozen=True)
class BadInput:
    """What was written, the field that is at fault, and a piece of the rule that is named."""

    name: str
    written: str | dict[str, object]
    field: str
    rule: str


def good(**more: object) -> dict[str, object]:
    return GOOD | more


def without(given: dict[str, object], key: str) -> dict[str, object]:
    return {name: value for name, value in given.items() if name != key}


def option(**more: object) -> dict[str, object]:
    return good(ruled_out=[{"option": "x", "why": "y"} | more])


def decision(**more: object) -> dict[str, object]:
    return good(decisions=[DECISION | more])


def touch(name: object, kind: str = "file") -> dict[str, object]:
    return good(touches=[{"kind": kind, "name": name}])


BAD_INPUTS = [
    # result and what it needs
    BadInput("no result", without(GOOD, "result"), "result", "required"),
    BadInput("unknown result", good(result="done"), "result", "known word"),
    BadInput("result in capitals", good(result="Success"), "result", "known word"),
    BadInput("result as list", good(result=["success"]), "result", "known word"),
    BadInput("success without state", without(GOOD, "current_state"), "current_state", "required"),
    BadInput("blank state", good(current_state=""), "current_state", "required"),
    BadInput(
        "skipped without why",
        {"result": "skipped", "action": "Skipped"},
        "current_state",
        "skipped",
    ),
    BadInput("partial without next", good(result="partial"), "next_step", "partial"),
    BadInput("failed without next", without(FAILED, "next_step"), "next_step", "failed"),
    BadInput("failed without option", without(FAILED, "ruled_out"), "ruled_out", "at least one"),
    BadInput("gated without event", without(GATED, "gate_events"), "gate_events", "at least one"),
    BadInput(
        "gated in scope",
        GATED | {"gate_events": [GATE | {"decision": "in_scope"}]},
        "gate_events",
        "ask or deny",
    ),
    # action
    BadInput("no action", without(GOOD, "action"), "action", "required"),
    BadInput("long action", good(action="x" * 121), "action", "at most 120 characters"),
    BadInput("two-line action", good(action="Did\nit"), "action", "one line"),
    BadInput("action that draws", good(action="Did\x1b[2Jit"), "action", "control characters"),
    BadInput("action of spaces", good(action="   "), "action", "white space"),
    BadInput("action as number", good(action=7), "action", "is a text"),
    # handoff texts
    BadInput("long goal", good(goal="x" * 301), "goal", "at most 300 characters"),
    BadInput("long state", good(current_state="x" * 1201), "current_state", "at most 1200"),
    BadInput("long next step", good(next_step="x" * 501), "next_step", "at most 500"),
    BadInput("state of blank lines", good(current_state="\n\n"), "current_state", "white space"),
    BadInput("NUL in a text", good(current_state="a\0b"), "current_state", "no NUL"),
    BadInput("lone surrogate", good(next_step="a\ud800b"), "next_step", "lone surrogates"),
    BadInput("state as object", good(current_state={"a": 1}), "current_state", "is a text"),
    # ruled out
    BadInput(
        "option without why", good(ruled_out=[{"option": "x"}]), "ruled_out[0].why", "required"
    ),
    BadInput(
        "why without option", good(ruled_out=[{"why": "x"}]), "ruled_out[0].option", "required"
    ),
    BadInput("option of spaces", option(option=" \t "), "ruled_out[0].option", "white space"),
    BadInput("long option", option(option="x" * 201), "ruled_out[0].option", "at most 200"),
    BadInput("long why", option(why="x" * 401), "ruled_out[0].why", "at most 400"),
    BadInput(
        "long condition", option(reopen_if="x" * 201), "ruled_out[0].reopen_if", "at most 200"
    ),
    BadInput("supersedes a word", option(supersedes="that"), "ruled_out[0].supersedes", "id of"),
    BadInput(
        "supersedes nothing",
        option(supersedes=f"{UUID}#1"),
        "ruled_out[0].supersedes",
        "of this project",
    ),
    BadInput("option as text", good(ruled_out=["x"]), "ruled_out[0]", "is an object"),
    BadInput("options as object", good(ruled_out={"option": "x"}), "ruled_out", "is a list"),
    BadInput(
        "thirteen options",
        good(ruled_out=[{"option": f"{n}", "why": "y"} for n in range(13)]),
        "ruled_out",
        "at most 12 items",
    ),
    BadInput("option with more", option(when="now"), "ruled_out[0].when", "no known key"),
    # decisions, reuse, questions
    BadInput("one option", decision(options=["a"]), "decisions[0].options", "2 to 6 items"),
    BadInput(
        "decision without why",
        good(decisions=[without(DECISION, "why")]),
        "decisions[0].why",
        "required",
    ),
    BadInput("seven decisions", good(decisions=[DECISION] * 7), "decisions", "at most 6 items"),
    BadInput(
        "reuse without quote",
        good(reused=[without(REUSED, "quote")]),
        "reused[0].quote",
        "required",
    ),
    BadInput("seven reuses", good(reused=[REUSED] * 7), "reused", "at most 6 items"),
    BadInput(
        "six questions", good(open_questions=["Why?"] * 6), "open_questions", "at most 5 items"
    ),
    BadInput("a question as text", good(open_questions="Why?"), "open_questions", "is a list"),
    BadInput(
        "six kibibytes and more",
        good(ruled_out=[{"option": "x" * 200, "why": "y" * 390}] * 11),
        "handoff",
        "at most 6144 bytes",
    ),
    # gates
    BadInput(
        "unknown gate",
        GATED | {"gate_events": [GATE | {"category": "fun"}]},
        "gate_events[0].category",
        "known word",
    ),
    BadInput(
        "thirteen gates", GATED | {"gate_events": [GATE] * 13}, "gate_events", "at most 12 items"
    ),
    # artifacts and touches
    BadInput(
        "unknown artifact",
        good(artifacts=[{"kind": "thing", "ref": "x"}]),
        "artifacts[0].kind",
        "known word",
    ),
    BadInput(
        "artifact without ref", good(artifacts=[{"kind": "commit"}]), "artifacts[0].ref", "required"
    ),
    BadInput(
        "51 artifacts",
        good(artifacts=[{"kind": "commit", "ref": "x"}] * 51),
        "artifacts",
        "at most 50 items",
    ),
    BadInput("absolute path", touch("/etc/passwd"), "touches[0].name", "relative to the project"),
    BadInput("path that climbs", touch("src/../../x"), "touches[0].name", "without `..`"),
    BadInput("path with backslash", touch("src\\x"), "touches[0].name", "with `/`"),
    BadInput("unknown touch", touch("src", "folder"), "touches[0].kind", "known word"),
    BadInput(
        "201 touches",
        good(touches=[{"kind": "file", "name": "x"}] * 201),
        "touches",
        "at most 200 items",
    ),
    # usage and log
    BadInput(
        "negative tokens",
        good(token_usage={"input_tokens": -1}),
        "token_usage.input_tokens",
        "whole number",
    ),
    BadInput(
        "tokens as text",
        good(token_usage={"output_tokens": "7"}),
        "token_usage.output_tokens",
        "whole number",
    ),
    BadInput(
        "unknown usage", good(token_usage={"tokens": 7}), "token_usage.tokens", "no known key"
    ),
    BadInput("log over 64 KiB", good(log="x" * 65_537), "log", "at most 65536 bytes"),
    BadInput("log as list", good(log=["x"]), "log", "is a text"),
    # keys and whole forms
    BadInput("unknown key", good(summary="x"), "summary", "no known key"),
    BadInput(
        "nested handoff",
        {"result": "success", "action": "Did", "handoff": GOOD},
        "handoff",
        "no known key",
    ),
    BadInput("mistyped token", good(attempt="aj-1"), "attempt", "attempt token"),
    BadInput("no object", json.dumps([GOOD]), "(whole form)", "one flat object"),
    BadInput("no text at all", "", "(whole form)", "one flat object"),
    BadInput("prose", "All tests pass now.", "(whole form)", "one flat object"),
    BadInput("cut JSON", '{"result": "success", "act', "$", "valid JSON"),
    BadInput("key twice", '{"result": "failed", "result": "success"}', "result", "given twice"),
    BadInput("YAML that refers", "result: &a success\naction: *a\n", "line 1", "plain YAML"),
    BadInput("YAML that builds", "result: !!python/name:os.system x\n", "line 1", "plain YAML"),
    BadInput("too large a form", "log: " + "x" * 140_000, "(whole form)", "at most 131072 bytes"),
]

# What only a person can write, because a worker's form has no such keys.
BAD_ADDRESSES = [
    BadInput("id of version 4", good(id="01999999-0000-4000-8000-000000000001"), "id", "UUIDv7"),
    BadInput("bad slug", good(project_slug="Two Words"), "project_slug", "slug"),
    BadInput("unknown project", good(project_slug="nowhere"), "project_slug", "registered project"),
    BadInput("unknown task", good(plan_ref="T-99"), "plan_ref", "task of the plan"),
    BadInput("container", good(plan_ref="2"), "plan_ref", "container"),
    BadInput("waiting task", good(plan_ref="2.1"), "result", "depends on"),
    BadInput("two-word actor", good(actor="some body"), "actor", "1 to 64"),
    BadInput("time without offset", good(ended_at="2026-01-31T09:00:00"), "ended_at", "UTC time"),
    BadInput("impossible day", good(started_at="2026-02-30T09:00:00Z"), "started_at", "UTC time"),
    BadInput("start after end", good(started_at="2026-12-31T09:00:00Z"), "started_at", "not later"),
    BadInput("unknown parent", good(parent_id=UUID), "parent_id", "same project"),
]
