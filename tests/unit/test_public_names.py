"""The package's face: few names, chosen on purpose, and light to import."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import agentjournal

HEAVY = (
    "psycopg psycopg_pool mcp pydantic starlette httpx httpx2 rich apsw yaml detect_secrets click"
)


def test_the_public_names_are_sorted_complete_and_there():
    assert agentjournal.__all__ == sorted(agentjournal.__all__)
    for name in agentjournal.__all__:
        assert getattr(agentjournal, name).__name__ == name
    assert set(agentjournal.__all__) <= set(dir(agentjournal))


def test_type_checkers_see_the_same_names_in_the_same_places():
    stub = Path(agentjournal.__file__).with_suffix(".pyi").read_text(encoding="utf-8")
    typed = {
        name.asname: node.module
        for node in ast.parse(stub).body
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    }
    assert typed == agentjournal._HOME_OF


def test_the_journal_issues_names_are_there():
    assert {
        "Consolidation",
        "Journal",
        "PrefixBroken",
        "Prompt",
        "TokenLedger",
        "Utterance",
        "check_prefix_extension",
        "consolidate",
        "first_divergence",
        "is_cache_safe",
        "render_entries",
        "scan_volatile",
        "sorted_utterances",
    } <= set(agentjournal.__all__)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Jurnal'"):
        _ = agentjournal.Jurnal


@pytest.mark.parametrize("action", ["", "agentjournal.Journal('a').render(); agentjournal.Prompt"])
def test_importing_the_package_loads_nothing_heavy(action):
    program = (
        f"import sys, agentjournal\n{action}\n"
        f"print(*[name for name in {HEAVY!r}.split() if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
