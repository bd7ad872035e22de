"""Documents with questions whose answers are known, read from files that the project does not keep."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from agentjournal.engmem.header import Header

__all__ = ["Corpus", "Question", "read_corpus", "write_store"]

_LISTS = ("tags", "entities", "related", "covers_files", "repos")


@dataclass(frozen=True, kw_only=True)
class Question:
    """A question, the ids that answer it, and which documents may be asked at all."""

    id: str
    kind: str
    text: str
    relevant: frozenset[str]
    before: str | None
    before_seq: int | None
    exclude: frozenset[str]
    scope: str | None


@dataclass(frozen=True)
class Corpus:
    """Documents as they are written in the file, by id, and the questions about them."""

    name: str
    documents: Mapping[str, dict[str, object]]
    questions: tuple[Question, ...]

    def may_answer(self, question: Question) -> Admitted:
        """Give what tells which documents existed when the question was asked."""
        admitted = {
            id_
            for id_, document in self.documents.items()
            if id_ not in question.exclude
            and (not question.before or str(document["date"]) < question.before)
            and (question.before_seq is None or int(str(document["seq"])) < question.before_seq)
            and (not question.scope or question.scope in document["repos"])  # type: ignore[operator]
        }
        return Admitted(frozenset(admitted))


@dataclass(frozen=True)
class Admitted:
    """A scope of ids."""

    ids: frozenset[str] = field(default_factory=frozenset)

    def admits(self, header: Header) -> bool:
        """Say whether the document may be found."""
        return header.id in self.ids


def read_corpus(folder: Path) -> Corpus:
    """Read `docs.jsonl.gz` and `queries.jsonl.gz`."""
    return Corpus(
        folder.name,
        {str(each["id"]): each for each in _lines(folder / "docs.jsonl.gz")},
        tuple(
            Question(
                id=each["qid"],
                kind=each["type"],
                text=each["query"],
                relevant=frozenset(each["relevant"]),
                before=each.get("before"),
                before_seq=each.get("before_seq"),
                exclude=frozenset(each["exclude"]),
                scope=each.get("scope"),
            )
            for each in _lines(folder / "queries.jsonl.gz")
        ),
    )


def _lines(path: Path) -> Iterator[dict[str, object]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def write_store(corpus: Corpus, root: Path) -> None:
    """Write the documents as a store of engmem."""
    (root / "sessions").mkdir(parents=True)
    for id_, document in corpus.documents.items():
        fields = {"id": id_, "title": document["title"], "date": document["date"]}
        fields |= {"task_date": document["date"], "status": "active"}
        fields |= {name: document.get(name) or [] for name in _LISTS}
        block = "\n".join(f"{name}: {_yaml(value)}" for name, value in fields.items())
        body = "".join(f"## {heading}\n\n{text}\n\n" for heading, text in document["sections"])  # type: ignore[attr-defined]
        path = root / "sessions" / f"{id_}.md"
        path.write_text(f"---\n{block}\n---\n\n{body}", encoding="utf-8")


def _yaml(value: object) -> str:
    """Write a text or a list of texts as YAML, of which JSON is a part; dates stay bare."""
    is_date = isinstance(value, str) and len(value) == len("2026-01-01") and value[:4].isdigit()
    return str(value) if is_date else json.dumps(value, ensure_ascii=False)
