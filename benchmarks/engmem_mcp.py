"""How fast `engmem mcp` answers: its start, the first search without and with an index, and later ones.

    python benchmarks/engmem_mcp.py --documents 10000

Beside the start of our server stands that of a bare one of the SDK, in the same environment.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from support.documents import questions, write_documents

BARE = """
import anyio
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
async def main():
    async with stdio_server() as (r, w):
        server = Server("bare")
        await server.run(r, w, server.create_initialization_options())
anyio.run(main)
"""
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "b", "version": "1"},
}


class Client:
    """One server process, asked one thing after the other."""

    def __init__(self, command: list[str], cache: Path) -> None:
        self.began = time.perf_counter()
        self.number = 0
        environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        self.ask("initialize", HELLO)
        self.start = time.perf_counter() - self.began
        self.send({"method": "notifications/initialized"})

    def send(self, frame: dict[str, object]) -> None:
        """Send a frame."""
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")
        self.process.stdin.flush()

    def ask(self, method: str, params: object) -> float:
        """Ask, and give the seconds until the answer."""
        began = time.perf_counter()
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        answer = json.loads(self.process.stdout.readline())
        if "result" not in answer or answer["result"].get("isError"):
            raise SystemExit(f"{method} failed: {answer}")
        return time.perf_counter() - began

    def search(self, query: str) -> float:
        """Search, and give the seconds."""
        return self.ask("tools/call", {"name": "engmem_search", "arguments": {"query": query}})

    def close(self) -> None:
        """Let the server end."""
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=50)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store, cache = Path(folder) / "store", Path(folder) / "cache"
        write_documents(store, given.documents)
        asked = list(questions(given.calls + 1))
        ours = [sys.executable, "-P", "-m", "agentjournal.cli.engmem", "mcp", "--store", str(store)]
        new = Client(ours, cache)
        began = time.perf_counter()
        new.search(asked[0])
        print(f"first search with no index: {time.perf_counter() - began:.2f} s after the start")
        new.close()
        first, starts, bare = [], [], []
        for _ in range(5):
            client = Client(ours, cache)
            starts.append(client.start)
            client.search(asked[0])
            first.append(time.perf_counter() - client.began)
            if len(first) == 5:
                later = [client.search(each) for each in asked[1:]]
            client.close()
            other = Client([sys.executable, "-c", BARE], cache)
            bare.append(other.start)
            other.close()
        print(f"documents: {given.documents}")
        print(f"start until initialize is answered: {statistics.median(starts):.2f} s")
        print(f"the same of a bare server of the SDK: {statistics.median(bare):.2f} s")
        print(f"process to first answer, index on disk: {statistics.median(first):.2f} s")
        print(
            f"a later call: median {statistics.median(later) * 1e3:.1f} ms, longest {max(later) * 1e3:.1f} ms"
        )


if __name__ == "__main__":
    main()
