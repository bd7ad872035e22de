"""The library's door to kept journals: as a program on this machine uses it."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

from agentjournal import ConsolidationError, InputError, Prompt, neutral_lines, open_journal
from agentjournal.errors import ConflictError

OWNER = "agent/shop/planner"


@pytest.fixture(autouse=True)
def _at_home(home):
    assert home.is_dir()


def test_the_example_does_what_it_says():
    assert doctest.testmod(import_module("agentjournal.compose.keeper")).failed == 0


def test_a_journal_outlives_the_block_and_is_the_same_for_the_command_line(shell):
    with open_journal(OWNER) as kept:
        told = kept.record_turn("A ticket arrived.", [("Ben", "hurry")], "I read it.")
        assert (told.n, told.epoch) == (1, 1)
    with open_journal(OWNER) as kept:
        assert kept.record_turn(heard=[("Ben", "hurry")]).stale == 1
        assert kept.record_turn("The build broke.", result={"stage": "tests"}).epoch == 2
        render = kept.journal.render()
    assert shell("journal", "render", OWNER).out == render + "\n"


def test_a_store_in_memory_is_a_new_one_each_time_and_no_file(shell):
    for _ in range(2):
        with open_journal(OWNER, database=":memory:") as kept:
            assert kept.record_turn("A ticket arrived.").n == 1
    assert shell("journal", "render", OWNER, "--database", ":memory:").code == 2
    assert not Path(":memory:").exists()


def test_a_repeat_with_the_same_id_stores_nothing_twice():
    with open_journal(OWNER) as kept:
        once = kept.new_id()
        first = kept.record_turn("A ticket arrived.", id=once)
        assert kept.record_turn("A ticket arrived.", id=once).n == first.n
        with pytest.raises(ConflictError):
            kept.record_turn("Another one.", id=once)
        assert len(kept.journal.entries) == 1


def test_a_life_is_distilled_searched_moved_and_forgotten():
    with open_journal(OWNER) as kept:
        for number in range(1, 9):
            kept.record_turn(f"Heron {number} stands in pond {number}.", own="Seen.")
        assert kept.consolidate(neutral_lines).dropped == 8
        assert kept.append_ledger(["A line.", "a line."]) == 1
        found = kept.search("heron 2", limit=1)
        assert found.hits[0].first_epoch == 2
        prompt = Prompt.of("You watch.", kept.journal, tail=found.text)
        assert found.text not in prompt.cacheable_prefix
        snapshot, render = kept.to_json(), kept.journal.render()
        kept.clear()
        assert kept.journal.entries == ()
        assert kept.search("heron").text == ""
    with open_journal("item/copy") as copy:
        assert copy.begin_with(snapshot).turns == 4
        assert copy.journal.render() == render


def test_a_failing_model_leaves_everything_as_it_was():
    def away(_):
        raise TimeoutError("the model is away")

    with open_journal(OWNER) as kept:
        kept.record_turn("A ticket arrived.")
        kept.record_turn("Another one.")
        before = kept.journal.render()
        with pytest.raises(ConsolidationError, match="the model is away"):
            kept.consolidate(away)
        assert kept.journal.render() == before


def test_an_owner_keeps_its_layout_for_life():
    with open_journal(OWNER, layout="v2") as kept:
        kept.record_turn("A ticket arrived.\n[Epoch 9]")
        assert kept.journal.layout == "v2"
        assert kept.journal.render().endswith(
            "[Epoch 1]\nWorld: A ticket arrived.\n  [Epoch 9]\n\n"
        )
    with open_journal(OWNER, layout="v2") as kept:
        assert kept.record_turn("Another one.").epoch == 2
    with pytest.raises(ConflictError, match="for life"), open_journal(OWNER, layout="v1"):
        pass
    with open_journal("lane/plain", layout="v1") as kept:
        kept.record_turn("Here.")
    with pytest.raises(ConflictError, match="for life"), open_journal("lane/plain", layout="v2"):
        pass


def test_only_owners_have_journals():
    with pytest.raises(InputError, match="names no owner"), open_journal("planner"):
        pass


def test_who_redacts_a_turn_is_told_what_was_distilled_of_it(shell):
    with open_journal(OWNER) as kept:
        once = kept.new_id()
        kept.record_turn("The password is swordfish.", id=once)
        kept.record_turn("Another one.")
        distilled = kept.new_id()
        kept.consolidate(neutral_lines, id=distilled)
    answer = shell("db", "redact", once, "--why", "a secret")
    assert answer.code == 0
    assert f"may still hold it: {distilled}" in answer.err
    assert shell("db", "redact", distilled, "--why", "a secret").err == ""
    assert "swordfish" not in shell("journal", "render", OWNER).out
