"""F17: no bytes make a parser raise an error that is not ours, take long, or grow."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support.parsers import PARSERS

pytestmark = [
    pytest.mark.faults,
    pytest.mark.linux,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(sys.platform != "linux", reason="linux: needs atheris"),
]
SECONDS = int(os.environ.get("FUZZ_SECONDS", "5"))
CONTROL_SECONDS = 120  # it ends as soon as the fault is found
TESTS = Path(__file__).parents[1]


def fuzz(name: str, folder: Path, seconds: int) -> tuple[int, str]:
    """Fuzz in a process of its own, since the fuzzer takes it over; give its status and words."""
    run = subprocess.run(
        [sys.executable, "-m", "support.fuzz", name, folder, f"-max_total_time={seconds}"],
        cwd=TESTS,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return run.returncode, run.stdout.decode(errors="replace")


@pytest.mark.parametrize("name", PARSERS)
def test_whatever_a_parser_is_fed_it_answers_or_refuses(name, tmp_path):
    status, told = fuzz(name, tmp_path, SECONDS)
    assert status == 0, told[-5000:]  # the input stands at the end, in Base64
    done = re.search(r"Done (\d+) runs", told)
    assert done is not None
    assert int(done[1]) > len(PARSERS[name].seeds)
    print(f"{name}: {int(done[1])} inputs in {SECONDS} s")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("planted-error", "KeyError: 'planted'"),
        ("planted-wait", "TimeoutError"),
        ("planted-growth", "out-of-memory"),
    ],
)
def test_control_what_is_planted_is_found(name, said, tmp_path):
    status, told = fuzz(name, tmp_path, CONTROL_SECONDS)
    assert status != 0
    assert said in told
