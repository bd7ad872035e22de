"""Each way of losing the cache is named with its place and cause; what loses nothing is not."""

from __future__ import annotations

import copy
import json

import pytest

from agentjournal.errors import InputError, NotFoundError
from agentjournal.usage.lint.capture import read_captures
from agentjournal.usage.lint.lint import lint
from agentjournal.usage.lint.render import render
from agentjournal.usage.request.difference import compare
from agentjournal.usage.request.read import read_request
from support.golden import check

SYSTEM = "You are a careful engineer. Read the plan before you touch a file, and say what you did."
NOW = "======== boundary ========"


def user(text):
    return {"role": "user", "content": text}


def answer(text):
    return {"role": "assistant", "content": text}


def tool(name, **parameters):
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


def chat(*messages, system=SYSTEM, **more):
    return {"model": "m", **more, "messages": [{"role": "system", "content": system}, *messages]}


HISTORY = (user("Count the stock."), answer("I read stock.py; there are nine."), user("And sold?"))
LONGER = (*HISTORY, answer("Four were sold."), user("Thank you, write it down."))


def broken(earlier, later):
    return compare(read_request(earlier), read_request(later))


def block(text, *, mark=False):
    made = {"type": "text", "text": text}
    return {**made, "cache_control": {"type": "ephemeral"}} if mark else made


def message(role, *blocks):
    return {"role": role, "content": list(blocks)}


def part(role, text):
    return {"role": role, "parts": [{"text": text}]}


def called(arguments):
    calls = [{"function": {"arguments": arguments}}]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def claude(*messages, **more):
    return {"model": "c", "system": [block(SYSTEM, mark=True)], **more, "messages": list(messages)}


