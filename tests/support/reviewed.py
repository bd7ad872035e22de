"""A store as a team has it after some weeks, by the worked example of the measurement."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from support.documents import document

if TYPE_CHECKING:
    from pathlib import Path

PREREG = "## Pre-reg\nAdd a table of its own.\n\npre-reg source: sub-agent\nbaseline_tokens: 1840"
HEAD = "| prior-doc | taken | impact | classification |\n|---|---|---|---|\n"
CACHE = (
    "## 8. Decision Log\nReused the upstream headers; rejected the separate\n"
    "table because the response already carries the freshness data."
)


def reuse(*rows: str) -> str:
    return "## 16. Reuse Log\n" + HEAD + "\n".join(rows)


def row(cited: str, taken: str = '"rejected the separate table"', word: str = "reuse") -> str:
    return f"| {cited} | {taken} | dropped mine | {word} |"


def story(id_: str, *rows: str, trace: str = "shell", prereg: str = PREREG, **fields: str) -> str:
    sections = [prereg, reuse(*rows), f"## Search Trace\n{trace}"]
    return document(id_, *filter(None, sections), **fields)


def make_files() -> dict[str, str]:
    old = document("old-cache", CACHE, status="superseded", superseded_by="near-cache")
    return {
        "near-cache.md": document("near-cache", CACHE, tags="[Caching]", repos="[core]"),
        "far-cache.md": document("far-cache", CACHE, tags="[other]", repos="[elsewhere]"),
        "old-cache.md": old,
        "s01-near.md": story("s01-near", row("near-cache"), tags="[caching]"),
        "s02-far.md": story("s02-far", row("[[far-cache]]")),
        "s03-lost.md": story("s03-lost", row("far-cache", '"never said so"')),
        "s04-ghost.md": story("s04-ghost", row("ghost-doc")),
        "s05-bare.md": story("s05-bare", row("far-cache", "the rejected table")),
        "s06-harm.md": story("s06-harm", row("far-cache", word="Harmful")),
        "s07-version.md": story("s07-version", row("far-cache@0123456789abcdef")),
        "s08-blank.md": story("s08-blank", row("far-cache", word="")),
        "s09-daily.md": story("s09-daily", row("far-cache"), mode="daily"),
        "s10-own.md": story("s10-own", row("far-cache"), repos="[Engmem]"),
        "s11-draft.md": story("s11-draft", row("far-cache"), status="draft"),
        "s12-filled.md": story("s12-filled", row("far-cache"), backfilled="true"),
        "s13-stale.md": story("s13-stale", row("old-cache")),
        "s14-both.md": document(
            "s14-both", PREREG, reuse(row("far-cache")) + "\nPrior docs used: none."
        ),
    }


def keep_version(store: Path, id_: str, text: str) -> str:
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    folder = store / "versions" / id_
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{version}.md").write_text(text, encoding="utf-8")
    return version
