"""What the proxy adds: the same requests to a local echo server, with and without it, in one run.

Run: python benchmarks/proxy.py [--requests 100000]
Beside ours stands a bare relay on the same libraries (uvicorn, httpx) without our code. Ends with 1
where ours adds more than 5 ms at the median or 15 ms at p99 of 64 streams, carries less than 60 % of the
bare relay's requests, or grows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

STREAMS, CHUNKS, PAUSE = 64, 60, 0.05  # 20 tokens a second for each of 64 streams
STREAM_ROUNDS = 3
ROUNDS = 5  # the rivals take turns, so that a busy moment of the machine hits them alike
MEDIAN_MS, P99_MS, SHARE, GROWTH_MIB = 5.0, 15.0, 0.6, 8.0
WARM_UP = 5_000
BURST = 800
PATH = "/v1/chat/completions"


def answer(size: int) -> bytes:
    """Give a completion's answer, always of the same length, with the tokens of so many bytes."""
    tokens = 1_000_000 + size // 4  # a constant number of digits; what was sent counts on top
    usage = {"prompt_tokens": tokens, "prompt_tokens_details": {"cached_tokens": tokens}}
    said = {"model": "m", "choices": [{"message": {"content": "x" * 600}}], "usage": usage}
    return json.dumps(said).encode()


LENGTH = len(answer(0))


# --- the servers, each in a process of its own ---------------------------------------------------


async def echo(scope, receive, send) -> None:  # noqa: ANN001, ARG001 - ASGI
    """Answer a completion; to a body that says so as a stream, each event with the time it was sent."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    if b'"stream": true' not in body[:40]:
        await send({"type": "http.response.start", "status": 200, "headers": JSON_HEADERS})
        await send({"type": "http.response.body", "body": answer(len(body))})
        return
    headers = [(b"content-type", b"text/event-stream")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    for _ in range(CHUNKS):
        await asyncio.sleep(PAUSE)
        said = {"choices": [{"delta": {"content": "word "}}], "sent": time.monotonic_ns()}
        event = b"data: " + json.dumps(said).encode() + b"\n\n"
        await send({"type": "http.response.body", "body": event, "more_body": True})
    await send({"type": "http.response.body", "body": b"data: [DONE]\n\n"})


JSON_HEADERS = [
    (b"content-type", b"application/json"),
    (b"content-length", str(LENGTH).encode()),
]


def bare_relay(upstream: str):  # noqa: ANN201 - ASGI
    """Give the least that passes requests on with the same libraries: no checks, no measuring."""
    import httpx

    transport = httpx.AsyncHTTPTransport(limits=httpx.Limits(max_connections=None))

    async def relay(scope, receive, send) -> None:  # noqa: ANN001 - ASGI
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        headers = [each for each in scope["headers"] if each[0] != b"connection"]
        url = upstream + scope["path"]
        stream = httpx.ByteStream(body)
        request = httpx.Request(scope["method"], url, headers=headers, stream=stream)
        answer = await transport.handle_async_request(request)
        kept = [each for each in answer.headers.raw if each[0].lower() != b"transfer-encoding"]
        status = answer.status_code
        await send({"type": "http.response.start", "status": status, "headers": kept})
        async for chunk in answer.stream:
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
        await answer.aclose()

    return relay


def serve(app) -> None:  # noqa: ANN001 - ASGI
    """Serve on any free port, and say which."""
    import socket

    import uvicorn

    listener = socket.socket(proto=socket.IPPROTO_TCP)  # named, or asyncio leaves Nagle's delay on
    listener.bind(("127.0.0.1", 0))
    listener.listen(1024)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    config = uvicorn.Config(
        app, http="httptools", loop="asyncio", log_level="critical", lifespan="off"
    )
    asyncio.run(uvicorn.Server(config).serve([listener]))


@contextmanager
def process(*command: str, **environment: str) -> Iterator[tuple[str, int]]:
    """Run a server and give its URL and process id."""
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment},
    ) as started:
        try:
            line = started.stdout.readline()
            yield (
                json.loads(line)["data"]["url"] if line.startswith("{") else line.strip(),
                started.pid,
            )
        finally:
            started.terminate()


# --- the client: sockets and bytes, so that it costs little --------------------------------------


def request(url: str, body: bytes) -> bytes:
    """Give a request as bytes."""
    host = url.removeprefix("http://").partition("/")[0]
    head = f"POST {PATH} HTTP/1.1\r\nHost: {host}\r\nX-Agentjournal-Owner: bench\r\n"
    return (
        f"{head}Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n".encode()
        + body
    )


async def opened(url: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Connect to a server."""
    host, _, port = url.removeprefix("http://").partition(":")
    return await asyncio.open_connection(host, int(port))


