"""The reference in an environment of its own: stores are made by running it."""

from __future__ import annotations

import subprocess
import venv
from typing import TYPE_CHECKING

import pytest

from support.two_programs import OURS, Program

if TYPE_CHECKING:
    from pathlib import Path

REFERENCE = "engmem==0.1.9"


@pytest.fixture(scope="session")
def reference_command(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, ...]:
    """Install the reference; where that cannot be done the tests fail and say why."""
    folder = tmp_path_factory.mktemp("reference")
    venv.create(folder, with_pip=True)
    install = [folder / "bin" / "python", "-m", "pip", "install", "-q", REFERENCE]
    done = subprocess.run(install, capture_output=True, text=True, timeout=300, check=False)
    if done.returncode:
        pytest.fail(f"{REFERENCE} could not be installed: {done.stderr[-500:]}")
    return (str(folder / "bin" / "python"), "-I", str(folder / "bin" / "engmem"))


@pytest.fixture
def store(tmp_path: Path) -> Path:
    root = tmp_path / "store"
    (root / "sessions").mkdir(parents=True)
    return root


@pytest.fixture
def theirs(reference_command: tuple[str, ...], tmp_path: Path, store: Path) -> Program:
    return Program(reference_command, tmp_path, store)


@pytest.fixture
def ours(tmp_path: Path, store: Path) -> Program:
    return Program(OURS, tmp_path, store)
