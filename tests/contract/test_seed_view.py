"""The view `journal`: the seed's own columns, for other tools on the same database."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from agentjournal.execution.contract import read_step
from agentjournal.execution.write import log_step
from agentjournal.log.revoke import retract
from agentjournal.storage.statement import load_statements
from support.workshop import SLUG, open_log, workshop

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.storage.database import Database

SQL = load_statements("support", "seed_view.sql")
FORM = {
    "result": "success",
    "action": "Wrote the reader",
    "current_state": "It reads.",
    "log": "50% done: then all of it",
    "artifacts": [{"kind": "commit", "ref": "abc123"}],
    "started_at": "2026-09-01T09:00:00Z",
}


def test_the_seed_s_columns_can_be_read_by_other_tools(database: Database, tmp_path: Path):
    log = open_log(database)
    shop = workshop(log, tmp_path)
    envelope = {
        "id": shop.new_id(),
        "project_slug": SLUG,
        "plan_ref": "T-1",
        "actor": "ada",
        "ended_at": shop.now(),
    }
    step = log_step(log, read_step(FORM, source="log", defaults=envelope), new_id=shop.new_id)
    [row] = database.rows(SQL["journal"])
    assert (row["project_slug"], row["plan_ref"], row["actor"]) == (SLUG, "T-1", "ada")
    assert (row["action"], row["result"], row["log"]) == (FORM["action"], "success", FORM["log"])
    assert json.loads(str(row["artifacts"])) == FORM["artifacts"]
    assert json.loads(str(row["handoff"]))["current_state"] == "It reads."
    assert row["started_at"] == "2026-09-01T09:00:00.000000Z"
    assert str(row["ended_at"]) >= str(row["started_at"])
    retract(log, step.id, event_id=shop.new_id(), actor="ada", at=shop.now(), why="wrong")
    assert database.rows(SQL["journal"]) == []
