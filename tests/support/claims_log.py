"""A log that holds ruled-out options and decisions, one project-level step each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.execution.fold import EXECUTION_TABLES, ExecutionFold
from agentjournal.log.event import draft
from agentjournal.log.log import Log

if TYPE_CHECKING:
    from agentjournal.log.event import Draft, Kind
    from agentjournal.storage.database import Database

AT = "2026-01-31T09:00:00.000000Z"
SLUG = "shop"


def claims_log(database: Database, slug: str = SLUG) -> Log:
    """Give a migrated log with one project and nothing in it."""
    log = Log(database, [ExecutionFold()], [EXECUTION_TABLES])
    log.migrate()
    body = {"v": 1, "slug": slug, "title": "A shop", "repository": ""}
    write(log, _event(slug, f"project-{slug}", "project", body))
    return log


def write(log: Log, *drafts: Draft) -> None:
    """Append drafts of one stream in one transaction."""
    with log.database.transaction() as tx:
        log.lock_stream(tx, drafts[0].stream)
        log.append(tx, drafts)


def rule_out(number: int, option: str, why: str, *, slug: str = SLUG, **more: str) -> Draft:
    """Compose a step that rules one option out; its claim is `<step id>#1`."""
    return _step(number, slug, {"ruled_out": [{"option": option, "why": why, **more}]})


def decide(number: int, point: str, options: list[str], why: str, *, slug: str = SLUG) -> Draft:
    """Compose a step that decides one point for the first option."""
    decision = {"point": point, "options": options, "chosen": options[0], "why": why}
    return _step(number, slug, {"decisions": [decision]})


def reopen(number: int, claim: str, *, slug: str = SLUG) -> Draft:
    """Compose a person's word that an option may be taken after all."""
    body = {"v": 1, "ruled_out": claim, "why": "The reason is gone."}
    return _event(slug, step_id(number), "reopen", body)


def step_id(number: int) -> str:
    """Give the id of the step with this number."""
    return f"0193a2b4-0000-7000-8000-{number:012x}"


def _step(number: int, slug: str, handoff: dict[str, object]) -> Draft:
    body = {
        "v": 1,
        "revision": 1,
        "action": f"Did step {number}",
        "result": "success",
        "handoff": {"current_state": "It works.", **handoff},
        "ended_at": AT,
    }
    return _event(slug, step_id(number), "step", body)


def _event(slug: str, id_: str, kind: Kind, body: dict[str, object]) -> Draft:
    stream = f"project/{slug}"
    return draft(stream=stream, id=id_, kind=kind, actor="worker-1", at=AT, payload=body)
