"""The page on prefix caches: each example is a file that runs and prints what the page shows."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from agentjournal.journal.dialect import CHAT_DIALECTS
from support.cache_life import Life, floor, run

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "prefix-cache.md").read_text(encoding="utf-8")
EXAMPLE = re.compile(
    r"^<!-- example: (\S+) -->\n```python\n(.*?)```\n\nprints\n\n```text\n(.*?)```",
    re.MULTILINE | re.DOTALL,
)
EXAMPLES = {name: (source, output) for name, source, output in EXAMPLE.findall(PAGE)}


def test_there_is_an_example_for_each_dialect():
    assert set(EXAMPLES) == {f"prompt_{name.replace('-', '_')}.py" for name in CHAT_DIALECTS}


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_the_file_and_prints_what_the_page_shows(name):
    source, output = EXAMPLES[name]
    path = ROOT / "examples" / name
    assert path.read_text(encoding="utf-8") == source
    done = subprocess.run(
        [sys.executable, "-W", "error", str(path)], capture_output=True, text=True, check=True
    )
    assert done.stdout == output


@pytest.mark.parametrize(
    ("name", "layout", "keep"),
    [("v1, keep half", "v1", 0.5), ("v1, keep a quarter", "v1", 0.25), ("v2", "v2", 0.5)],
)
def test_the_figures_of_the_page_are_those_of_the_simulation(name, layout, keep):
    life = Life(layout, 32 * 1024, 800, keep)
    tally, least = run(life, 2000, {})["block"], floor(800, {})["block"]
    times = tally.uncached / 2000 / least
    row = (
        f"| {name} | {tally.share:.1%} | {times:.2f} | {tally.worst:,} | {life.summarised_again} |"
    )
    assert row.replace("%", " %") in PAGE
