from __future__ import annotations

import pytest

from agentjournal import Prompt, lint_prompt
from agentjournal.journal.sent import above

LINE = "======== boundary ========"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f"a\n{LINE}\nb\n{LINE}\nc", "a"),
        (f"{LINE}\nturn 1 of 2", ""),
        (f"a {LINE} b", f"a {LINE} b"),
        ("a", "a"),
        ("", ""),
        (f"a\r\n{LINE}\r\nb", "a\r"),
        (f"a\n{LINE}", "a"),
    ],
)
def test_what_stands_above_is_all_up_to_the_first_boundary_line(text, kept):
    assert above(text) == kept


def test_a_prompts_text_and_its_bodies_are_found_alike():
    prompt = Prompt(preamble="You are in turn 3 of 9.", tail="turn 4 of 9")
    (found,) = lint_prompt(prompt.to_text())
    assert (found.where, found.volatile.text) == ("", "turn 3 of 9")
    assert str(found) == "1: counter: 'turn 3 of 9' (a counter)"
    (found,) = lint_prompt(prompt.to_chat("deepseek"))
    assert str(found).startswith("messages[0].content:1: counter")


def test_a_whole_prompt_sent_as_one_message_is_looked_at_above_its_boundary():
    prompt = Prompt(preamble="You are in turn 3 of 9.", tail="turn 4 of 9")
    (found,) = lint_prompt({"messages": [{"role": "user", "content": prompt.to_text()}]})
    assert found.volatile.text == "turn 3 of 9"


def test_a_body_is_looked_at_up_to_the_boundary_that_is_named():
    prompt = Prompt(preamble="You plan.", tail="turn 4 of 9", boundary="--")
    body = prompt.to_chat("deepseek")
    assert lint_prompt(body, boundary="--") == []
    assert len(lint_prompt(body)) == 1


def test_keys_of_tools_stand_in_the_order_in_which_they_are_sent():
    body = {"tools": [{"name": "z", "function": {"b": 1, "a": ["it is 10:31:02"]}}], "messages": []}
    assert [found.where for found in lint_prompt(body)] == ["tools[0].function.a[0]"]
