"""A person at a terminal: commands run in this process, in folders of their own."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from agentjournal.cli.engmem import engmem
from agentjournal.cli.main import agentjournal, run_command

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@dataclass(frozen=True)
class Answer:
    """What a command said."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        return json.loads(self.out)["data"]

    @property
    def error(self) -> Any:
        return json.loads(self.out)["error"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home without settings, and an empty folder to stand in."""
    for name, folder in (("DATA", "data"), ("CACHE", "cache"), ("CONFIG", "config")):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / folder))
    for name in ("PROJECT", "TASK", "ATTEMPT", "ACTOR", "DATABASE"):
        monkeypatch.delenv(f"AGENTJOURNAL_{name}", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ENGMEM_HOME", str(tmp_path / "engmem"))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


@pytest.fixture
def shell(
    home: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Run a command line and give what it said."""
    assert home.is_dir()

    def run(*args: str, stdin: str = "", program: str = "agentjournal") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        command = {"agentjournal": agentjournal, "engmem": engmem}[program]
        capfd.readouterr()
        code = run_command(command, program, list(args))
        said = capfd.readouterr()
        return Answer(code, said.out, said.err)

    return run


@pytest.fixture
def plan_file(home: Path) -> Path:
    """A plan of two tasks."""
    path = home / "here" / "plan.md"
    path.write_text(
        "# Shop\n\n## Goal\n\nSell things.\n\n## Tasks\n\n### T-001 Count the stock\n\n"
        "Write `stock.py`.\n\n### T-002 Take an order\n\nDepends on: T-001\n"
    )
    return path


@pytest.fixture
def shop(shell: Callable[..., Answer], plan_file: Path) -> str:
    """A project with that plan."""
    assert shell("plan", "add", "shop", str(plan_file)).code == 0
    return "shop"
