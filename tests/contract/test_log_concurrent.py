"""Writers of one store wait for one another, whatever they do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from agentjournal.log.rebuild import rebuild
from agentjournal.log.revoke import retract
from agentjournal.log.seal import seal_pending
from agentjournal.log.transfer import export
from agentjournal.log.verify import inspect, verify
from support.example_fold import AT, example_log, note, projections, write

WRITERS = 6


@pytest.fixture
def log(database):
    return example_log(database)


def together(*jobs):
    with ThreadPoolExecutor(len(jobs)) as pool:
        futures = [pool.submit(job) for job in jobs]
        return [future.result() for future in futures]


def test_many_writers_of_one_stream_leave_no_gap(log):
    def writer(name):
        return [write(log, note(f"{name}-{n}"))[0].seq for n in range(12)]

    taken = together(*(lambda name=name: writer(name) for name in range(WRITERS)))

    assert sorted(seq for seqs in taken for seq in seqs) == list(range(1, WRITERS * 12 + 1))
    assert all(first < second for seqs in taken for first, second in pairwise(seqs))
    assert verify(log).is_good


def test_many_retries_of_one_event_get_one_answer(log):
    answers = together(*(lambda: write(log, note("a", "x")) for _ in range(WRITERS)))

    assert all(answer == answers[0] for answer in answers)
    assert len(projections(log)[0]) == 1


def test_many_first_writers_of_a_stream_make_it_once(log):
    def writer(name):
        for n in range(5):
            write(log, note(f"{name}-{n}", stream=f"project/p{n}"))

    together(*(lambda name=name: writer(name) for name in range(WRITERS)))

    assert verify(log).is_good
    assert [row["events"] for row in projections(log)[1]] == [WRITERS] * 5


def test_everything_at_once_stays_sound(log):
    write(log, note("first"), *(note(f"r{n}") for n in range(6)))

    def writer(name):
        for n in range(10):
            write(log, note(f"{name}-{n}", stream=f"project/{'pq'[n % 2]}"))

    def revoker():
        for n in range(6):
            retract(log, f"r{n}", event_id=f"x{n}", actor="ada", at=AT, why="wrong")

    def keeper():
        for _ in range(5):
            rebuild(log)
            seal_pending(log, minimum=1)
            assert inspect(log).is_good
            assert list(export(log))[-1].startswith('{"end"')

    together(lambda: writer("a"), lambda: writer("b"), revoker, keeper, keeper)

    before = projections(log)
    rebuild(log)
    assert projections(log) == before
    assert verify(log).is_good
    assert inspect(log).unsealed == ()