async def ask(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, data: bytes) -> None:
    """Send a request and read its answer to the end."""
    writer.write(data)
    head = await reader.readuntil(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 200"), head  # noqa: S101 - a benchmark's own check
    await reader.readexactly(LENGTH)


async def latency(url: str, bodies: Sequence[bytes]) -> list[float]:
    """Give the milliseconds of each request, one after the other."""
    reader, writer = await opened(url)
    took = []
    for body in bodies:
        data, start = request(url, body), time.perf_counter()
        await ask(reader, writer, data)
        took.append((time.perf_counter() - start) * 1000)
    writer.close()
    return took


async def throughput(url: str, body: bytes, count: int, connections: int = 16) -> float:
    """Give the requests per second of so many connections that never wait."""
    data = request(url, body)

    async def client(number: int) -> None:
        reader, writer = await opened(url)
        for _ in range(number):
            await ask(reader, writer, data)
        writer.close()

    start = time.perf_counter()
    await asyncio.gather(*(client(count // connections) for _ in range(connections)))
    return count / (time.perf_counter() - start)


async def streams(url: str, body: bytes) -> list[float]:
    """Give how many milliseconds each event of 64 streams was under way."""
    data = request(url, body)
    under_way: list[float] = []

    async def client() -> None:
        await asyncio.sleep(random.random() * PAUSE)  # noqa: S311 - spread, no secret
        reader, writer = await opened(url)
        writer.write(data)
        while b"[DONE]" not in (line := await reader.readline()):
            if line.startswith(b"data: "):
                sent = json.loads(line[6:])["sent"]
                under_way.append((time.monotonic_ns() - sent) / 1e6)
        writer.close()

    await asyncio.gather(*(client() for _ in range(STREAMS)))
    return under_way


# --- what is compared ----------------------------------------------------------------------------


def conversation(turns: int, size: int) -> list[bytes]:
    """Give the bodies of a growing conversation that ends with so many bytes."""
    messages, bodies = [{"role": "system", "content": "You help. " * 40}], []
    for turn in range(turns):
        role = "assistant" if turn % 2 else "user"
        messages.append(
            {"role": role, "content": f"{turn} " + "some words " * (size // turns // 11)}
        )
        bodies.append(json.dumps({"model": "m", "messages": messages}).encode())
    return bodies


def p99(values: Sequence[float]) -> float:
    """Give the value that 1 % are above."""
    return sorted(values)[int(len(values) * 0.99)]


def resident_mib(pid: int) -> float:
    """Give the memory that a process has resident."""
    with Path(f"/proc/{pid}/statm").open(encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def cpu_ms(pid: int) -> float:
    """Give the processor time that a process has used."""
    with Path(f"/proc/{pid}/stat").open(encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def measure_latency(urls: dict[str, str]) -> bool:
    """Compare medians over a conversation that grows to 100 KB."""
    bodies = conversation(40, 100_000)
    took: dict[str, list[float]] = {name: [] for name in urls}
    for _ in range(ROUNDS):
        for name, url in urls.items():
            took[name] += asyncio.run(latency(url, bodies))
    medians = {name: statistics.median(values) for name, values in took.items()}
    added = medians["proxy"] - medians["direct"]
    print("one request, body growing to 100 KB, median ms: " + told(medians))
    print(f"  added {added:.2f} ms (at most {MEDIAN_MS})")
    return added <= MEDIAN_MS


def measure_streams(urls: dict[str, str], pids: dict[str, int]) -> bool:
    """Compare how long events of 64 streams are under way."""
    body = b'{"stream": true, ' + conversation(4, 8_000)[-1][1:]
    seen: dict[str, list[float]] = {name: [] for name in urls}
    spent = {name: -cpu_ms(pid) for name, pid in pids.items()}
    for _ in range(STREAM_ROUNDS):
        for name, url in urls.items():
            seen[name].append(p99(asyncio.run(streams(url, body))))
    tails = {name: min(values) for name, values in seen.items()}  # noise only adds
    events = STREAM_ROUNDS * STREAMS * CHUNKS
    costs = {name: (spent[name] + cpu_ms(pid)) / events for name, pid in pids.items()}
    costs["direct"] /= len(urls)  # the echo server answered for all of them
    added = tails["proxy"] - tails["direct"]
    print(
        f"{STREAMS} streams of {1 / PAUSE:.0f} events a second, p99 ms of an event, best of"
        f" {STREAM_ROUNDS} rounds: " + told(tails)
    )
    print("  processor ms an event: " + told(costs))
    print(f"  added {added:.2f} ms (at most {P99_MS})")
    return added <= P99_MS


def measure_throughput(urls: dict[str, str], pids: dict[str, int]) -> bool:
    """Compare requests per second, closed loop."""
    body = conversation(4, 2_000)[-1]
    seen: dict[str, list[float]] = {name: [] for name in urls}
    spent = {name: -cpu_ms(pid) for name, pid in pids.items()}
    for _ in range(ROUNDS):
        for name, url in urls.items():
            seen[name].append(asyncio.run(throughput(url, body, BURST)))
    rates = {name: statistics.median(values) for name, values in seen.items()}
    costs = {name: (spent[name] + cpu_ms(pid)) / BURST / ROUNDS for name, pid in pids.items()}
    costs["direct"] /= len(urls)  # the echo server answered for all of them
    share = rates["proxy"] / rates["bare relay"]
    print("16 connections, requests a second: " + told(rates))
    print("  processor ms a request: " + told(costs))
    print(f"  {share:.0%} of the bare relay's (at least {SHARE:.0%})")
    return share >= SHARE


def measure_memory(url: str, pid: int, count: int) -> bool:
    """Compare resident memory after 5,000 and after all requests."""
    body = conversation(4, 2_000)[-1]
    asyncio.run(throughput(url, body, WARM_UP))
    before = resident_mib(pid)
    start = time.perf_counter()
    asyncio.run(throughput(url, body, count - WARM_UP))
    after = resident_mib(pid)
    rate = (count - WARM_UP) / (time.perf_counter() - start)
    print(
        f"memory after {WARM_UP:,} requests {before:.1f} MiB, after {count:,} {after:.1f} MiB"
        f" ({rate:.0f} a second): grown by {after - before:.1f} MiB (at most {GROWTH_MIB})"
    )
    return after - before <= GROWTH_MIB


def told(values: dict[str, float]) -> str:
    """Give the values of all rivals."""
    return ", ".join(f"{name} {value:.2f}" for name, value in values.items())


def main() -> int:
    """Run all, and say where a figure is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--only", choices=["latency", "streams", "throughput", "memory"])
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve(echo if options.serve == "echo" else bare_relay(options.serve))
        return 0
    here = (sys.executable, __file__, "--serve")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        engine, echo_pid = stack.enter_context(process(*here, "echo"))
        bare, bare_pid = stack.enter_context(process(*here, engine))
        command = (sys.executable, "-m", "agentjournal.cli", "proxy", "--json", "--port", "0")
        ours, pid = stack.enter_context(
            process(*command, "--upstream", engine, AGENTJOURNAL_DATABASE=f"{folder}/log.db")
        )
        pids = {"direct": echo_pid, "bare relay": bare_pid, "proxy": pid}
        urls = {"direct": engine, "bare relay": bare, "proxy": ours}
        for url in urls.values():
            asyncio.run(throughput(url, conversation(2, 500)[-1], 160))
        wanted = {
            "latency": lambda: measure_latency(urls),
            "streams": lambda: measure_streams(urls, pids),
            "throughput": lambda: measure_throughput(urls, pids),
            "memory": lambda: measure_memory(ours, pid, options.requests),
        }
        chosen = [options.only] if options.only else list(wanted)
        held = [wanted[name]() for name in chosen]  # all of them run, whatever the first says
        return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
