"""One long history on both engines: what they project of it is the same."""

import json
from collections import Counter
from random import Random

from agentjournal.log.rebuild import rebuild
from agentjournal.log.verify import verify
from agentjournal.storage.database import Database
from support.clock import SettableClock
from support.execution import dump, events
from support.histories import KINDS, History

KINDS_OF_EVENT = (
    "attempt",
    "step",
    "close",
    "discovered",
    "resolve",
    "reopen",
    "retract",
    "redact",
)


def in_order(database: Database) -> list[list[str]]:
    return [sorted(map(str, table)) for table in json.loads(dump(database))]


def test_a_long_history_is_projected_alike_live_and_rebuilt(
    database: Database, clock: SettableClock
) -> None:
    chance = Random(20260131)  # noqa: S311 - a history, no secret
    moves = [
        (chance.randrange(KINDS), chance.randrange(2000), chance.randrange(2000))
        for _ in range(200)
    ]
    history = History(database, clock)
    history.play(moves)
    assert verify(history.log).is_good
    told = Counter(event.kind for event in events(history.log))
    assert min(told[kind] for kind in KINDS_OF_EVENT) >= 3
    before = in_order(database)
    rebuild(history.log)
    assert in_order(database) == before
    assert verify(history.log).is_good
