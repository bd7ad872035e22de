"""A person's word: on a task, on a ruled-out option, and on work found on the way."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.errors import ConflictError, Fault, NotFoundError
from agentjournal.execution.certain import certain
from agentjournal.execution.fields import ENVELOPE
from agentjournal.execution.payload import without_secrets
from agentjournal.execution.projection.change import first, stream_of
from agentjournal.execution.record import compose_reopened
from agentjournal.execution.references import project_faults, task_faults
from agentjournal.execution.rules import Shape, Text, Word, described, refuse
from agentjournal.execution.settle import settle
from agentjournal.log.event import draft
from agentjournal.storage.statement import load_statements

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from agentjournal.log.event import Draft, Kind
    from agentjournal.log.log import Log
    from agentjournal.storage.database import Reader, Row

__all__ = ["Said", "Verb", "discover", "reopen_ruled_out", "resolve"]

ATTEMPT = load_statements("agentjournal.execution", "sql/fold/attempt.sql")
CLAIM = load_statements("agentjournal.execution", "sql/fold/claim.sql")
PLAN = load_statements("agentjournal.execution", "sql/fold/plan.sql")

Verb = Literal["retry", "skip", "done"]

_WHY = Text(cap=400, remedy="Say why in a sentence or two.")
_RESOLVE = Shape(
    {"verb": Word(get_args(Verb)), "why": _WHY, "actor": ENVELOPE["actor"]},
    frozenset({"verb", "why", "actor"}),
)
_REOPEN = Shape({"why": _WHY, "actor": ENVELOPE["actor"]}, frozenset({"why", "actor"}))
_DISCOVER = Shape(
    {
        "title": Text(cap=200, lines="one", remedy="Shorten it; the rest belongs in `text`."),
        "text": Text(cap=4000, remedy="Shorten it."),
        "actor": ENVELOPE["actor"],
    },
    frozenset({"title", "actor"}),
)


@dataclass(frozen=True, kw_only=True)
class Said:
    """What was recorded: the event, what it is about, and what was taken out of its text."""

    id: str
    seq: int
    about: str
    is_repeat: bool = False
    redacted: tuple[str, ...] = ()


def resolve(  # noqa: PLR0913 - the columns
    log: Log, slug: str, task: str, verb: Verb, why: str, *, event_id: str, actor: str, at: str
) -> Said:
    """Give a person's word on a task: `retry` for a fresh count, `skip`, or `done`.

    `retry` keeps what is ruled out; `done` holds, dependencies or not. The same id again gives the
    first answer.

    Raises:
        InputError: a value breaks its rule, or there is no such project or task.
        ConflictError: the id is stored with other content.
    """
    given = {"verb": verb, "why": why, "actor": actor}
    refuse("The word on the task", list(_RESOLVE.faults("", given)))
    word = _Word("resolve", slug, event_id, actor, at, {"task": task, "verb": verb, "why": why})
    return _say(log, word, task, lambda reader: task_faults(reader, slug, task, field="task"))


def reopen_ruled_out(  # noqa: PLR0913 - the columns
    log: Log,
    item: str,
    why: str,
    *,
    event_id: str,
    actor: str,
    at: str,
    new_id: Callable[[], str],
) -> Said:
    """Take an option out of the ruled-out ones, and leave a line in the record that says so.

    From then on only the audit shows it. `new_id` makes the id of the event that moves the record's
    floor, where the line needs that.

    Raises:
        InputError: a value breaks its rule.
        NotFoundError: there is no such item.
        ConflictError: it is out of force already, or the id is stored with other content.
    """
    refuse("The word on the option", list(_REOPEN.faults("", {"why": why, "actor": actor})))
    with log.database.snapshot() as reader:
        row = _item(reader, item)
    body = {"ruled_out": item, "why": why}
    line = partial(
        compose_reopened, task=str(row["task"] or ""), actor=actor, option=str(row["what"])
    )
    word = _Word("reopen", str(row["slug"]), event_id, actor, at, body, line)
    return _say(log, word, item, lambda reader: _standing_faults(reader, item), new_id)


def discover(  # noqa: PLR0913 - the columns
    log: Log,
    slug: str,
    title: str,
    *,
    from_task: str | None = None,
    text: str = "",
    event_id: str,
    actor: str,
    at: str,
) -> Said:
    """Record work that was found on the way: it becomes the next of U-001, U-002, ...

    Raises:
        InputError: a value breaks its rule, or there is no such project or task.
        ConflictError: the id is stored with other content.
    """
    given = {"title": title, "text": text, "actor": actor}
    refuse("The discovered work", list(_DISCOVER.faults("", given)))
    body = {"title": title, "from_task": from_task, "text": text}
    word = _Word("discovered", slug, event_id, actor, at, {k: v for k, v in body.items() if v})
    said = _say(log, word, "", lambda reader: _origin_faults(reader, slug, from_task))
    with log.database.snapshot() as reader:
        made = first(reader, PLAN["discovered_by"], slug=slug, discovery=event_id)
    return replace(said, about=str(made["task"]) if made else "")


@dataclass(frozen=True)
class _Word:
    kind: Kind
    slug: str
    id: str
    actor: str
    at: str
    body: Mapping[str, object]
    line: Callable[..., str] | None = None  # of the record, from its `why`

    def drafted(self) -> tuple[Draft, tuple[str, ...]]:
        """Make the event, and say what was taken out of its text."""
        body, redacted = without_secrets({"v": 1, **self.body})
        event = draft(
            stream=stream_of(self.slug),
            id=self.id,
            kind=self.kind,
            actor=self.actor,
            at=self.at,
            payload=body,
            turn=self.line(why=str(body["why"])) if self.line else None,
        )
        return event, redacted


def _say(
    log: Log,
    word: _Word,
    about: str,
    faults: Callable[[Reader], Iterator[Fault]],
    new_id: Callable[[], str] | None = None,
) -> Said:
    """Append one event, once; `faults` are looked for where it is not stored yet."""
    drafted, redacted = word.drafted()
    with log.database.snapshot() as reader:
        refuse("It", list(project_faults(reader, word.slug)))

    def say() -> Said:
        with log.database.transaction() as tx:
            log.lock_stream(tx, drafted.stream)
            is_repeat = log.find(tx, word.id) is not None
            if not is_repeat:
                refuse("It", list(faults(tx)))
            stored = log.append(tx, [drafted])[0]
            if new_id and not is_repeat:
                settle(log, tx, stored, new_id)
        return Said(
            id=stored.id, seq=stored.seq, about=about, is_repeat=is_repeat, redacted=redacted
        )

    return certain(say)


def _item(reader: Reader, item: str) -> Row:
    row = first(reader, CLAIM["ruled_out"], id=item)
    if row is None:
        raise NotFoundError(
            f"There is no ruled-out item {item!r}.", next="Copy its id from `agentjournal why`."
        )
    return row


def _standing_faults(reader: Reader, item: str) -> Iterator[Fault]:
    row = _item(reader, item)
    if not row["is_in_force"]:
        raise ConflictError(
            f"{item} is out of force already, by {row['superseded_by']!s}.",
            next="Nothing needs to be done.",
        )
    yield from ()


def _origin_faults(reader: Reader, slug: str, task: str | None) -> Iterator[Fault]:
    if task is not None and first(reader, ATTEMPT["task"], slug=slug, task=task) is None:
        yield Fault(
            field="from_task",
            rule="is a task of the plan",
            got=described(task),
            remedy="Leave it out where none led to it.",
        )
