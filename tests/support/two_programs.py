"""Two programs on one store of documents: the reference and ours, each run as a person would."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

OURS = (sys.executable, "-c", "from agentjournal.cli.engmem import main; main()")
_CITED = re.compile(r"([a-z0-9-]+)@([0-9a-f]{16})")
_VERSION = re.compile(r"version: ([0-9a-f]{16})")


@dataclass(frozen=True)
class Said:
    """What a program said, and how it left."""

    code: int
    out: str
    err: str

    @property
    def version(self) -> str:
        """Give the version of the document that was written."""
        return _VERSION.search(self.out)[1]

    @property
    def cited(self) -> dict[str, str]:
        """Give the documents that may be cited, with their versions."""
        return dict(_CITED.findall(self.out))


@dataclass(frozen=True)
class Program:
    """One of the two, in a home of its own making, on a store."""

    command: tuple[str, ...]
    home: Path
    store: Path | None

    def __call__(self, *args: str, stdin: str = "") -> Said:
        done = subprocess.run(
            [*self.command, *args],
            input=stdin,
            capture_output=True,
            text=True,
            cwd=self.home,
            env=self._environment(),
            timeout=120,
            check=False,
        )
        return Said(done.returncode, done.stdout, done.stderr)

    def well(self, *args: str, stdin: str = "") -> Said:
        """Run it where it has to succeed."""
        said = self(*args, stdin=stdin)
        assert said.code == 0, said
        return said

    def call(self, tool: str, **arguments: object) -> str:
        """Call one of its MCP tools, as an agent program would, and give the text."""
        greeting = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        asked = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": greeting},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {
                "jsonrpc": "2.0",
                "id": 2,
                "method": "tools/call",
                "params": {"name": tool, "arguments": arguments},
            },
        ]
        said = self("mcp", stdin="".join(json.dumps(each) + "\n" for each in asked))
        answers = [json.loads(line) for line in said.out.splitlines()]
        [answer] = [each for each in answers if each.get("id") == 2]
        return str(answer["result"]["content"][0]["text"])

    def rows(self, name: str) -> list[dict[str, Any]]:
        """Give the rows of a ledger."""
        text = (self.store / name).read_text(encoding="utf-8")
        return [json.loads(line) for line in text.splitlines()]

    def _environment(self) -> dict[str, str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        own = {"HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / "cache")}
        named = {} if self.store is None else {"ENGMEM_HOME": str(self.store)}
        return kept | own | named
