"""The universal condition, of whole commands: everything that may be wrong after kills, found and named.

`faults` looks at the store in a forked process, as anybody who opens it would, and compares it with
what was noted outside of it.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import traceback
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentjournal.execution.dispatch import load_statuses
from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.execution.policy import DEFAULT_LIMITS
from agentjournal.execution.reap import open_attempts
from agentjournal.log.log import Log
from agentjournal.log.verify import inspect
from agentjournal.storage.open import open_database
from agentjournal.storage.statement import parse_statement
from support.command_kills_site import SLUG

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from agentjournal.log.event import Event
    from agentjournal.storage.database import Reader
    from support.command_kills_site import Site

_UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_ACKNOWLEDGED = re.compile(rf"^{_UUID}$|(?<=closed as step ){_UUID}", re.MULTILINE)
_TOKEN = re.compile(rb"aj-[a-z2-7]{26}")
_STREAM = f"project/{SLUG}"
_PATIENCE = 10.0


def faults(site: Site, *, is_over: bool = True) -> list[str]:
    """Say everything that is wrong; `is_over`: the plan has to be done, and nobody at work."""
    found = _orphans(site) if is_over else []
    found += [f"two at work on {task}" for task, _pid in site.notes("overlap")]
    return found + _in_a_fork(partial(_store_faults, site, is_over=is_over))


def processes(site: Site) -> list[int]:
    """Give every living process of the trial, found by the marker in its environment."""
    marker = f"KILL_TRIAL={site.folder}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                environment = (entry / "environ").read_bytes()
            except OSError:
                continue
            if marker in environment.split(b"\0"):
                found.append(int(entry.name))
    return found


def _orphans(site: Site) -> list[str]:
    """Name who still runs; one that is about to notice that nobody waits for it may end."""
    end = time.monotonic() + _PATIENCE
    while (left := processes(site)) and not _is_at_work(site, left) and time.monotonic() < end:
        os.sched_yield()
    return [f"still running: {pid}" for pid in left]


def _is_at_work(site: Site, pids: Iterable[int]) -> bool:
    begun = {int(pid) for word in ("begin", "overlap") for _, pid in site.notes(word)}
    return not begun.isdisjoint(pids)


def waiting(site: Site) -> list[tuple[str, str]]:
    """Give each task that waits for a person, and why."""
    return [(task, why) for task, why in _in_a_fork(partial(_waiting, site))]


def _waiting(site: Site) -> list[tuple[str, str]]:
    log = _log(site)
    with log.database.snapshot() as reader:
        status = load_statuses(reader, SLUG, DEFAULT_LIMITS)[1]
    log.database.close()
    return [(task, each.detail) for task, each in status.items() if each.word == "blocked"]


def _log(site: Site) -> Log:
    return Log(open_database(site.database), [ExecutionFold()], [EXECUTION_TABLES])


def _in_a_fork(ask: Callable[[], list[Any]]) -> list[Any]:
    """Ask in a process of its own, so that this one never has the store open."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            answer = json.dumps(ask()).encode()
            with os.fdopen(writing, "wb") as pipe:
                pipe.write(answer)
            os._exit(0)
        except BaseException:  # noqa: BLE001 - a forked check must not go on as its parent
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        answer = pipe.read()
    if os.waitpid(pid, 0)[1]:
        sys.exit("the store could not be read")
    return json.loads(answer)


def _store_faults(site: Site, *, is_over: bool) -> list[str]:
    log = _log(site)
    found = [f"verify: {damage}" for damage in inspect(log).faults]
    with log.database.snapshot() as reader:
        events = list(log.all_events(reader, _STREAM))
        found += _sequence(events) + _acknowledged(site, events) + _repeats(events)
        found += _handed(site, events, least=1 if is_over else 0) + _tokens(site, reader)
        found += _unfinished(site, reader) if is_over else []
    log.database.close()
    return found


def _sequence(events: list[Event]) -> list[str]:
    has_gap = [event.seq for event in events] != list(range(1, len(events) + 1))
    return ["seq has gaps"] if has_gap else []


def _acknowledged(site: Site, events: list[Event]) -> list[str]:
    """What a command printed as stored is stored, once."""
    told = {
        found
        for path in (*site.outside.glob("*.out"), *site.outside.glob("*.err"))
        for found in _ACKNOWLEDGED.findall(path.read_text())
    }
    times = Counter(event.id for event in events)
    lost = [f"lost: {each}" for each in sorted(told - times.keys())]
    return lost + [f"twice: {each}" for each, count in times.items() if count > 1]


def _repeats(events: list[Event]) -> list[str]:
    """No words stand in two closes, and no attempt is closed twice."""
    closes = [event.body for event in events if event.kind == "close"]
    words = Counter(
        json.dumps([body.get(name) for name in ("plan_ref", "action", "log", "handoff")])
        for body in closes
        if "handoff" in body
    )
    ends = Counter(str(body.get("attempt")) for body in closes if "attempt" in body)
    found = [f"twice by content: {each}" for each, count in words.items() if count > 1]
    return found + [f"closed {n} times: attempt {each}" for each, n in ends.items() if n > 1]


def _handed(site: Site, events: list[Event], *, least: int) -> list[str]:
    """What a worker handed off is counted once, by its own word; at first it may wait on its desk."""
    actions = [str(event.body["action"]) for event in events if event.kind == "close"]
    found = []
    for task, word in site.notes("handed"):
        times = sum(action.endswith(word) for action in actions)
        found += [] if least <= times <= 1 else [f"{task}: {word} counted {times} times"]
    return found


def _tokens(site: Site, reader: Reader) -> list[str]:
    """No token lies in the store or the spool, deleted or not."""
    tables = {
        name: json.dumps(reader.rows(parse_statement("all", f"SELECT * FROM {{schema}}{name}")))  # noqa: S608 - our tables
        for name in reader.tables()
    }
    texts = {name: text.encode() for name, text in tables.items()}
    if reader.engine == "sqlite":
        store = Path(site.database)
        texts |= {each.name: each.read_bytes() for each in store.parent.glob(f"{store.name}*")}
    spool = site.folder / "data" / "agentjournal" / "spool"
    texts |= {each.name: each.read_bytes() for each in spool.rglob("*") if each.is_file()}
    return [f"a token in {name}" for name, text in texts.items() if _TOKEN.search(text)]


def _unfinished(site: Site, reader: Reader) -> list[str]:
    found = [f"open: {each.task} attempt {each.number}" for each in open_attempts(reader, SLUG)]
    for task, status in load_statuses(reader, SLUG, DEFAULT_LIMITS)[1].items():
        found += [] if status.word == "done" else [f"{task} is {status}"]
    return found + [
        f"not written: {task}.txt"
        for task in {task for task, _word in site.notes("handed")}
        if not (site.project / f"{task}.txt").exists()
    ]
