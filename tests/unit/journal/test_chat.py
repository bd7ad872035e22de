from __future__ import annotations

import json
from dataclasses import replace

import pytest

from agentjournal import InputError, Journal, Prompt
from agentjournal.journal.breakpoints import MOST_MARKS, WINDOW, breakpoints
from agentjournal.journal.dialect import CHAT_DIALECTS
from agentjournal.journal.segment import Segment

TEXTS = ("text", "input_text")
MARKS = {
    "openai-chat": ("prompt_cache_breakpoint", {"mode": "explicit"}),
    "openai-responses": ("prompt_cache_breakpoint", {"mode": "explicit"}),
    "anthropic": ("cache_control", {"type": "ephemeral"}),
}


def lived(turns, size=3000):
    journal = Journal("planner")
    for epoch in range(turns):
        journal.record_turn(epoch, f"{epoch} " + "x" * size, [("Reviewer", f"say {epoch}")], "ok")
    return journal


def prompt(turns=12, tail="It is 10:31. Plan the next step."):
    return Prompt.of("You plan.\n\n", lived(turns), tail=tail)


def blocks_of(body):
    """Give every block in the order in which its API reads it, as (text, block)."""
    messages = body.get("messages") or body.get("input")
    content = [*body.get("system", ()), *(part for m in messages for part in parts(m))]
    assert all(block["type"] in TEXTS for block in content)
    return content


def parts(message):
    if isinstance(message["content"], str):
        return [{"type": "text", "text": message["content"]}]
    return message["content"]


@pytest.mark.parametrize("dialect", CHAT_DIALECTS)
def test_the_blocks_joined_are_the_prompts_text(dialect):
    made = prompt()
    body = made.to_chat(dialect)
    assert "".join(block["text"] for block in blocks_of(body)) == made.to_text()
    assert json.loads(json.dumps(body)) == body


@pytest.mark.parametrize("dialect", CHAT_DIALECTS)
def test_each_segment_is_a_block_and_the_tail_is_the_last_one(dialect):
    made = prompt()
    texts = [block["text"] for block in blocks_of(made.to_chat(dialect))]
    assert texts[:-1] == [segment.text for segment in made.segments()]
    assert texts[-1] == "\n\n======== boundary ========\n\nIt is 10:31. Plan the next step."


@pytest.mark.parametrize("dialect", MARKS)
def test_marks_stand_on_closed_segments_and_one_on_the_last(dialect):
    made, (name, mark) = prompt(), MARKS[dialect]
    blocks, segments = blocks_of(made.to_chat(dialect)), made.segments()
    marked = [place for place, block in enumerate(blocks) if name in block]
    assert all(blocks[place][name] == mark for place in marked)
    closed = [place for place, segment in enumerate(segments) if segment.is_closed]
    assert set(marked) <= set(closed)
    assert marked[-1] == closed[-1] < len(blocks) - 1
    assert len(marked) <= MOST_MARKS


@pytest.mark.parametrize("dialect", CHAT_DIALECTS)
def test_without_marks_there_is_nothing_that_an_older_engine_does_not_know(dialect):
    sent = json.dumps(prompt().to_chat(dialect, marks=False))
    assert "cache" not in sent
    assert len(json.loads(sent)) <= 2


def test_openai_is_told_to_write_nothing_at_the_tail():
    assert prompt().to_chat("openai-chat")["prompt_cache_options"] == {"mode": "explicit"}
    nothing_closed = Prompt.of("", Journal("new"), tail="go")
    assert set(nothing_closed.to_chat("openai-responses")) == {"input"}


def test_each_api_gets_the_form_that_it_takes():
    made = Prompt.of("You plan.\n\n", Journal("planner"), tail="go")
    chat, anthropic = made.to_chat("openai-chat"), made.to_chat("anthropic")
    assert [message["role"] for message in chat["messages"]] == ["system", "user"]
    assert anthropic["system"] == [
        {"type": "text", "text": "You plan.\n\n", "cache_control": {"type": "ephemeral"}}
    ]
    assert [message["role"] for message in anthropic["messages"]] == ["user"]
    assert made.to_chat("openai-responses")["input"][1]["content"][0]["type"] == "input_text"
    deepseek = made.to_chat("deepseek")["messages"]
    assert [message["role"] for message in deepseek] == ["system", "user", "user"]
    assert all(isinstance(message["content"], str) for message in deepseek)


def test_a_prompt_without_preamble_or_tail_leaves_them_out():
    body = Prompt.of("", lived(1)).to_chat("anthropic")
    assert set(body) == {"messages"}
    assert len(body["messages"][0]["content"]) == 2


@pytest.mark.parametrize("dialect", CHAT_DIALECTS)
@pytest.mark.parametrize("journals", [(), (Journal("new"),), (lived(2),)])
def test_no_block_is_blank_and_the_text_is_the_same(dialect, journals):
    made = Prompt.of(" \n\n", *journals, tail="go")
    blank = Segment("lived", "\n", is_closed=True)
    for prompt in (
        made,
        replace(made, memory=(*made.memory, Segment("memory", "", is_closed=True), blank)),
    ):
        texts = [block["text"] for block in blocks_of(prompt.to_chat(dialect))]
        assert all(map(str.strip, texts))
        assert "".join(texts) == prompt.to_text()


