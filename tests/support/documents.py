"""Stores of engmem documents, written from their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


def document(id_: str, *sections: str, **fields: str) -> str:
    """Give the text of a document whose front matter is complete unless a field is overridden."""
    stated = {
        "id": id_,
        "title": id_.replace("-", " "),
        "date": "2026-09-01",
        "task_date": "2026-09-01",
        "status": "active",
        "tags": "[]",
        "entities": "[]",
        **fields,
    }
    block = "\n".join(f"{name}: {value}" for name, value in stated.items())
    return f"---\n{block}\n---\n\n" + "\n\n".join(sections) + "\n"


def make_store(root: Path, files: dict[str, str]) -> Path:
    """Write the files into `sessions/` and give the root."""
    (root / "sessions").mkdir(parents=True)
    for name, text in files.items():
        (root / "sessions" / name).write_text(text, encoding="utf-8")
    return root
