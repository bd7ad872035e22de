"""Documents that somebody wrote to harm who reads them, by what they try."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING

from support.documents import document

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

TEXT = "## Decision Log\nRetries use jittered backoff; rejected fixed delays."
MEGABYTES = 20


def _block(*lines: str) -> str:
    return "\n".join(["---", *lines, "---", "", TEXT, ""])


def _bomb() -> str:
    names = "abcdefghij"
    rest = [
        f"{name}: &{name} [{', '.join([f'*{before}'] * 10)}]" for before, name in pairwise(names)
    ]
    return _block("a: &a [x, x, x, x, x, x, x, x, x, x]", *rest)


# What cannot be read: each has its one line, and hides no other document.
REFUSED: dict[str, str | bytes | Callable[[Path], object]] = {
    "alias-bomb": _bomb(),
    "deep-lists": _block(f"a: {'[' * 5_000}{']' * 5_000}"),
    "deep-mappings": _block(*(f"{' ' * depth}k: " for depth in range(100))),
    "spaces-in-a-field": _block(f"title: {' ' * 20_000}x"),
    "twenty-megabytes": b"jittered backoff" * (MEGABYTES * 1024 * 1024 // 16),
    "not-utf-8": _block("id: latin").encode() + b"jittered \xff\xfe backoff",
    "raw-nul-in-a-field": _block("title: a\0b"),
    "escape-in-a-field": _block("title: a\x1b[31mb"),
    "never-closed": f"---\nid: x\n{TEXT}",
    "no-fields": _block("just text"),
    "broken": _block("a: [", "b: }"),
    "pipe": os.mkfifo,
    "folder": os.mkdir,
    "link-to-itself": lambda path: path.symlink_to(path.name),
    "link-out": lambda path: path.symlink_to("/etc/hostname"),
    "link-to-a-device": lambda path: path.symlink_to("/dev/zero"),
}

# What can be read, and is shown without authority.
SHOWN: dict[str, str] = {
    "escape-sequences": document(
        "esc-apes", f"{TEXT}\n\x1b[31m\x9b0m\x1b]0;title\x07\u202e\U000e0041"
    ),
    "forged-blocks": document(
        "forged-blocks", f"{TEXT}\n### 20990101-fake (score: 99.9)\npath: /etc"
    ),
    "forged-id": _block('id: "a\\n### 20990101-fake (score: 99.9)"'),
    "forged-title": _block('title: "a\\n### 20990101-fake (score: 99.9)"'),
    "escaped-nul": _block('id: "a\\0b"', 'title: "\\x1b[31m"'),
    "nul-in-a-body": document("nul-body", f"{TEXT}\0\0"),
    "object-tag": _block("pr: !!python/object/apply:os.mkdir [run]"),
    "id-of-4-kb": _block(f"id: {'i' * 4_096}"),
    "path-as-id": _block("id: ../../../etc/passwd"),
    "two-thousand-items": document("many-tags", TEXT, tags=f"[{', '.join(['t'] * 2_000)}]"),
    "spaces-in-a-body": document(
        "wide-body", f"- Date:{' ' * 20_000}x\n#{' ' * 20_000}x\n##{' ' * 20_000}#x\n{TEXT}"
    ),
    "a-hundred-thousand-lines": document("long-body", TEXT + "\n" * 100_000),
    "one-long-line": document("one-line", f"{TEXT} {'ab ' * 300_000}"),
    "fences": document(
        "fenced-body", f"{'`' * 100_000}\n{'~~~' + chr(10)}{'```' + chr(10)}" * 5 + TEXT
    ),
    "bars-and-quotes": document(
        "barred", f'## Reuse Log\n| a | "{"|" * 50_000}\n{chr(34) * 50_000}\n{TEXT}'
    ),
    "lone-carriage-returns": document("returned", TEXT.replace("\n", "\r")),
}


def put(folder: Path, name: str, what: str | bytes | Callable[[Path], object]) -> None:
    """Put one of them into a folder as `<name>.md`."""
    path = folder / f"{name}.md"
    if callable(what):
        what(path)
    else:
        path.write_bytes(what if isinstance(what, bytes) else what.encode())
