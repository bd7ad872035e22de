"""Writes where a project stands: what needs somebody first, ids as ranges."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from agentjournal.execution.caps import STATE
from agentjournal.execution.citation import quoted_line
from agentjournal.execution.drift import drift_lines
from agentjournal.execution.layout import Item, Part, fill, left_out_line, with_last_line
from agentjournal.execution.ranges import shown_ranges
from agentjournal.text.bounded import size

if TYPE_CHECKING:
    from agentjournal.execution.layout import Composed
    from agentjournal.execution.state.model import Flight, ProjectState, Trouble

__all__ = ["render_state"]

TITLE_BYTES = 80
WHY_BYTES = 140
RANGE_BYTES = 120
FIRST = 3  # lines of a part before any other part's rest
NAMED_ABOVE = ("ready", "failed", "blocked", "in_flight")
GATES = ("in_scope", "ask", "deny", "not_evaluated", "leaked")


def render_state(state: ProjectState, cap: int) -> str:
    """Write the state; a last line counts what was left out and says how to get it."""
    parts = _parts(state)
    more = f"agentjournal state {state.project} --bytes {STATE.ceiling}"
    if cap >= STATE.ceiling:
        more = f"agentjournal history {state.project} --task ID"

    def compose(reserved: int) -> Composed:
        lines = _head(state)
        filled = fill(parts, cap - reserved - sum(size(line) + 1 for line in lines) + 1)
        return [*lines, *filled.lines], filled.left_out

    everything = sum((part.left_out for part in parts), Counter[str]())
    return with_last_line(compose, everything, lambda left: left_out_line(left, more))


def _head(state: ProjectState) -> list[str]:
    title = quoted_line(state.title, TITLE_BYTES)
    is_cited = any(each.citation for each in (*state.blocked, *state.failed))
    legend = ". Brackets: actor, step, revision" if is_cited else ""
    lines = [f"{state.project}: {title}, plan revision {state.revision}{legend}"]
    return [*lines, *drift_lines(state.revision, is_drifted=state.is_drifted)]


def _parts(state: ProjectState) -> list[Part]:
    answer = f"agentjournal resolve {state.project} TASK --retry|--skip|--done --why TEXT"
    return [
        _single("counts", _counts(state)),
        _troubles(f"Blocked, waits for a person: {answer}", "blocked", state.blocked, state),
        _troubles("Failed, another attempt allowed:", "failed", state.failed, state),
        _flights(state),
        _single("next", _next(state)),
        _single("discovered", _discovered(state)),
        _single("quarantined", _quarantined(state)),
        _single("gates", _gates(state)),
        _ids(state),
        _containers(state),
    ]


def _single(kind: str, text: str, when: int = 0) -> Part:
    return Part(heading="", items=[Item(text=text, kind=kind, round=when)] if text else ())


def _counts(state: ProjectState) -> str:
    words = [f"{word} {len(ids)}" for word, ids in state.ids.items()]
    done, optional = state.optional
    extra = [f"optional {done} of {optional} done"] if optional else []
    total = sum(map(len, state.ids.values()))
    return f"{total} tasks: {', '.join([*words, *extra]) or 'none'}"


def _troubles(heading: str, word: str, troubles: tuple[Trouble, ...], state: ProjectState) -> Part:
    items = [
        Item(text=_trouble(each), kind=word, round=1 if at < FIRST else 3, count=len(each.tasks))
        for at, each in enumerate(troubles)
    ]
    total = len(state.ids.get(word, ())) + len(state.discovered.get(word, ()))  # type: ignore[call-overload]  # a word
    unread = {word: total - sum(item.count for item in items)}
    return Part(heading=heading, items=items, unread=unread)


def _trouble(trouble: Trouble) -> str:
    said = f". {quoted_line(trouble.why, WHY_BYTES)} {trouble.citation}" if trouble.why else ""
    return f"- {shown_ranges(trouble.tasks, RANGE_BYTES)}: {trouble.detail}{said}".rstrip()


def _flights(state: ProjectState) -> Part:
    items = [
        Item(text=_flight(flight), kind="in flight", round=1 if at < FIRST else 3)
        for at, flight in enumerate(state.flights)
    ]
    total = len(state.ids.get("in_flight", ())) + len(state.discovered.get("in_flight", ()))
    return Part(heading="In flight:", items=items, unread={"in flight": max(total - len(items), 0)})


def _flight(flight: Flight) -> str:
    lease = f"leased until {flight.until[:19]}Z" if flight.is_alive else "lease ran out"
    return f"- {flight.task} attempt {flight.attempt} by {flight.actor}, {lease}"


def _next(state: ProjectState) -> str:
    if state.next:
        first, *others = state.next
        then = f"; then {shown_ranges(others, RANGE_BYTES)}" if others else ""
        return f"Next: {first} {quoted_line(state.next_title, TITLE_BYTES)}{then}"
    is_open = set(state.ids) - {"done", "stale", "skipped"}
    return f"Next: none, {'see above' if is_open else 'the plan is carried out'}"


def _discovered(state: ProjectState) -> str:
    words = [f"{word} {shown_ranges(ids, RANGE_BYTES)}" for word, ids in state.discovered.items()]
    return f"Discovered: {', '.join(words)}" if words else ""


def _quarantined(state: ProjectState) -> str:
    count = state.quarantined
    return f"Quarantined steps, their token is unknown: {count}" if count else ""


def _gates(state: ProjectState) -> str:
    counts = [f"{name} {state.gates[name]}" for name in GATES if state.gates.get(name)]
    return f"Gates: {', '.join(counts) or 'no evidence'}"


def _ids(state: ProjectState) -> Part:
    """Name the tasks of each word that the lines above do not name already."""
    items = [
        Item(text=f"- {word}: {shown_ranges(ids, RANGE_BYTES)}", kind="id ranges", round=2)
        for word, ids in state.ids.items()
        if word not in NAMED_ABOVE or (word != "ready" and len(ids) > FIRST)
    ]
    return Part(heading="Ids:", items=items)


def _containers(state: ProjectState) -> Part:
    text = ", ".join(f"{quoted_line(id_)} ({detail})" for id_, detail in state.containers)
    return _single("containers", f"Containers: {text}" if text else "", 2)