BREAKS = {
    "a clock on top": (
        chat(*HISTORY, system="It is 10:31:02.\n" + SYSTEM),
        chat(*LONGER, system="It is 10:34:56.\n" + SYSTEM),
        ("clock", "messages[0].content", 10),
    ),
    "a clock on top of the first two turns": (
        chat(user("hello"), system="Time: 10:31. Be brief."),
        chat(user("hello"), answer("hi"), user("go on"), system="Time: 10:34. Be brief."),
        ("clock", "messages[0].content", 10),
    ),
    "a date in words": (
        chat(*HISTORY, system=SYSTEM + " Today is Mon, Nov 30, 2026."),
        chat(*LONGER, system=SYSTEM + " Today is Tue, Dec 1, 2026."),
        ("clock", "messages[0].content", len(SYSTEM) + 10),
    ),
    "an id": (
        chat(*HISTORY, system=f"Run 0b5c9e10-1111-4222-8333-123456789abc\n{SYSTEM}"),
        chat(*LONGER, system=f"Run 7f5c9e10-1111-4222-8333-123456789abc\n{SYSTEM}"),
        ("id", "messages[0].content", 4),
    ),
    "a short id in a header": (
        claude(user("a question"), system=[block("cc_version=2.1.332.7cb; x", mark=True)]),
        claude(user("a question"), system=[block("cc_version=2.1.332.a0f; x", mark=True)]),
        ("id", "system[0].text", 19),
    ),
    "a counter": (
        chat(*HISTORY, system=f"{SYSTEM} 3 messages left."),
        chat(*LONGER, system=f"{SYSTEM} 2 messages left."),
        ("counter", "messages[0].content", len(SYSTEM) + 1),
    ),
    "tools in another order": (
        chat(*HISTORY, tools=[tool("read"), tool("write")]),
        chat(*LONGER, tools=[tool("write"), tool("read")]),
        ("reordered tools", "tools[0].function.name", 0),
    ),
    "keys in another order": (
        chat(*HISTORY, tools=[tool("read", a=1, b=2)]),
        chat(*LONGER, tools=[tool("read", b=2, a=1)]),
        ("reordered keys", "tools[0].function.parameters", 2),
    ),
    "keys of a text in another order": (
        chat(*HISTORY, system='{"goal": 1, "why": 2}'),
        chat(*LONGER, system='{"why": 2, "goal": 1}'),
        ("reordered keys", "messages[0].content", 2),
    ),
    "a tool more": (
        chat(*HISTORY, tools=[tool("read")]),
        chat(*LONGER, tools=[tool("grep"), tool("read")]),
        ("tool change", "tools[0].function.name", 0),
    ),
    "a tool's description": (
        chat(*HISTORY, tools=[tool("read", about="reads files")]),
        chat(*LONGER, tools=[tool("read", about="reads folders")]),
        ("tool change", "tools[0].function.parameters.about", 7),
    ),
    "an edited answer": (
        chat(*HISTORY),
        chat(LONGER[0], answer("I read stock.py; there are ten."), *LONGER[2:]),
        ("edited history", "messages[2].content", 27),
    ),
    "an edited question at the end": (
        chat(user("Count the stock in the northern hall")),
        chat(user("Count the stock in the southern hall"), answer("nine"), user("sold?")),
        ("edited history", "messages[1].content", 23),
    ),
    "a pruned history": (
        chat(*LONGER),
        chat(*LONGER[2:], answer("Done."), user("Next.")),
        ("pruned history", "messages[1].content", 0),
    ),
    "memory above the history": (
        chat(*HISTORY),
        chat({"role": "system", "content": "You remember: nine."}, *LONGER),
        ("memory injected above history", "messages[1].content", 0),
    ),
    "a system prompt that grows above a history": (
        chat(*HISTORY, system="You plan.\nI was born."),
        chat(*LONGER, system="You plan.\nI was born.\nI slept."),
        ("memory injected above history", "messages[0].content", 21),
    ),
    "one growing block inside a mark": (
        claude(message("user", block("[Epoch 1] a", mark=True), block("now 1"))),
        claude(message("user", block("[Epoch 1] a\n[Epoch 2] b", mark=True), block("now 2"))),
        ("one growing block inside a mark", "messages[0].content[0].text", 11),
    ),
    "a now-block inside a mark": (
        claude(message("user", block("lived"), block("now: open the box", mark=True))),
        claude(message("user", block("lived"), block("then: shut it", mark=True))),
        ("replaced block inside a mark", "messages[0].content[1].text", 0),
    ),
    "marks that are gone": (
        claude(message("user", block("one", mark=True))),
        claude(message("user", block("one")), answer("x"), user("y"), system=[block(SYSTEM)]),
        ("moved marks", "messages[0].content[0].text", None),
    ),
    "a mark that moved too far": (
        claude(message("user", block("one", mark=True))),
        claude(
            message("user", block("one")),
            *(message("user", block(f"more {n}")) for n in range(21)),
            message("user", block("last", mark=True)),
        ),
        ("moved marks", "messages[0].content[0].text", None),
    ),
    "a breakpoint that moved": (
        chat(message("user", {**block("one"), "prompt_cache_breakpoint": {"mode": "explicit"}})),
        chat(
            message("user", block("one")),
            answer("x"),
            message("user", {**block("two"), "prompt_cache_breakpoint": {"mode": "explicit"}}),
        ),
        ("moved marks", "messages[1].content[0].text", None),
    ),
    "another model": (
        chat(*HISTORY),
        chat(*LONGER, model="n"),
        ("model change", "model", 0),
    ),
    "a tool that was added": (
        chat(*HISTORY, tools=[{"name": "read"}]),
        chat(*LONGER, tools=[{"name": "read"}, {"name": "write"}]),
        ("tool change", "tools[1]", 0),
    ),
    "another template": (
        chat(*HISTORY, chat_template_kwargs={"thinking": True}),
        chat(*LONGER, chat_template_kwargs={"thinking": False}),
        ("chat template", "chat_template_kwargs", 13),
    ),
    "another thinking budget": (
        claude(message("user", block("one", mark=True)), thinking={"budget_tokens": 1}),
        claude(
            message("user", block("one", mark=True)),
            answer("x"),
            user("y"),
            thinking={"budget_tokens": 2},
        ),
        ("settings change", "thinking", 18),
    ),
    "a text prompt with a counter": (
        "turn 13 of 30: history",
        "turn 14 of 30: history and more",
        ("counter", "prompt", 6),
    ),
    "a whole prompt in one message": (
        {"messages": [user("At 10:31:02 you wake.\n" + SYSTEM)]},
        {"messages": [user("At 10:34:56 you wake.\n" + SYSTEM + " More.")]},
        ("clock", "messages[0].content", 7),
    ),
    "a Responses history": (
        {"instructions": "At 09:01 " + SYSTEM, "input": [user("a"), {"type": "reasoning", "x": 1}]},
        {"instructions": "At 09:02 " + SYSTEM, "input": [user("a"), {"type": "reasoning", "x": 1}]},
        ("clock", "instructions", 7),
    ),
    "Gemini's contents": (
        {"contents": [part("user", "a"), part("model", "b")]},
        {"contents": [part("user", "a"), part("model", "c")]},
        ("edited history", "contents[1].parts[0].text", 0),
    ),
    "a tool call's arguments": (
        chat(user("a"), called('{"a":1,"b":2}'), user("b")),
        chat(user("a"), called('{"b":2,"a":1}'), user("b")),
        ("edited history", "messages[2].tool_calls[0].function.arguments", 2),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_prefix_is_named_with_path_byte_and_cause(name):
    earlier, later, (cause, path, at) = BREAKS[name]
    found = broken(earlier, later)
    assert found is not None
    assert (found.cause, found.path, found.at) == (cause, path, at)


KEPT = {
    "a history that grows": (chat(*HISTORY), chat(*LONGER)),
    "the same request again": (chat(*HISTORY), chat(*HISTORY)),
    "a turn taken back": (chat(*LONGER), chat(*HISTORY)),
    "a now-block replaced below the history": (
        chat(*HISTORY, user("Now: it is 10:31:02, 3 messages left.")),
        chat(*LONGER, user("Now: it is 10:34:56, 2 messages left.")),
    ),
    "memory and now-block replaced below the history": (
        chat(*HISTORY, user("Recalled: nine boxes, red."), user("Now: 10:31")),
        chat(*LONGER, user("Recalled: four sold, blue."), user("Now: 10:34")),
    ),
    "a system prompt that grows, and a now-block": (
        chat(user("Now: 10:31. Decide."), system=SYSTEM + "\n[Epoch 1] a"),
        chat(user("Now: 10:34. Decide."), system=SYSTEM + "\n[Epoch 1] a\n\n[Epoch 2] b"),
    ),
    "text below a boundary line": (
        f"{SYSTEM}\n\n{NOW}\n\nNow: 10:31:02 and a long text that comes again and again and again",
        f"{SYSTEM}\n\n{NOW}\n\nNow: 10:34:56 and a long text that comes again and again and again",
    ),
    "other questions below one system prompt": (
        chat(user("What is a stock?")),
        chat(user("Who sold the box?")),
    ),
    "a mark that moves to the newest block": (
        claude(message("user", block("one", mark=True))),
        claude(
            message("user", block("one")),
            message("assistant", block("two")),
            message("user", block("three", mark=True)),
        ),
    ),
    "a string that becomes a marked block": (
        claude(user("one"), answer("two"), message("user", block("three", mark=True))),
        claude(user("one"), answer("two"), user("three"), message("user", block("5", mark=True))),
    ),
    "a now-block below the last mark": (
        claude(message("user", block("lived", mark=True), block("now: open the box 10:31"))),
        claude(message("user", block("lived", mark=True), block("now: open the box 10:34"))),
    ),
    "a kept breakpoint": (
        chat(message("user", {**block("one"), "prompt_cache_breakpoint": True}, block("now"))),
        chat(message("user", {**block("one"), "prompt_cache_breakpoint": True}, block("then"))),
    ),
    "a turn that continues what the server keeps": (
        {"instructions": SYSTEM, "input": [user("a"), answer("b"), user("c")]},
        {"instructions": SYSTEM, "input": [user("d")], "previous_response_id": "resp_1"},
    ),
    "a turn of a conversation that the server keeps": (
        {"input": [user("a"), {"type": "reasoning"}], "conversation": {"id": "conv_1"}},
        {"input": [user("d")], "conversation": {"id": "conv_1"}},
    ),
    "Bedrock's cache points": (
        {"system": [{"text": SYSTEM}, {"cachePoint": {"type": "default"}}], "messages": [user("a")]},
        {"system": [{"text": SYSTEM}, {"cachePoint": {"type": "default"}}], "messages": [user("b")]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", KEPT)
def test_what_breaks_nothing_is_not_reported(name):
    earlier, later = KEPT[name]
    assert broken(earlier, later) is None


def write(path, *values):
    path.write_text("".join(f"{json.dumps(value)}\n" for value in values))
    return path


def test_bytes_are_counted_in_utf_8_also_inside_a_character():
    found = broken(chat(*HISTORY, system="café " + SYSTEM), chat(*LONGER, system="cafè " + SYSTEM))
    assert found.at == 4


def test_turns_of_a_file_are_named_by_line(tmp_path):
    file = write(
        tmp_path / "turns.jsonl",
        chat(*HISTORY, system="At 10:31 " + SYSTEM),
        chat(*LONGER, system="At 10:31 " + SYSTEM),
        {"request": chat(*LONGER, answer("x"), user("y"), system="At 10:34 " + SYSTEM)},
    )
    report = lint(read_captures(file))
    [turn] = report.broken
    assert (turn.turn, turn.where) == (3, "turns.jsonl:3")
    assert "turn 3 (turns.jsonl:3): clock" in render(report)
    assert "messages[0].content, byte 7" in render(report)


def test_a_folder_is_read_in_the_order_of_its_numbers(tmp_path):
    for number in (1, 2, 10):
        messages = LONGER[: 1 + 2 * (number != 1) + 2 * (number == 10)]
        (tmp_path / f"call-{number}.json").write_text(json.dumps(chat(*messages)))
    report = lint(read_captures(tmp_path))
    assert (report.turns, report.conversations, report.is_good) == (3, 1, True)
    assert render(report) == "3 turns in 1 conversation: every prefix held."


def test_conversations_that_are_mixed_are_told_apart(tmp_path):
    other = [user("Paint the door, please."), answer("Which colour?"), user("Green.")]
    file = write(
        tmp_path / "mixed.jsonl",
        chat(*HISTORY),
        chat(*other),
        chat(*LONGER),
        chat(*other, answer("Done."), user("Thanks.")),
    )
    report = lint(read_captures(file))
    assert (report.conversations, report.is_good) == (2, True)


def test_a_programs_small_request_for_a_title_is_another_conversation(tmp_path):
    file = write(
        tmp_path / "mixed.jsonl",
        chat(HISTORY[0], tools=[tool("read", about="reads files"), tool("write")]),
        chat(HISTORY[0], system="Name this talk in five words."),
        chat(*HISTORY, tools=[tool("read", about="reads files"), tool("write")]),
    )
    report = lint(read_captures(file))
    assert (report.conversations, report.is_good) == (2, True)


def test_named_owners_are_conversations_even_where_nothing_is_alike(tmp_path):
    file = write(
        tmp_path / "named.jsonl",
        {"owner": "a", "body": chat(user("alpha alpha"), answer("x"), user("y"))},
        {"owner": "b", "body": chat(user("beta"))},
        {"owner": "a", "body": chat(user("a summary of it all"), answer("z"), user("y"))},
    )
    report = lint(read_captures(file))
    assert [(turn.where, turn.difference.cause) for turn in report.broken] == [
        ("named.jsonl:3", "edited history")
    ]


def test_a_head_that_new_conversations_share_is_watched_too(tmp_path):
    file = write(
        tmp_path / "tasks.jsonl",
        chat(user("Count the stock in hall one."), system="It is 10:31:02. " + SYSTEM),
        chat(user("Paint a door in green."), system="It is 10:34:56. " + SYSTEM),
    )
    [turn] = lint(read_captures(file)).broken
    assert (turn.conversation, turn.turn, turn.difference.cause) == (2, 1, "clock")


def test_texts_of_turns_are_prompts_of_one_block(tmp_path):
    file = write(
        tmp_path / "texts.jsonl", "history one", {"prompt": "history one, two"}, {"text": "history"}
    )
    assert lint(read_captures(file)).is_good


def test_wrapped_bodies_are_unwrapped(tmp_path):
    inner = json.dumps(chat(*HISTORY))
    file = write(
        tmp_path / "wrapped.jsonl",
        {"session": "a", "request": {"url": "x", "body": inner}},
        {"session": "a", "request": {"url": "x", "json": chat(*LONGER)}},
        {"url": "x", "body": chat(*LONGER, prompt_cache_key="a")},
    )
    assert [each.owner for each in read_captures(file).turns] == ["a"] * 3
    assert lint(read_captures(file)).is_good


@pytest.mark.parametrize("content", ["{", '{"usage": {}}', ""])
def test_what_is_no_request_is_refused_by_name(tmp_path, content):
    (tmp_path / "answer.json").write_text(content)
    with pytest.raises(InputError, match=r"answer\.json|holds no captured"):
        read_captures(tmp_path)


def test_answers_among_the_requests_are_passed_over_and_counted(tmp_path):
    (tmp_path / "1-request.json").write_text(json.dumps(chat(*HISTORY)))
    (tmp_path / "1-answer.json").write_text('{"choices": []}')
    (tmp_path / "2-request.json").write_text(json.dumps(chat(*LONGER)))
    (tmp_path / "2-answer.json").write_text("{half")
    report = lint(read_captures(tmp_path))
    assert (report.turns, report.is_good, len(report.passed_over)) == (2, True, 2)
    assert "Passed over 2: 1-answer.json is no request body" in render(report)


def test_a_path_without_anything_is_not_found(tmp_path):
    with pytest.raises(NotFoundError):
        read_captures(tmp_path / "nothing")


def test_every_unlike_pair_of_cases_is_compared_without_an_error():
    bodies = [body for pair in [*BREAKS.values(), *KEPT.values()] for body in pair[:2]]
    for earlier in bodies:
        for later in bodies:
            found = broken(copy.deepcopy(earlier), later)
            assert found is None or found.path


def test_the_report_reads_as_decided(tmp_path):
    file = write(
        tmp_path / "turns.jsonl",
        chat(*HISTORY, system="At 10:31:02 you wake. " + SYSTEM, tools=[tool("read")]),
        chat(*LONGER, system="At 10:34:56 you wake. " + SYSTEM, tools=[tool("read")]),
        {"answer": "an answer"},
        chat(*LONGER[2:], system="At 10:34:56 you wake. " + SYSTEM, tools=[tool("read")]),
    )
    check("usage_lint.txt", render(lint(read_captures(file))))
