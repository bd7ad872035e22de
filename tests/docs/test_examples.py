"""Every example of the documentation is run: commands with their output, and library sessions."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.parcels import make_parcels

ROOT = Path(__file__).resolve().parents[2]
PAGES = ["README.md", "docs/tutorial.md"]
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
STEP = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
VERSION = re.compile(r"(?<=-parcels@)[0-9a-f]{16}")  # of a document that names its day
DRAFTED = "20261130-parcels"  # on the day when the page was written


def examples(page: str) -> list[tuple[str, str]]:
    """Give each command of a page and the output that the page shows for it."""
    found = []
    for block in BLOCK.findall(page):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = part.partition("\n")
            found.append((command, output))
    return found


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    programs = str(Path(sys.executable).parent)
    foreign = ("AGENTJOURNAL", "ENGMEM", "XDG")
    inherited = {n: v for n, v in os.environ.items() if not n.startswith(foreign)}
    return inherited | {
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "HOME": str(tmp_path / "home"),
    }


@pytest.mark.parametrize("name", PAGES)
def test_the_commands_of_a_page_print_what_it_shows(name, tmp_path, environment):
    page = (ROOT / name).read_text()
    repository = make_parcels(tmp_path / "parcels")
    for path, text in FILE.findall(page):
        (repository / path).write_text(text)
    shown = examples(page)
    assert shown, "a page without examples has nothing to test here"
    home = Path(environment["HOME"])
    for command, expected in shown:
        drafted = next((each.stem for each in home.glob("Developer/*/sessions/*-parcels.md")), "")
        run = subprocess.run(
            ["bash", "-c", command.replace(DRAFTED, drafted)],
            cwd=repository,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        printed = STEP.sub("STEP", run.stdout).replace(str(home), "/home/me")
        printed = VERSION.sub("VERSION", printed.replace(drafted or DRAFTED, DRAFTED))
        assert printed.rstrip("\n") == VERSION.sub("VERSION", expected).rstrip("\n"), (
            f"$ {command}\n{run.stderr}"
        )


@pytest.mark.parametrize("name", PAGES)
def test_the_library_sessions_of_a_page_print_what_they_show(name):
    page = (ROOT / name).read_text()
    sessions = re.findall(r"^```python\n(>>> .*?)^```", page, re.MULTILINE | re.DOTALL)
    for session in sessions:
        test = doctest.DocTestParser().get_doctest(session, {}, name, name, 0)
        result = doctest.DocTestRunner(verbose=False).run(test)
        assert result.failed == 0
        assert result.attempted > 0


LINKS = re.compile(r"\]\((?!https?:)([^)#]+)")


@pytest.mark.parametrize(
    "page",
    sorted(
        str(each.relative_to(ROOT)) for each in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
    ),
)
def test_every_link_of_a_page_leads_somewhere(page):
    text = (ROOT / page).read_text()
    dead = [
        link for link in LINKS.findall(text) if not (ROOT / page).parent.joinpath(link).exists()
    ]
    assert dead == []
