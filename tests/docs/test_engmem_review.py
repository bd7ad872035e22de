"""The page about the measurement: each command prints what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "engmem-review.md"
FILE = re.compile(r"^<!-- file: (\S+) -->\n```markdown\n(.*?)^```", re.MULTILINE | re.DOTALL)
CONSOLE = re.compile(r"^```console\n\$ (.*?)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_review_of_the_page_prints_what_it_shows(tmp_path):
    page = PAGE.read_text()
    for path, text in FILE.findall(page):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {"PATH": programs, "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    shown = CONSOLE.findall(page)
    assert len(shown) == 2
    for command, expected in shown:
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert run.stdout == expected
