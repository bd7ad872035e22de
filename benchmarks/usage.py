"""What it costs to look at answers as they pass, beside the same bytes passed without a look.

Run: python benchmarks/usage.py            the reading itself, no network
     python benchmarks/usage.py BASE_URL   a growing conversation on a real engine, streamed through `openai`:
                                           what it reports beside what the engine's own counters say
"""

from __future__ import annotations

import json
import re
import sys
import urllib.request
from time import perf_counter
from typing import TYPE_CHECKING

from agentjournal import usage
from agentjournal.usage.wire.answer import AnswerReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

CHUNK = 16 * 1024
REPEATS = 5
TURNS = 8
USAGE = {
    "prompt_tokens": 9000,
    "completion_tokens": 700,
    "prompt_tokens_details": {"cached_tokens": 8000},
}
WORDS = "the agent reads a file and writes a test because the cache key must stay stable"


def events() -> bytes:
    """Give a long stream of chat completions: one small event a token, usage in the last."""
    chunk = {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": {"content": " token"}, "finish_reason": None}],
        "usage": None,
    }
    last = {**chunk, "choices": [], "usage": USAGE}
    lines = [f"data: {json.dumps(chunk)}\n\n"] * 20_000
    return ("".join(lines) + f"data: {json.dumps(last)}\n\ndata: [DONE]\n\n").encode()


def document() -> bytes:
    """Give one long answer with code in it, so with many quotation marks and escapes."""
    text = 'print("hello", {"a": [1, 2]})\n' * 150_000
    body = {"model": "m", "choices": [{"message": {"content": text}}], "usage": USAGE}
    return json.dumps(body).encode()


def best(action: Callable[[], object]) -> float:
    """Give the fewest seconds of several runs: noise only adds."""
    times = []
    for _ in range(REPEATS):
        start = perf_counter()
        action()
        times.append(perf_counter() - start)
    return min(times)


def cut(data: bytes) -> list[bytes]:
    """Cut an answer as it would come."""
    return [data[at : at + CHUNK] for at in range(0, len(data), CHUNK)]


def looked(pieces: Iterable[bytes], kind: str) -> int | None:
    """Look at an answer as it passes."""
    reader = AnswerReader(kind)
    for piece in pieces:
        reader.feed(piece)
    return reader.finish().cache_read


def print_reading() -> None:
    """Print the speed of looking beside that of parsing the whole."""
    print(
        f"{'answer':<10} {'size':>8} {'look':>9} {'MB/s':>7} {'parse all':>10} {'look/parse':>10}"
    )
    for name, kind, data in (
        ("stream", "text/event-stream", events()),
        ("document", "application/json", document()),
    ):
        pieces = cut(data)
        assert looked(pieces, kind) == 8000, "the figure must be right before it is fast"  # noqa: S101
        look = best(lambda pieces=pieces, kind=kind: looked(pieces, kind))
        lines = [line[6:] for line in data.split(b"\n\n") if line.startswith(b"data: {")] or [data]
        parse = best(lambda lines=lines: [json.loads(line) for line in lines])
        print(
            f"{name:<10} {len(data) / 1e6:>6.1f}MB {look * 1e3:>7.1f}ms {len(data) / 1e6 / look:>7.0f}"
            f" {parse * 1e3:>8.1f}ms {look / parse:>10.2f}"
        )
    body = {"model": "m", "usage": USAGE}
    count = 2_000
    each = best(lambda: [usage.normalise(body) for _ in range(count)]) / count
    print(f"normalise one answer: {each * 1e6:.0f} us")


def computed(base: str) -> int | None:
    """Ask llama.cpp how many prompt tokens it has computed so far; None for engines without that counter."""
    address = base.removesuffix("/v1") + "/metrics"
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:  # noqa: S310 - the engine under test
            text = answer.read().decode()
    except OSError:
        return None
    found = re.search(r"^llamacpp:prompt_tokens_total (\S+)", text, re.MULTILINE)
    return int(float(found[1])) if found else None


def converse(base: str, *, clock: bool) -> list[usage.Usage]:
    """Hold a conversation that grows; with a clock on top it is sent anew each turn."""
    import openai

    seen = []
    observer = usage.Observer(sinks=[lambda call: seen.append(call.usage)])
    client = usage.observe(openai.OpenAI(base_url=base, api_key="none", max_retries=0), observer)
    model = client.models.list().data[0].id
    history = []
    for turn in range(TURNS):
        top = f"Turn {turn} of {clock and perf_counter()}. " if clock else "You help. "
        history.append({"role": "user", "content": f"{turn} " + " ".join([WORDS] * 25)})
        stream = client.chat.completions.create(
            model=model,
            messages=[{"role": "system", "content": top + "Be brief."}, *history],
            max_tokens=4,
            temperature=0,
            stream=True,
            stream_options={"include_usage": True},
        )
        text = "".join(c.choices[0].delta.content or "" for c in stream if c.choices)
        history.append({"role": "assistant", "content": text})
    client.close()
    return seen


def print_engine(base: str) -> None:
    """Print what was observed beside what the engine counted itself."""
    print(
        f"{'arm':<12} {'turns':>5} {'input':>8} {'cached':>8} {'share':>7} {'computed':>9}"
        f" {'engine says':>11}"
    )
    for arm, clock in (("append-only", False), ("clock on top", True)):
        before = computed(base)
        seen = converse(base, clock=clock)
        after = computed(base)
        total = sum(each.input_total or 0 for each in seen)
        cached = sum(each.cache_read or 0 for each in seen)
        says = after - before if before is not None and after is not None else None
        print(
            f"{arm:<12} {len(seen):>5} {total:>8} {cached:>8} {cached / total * 100:>5.1f} %"
            f" {total - cached:>9} {says if says is not None else '-':>11}"
        )


def main() -> None:
    """Print the table for what was asked."""
    if len(sys.argv) > 1:
        print_engine(sys.argv[1].rstrip("/"))
    else:
        print_reading()


if __name__ == "__main__":
    main()
