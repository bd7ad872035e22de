"""The parsers of foreign bytes, with seeds, as the fuzzer takes them; and three with planted faults."""

from __future__ import annotations

import contextlib
import json
import tempfile
import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.section import split
from agentjournal.errors import InputError
from agentjournal.execution.ending import Ending
from agentjournal.execution.form import form
from agentjournal.execution.handed import read_handed
from agentjournal.execution.payload import payload_of
from agentjournal.execution.plan import read_plan, waits
from agentjournal.execution.salvage import salvage
from agentjournal.log.line import read_line
from agentjournal.storage.sqlite import Sqlite
from agentjournal.text.canonical import canonical_json
from agentjournal.usage.measurements import Measurements
from agentjournal.usage.normalise import normalise
from agentjournal.usage.record import DIALECTS
from agentjournal.usage.transcripts.take_in import read_transcripts, take_in
from agentjournal.usage.wire.streams import EventFrames, EventLines
from support.hostile_documents import REFUSED, SHOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

DATA = Path(__file__).parents[1] / "data"
AT = "2026-11-30T09:00:00.000000Z"
ENDING = Ending(
    id="019a0000-0000-7000-8000-000000000001",
    project_slug="shop",
    plan_ref="T-001",
    attempt="0" * 64,
    actor="worker-1",
    ended_at=AT,
    end="crashed",
)


@dataclass(frozen=True)
class Parser:
    """What is fed with bytes, and raises nothing but what `parse` itself takes for a refusal."""

    parse: Callable[[bytes], object]
    seeds: Sequence[bytes] = ()


def document(data: bytes) -> None:
    read = read_document("some-file.md", data)
    if isinstance(read, Document):
        repr(read).encode("utf-8", "surrogatepass")
        split(data.decode("utf-8-sig"))


def plan(data: bytes) -> None:
    read = read_plan(data, "plan.md")
    if read.plan is not None:
        waits(read.plan.tasks, set())


def transcripts(data: bytes) -> None:
    """Take the lines in as `usage import` does, down to the rows of the measurement file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "session.jsonl"
        path.write_bytes(data)
        if read_transcripts(path).agents:  # of most inputs nothing is stored: make no store then
            with closing(Sqlite(":memory:")) as store:
                take_in(Measurements(store), path)


def usage(data: bytes) -> None:
    for body in (EventLines(), EventFrames()):
        body.feed(data)
        with contextlib.suppress(ValueError):  # what an answer's reader takes for unreadable
            normalise(body.finish())
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return
    for dialect in (*DIALECTS, "auto"):
        normalise(body, dialect)


def handoff(data: bytes) -> None:
    """Read what a worker left: at its end nothing is refused, so what is not valid is kept."""
    handed = read_handed(ENDING, data.decode("utf-8", "replace"), "file")
    if handed.step:
        payload_of(handed.step)
    else:
        salvage(handed.fields)


def export_line(data: bytes) -> None:
    with contextlib.suppress(InputError):
        read_line(2, data.decode("utf-8", "replace"))


def planted_error(data: bytes) -> None:
    """Break where four bytes follow each other: chance alone would need four thousand million tries."""
    if data[:1] == b"F" and data[1:2] == b"U" and data[2:3] == b"Z" and data[3:4] == b"Z":
        raise KeyError("planted")


def planted_wait(data: bytes) -> None:
    """Take two seconds of processor time for two bytes."""
    if data[:1] == b"[" and data[1:2] == b"[":
        end = time.process_time() + 2
        while time.process_time() < end:
            pass


def planted_growth(data: bytes) -> None:
    """Take 512 MB for one byte."""
    if data[:1] == b"&":
        bytearray(b"x") * (512 << 20)


def _lines(path: Path) -> list[bytes]:
    lines = path.read_bytes().splitlines(keepends=True)
    return [*lines, b"".join(lines[:20])]


def _texts(values: Iterable[object]) -> list[bytes]:
    return [value.encode() for value in values if isinstance(value, str)]


def _bodies() -> list[bytes]:
    cases = json.loads((DATA / "usage" / "cases.json").read_bytes())
    bodies = [json.dumps(case["body"]).encode() for case in cases]
    return [*bodies, *(b"data: " + body + b"\n\n" for body in bodies)]


def _forms() -> list[bytes]:
    filled = {
        "result": "failed",
        "action": "try",
        "current_state": "x",
        "next_step": "y",
        "ruled_out": [{"option": "a", "why": "b", "reopen_if": "date 2027-01-01"}],
        "decisions": [{"point": "p", "options": ["a", "b"], "chosen": "a", "why": "w"}],
        "touches": [{"kind": "file", "name": "src/a.py"}],
        "artifacts": [{"kind": "commit", "ref": "abc"}],
        "token_usage": {"input_tokens": 1, "output_tokens": 2},
        "started_at": AT,
        "log": "text",
    }
    text = json.dumps(filled)
    results = ("success", "failed", "partial", "gated", "skipped")
    return _texts([text, f"Done.\n```handoff\n{text}\n```\n", *map(form, results)])


def _exported() -> list[bytes]:
    event = {
        "actor": "ada",
        "at": AT,
        "digest": "0" * 64,
        "id": "e1",
        "kind": "step",
        "payload": '{"v":1}',
        "recorded_at": AT,
        "seq": 1,
        "stream": "project/p",
        "turn": None,
    }
    seal = {"first_seq": 1, "last_seq": 1, "sha256": "0" * 64, "stream": "project/p"}
    end = {"events": 1, "seals": 1, "sha256": "0" * 64}
    return _texts(map(canonical_json, ({"event": event}, {"seal": seal}, {"end": end})))


# What bytes changed one by one would seldom become.
WORDS = (
    *("null", "true", "[]", "{}", '""', "-1", "1e999", "NaN", "9007199254740993", "0.5", "[[[["),
    *("\\ud800", "\\u0000", "\\u202e", "\x00", "\x1b", "\u2028", "\ufeff", "\r\n", "\t"),
    *("0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00", "2026-02-30", "2026-W01"),
    *(
        "---\n",
        "```handoff\n",
        "```\n",
        "- [ ] ",
        "### ",
        "| ",
        "data: ",
        "<!--",
        "-->",
        "&a ",
        "*a",
    ),
    *("!!python/name:os", "? ", "|\n", ">-\n", "depends on ", "T-001", "../", "reopen_if"),
)
PARSERS = {
    "document": Parser(document, _texts((*REFUSED.values(), *SHOWN.values()))),
    "plan": Parser(plan, [path.read_bytes() for path in sorted(DATA.glob("plans/*"))]),
    "transcripts": Parser(
        transcripts,
        [line for path in sorted(DATA.glob("usage/hosts/*.jsonl")) for line in _lines(path)],
    ),
    "usage": Parser(usage, _bodies()),
    "handoff": Parser(handoff, _forms()),
    "export-line": Parser(export_line, _exported()),
}
PLANTED = {
    "planted-error": Parser(planted_error),
    "planted-wait": Parser(planted_wait),
    "planted-growth": Parser(planted_growth),
}
