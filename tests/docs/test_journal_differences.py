"""The page of differences names tests that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "reference" / "journal-differences.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| .* \| `(test_\w+)` \|$", re.MULTILINE)


def test_every_difference_names_a_test_that_is_there():
    named = ROW.findall(PAGE)
    heads = PAGE.count("| the reference | ours | test |")
    rows = [line for line in PAGE.splitlines() if line.startswith("| ")][heads:]
    assert len(named) == len(set(named)) == len(rows) > 20
    source = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/test_*.py"))
    defined = set(re.findall(r"^def (test_\w+)\(", source, re.MULTILINE))
    assert set(named) <= defined
