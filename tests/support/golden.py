"""Rendered texts, kept as files: a change to one of them is a decision.

`GOLDEN=write pytest tests/...` writes what is rendered now; read the difference before it is committed.
"""

from __future__ import annotations

import os
from pathlib import Path

FOLDER = Path(__file__).parent.parent / "golden"


def check(name: str, text: str) -> None:
    """Compare a rendered text with its file, byte for byte."""
    path = FOLDER / name
    if os.environ.get("GOLDEN") == "write":
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{text}\n", encoding="utf-8")
    assert path.read_text(encoding="utf-8") == f"{text}\n"
