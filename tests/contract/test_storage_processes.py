"""Many processes at one store: nothing lost, nobody refused, and who waits too long is told why."""

from __future__ import annotations

import pytest

from agentjournal.errors import StoreBusyError
from agentjournal.storage.open import open_database
from support.thing import ALL, GROW, SIZE, with_things


def test_eight_processes_increment_one_counter_and_none_is_lost_or_refused(
    database, location, child
):
    with_things(database, "a")
    children = [child("grow", location, "200") for _ in range(8)]
    for process in children:
        process.go()
    for process in children:
        process.end()
    assert database.rows(SIZE, name="a") == [{"size": 1600}]


def test_a_writer_that_waits_too_long_is_told_that_the_store_is_busy(database, location, child):
    with_things(database, "a")
    holder = child("hold", location, "a")
    holder.go()
    holder.wait_for("holding")
    impatient = open_database(location, busy_wait=0.05)
    with pytest.raises(StoreBusyError) as caught, impatient.transaction() as transaction:
        transaction.run(GROW, name="a")
    if impatient.engine == "sqlite":
        assert f"store busy, held by pid {holder.process.pid}" in str(caught.value)
    assert impatient.rows(ALL)[0]["size"] == 0, "reading needs no queue"
    holder.go()
    holder.end()
    with impatient.transaction() as transaction:
        transaction.run(GROW, name="a")
    assert impatient.rows(SIZE, name="a") == [{"size": 2}]
    impatient.close()


def test_a_writer_that_is_killed_leaves_the_store_free(database, location, child):
    with_things(database, "a")
    holder = child("hold", location, "a")
    holder.go()
    holder.wait_for("holding")
    holder.process.kill()
    holder.process.wait()
    with database.transaction() as transaction:
        transaction.run(GROW, name="a")
    assert database.rows(SIZE, name="a") == [{"size": 1}]
