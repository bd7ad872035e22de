"""The checks on request bodies as they are sent."""

from __future__ import annotations

import copy

import pytest

from agentjournal import (
    Journal,
    PrefixBroken,
    Prompt,
    check_prefix_extension,
    first_divergence,
    is_cache_safe,
)
from agentjournal.journal.dialect import CHAT_DIALECTS

TOOL = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}


def body(journal, dialect, tail="go", preamble="You plan.\n\n", **more):
    prompt = Prompt.of(preamble, journal, tail=tail)
    return {"model": "m", **prompt.to_chat(dialect), **more}


def lived(turns):
    journal = Journal("planner")
    for epoch in range(turns):
        journal.record_turn(epoch, f"{epoch} " + "x" * 3000, own="ok")
    return journal


@pytest.mark.parametrize("dialect", CHAT_DIALECTS)
def test_a_growing_life_is_safe_whatever_stands_below_the_boundary(dialect):
    journal = lived(1)
    earlier = body(journal, dialect, tail="It is 10:31.")
    for epoch in range(1, 30):
        journal.record_turn(epoch, f"{epoch} " + "x" * 3000, own="ok")
        later = body(journal, dialect, tail=f"It is 10:{31 + epoch}.", temperature=epoch)
        check_prefix_extension(earlier, later)
        assert is_cache_safe(earlier, later)
        earlier = later


@pytest.mark.parametrize("dialect", CHAT_DIALECTS)
def test_the_same_again_is_safe_but_did_not_grow(dialect):
    journal = lived(3)
    with pytest.raises(PrefixBroken, match="did not grow") as caught:
        check_prefix_extension(body(journal, dialect), body(journal, dialect, tail="later"))
    assert (caught.value.cache_safe, caught.value.grew) == (True, False)


@pytest.mark.parametrize(
    ("dialect", "path"),
    [
        ("openai-chat", "messages[0].content[0].text"),
        ("openai-responses", "input[0].content[0].text"),
        ("anthropic", "system[0].text"),
        ("deepseek", "messages[0].content"),
    ],
)
def test_a_clock_on_top_is_named_by_its_json_path(dialect, path):
    journal = lived(3)
    earlier = body(journal, dialect, preamble="You plan. It is 10:31.\n\n")
    journal.record_turn(3, "later")
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(
            earlier, body(journal, dialect, preamble="You plan. It is 10:32.\n\n")
        )
    assert caught.value.where == f"{path}, byte 20 of it"
    assert f"at {path}" in str(caught.value)
    assert not caught.value.cache_safe


def test_an_edited_turn_is_named_by_block_and_epoch():
    journal = lived(4)
    earlier = body(journal, "anthropic")
    later = copy.deepcopy(earlier)
    blocks = later["messages"][0]["content"]
    blocks[1]["text"] = blocks[1]["text"].replace("You said: ok", "You said: no", 1)
    blocks.insert(-1, {"type": "text", "text": "\n\n[Epoch 9]\nThe world: grew"})
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(earlier, later)
    assert caught.value.where.startswith("messages[0].content[1].text, byte ")
    assert caught.value.where.endswith(", in [Epoch 0]")


def test_reordered_tools_and_another_model_are_other_caches():
    journal = lived(2)
    other = {"type": "function", "function": {"name": "act"}}
    earlier = body(journal, "openai-chat", tools=[TOOL, other])
    assert is_cache_safe(earlier, body(journal, "openai-chat", tools=[TOOL, other]))
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(earlier, body(journal, "openai-chat", tools=[other, TOOL]))
    assert caught.value.where.startswith("tools[0]")
    assert not is_cache_safe(earlier, {**earlier, "model": "n"})
    assert not is_cache_safe(earlier, {**earlier, "prompt_cache_key": "other"})


def test_a_tools_keys_in_another_order_are_other_bytes():
    turned = {"function": TOOL["function"], "type": "function"}
    journal = lived(2)
    earlier = body(journal, "openai-chat", tools=[TOOL])
    assert not is_cache_safe(earlier, body(journal, "openai-chat", tools=[turned]))


