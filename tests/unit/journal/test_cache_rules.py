"""What the matching rules of four APIs make of a life, beside what block prefixes make of it."""

from __future__ import annotations

import pytest

from agentjournal import Prompt
from agentjournal.journal.segment import Segment
from support.cache_life import Life, floor, run
from support.cache_rules import NARROW, RULES, Exact, LookBack, Prefix, Units

ALL = {**RULES, **NARROW}
WINDOW = 32 * 1024
LIVES = [("v1", 400, 0.5), ("v1", 800, 0.5), ("v1", 800, 0.25), ("v2", 400, 0.5), ("v2", 800, 0.5)]


@pytest.mark.parametrize(("layout", "turn", "keep"), LIVES)
def test_two_hundred_turns_with_consolidations_hit_nearly_as_block_prefixes_do(layout, turn, keep):
    life = Life(layout, WINDOW, turn, keep)
    tallies = run(life, 200, ALL)
    assert life.consolidated >= 3
    assert tallies["block"].share > 0.9
    for name in ALL:
        assert tallies[name].cached >= 0.9 * tallies["block"].cached, name


def test_tiers_keep_every_promise_for_two_thousand_turns_under_every_rule():
    turns, turn = 2000, 800
    life = Life("v2", WINDOW, turn)
    tallies, least = run(life, turns, RULES), floor(turn, RULES)
    assert life.summarised_again <= 3
    for name, tally in tallies.items():
        assert tally.share >= 0.94, name
        assert tally.worst <= 5000, name
        assert (tally.uncached + tally.distilling) / turns <= 1.15 * least[name], name
    assert life.asked_apart > 50 * tallies["block"].distilling


def test_the_reference_layout_does_not_keep_them_which_is_why_there_are_tiers():
    life = Life("v1", WINDOW, 800, 0.5)
    tally, least = run(life, 400, {})["block"], floor(800, {})["block"]
    assert tally.share < 0.94
    assert tally.worst > 2 * 5000
    assert tally.uncached / 400 > 1.5 * least
    assert life.summarised_again > 10


def one_block(prompt):
    """Send a prompt as most people do: all that is stable in one growing block."""
    whole = Segment("memory", prompt.cacheable_prefix, is_closed=True)
    return Prompt(memory=(whole,), tail=prompt.tail)


@pytest.mark.parametrize("name", ["anthropic", "openai-new"])
def test_the_control_one_growing_block_never_hits(name):
    dialect, make = RULES[name]
    life, engine, cached = Life("v2", WINDOW, 800), make(), 0
    for _ in range(100):
        cached += engine.serve(one_block(life.next_prompt()).to_chat(dialect)).cached
    assert cached == 0


@pytest.mark.parametrize("name", ALL)
def test_the_control_a_clock_on_top_hits_no_more_than_its_first_word(name):
    dialect, make = ALL[name]
    life, engine, cached = Life("v2", WINDOW, 800), make(), 0
    for turn in range(50):
        prompt = life.next_prompt()
        clocked = Prompt(
            preamble=f"Turn {turn}. " + prompt.preamble, memory=prompt.memory, tail="go"
        )
        cached += engine.serve(clocked.to_chat(dialect)).cached
    assert cached <= 50


# -- the simulators themselves


def body(*texts, marks=(), options=True):
    blocks = [
        {"type": "text", "text": text, **({"cache_control": {}} if place in marks else {})}
        for place, text in enumerate(texts)
    ]
    return {
        "messages": [{"role": "user", "content": blocks}],
        **({"prompt_cache_options": {"mode": "explicit"}} if options else {}),
    }


A, B, C, D = ("a" * 8000, "b" * 8000, "c" * 8000, "d" * 8000)


def served(engine, *bodies):
    return [engine.serve(sent).cached for sent in bodies]


def test_prefixes_match_in_steps_from_a_least_length():
    assert served(Prefix(16), body(A), body(A, B), body("a" * 100, B)) == [0, 2000, 16]
    assert served(Prefix(128, 1024), body(A), body(A, B), body("a" * 4000, B)) == [0, 1920, 0]


def test_looking_back_finds_what_was_written_at_a_mark_within_twenty_blocks():
    first = body(A, B, marks=[1])
    assert served(LookBack(), first, first, body(A, B, C, marks=[2])) == [0, 4000, 4000]
    assert served(LookBack(), first, body(A, B, C, marks=[0])) == [0, 0]
    assert served(LookBack(), first, body(A, C, marks=[1])) == [0, 0]
    assert served(LookBack(least=5000), first, first) == [0, 0]
    far = [str(n) for n in range(18)]
    assert served(LookBack(), first, body(A, B, *far, marks=[19])) == [0, 4000]
    assert served(LookBack(), first, body(A, B, *far, "x", "y", marks=[21])) == [0, 0]


def test_exact_places_must_be_marked_in_both_requests():
    first = body(A, B, marks=[1])
    assert served(Exact(), first, body(A, B, C, marks=[2])) == [0, 0]
    assert served(Exact(), first, body(A, B, C, marks=[1, 2]), body(A, B, C, marks=[2])) == [
        0,
        4000,
        6000,
    ]


def test_only_the_latest_places_are_written_and_one_fewer_beside_the_newest_message():
    marked = body(A, B, C, D, marks=[0, 1, 2, 3], options=False)
    assert served(Exact(), marked, body(A, marks=[0])) == [0, 0]
    assert served(Exact(), marked, body(A, B, marks=[1])) == [0, 4000]


def test_units_are_hit_whole_or_not_at_all():
    def said(*texts):
        return {"messages": [{"role": "user", "content": text} for text in texts]}

    assert served(Units(), said(A, "t1"), said(A, "t2")) == [0, 2000]
    narrow = Units(each_message=False)
    assert served(narrow, said(A, "t1"), said(A, "t2"), said(A, "t3")) == [0, 0, 2000]
    assert served(Units(), said(A), said("a" * 7000)) == [0, 0]
