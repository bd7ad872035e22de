"""The page about a day with engmem: each command prints what the page shows."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "engmem-everyday.md"
BLOCK = re.compile(
    r"^<!-- file: (\S+) -->\n```markdown\n(.*?)^```|^```console\n(.*?)^```",
    re.MULTILINE | re.DOTALL,
)
# What depends on the day, on where the home lies, and on how documents are ranked.
VARYING = re.compile(
    r"(?<=last doc: )\d+(?=d ago)|(?<=score: )[\d.]+|(?<=~)\d+(?= tokens est)|(?<=context )[\d.]+"
    r"|^(  (?:searches|total) .*) \d+(?= bytes)",
    re.MULTILINE,
)


def test_the_day_of_the_page_is_as_it_shows(tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    programs = str(Path(sys.executable).parent)
    inherited = {n: v for n, v in os.environ.items() if not n.startswith(("ENGMEM", "XDG"))}
    environment = inherited | {"HOME": str(home), "PATH": f"{programs}:{os.environ['PATH']}"}
    shown = 0
    for path, text, console in BLOCK.findall(PAGE.read_text()):
        if path:
            (home / path).parent.mkdir(parents=True, exist_ok=True)
            (home / path).write_text(text)
        for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            assert printed(command, home, environment) == alike(expected)
            shown += 1
    assert shown > 8


def printed(command: str, home: Path, environment: dict[str, str]) -> str:
    run = subprocess.run(
        ["bash", "-c", command],
        cwd=home,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    return alike(run.stdout.replace(str(home), "/home/me"))


def alike(text: str) -> str:
    return VARYING.sub(r"\1N", text).rstrip()