def test_a_mark_that_moves_changes_nothing():
    journal = lived(2)
    earlier = body(journal, "anthropic")
    later = copy.deepcopy(earlier)
    for block in later["system"]:
        block.pop("cache_control", None)
    assert is_cache_safe(earlier, later)


def test_one_growing_block_with_a_mark_is_not_safe_and_the_message_says_why():
    def one_block(text):
        block = {"type": "text", "text": text, "cache_control": {"type": "ephemeral"}}
        return {"messages": [{"role": "user", "content": [block]}]}

    with pytest.raises(PrefixBroken, match="not block by block") as caught:
        check_prefix_extension(one_block("It began."), one_block("It began. It went on."))
    assert (caught.value.cache_safe, caught.value.grew) == (False, True)
    assert caught.value.where == "messages[0].content[0].text, byte 9 of it"


def test_a_conversation_without_boundary_must_extend_as_a_whole():
    first = [{"role": "system", "content": "s"}, {"role": "user", "content": "u"}]
    call = {"id": "1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    second = [
        *first,
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "1", "content": "seen"},
    ]
    check_prefix_extension({"messages": first}, {"messages": second})
    third = copy.deepcopy(second)
    third[2]["tool_calls"][0]["function"]["arguments"] = '{"a":1}'
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension({"messages": second}, {"messages": third})
    assert caught.value.where.startswith("messages[2].tool_calls, byte ")