@pytest.mark.parametrize("dialect", CHAT_DIALECTS)
def test_a_chat_in_which_no_user_says_anything_is_refused(dialect):
    with pytest.raises(InputError, match="neither"):
        Prompt(preamble="You plan.").to_chat(dialect)


def test_an_unknown_dialect_is_refused_by_name():
    with pytest.raises(InputError, match=r"'gemini'.*openai-chat"):
        prompt().to_chat("gemini")


def segments(head, closed, *, is_open=True):
    kinds = ["preamble", *["memory"] * (head - 1)][:head] + ["lived"] * closed
    made = [Segment(kind, f"{place}", is_closed=True) for place, kind in enumerate(kinds)]
    return [*made, Segment("lived", "open", is_closed=False)] if is_open else made


@pytest.mark.parametrize("rule", ["look back", "exact"])
@pytest.mark.parametrize("head", [0, 1, 2, 9])
def test_at_most_four_marks_always_with_the_last_closed(rule, head):
    for closed in range(120):
        made = segments(head, closed)
        marks = breakpoints(made, rule)
        assert len(marks) <= MOST_MARKS
        assert all(made[place].is_closed for place in marks)
        if head + closed:
            assert head + closed - 1 in marks
        else:
            assert not marks


@pytest.mark.parametrize("head", [0, 1, 2, 9])
def test_no_twenty_blocks_in_a_row_are_without_a_mark_where_four_can_reach(head):
    for closed in range(1, 200):
        count = head + closed
        marks = breakpoints(segments(head, closed), "look back")
        first = 0 if count <= MOST_MARKS * WINDOW else count - (MOST_MARKS - 1) * WINDOW
        for start in range(first, count - WINDOW + 1):
            assert not marks.isdisjoint(range(start, start + WINDOW))


def test_places_that_many_requests_share_stay_where_they_are():
    for closed in range(25, 60):
        fixed = {place for place in breakpoints(segments(2, closed), "look back") if place < 40}
        assert {19} <= fixed


def test_exact_marks_hold_the_place_that_the_request_before_marked_last():
    for closed in range(1, 100):
        before = breakpoints(segments(2, closed), "exact")
        after = breakpoints(segments(2, closed + 1), "exact")
        assert max(before) in after


@pytest.mark.parametrize("jump", [1, 2])
def test_exact_marks_share_a_deep_place_also_when_two_segments_close_at_once(jump):
    written = set()
    for closed in range(0, 150, jump):
        marks = breakpoints(segments(2, closed), "exact")
        if closed > 30:
            assert max(marks & written) >= closed - 16
        written |= marks


@pytest.mark.parametrize("jump", [3, 8, 40])
def test_exact_marks_hold_what_the_request_before_marked_where_it_is_given(jump):
    before = segments(2, 0)
    for closed in range(jump, 300, jump):
        now = segments(2, closed)
        marks = breakpoints(now, "exact", before)
        assert max(breakpoints(before, "exact")) in marks
        assert closed + 1 in marks
        assert len(marks) <= MOST_MARKS
        before = now


def test_a_request_before_that_shares_nothing_changes_nothing():
    other = [Segment("preamble", "other", is_closed=True), *segments(2, 30)[1:]]
    now = segments(2, 40)
    assert breakpoints(now, "exact", other) == breakpoints(now, "exact")


def test_the_prompt_before_is_given_to_the_dialects_that_need_it():
    journal = lived(30)
    before = Prompt.of("You plan.\n\n", journal, tail="go")
    for epoch in range(30, 39):
        journal.record_turn(epoch, "y" * 3000, own="ok")
    now = Prompt.of("You plan.\n\n", journal, tail="go")
    deepest = max(breakpoints(before.segments(), "exact"))
    blocks = blocks_of(now.to_chat("openai-chat", earlier=before))
    assert "prompt_cache_breakpoint" in blocks[deepest]
    assert "prompt_cache_breakpoint" not in blocks_of(now.to_chat("openai-chat"))[deepest]
    assert now.to_chat("anthropic", earlier=before) == now.to_chat("anthropic")


def test_what_the_next_consolidation_leaves_is_marked():
    whole = breakpoints(segments(2, 40), "exact")  # a preamble, and one memory that is rewritten
    assert 0 in whole
    assert 1 not in whole
    spans = breakpoints(segments(6, 40), "exact")  # a preamble, and spans of which the last stays
    assert 5 in spans


def test_after_a_consolidation_only_a_place_that_is_the_same_is_marked_again():
    before = segments(6, 30)
    distilled = [*before[:5], Segment("memory", "new", is_closed=True)]
    now = [*distilled, *(Segment("lived", f"new {n}", is_closed=True) for n in range(40))]
    marked = breakpoints(now, "exact", before)
    assert {place for place in marked if place < 5} == set()
    same = [*before[:20], *(Segment("lived", f"new {n}", is_closed=True) for n in range(40))]
    marked = breakpoints(same, "exact", before)
    shared = [place for place in breakpoints(before, "exact") if place < 20]
    assert max(shared) in marked
