"""Whatever ranks documents for a question: ours, plain BM25, and the reference tool."""

from __future__ import annotations

import json
import re
import sqlite3
import subprocess
import time
from typing import TYPE_CHECKING, Protocol

from agentjournal.compose.documents import open_documents

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from support.corpus import Corpus, Question

__all__ = ["Bm25", "Ours", "Ranker", "Reference"]


class Ranker(Protocol):
    """Gives the ids that answer a question, best first, as many as it has."""

    def ids(self, question: Question) -> Iterator[str]:
        """Rank; what may not answer is left out."""
        ...


class Ours:
    """This project, through the index that every search uses."""

    def __init__(self, corpus: Corpus, root: Path, cache: Path) -> None:
        self.corpus = corpus
        self.index = open_documents(root, cache, now=time.time_ns())

    def ids(self, question: Question) -> Iterator[str]:
        """Ask the index for documents that may answer."""
        scope = self.corpus.may_answer(question)
        return (hit.header.id for hit in self.index.search(question.text, scope=scope))


class Bm25:
    """Whole documents in SQLite's full-text index, ranked by its BM25: any word counts, no stems."""

    def __init__(self, corpus: Corpus, root: Path) -> None:
        self.corpus = corpus
        self.database = sqlite3.connect(":memory:")
        self.database.execute("CREATE VIRTUAL TABLE document USING fts5 (id UNINDEXED, text)")
        texts = ((id_, (root / "sessions" / f"{id_}.md").read_text()) for id_ in corpus.documents)
        self.database.executemany("INSERT INTO document VALUES (?, ?)", texts)

    def ids(self, question: Question) -> Iterator[str]:
        """Rank all, then leave out what may not answer."""
        words = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", question.text))
        scope = self.corpus.may_answer(question).ids
        rows = self.database.execute(
            "SELECT id FROM document WHERE document MATCH ? ORDER BY bm25(document)", (words,)
        )
        return (id_ for (id_,) in rows if id_ in scope)


class Reference:
    """The public tool as an MCP server; all its hits stand in the telemetry that it writes."""

    def __init__(self, corpus: Corpus, root: Path, python: Path) -> None:
        self.corpus = corpus
        self.telemetry = root / "telemetry.jsonl"
        self.process = subprocess.Popen(
            [python.parent / "engmem", "mcp", "--store", root],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
        self._ask("initialize", {**hello, "clientInfo": {"name": "benchmark", "version": "1"}})

    def ids(self, question: Question) -> Iterator[str]:
        """Search, then read the row that the search left behind."""
        arguments = {"query": question.text}
        if question.scope:
            arguments["repo"] = question.scope
        self._ask("tools/call", {"name": "engmem_search", "arguments": arguments})
        scope = self.corpus.may_answer(question).ids
        row = json.loads(self.telemetry.read_text(encoding="utf-8").splitlines()[-1])
        return (hit["id"] for hit in row["hits"] if hit["id"] in scope)

    def close(self) -> None:
        """End the server."""
        self.process.communicate()

    def _ask(self, method: str, params: object) -> None:
        frame = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        self.process.stdin.write(json.dumps(frame).encode() + b"\n")
        self.process.stdin.flush()
        self.process.stdout.readline()
