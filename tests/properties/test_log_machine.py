"""Whatever is done to a log in whatever order: sound, gapless, and the same on both engines."""

from __future__ import annotations

from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from agentjournal.errors import AgentJournalError
from agentjournal.log.rebuild import rebuild
from agentjournal.log.revoke import redact, retract
from agentjournal.log.seal import seal_pending
from agentjournal.log.transfer import export, import_lines
from agentjournal.log.verify import inspect, verify
from agentjournal.storage.postgres import Postgres
from agentjournal.storage.sqlite import Sqlite
from support.clock import SettableClock
from support.example_fold import AT, example_log, note, projections, write
from support.laws import examples

STREAMS = st.sampled_from(["project/p", "project/é", "agent/a/1"])
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
PICKS = st.integers(0, 10**6)
SCHEMAS = count(1)


class Twins(RuleBasedStateMachine):
    """One log on SQLite and one on PostgreSQL, told the same, and a model that remembers."""

    postgres_url = ""

    @initialize()
    def begin(self):
        self.folder = TemporaryDirectory()
        self.clock = SettableClock()
        self.schema = f"twins{next(SCHEMAS)}"
        self.numbers = count(1)
        self.ids = []
        self.streams = {}
        self.words = {}
        self.open()

    def open(self):
        path = str(Path(self.folder.name) / "log.db")
        self.lite = example_log(Sqlite(path, clock=self.clock))
        self.great = example_log(Postgres(self.postgres_url, schema=self.schema, clock=self.clock))
        self.logs = (self.lite, self.great)

    def close(self):
        for log in self.logs:
            log.database.close()

    def both(self, act):
        """Do the same to both logs; they answer the same, refusals included."""
        answers = [answer_of(act, log) for log in self.logs]
        assert answers[0] == answers[1]
        return answers[0]

    def new_id(self):
        return f"event-{next(self.numbers)}"

    def pick(self, number):
        return self.ids[number % len(self.ids)] if self.ids else "nowhere"

    @rule(stream=STREAMS, words=TEXTS, turn=st.none() | TEXTS, size=st.integers(1, 3))
    def append(self, stream, words, turn, size):
        ids = [self.new_id() for _ in range(size)]
        drafts = [note(id, words, stream=stream, turn=turn) for id in ids]  # noqa: A001

        events = self.both(lambda log: write(log, *drafts))

        self.remember(stream, dict.fromkeys(ids, words))
        assert [event.seq for event in events] == list(range(*self.tail(stream, size)))
        assert self.both(lambda log: write(log, *drafts)) == events

    def remember(self, stream, words):
        self.ids.extend(words)
        self.streams.setdefault(stream, []).extend(words)
        self.words.update(words)

    def tail(self, stream, size):
        length = len(self.streams[stream])
        return length - size + 1, length + 1

    @rule(number=PICKS, words=TEXTS, stream=STREAMS)
    def append_under_a_taken_id(self, number, words, stream):
        draft = note(self.pick(number), words + "!", stream=stream)
        if self.ids:
            assert isinstance(self.both(lambda log: write(log, draft)), str)

    @rule(number=PICKS, revoke=st.sampled_from([retract, redact]))
    def revoke(self, number, revoke):
        target, id = self.pick(number), self.new_id()  # noqa: A001

        def act(log):
            return revoke(log, target, event_id=id, actor="ada", at=AT, why="wrong")

        answer = self.both(act)

        if not isinstance(answer, str):
            self.remember(answer.stream, {id: None})
            self.words[target] = None
            assert self.both(act) == answer

    @rule(minimum=st.integers(1, 4))
    def seal(self, minimum):
        self.both(lambda log: seal_pending(log, minimum))

    @rule()
    def rebuild(self):
        assert self.both(rebuild) == len(self.ids)

    @rule()
    def exchange(self):
        lines = self.both(lambda log: list(export(log)))
        assert not isinstance(lines, str)
        assert self.both(lambda log: import_lines(log, lines)).events == 0
        with closing(Sqlite(":memory:")) as memory:
            copy = example_log(memory)
            assert import_lines(copy, lines).events == len(self.ids)
            assert list(export(copy)) == lines
            assert projections(copy) == projections(self.great)

    @rule(seconds=st.floats(-3600, 3600))
    def pass_time(self, seconds):
        self.clock.advance(seconds)

    @rule()
    def reopen(self):
        self.close()
        self.open()

    @rule()
    def verify(self):
        assert self.both(verify).is_good

    @invariant()
    def both_hold_what_the_model_holds(self):
        if not hasattr(self, "logs"):
            return
        notes, tallies = self.both(projections)
        assert {row["id"]: row["words"] for row in notes} == self.words
        assert [(row["stream"], row["seq"]) for row in notes] == [
            (stream, seq)
            for stream in sorted(self.streams)
            for seq in range(1, len(self.streams[stream]) + 1)
        ]
        assert {row["stream"]: row["events"] for row in tallies} == {
            stream: len(ids) for stream, ids in self.streams.items()
        }

    def teardown(self):
        if not hasattr(self, "logs"):
            return
        live = self.both(projections)
        assert self.both(inspect).is_good
        self.both(rebuild)
        assert self.both(projections) == live
        self.close()
        self.folder.cleanup()


def answer_of(act, log):
    try:
        return act(log)
    except AgentJournalError as refusal:
        return str(refusal)


@pytest.mark.hypothesis
def test_any_order_of_operations_leaves_both_engines_sound_and_equal(postgres_url):
    Twins.postgres_url = postgres_url

    run_state_machine_as_test(
        Twins, settings=settings(max_examples=examples(40), stateful_step_count=25)
    )
