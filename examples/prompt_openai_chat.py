"""A growing memory as chat completions, with the breakpoints that gpt-5.6 and later match."""

from __future__ import annotations

from agentjournal import Journal, Prompt, check_prefix_extension, routing

journal = Journal("planner", layout="v2")


def prompt(now: str) -> Prompt:
    """Give what the next call says."""
    return Prompt.of("You plan the work of a small shop.\n\n", journal, tail=now)


def body(now: Prompt, before: Prompt | None = None) -> dict[str, object]:
    """Give its body; send it as `client.chat.completions.create(**body)`.

    Older models, and engines that match any prefix, get `to_chat("openai-chat", marks=False)`.
    """
    sent = now.to_chat("openai-chat", earlier=before)
    return {"model": "gpt-5.6", **sent, **routing("planner").body}


journal.record_turn(1, "The till rounds wrongly." + " A receipt." * 100, own="Ask for all.")
first = prompt("It is 10:31. What next?")
journal.record_turn(2, "They came in a box." + " A receipt." * 100, own="Sort them.")
second = prompt("It is 10:47. What next?")

sent = body(second, first)
check_prefix_extension(body(first), sent)  # or raises PrefixBroken, which names block and byte
print(sent["prompt_cache_key"], sent["prompt_cache_options"])
for message in sent["messages"]:
    for block in message["content"]:
        print("mark" if "prompt_cache_breakpoint" in block else "    ", repr(block["text"][:40]))
