"""Laws over generated conversations: what grows is kept, what is edited is found where it was edited."""

from __future__ import annotations

import copy
import json
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agentjournal import Journal, Prompt
from agentjournal.usage.request.difference import compare
from agentjournal.usage.request.read import read_request

WORDS = st.text("abcdefg éü\n", min_size=1, max_size=30).filter(str.strip)
TURNS = st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6)
JUNK = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=4)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                [
                    "messages",
                    "input",
                    "contents",
                    "system",
                    "tools",
                    "role",
                    "content",
                    "text",
                    "type",
                    "parts",
                    "prompt",
                    "model",
                    "cache_control",
                    "prompt_cache_breakpoint",
                    "cachePoint",
                    "function",
                    "name",
                    "toolConfig",
                    "x",
                ]
            ),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=25,
)


def chat(turns, last, *, marked=False):
    messages = [{"role": "system", "content": "You are careful."}]
    for asked, answered in turns:
        messages += [
            {"role": "user", "content": asked},
            {"role": "assistant", "content": answered},
        ]
    messages.append({"role": "user", "content": last})
    if marked:
        text = {"type": "text", "text": last, "cache_control": {"type": "ephemeral"}}
        messages[-1] = {"role": "user", "content": [text]}
    return {"model": "m", "messages": messages}


@given(turns=TURNS, last=WORDS, answer=WORDS, more=WORDS, marked=st.booleans())
def test_a_conversation_that_grows_is_never_reported(turns, last, answer, more, marked):
    earlier = read_request(chat(turns, last, marked=marked))
    later = read_request(chat([*turns, (last, answer)], more, marked=marked))
    assert compare(earlier, later) is None


@given(turns=TURNS, last=WORDS, marked=st.booleans())
def test_the_same_request_again_is_never_reported(turns, last, marked):
    request = read_request(chat(turns, last, marked=marked))
    assert compare(request, read_request(copy.deepcopy(chat(turns, last, marked=marked)))) is None


@given(turns=TURNS, last=WORDS, more=WORDS, data=st.data())
def test_an_edited_history_is_found_at_its_first_differing_byte(turns, last, more, data):
    earlier = chat(turns, last)
    later = chat([*turns, (last, "fine")], more)
    place = data.draw(st.integers(1, 2 * len(turns)))
    old = earlier["messages"][place]["content"]
    new = data.draw(WORDS)
    assume(new != old)
    later["messages"][place]["content"] = new
    found = compare(read_request(earlier), read_request(later))
    before, after = old.encode(), new.encode()
    byte = next(
        (at for at, (a, b) in enumerate(zip(before, after, strict=False)) if a != b),
        min(len(before), len(after)),
    )
    assert found is not None
    assert (found.path, found.at) == (f"messages[{place}].content", byte)


@given(turns=TURNS, now=WORDS, later_now=WORDS, answer=WORDS)
def test_a_now_block_below_an_answer_may_always_be_replaced(turns, now, later_now, answer):
    assume(now[: len(now) // 2] not in answer)
    earlier = read_request(chat(turns, now))
    later = read_request(chat([*turns, ("and then this happened", answer)], later_now))
    assume(not later.blocks[len(earlier.blocks) - 1].text.startswith(now[:3]))
    found = compare(earlier, later)
    assert found is None or found.cause == "edited history"


@given(earlier=JUNK, later=JUNK)
def test_no_two_bodies_raise(earlier, later):
    found = compare(read_request(earlier), read_request(later))
    if found is not None:
        json.dumps([found.before, found.after, found.path])
        assert found.at is None or found.at >= 0


TAIL = "Now: turn {n}, it is 10:3{n}:00, {n} messages left. Decide in one sentence what to do next."


@pytest.mark.parametrize("dialect", ["openai-chat", "openai-responses", "anthropic", "deepseek"])
@pytest.mark.parametrize("preamble", ["You plan.\n\n", "You plan carefully. " * 80])
def test_a_journals_prompts_are_kept_turn_after_turn_in_every_dialect(dialect, preamble):
    journal = Journal("planner")
    requests = []
    for n in range(9):
        prompt = Prompt.of(preamble, journal, tail=TAIL.format(n=n))
        requests.append(read_request({"model": "m", **prompt.to_chat(dialect)}))
        journal.record_turn(n, f"Situation {n}", [("Reviewer", f"hurry {n}")], f"I did {n}.")
    later = requests[1:]  # the first one says that there is no memory yet
    assert [compare(a, b) for a, b in pairwise(later)] == [None] * 7


def test_a_journals_text_prompts_are_kept_too():
    journal = Journal("planner")
    requests = []
    for n in range(6):
        journal.record_turn(n, f"Situation {n}", [], f"I did {n}.")
        text = Prompt.of("You plan.\n\n", journal, tail=TAIL.format(n=n)).to_text()
        requests += [
            read_request(text),
            read_request({"messages": [{"role": "user", "content": text}]}),
        ]
    for kind in (requests[::2], requests[1::2]):
        assert [compare(a, b) for a, b in pairwise(kind)] == [None] * 5
