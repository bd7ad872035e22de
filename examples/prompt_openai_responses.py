"""A growing memory as a Responses request, with the breakpoints that gpt-5.6 and later match."""

from __future__ import annotations

from agentjournal import Journal, Prompt, check_prefix_extension, routing

journal = Journal("planner", layout="v2")


def request(now: str) -> dict[str, object]:
    """Give the body of the next call; send it as `client.responses.create(**body)`."""
    prompt = Prompt.of("You plan the work of a small shop.\n\n", journal, tail=now)
    return {"model": "gpt-5.6", **prompt.to_chat("openai-responses"), **routing("planner").body}


journal.record_turn(1, "The till rounds wrongly." + " A receipt." * 100, own="Ask for all.")
first = request("It is 10:31. What next?")
journal.record_turn(2, "They came in a box." + " A receipt." * 100, own="Sort them.")
second = request("It is 10:47. What next?")

check_prefix_extension(first, second)  # or raises PrefixBroken, which names block and byte
for item in second["input"]:
    for block in item["content"]:
        print("mark" if "prompt_cache_breakpoint" in block else "    ", repr(block["text"][:40]))
