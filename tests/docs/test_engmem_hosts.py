"""The page on agent programs shows what is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from agentjournal.mcp_server.tools import TOOLS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "how-to" / "engmem-hosts.md"
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_commands_of_the_page_print_what_it_shows(tmp_path):
    programs = str(Path(sys.executable).parent)
    environment = {
        "HOME": str(tmp_path),
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "LANG": "C.UTF-8",
    }
    shown = [
        part for block in BLOCK.findall(PAGE.read_text()) for part in re.split(r"(?m)^\$ ", block)
    ]
    commands = [each.partition("\n") for each in shown if each]
    assert len(commands) == 4
    for command, _, expected in commands:
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.stdout.replace(str(tmp_path), "~") == expected, run.stderr


def test_the_page_names_every_tool_and_what_it_must_be_given():
    text = PAGE.read_text()
    for tool in TOOLS:
        row = next(line for line in text.splitlines() if line.startswith(f"| `{tool.name}` |"))
        required = {field.name for field in tool.fields if field.is_required}
        told = set(re.findall(r"\*\*(\w+)\*\*", row))
        assert required - told == ({"query"} if "the same" in row else set())
