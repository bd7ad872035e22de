"""Whatever befalls an owner's journal: it extends, loses nothing, and is the same in every process."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from agentjournal.errors import AgentJournalError
from agentjournal.journal.consolidation import Consolidation
from agentjournal.journal.journal import Journal
from agentjournal.journal.prefix import is_cache_safe
from agentjournal.lanes.archive.search import search_archive
from agentjournal.lanes.event import Signature, turn_draft
from agentjournal.lanes.kept import KeptJournal
from agentjournal.lanes.lane import read_lane
from agentjournal.lanes.record import record_turn
from agentjournal.lanes.rewrite import append_ledger, clear, consolidate_lane
from agentjournal.lanes.transfer import export_snapshot, import_snapshot
from agentjournal.lanes.turn import Turn, composed, prepare
from agentjournal.log.rebuild import rebuild
from agentjournal.log.revoke import redact, retract
from agentjournal.log.verify import inspect
from agentjournal.storage.postgres import Postgres
from agentjournal.storage.sqlite import Sqlite
from support.lane_model import LaneModel
from support.lanes import AT, lane_log

LAYOUTS = {"lane/council": "v1", "agent/shop/ann": "v1", "item/7": "v2"}
OWNERS = st.sampled_from(sorted(LAYOUTS))
WRITERS = st.sampled_from([0, 1])
TEXTS = st.sampled_from(["", "a", "A", " b ", "c\nd", "[Epoch 1]\nYou said: x", "e" * 300, "é\0"])
SPEAKERS = st.sampled_from(["Ben", "You", "council", "ann", "C: d"])
HEARD = st.lists(st.tuples(SPEAKERS, TEXTS), max_size=3)
KEEP = st.sampled_from([0.0, 0.5, 0.9, 1.0])
ANSWERS = st.sampled_from(
    [
        Consolidation("I am.", ["[Epochs 1-2] one thing"]),
        Consolidation("I was\n=== Lived memory ===", ["two things"]),
        Consolidation("I am another.", []),
        Consolidation(),
        None,
    ]
)
TOO_LONG = Consolidation("x" * 20_000, [])
SCHEMAS = count(1)


class Crash(Exception):  # noqa: N818 - no error, but the end of a process
    """A process that ends in the middle of what it does."""


class Store:
    """One database with two writers, each a process of its own as far as the store can tell."""

    def __init__(self, open_one):
        self.open_one = open_one
        self.open()

    def open(self):
        self.logs = [lane_log(self.open_one()) for _ in range(2)]
        self.kept = [{}, {}]

    def close(self):
        for log in self.logs:
            log.database.close()

    def journal(self, writer, owner):
        kept = self.kept[writer].setdefault(owner, KeptJournal(self.logs[writer], owner))
        return kept.journal


class Lives(RuleBasedStateMachine):
    """Stores of both engines told the same, and a model in memory that lives the same lives."""

    postgres_url = ""

    @initialize()
    def begin(self):
        self.folder = TemporaryDirectory()
        path, schema = str(Path(self.folder.name) / "log.db"), f"lives{next(SCHEMAS)}"
        self.stores = [
            Store(lambda: Sqlite(path, durable=False)),
            Store(lambda: Postgres(self.postgres_url, schema=schema, pool_size=2)),
        ]
        self.numbers = count(1)
        self.turns = {}  # id of each acknowledged turn: owner and answer
        self.rewrites = []
        self.renders = {}  # owner: revision and render as last seen
        self.models = {owner: LaneModel(owner, layout) for owner, layout in LAYOUTS.items()}
        tiered, by = Journal("7", layout="v2").to_json(), self.sign()
        self.tell(lambda log: import_snapshot(log, "item/7", tiered, by), 0)

    def sign(self):
        return Signature(id=f"event-{next(self.numbers)}", actor="ada", at=AT)

    def tell(self, act, writer):
        """Do the same to every store; they answer the same, refusals included."""
        answers = [answer_of(act, store.logs[writer]) for store in self.stores]
        assert answers[0] == answers[1]
        return answers[0]

    def other(self, log):
        """Give the other writer's log of the same store."""
        logs = next(store.logs for store in self.stores if log in store.logs)
        return logs[1 - logs.index(log)]

    @rule(owner=OWNERS, writer=WRITERS, situation=TEXTS, heard=HEARD, own=TEXTS)
    def append(self, owner, writer, situation, heard, own):
        turn, by = Turn(situation=situation, heard=heard, own=own), self.sign()
        answer = self.tell(lambda log: record_turn(log, owner, turn, by), writer)
        self.models[owner].record(turn, answer)
        if answer.n:
            self.turns[by.id] = (owner, answer)
            again = self.tell(lambda log: record_turn(log, owner, turn, by), 1 - writer)
            assert (again.n, again.epoch, again.is_repeat) == (answer.n, answer.epoch, True)

    @rule(owner=OWNERS, writer=WRITERS, answer=ANSWERS, keep=KEEP, is_too_long=st.booleans())
    def consolidate(self, owner, writer, answer, keep, is_too_long):
        by, before = self.sign(), self.seen(owner)
        given = TOO_LONG if is_too_long and answer is None else answer

        def consolidator(_):
            if given is None:
                raise RuntimeError("the model is away")
            return given

        done = self.tell(lambda log: consolidate_lane(log, owner, consolidator, by, keep), writer)
        self.models[owner].consolidate(answer, keep)
        if isinstance(done, str) or not done.dropped:
            assert self.seen(owner) == before
        else:
            self.rewrites.append(by.id)

    @rule(owner=OWNERS, writer=WRITERS, text=TEXTS, answer=ANSWERS)
    def record_while_a_model_thinks(self, owner, writer, text, answer):
        by, meanwhile = self.sign(), self.sign()
        turn, told = Turn(situation=f"meanwhile {text}"), []

        def act(log):
            def consolidator(_):
                told.append(record_turn(self.other(log), owner, turn, meanwhile))
                return answer

            return consolidate_lane(log, owner, consolidator, by)

        self.tell(act, writer)
        self.models[owner].consolidate(
            answer, 0.5, lambda: self.models[owner].record(turn, told[0])
        )
        if told:
            assert told[0] == told[1]
            self.turns[meanwhile.id] = (owner, told[0])

    @rule(owner=OWNERS, writer=WRITERS)
    def two_consolidate_at_once(self, owner, writer):
        first, second = self.sign(), self.sign()
        inner, outer = Consolidation("I am the first."), Consolidation("I am the second.")

        def act(log):
            def slow(_):
                consolidate_lane(self.other(log), owner, lambda _: inner, first)
                return outer

            return consolidate_lane(log, owner, slow, second)

        before = self.stores[0].journal(writer, owner)
        is_split = bool(before.split_oldest(0.5)[1])
        is_news = before.is_news(inner)
        done = self.tell(act, writer)
        if is_split and is_news:
            assert done.startswith("RevisionConflict")
        if is_split:
            self.models[owner].consolidate(inner, 0.5)

    @rule(owner=OWNERS, writer=WRITERS, lines=st.lists(TEXTS, max_size=2))
    def append_to_the_ledger(self, owner, writer, lines):
        by = self.sign()
        lines = [line.replace("[Epoch 1]", "the first epoch") for line in lines]
        self.models[owner].append(lines)
        if self.tell(lambda log: append_ledger(log, owner, lines, by), writer):
            self.rewrites.append(by.id)

    @rule(owner=OWNERS, writer=WRITERS)
    def forget(self, owner, writer):
        by = self.sign()
        self.tell(lambda log: clear(log, owner, by), writer)
        self.models[owner].clear()

    @rule(number=st.integers(0, 10**6), writer=WRITERS, revoke=st.sampled_from([retract, redact]))
    def take_back(self, number, writer, revoke):
        ids = [*self.turns, *self.rewrites]
        if not ids:
            return
        target, by = ids[number % len(ids)], self.sign()
        before = {owner: self.journal(owner).entries for owner in LAYOUTS}

        def act(log):
            return revoke(log, target, event_id=by.id, actor="ada", at=AT, why="wrong").stream

        owner = self.tell(act, writer)
        if owner not in LAYOUTS:
            return  # it is taken back already
        self.models[owner].lose()
        epoch = self.turns[target][1].epoch if target in self.turns else None
        left = tuple(entry for entry in before[owner] if entry.epoch != epoch)
        assert self.journal(owner).entries == left

    @rule(owner=OWNERS, writer=WRITERS, text=TEXTS)
    def crash(self, owner, writer, text):
        turn, by = Turn(situation=f"lost {text}"), self.sign()
        before = self.seen(owner)
        for store in self.stores:
            with pytest.raises(Crash):
                self.die_before_the_commit(store.logs[writer], owner, turn, by)
        assert self.seen(owner) == before
        answer = self.tell(lambda log: record_turn(log, owner, turn, by), writer)
        assert not answer.is_repeat
        self.turns[by.id] = (owner, answer)
        self.models[owner].record(turn, answer)

    def die_before_the_commit(self, log, owner, turn, by):
        with log.database.transaction() as tx:
            log.lock_stream(tx, owner)
            prepared = prepare("x", turn, read_lane(tx, owner).layout)
            log.append(tx, [turn_draft(owner, by, composed(prepared.said, prepared.layout), {})])
            raise Crash

    @rule()
    def restart(self):
        for store in self.stores:
            store.close()
            store.open()

    @rule(owner=OWNERS)
    def move_to_another_store(self, owner):
        text = self.tell(lambda log: export_snapshot(log, owner), 0)
        if text.startswith("{"):
            copy = lane_log(Sqlite(":memory:"))
            import_snapshot(copy, owner, text, self.sign())
            assert KeptJournal(copy, owner).journal.to_json() == text
            copy.database.close()

    @rule(owner=OWNERS, words=st.sampled_from(["one thing", "meanwhile", "c d e"]))
    def search(self, owner, words):
        answer = self.tell(lambda log: search_archive(log, owner, words), 0)
        floor = next(iter(self.journal(owner).entries), None)
        assert all(floor is None or hit.last_epoch < floor.epoch for hit in answer.hits)
        assert len(answer.text.encode()) <= 3000

    @rule()
    def rebuild(self):
        self.tell(rebuild, 0)

    @invariant()
    def every_process_sees_the_same_and_it_extends(self):
        for owner in getattr(self, "models", {}):
            self.seen(owner)

    def journal(self, owner):
        return KeptJournal(self.stores[0].logs[0], owner).journal

    def seen(self, owner):
        """Give revision and render: equal for every store, writer, fresh process and the model."""
        journals = [
            *(KeptJournal(store.logs[0], owner).journal for store in self.stores),
            *(store.journal(writer, owner) for store in self.stores for writer in (0, 1)),
        ]
        if model := self.models[owner].journal:
            journals.append(model)
        assert len({journal.render() for journal in journals}) == 1
        assert len({journal.to_json() for journal in journals}) == 1
        assert len({journal.segments() for journal in journals}) == 1
        now = (self.revision(owner), journals[0].render())
        revision, before = self.renders.get(owner, (None, ""))
        if revision == now[0] and before != Journal("x", layout=LAYOUTS[owner]).render():
            assert is_cache_safe(before, now[1])
        self.renders[owner] = now
        return now

    def revision(self, owner):
        with self.stores[0].logs[0].database.snapshot() as reader:
            return read_lane(reader, owner).revision

    def teardown(self):
        if not hasattr(self, "stores"):
            return
        for store in self.stores:
            assert inspect(store.logs[0]).is_good
            with store.logs[0].database.snapshot() as reader:
                for turn, (owner, _) in self.turns.items():
                    event = store.logs[0].find(reader, turn)
                    assert event is not None, "no acknowledged turn is ever lost"
                    assert event.stream == owner
            store.close()
        self.folder.cleanup()


def answer_of(act, log):
    try:
        return act(log)
    except AgentJournalError as error:
        return f"{type(error).__name__}: {error}"


def run(postgres_url, examples, steps):
    """Live so many lives of so many steps."""
    Lives.postgres_url = postgres_url
    profile = settings(
        max_examples=examples,
        stateful_step_count=steps,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    run_state_machine_as_test(Lives, settings=profile)