def test_a_role_that_changes_is_a_change_though_the_bytes_are_the_same():
    earlier = {"messages": [{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]}
    later = copy.deepcopy(earlier)
    later["messages"][0]["role"] = "system"
    assert not is_cache_safe(earlier, later)


def test_a_message_that_was_dropped_is_a_shrink():
    messages = [{"role": "user", "content": text} for text in "abc"]
    with pytest.raises(PrefixBroken, match="shrank from 3 to 2 bytes") as caught:
        check_prefix_extension({"messages": messages}, {"messages": messages[:2]})
    assert caught.value.where == "messages[2].content, byte 0 of it"


def test_inputs_that_are_strings_and_items_of_responses_are_read_too():
    earlier = {"instructions": "You plan.", "input": "go"}
    assert is_cache_safe(earlier, {**earlier, "input": "go on"})
    assert not is_cache_safe(earlier, {**earlier, "instructions": "You plan!"})
    call = {"type": "function_call", "call_id": "1", "name": "look", "arguments": "{}"}
    items = [{"role": "user", "content": [{"type": "input_text", "text": "go"}]}, call]
    result = {"type": "function_call_output", "call_id": "1", "output": "seen"}
    check_prefix_extension({"input": items}, {"input": [*items, result]})
    assert not is_cache_safe({"input": items}, {"input": [items[0], {**call, "name": "act"}]})


def test_images_and_odd_values_are_compared_as_they_are():
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
    earlier = {"messages": [{"role": "user", "content": [image, "loose"]}, "odd"]}
    assert is_cache_safe(earlier, copy.deepcopy(earlier))
    later = copy.deepcopy(earlier)
    later["messages"][0]["content"][0]["image_url"]["url"] += "B"
    assert not is_cache_safe(earlier, later)


def test_the_first_divergence_of_bodies_counts_the_bytes_above_the_boundary():
    journal = lived(2)
    earlier = body(journal, "anthropic")
    assert first_divergence(earlier, body(journal, "anthropic", tail="x")) == -1
    assert first_divergence(earlier, body(journal, "anthropic", preamble="You act.")) == 5


def test_an_empty_body_extends_to_any():
    assert is_cache_safe({}, {"messages": [{"role": "user", "content": "a"}]}) is False
    assert is_cache_safe({}, {}) is True


def test_prompts_name_the_segment_and_its_epoch():
    journal, other = lived(3), Journal("planner")
    other.record_turn(0, "something else")
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(Prompt.of("P", other), Prompt.of("P", journal))
    assert caught.value.where == "segment 2 (lived), byte 23 of it, in [Epoch 0]"


def test_segments_cut_at_another_place_break_block_caches():
    from agentjournal.journal.segment import Segment

    earlier = Prompt(memory=(Segment("memory", "ab", is_closed=True),))
    later = Prompt(
        memory=(Segment("memory", "a", is_closed=True), Segment("memory", "bc", is_closed=True))
    )
    assert earlier.to_text() + "c" == later.to_text()
    assert not is_cache_safe(earlier, later)
    assert is_cache_safe(earlier.to_text(), later)


def test_text_keeps_the_references_message_and_names_the_turn_beside_it():
    journal, other = lived(3), lived(3)
    journal.record_turn(3, "one")
    other.record_turn(3, "two, and more")
    with pytest.raises(PrefixBroken) as caught:
        check_prefix_extension(journal.render(), other.render())
    assert "[Epoch" not in str(caught.value).splitlines()[-1]
    assert caught.value.where.endswith("in [Epoch 3]")


def test_a_closed_segment_that_grows_is_not_safe_though_the_bytes_extend():
    from agentjournal.journal.segment import Segment

    earlier = Prompt(memory=(Segment("memory", "ab", is_closed=True),))
    later = Prompt(memory=(Segment("memory", "abc", is_closed=True),))
    assert not is_cache_safe(earlier, later)
    assert is_cache_safe(
        Prompt(memory=(Segment("memory", "ab", is_closed=False),)),
        Prompt(memory=(Segment("memory", "abc", is_closed=True),)),
    )


def test_only_the_last_journal_of_a_prompt_may_grow():
    first, second = lived(1), lived(2)
    earlier = Prompt.of("P", first, second)
    second.record_turn(2, "grew")
    assert is_cache_safe(earlier, Prompt.of("P", first, second))
    earlier = Prompt.of("P", first, second)
    first.record_turn(1, "grew")
    assert not is_cache_safe(earlier, Prompt.of("P", first, second))
    assert not is_cache_safe(
        earlier.to_chat("openai-chat"), Prompt.of("P", first, second).to_chat("openai-chat")
    )


def test_a_middle_block_that_grows_is_not_safe():
    def said(*texts):
        return {"messages": [{"role": "user", "content": text} for text in texts]}

    assert not is_cache_safe(said("a", "b"), said("ab", "b"))
    assert is_cache_safe(said("a", "b"), said("a", "bc"))


def test_without_a_boundary_what_stands_below_the_last_mark_is_free():
    def said(now):
        mark = {"cache_control": {"type": "ephemeral"}}
        return {
            "messages": [
                {
                    "role": "user",
                    "content": [
                        {"type": "text", "text": "a", **mark},
                        {"type": "text", "text": now},
                    ],
                }
            ]
        }

    assert is_cache_safe(said("It is 10:31."), said("It is 10:32."))


def test_a_mark_on_a_tool_is_no_part_of_the_tool():
    journal = lived(1)
    marked = {**TOOL, "cache_control": {"type": "ephemeral"}}
    earlier, later = (body(journal, "anthropic", tools=[tool]) for tool in (TOOL, marked))
    assert is_cache_safe(earlier, later)


def test_a_whole_prompt_sent_as_one_message_is_compared_above_its_boundary():
    journal = lived(1)

    def sent(now):
        text = Prompt.of("You plan.\n\n", journal, tail=now).to_text()
        return {"model": "m", "messages": [{"role": "user", "content": text}]}

    earlier = sent("It is 10:31.")
    assert is_cache_safe(earlier, sent("It is 10:47."))
    assert is_cache_safe(sent(""), earlier)
    assert is_cache_safe(earlier, sent(""))
    journal.record_turn(1, "It rained.", own="ok")
    check_prefix_extension(earlier, sent("It is 10:48."))
    answered = [*sent("It is 10:31.")["messages"], {"role": "assistant", "content": "Yes."}]
    assert is_cache_safe(earlier, {"model": "m", "messages": answered})
    changed = sent("now")
    changed["messages"][0]["content"] = changed["messages"][0]["content"].replace("plan", "play")
    assert not is_cache_safe(earlier, changed)
