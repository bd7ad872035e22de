"""Takes the transcripts below a folder into the measurement file; again is harmless."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from agentjournal.errors import NotFoundError
from agentjournal.usage.call import Break, Call, Touch
from agentjournal.usage.subject import Subject
from agentjournal.usage.transcripts.breaks import broken_turns
from agentjournal.usage.transcripts.claude import Claude, is_claude
from agentjournal.usage.transcripts.codex import Codex, is_codex
from agentjournal.usage.transcripts.lines import Lines

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from agentjournal.usage.measurements import Measurements
    from agentjournal.usage.transcripts.session import Agent

__all__ = ["Imported", "read_transcripts", "take_in"]

_LOOK = 20  # lines in which a transcript shows whose it is


@dataclass(frozen=True, kw_only=True)
class Imported:
    """What was found, and how much of it was new to the measurement file."""

    files: int
    sessions: int
    agents: int
    calls: int
    touches: int
    breaks: int
    new: int
    unreadable_lines: int


@dataclass(frozen=True)
class Transcripts:
    """The agents of every transcript below a folder."""

    agents: list[Agent]
    files: int
    unreadable: int


def read_transcripts(folder: Path) -> Transcripts:
    """Read every transcript of Claude Code and Codex at or below a path.

    Raises:
        NotFoundError: there is nothing at that path.
    """
    if not folder.exists():
        raise NotFoundError(
            f"There is no {folder}.", next="Give ~/.claude/projects, ~/.codex/sessions or a copy."
        )
    claude, codex, files, unreadable = Claude(), Codex(), 0, 0
    found = [folder] if folder.is_file() else sorted(folder.rglob("*.jsonl"))
    for path in found:
        if not path.is_file():
            continue
        head = list(islice(Lines(path), _LOOK))
        reader = (
            claude if any(map(is_claude, head)) else codex if any(map(is_codex, head)) else None
        )
        if reader is not None:
            lines = Lines(path)
            reader.take(path, lines)
            files += 1
            unreadable += lines.unreadable
    agents = [
        agent for agent in (*claude.finish(), *codex.finish()) if agent.turns or agent.touches
    ]
    return Transcripts(agents, files, unreadable)


def take_in(
    measurements: Measurements,
    folder: Path,
    *,
    resolve: Callable[[str], tuple[str, str] | None] = lambda _: None,
) -> Imported:
    """Store what the transcripts say; `resolve` gives project and task of an attempt's token digest."""
    transcripts = read_transcripts(folder)
    rows = [row for agent in transcripts.agents for row in _rows(agent, resolve)]
    new = measurements.store(rows)
    return Imported(
        files=transcripts.files,
        sessions=len({(agent.program, agent.session) for agent in transcripts.agents}),
        agents=len(transcripts.agents),
        calls=_count(rows, Call),
        touches=_count(rows, Touch),
        breaks=_count(rows, Break),
        new=new,
        unreadable_lines=transcripts.unreadable,
    )


def _rows(
    agent: Agent, resolve: Callable[[str], tuple[str, str] | None]
) -> Iterator[Call | Break | Touch]:
    project, task = (agent.attempt and resolve(agent.attempt)) or (None, None)
    subject = Subject(
        component=agent.component,
        owner=agent.session,
        project=project,
        task=task,
        attempt=agent.attempt,
        thread=agent.thread,
    )
    turns = list(agent.turns.values())
    for turn in turns:
        model = turn.usage.model or ""
        yield Call(
            id=turn.id, at=turn.at, usage=turn.usage, subject=subject, model=model, source="import"
        )
    yield from broken_turns(turns, subject)
    name = f"{agent.program}/{agent.session}/{agent.thread or ''}"
    for number, touched in enumerate(agent.touches):
        yield Touch(
            id=f"touch/{name}/{number}",
            at=touched.at,
            subject=subject,
            kind=touched.kind,
            path=touched.path,
        )


def _count(rows: Iterable[object], kind: type) -> int:
    return sum(isinstance(row, kind) for row in rows)
