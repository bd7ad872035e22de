"""A growing memory as an Anthropic Messages request: closed blocks are marked, the clock is last."""

from __future__ import annotations

from agentjournal import Journal, Prompt, check_prefix_extension

journal = Journal("planner", layout="v2")


def request(now: str) -> dict[str, object]:
    """Give the body of the next call; send it as `client.messages.create(**body)`."""
    prompt = Prompt.of("You plan the work of a small shop.\n\n", journal, tail=now)
    return {"model": "claude-sonnet-5", "max_tokens": 500, **prompt.to_chat("anthropic")}


journal.record_turn(1, "The till rounds wrongly." + " A receipt." * 100, own="Ask for all.")
first = request("It is 10:31. What next?")
journal.record_turn(2, "They came in a box." + " A receipt." * 100, own="Sort them.")
second = request("It is 10:47. What next?")

check_prefix_extension(first, second)  # or raises PrefixBroken, which names block and byte
for block in [*second["system"], *second["messages"][0]["content"]]:
    print("mark" if "cache_control" in block else "    ", repr(block["text"][:40]))
