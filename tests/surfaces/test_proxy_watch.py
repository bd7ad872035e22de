"""The watch and the alarm by themselves: what is remembered, for how long, and when it is told."""

from __future__ import annotations

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from agentjournal.proxy.alarm import Alarm, readable_bytes
from agentjournal.proxy.answer import Answer, BrokenOff
from agentjournal.proxy.watch import Watch
from agentjournal.usage.request.read import read_request

WORDS = "one two three four five six seven eight nine ten "
KEY = b"k" * 32


def request(*messages: str, system: str = "You help."):
    said = [
        {"role": "assistant" if place % 2 else "user", "content": text}
        for place, text in enumerate(messages)
    ]
    return read_request({"model": "m", "messages": [{"role": "system", "content": system}, *said]})


def test_beyond_its_room_a_break_is_still_named_by_block_but_not_by_byte():
    watch = Watch(KEY, room=1_000)
    watch.look("ada", request(WORDS, "yes", WORDS), 900)
    watch.look("bob", request(WORDS, "no", "go on"), 900)
    assert watch.look("bob", request(WORDS, "no", "go on", "a", "b"), 900) is None
    broken = watch.look("ada", request("X" + WORDS, "yes", WORDS, "a", "b"), 900)
    assert broken is not None
    assert (broken.difference.path, broken.turn) == ("messages[1].content", 2)
    assert (broken.difference.at, broken.difference.before, broken.difference.after) == (
        None,
        "",
        "",
    )


def test_beyond_its_room_what_only_grows_breaks_nothing():
    watch = Watch(KEY, room=0)
    said = [f"{WORDS}{turn}" for turn in range(9)]
    for turn in range(1, 9, 2):
        assert watch.look("ada", request(*said[:turn]), 500) is None


def test_no_text_is_left_where_there_is_no_room():
    watch = Watch(KEY, room=0)
    watch.look("ada", request("Confidential " + WORDS), 500)
    assert "Confidential" not in repr(vars(watch))
    assert "Confidential" in repr(vars(_with_room()))


def _with_room() -> Watch:
    watch = Watch(KEY)
    watch.look("ada", request("Confidential " + WORDS), 500)
    return watch


def test_the_owner_that_was_idle_for_longest_is_forgotten_first():
    watch = Watch(KEY, owners=2)
    first, broken = request(WORDS, "a", "b"), request("X" + WORDS, "a", "b", "c", "d")
    for owner in ("ada", "bob", "ada", "eve"):
        watch.look(owner, first, 100)
    assert watch.look("ada", broken, 100) is not None
    assert watch.look("bob", broken, 100) is None


def test_memory_is_accounted_for_to_the_byte():
    watch = Watch(KEY, owners=3, room=5_000)
    for number in range(200):
        text = f"{number} words of a conversation of its own, all of them new: {number * 7919}"
        watch.look(f"owner{number % 5}", request(text), 100 + number)
    kept = [each for talks in watch._kept.values() for each in talks]
    assert watch._used == sum(each.size for each in kept) <= 5_000
    assert len(watch._kept) == 3
    assert max(map(len, watch._kept.values())) <= 4


@given(st.lists(st.text(max_size=30), min_size=1, max_size=12), st.integers(0, 12))
def test_whatever_is_said_a_conversation_that_extends_breaks_nothing(said, cut):
    watch = Watch(KEY)
    watch.look("ada", request(*said[: max(1, cut)]), 10)
    assert watch.look("ada", request(*said), 10) is None


def test_the_alarm_learns_from_what_was_right_only():
    alarm, lane = Alarm(), ("http://h", "m")
    for _ in range(20):
        assert alarm.missing(lane, 40_000, 10_000) is None
        assert alarm.missing(lane, 400_000, 10_000) == 100_000
    assert alarm.tokens(lane, 4_000) == 1_001
    assert alarm.tokens(lane, 0) == 0
    assert alarm.missing(lane, 3_000, 1) is None


def test_more_lanes_than_it_remembers_are_judged_as_unknown_ones():
    alarm = Alarm()
    for number in range(300):
        alarm.missing(("http://h", str(number)), 4_000, 1_000)
    assert len(alarm._ledgers) == 256


def test_what_vendors_do_not_count_is_not_counted():
    body = {
        "tools": [{"name": "a", "defer_loading": True}, {"name": "b"}],
        "messages": [
            {"role": "assistant", "content": [{"type": "thinking", "thinking": "x" * 999}]},
            {"role": "user", "content": "hello"},
        ],
    }
    assert readable_bytes(body, read_request(body)) == len('{"name": "b"}hello')


async def read_of_a_broken_answer() -> list[str]:
    seen: list[str] = []
    answer = Answer(lambda: seen.append("pause"), lambda: seen.append("resume"))
    answer.start(200, [])
    for _ in range(3):
        answer.feed(b"x" * 200_000)
    answer.break_off()
    answer.break_off()
    try:
        async for chunk in answer:
            seen.append(str(len(chunk)))  # noqa: PERF401 - an extend would be lost with the error
    except BrokenOff:
        seen.append("broken off")
    return seen


def test_what_came_before_an_answer_broke_off_still_counts():
    seen = asyncio.run(read_of_a_broken_answer())
    assert seen == ["pause", "pause", "600000", "broken off"]
