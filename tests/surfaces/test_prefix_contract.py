"""The pytest plugin as a consumer's test suite has it."""

from __future__ import annotations

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from agentjournal import Journal, PrefixBroken, Prompt
from agentjournal.prefix_contract import PrefixContract

ROOT = Path(__file__).parents[2]
MODULE = "agentjournal.prefix_contract"
SUITE = """
from agentjournal import Consolidation, Journal, Prompt, consolidate

def live(prefix_contract, preamble):
    journal = Journal("planner")
    for turn in range(6):
        if turn == 4:
            consolidate(journal, lambda _: Consolidation("me", ["[Epoch 0] it began"]))
            prefix_contract.consolidated()
        journal.record_turn(turn, f"It went on {turn}.")
        prefix_contract(Prompt.of(preamble(turn), journal, tail=f"turn {turn} of 6").to_chat("anthropic"))

def test_kept(prefix_contract, scan_volatile):
    live(prefix_contract, lambda turn: "You plan.")
    assert prefix_contract.consolidations == 1
    assert not scan_volatile("You plan.")

def test_broken(prefix_contract):
    live(prefix_contract, lambda turn: f"You plan. Turn {turn} of 6.")
"""


@pytest.fixture
def suite(tmp_path):
    """A consumer's test suite beside an installation with our entry point, run with options."""
    metadata = tmp_path / "installed" / "consumer_of_plugins-1.0.dist-info"
    metadata.mkdir(parents=True)
    (metadata / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: consumer-of-plugins\nVersion: 1.0\n"
    )
    ((name, module),) = entry_points().items()
    (metadata / "entry_points.txt").write_text(f"[pytest11]\n{name} = {module}\n")
    tests = tmp_path / "tests"
    tests.mkdir()
    (tests / "test_mine.py").write_text(SUITE)

    def run(*options):
        command = [sys.executable, "-m", "pytest", "-q", "-W", "error", *options, str(tests)]
        environment = {**os.environ, "PYTHONPATH": str(metadata.parent)}
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=tests, env=environment
        )
        return done.stdout + done.stderr

    return run


def entry_points():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["entry-points"]["pytest11"]


def test_a_kept_contract_passes_and_a_broken_one_names_the_json_path(suite):
    out = suite()
    assert "1 failed, 1 passed" in out, out
    assert "at system[0].text, byte 15 of it" in out
    assert "move whatever changed into the ephemeral tail" in out


@pytest.mark.parametrize("named", [(), ("-p", MODULE), ("-p", MODULE, "-p", MODULE)], ids=len)
def test_installed_and_named_it_is_loaded_once(suite, named):
    out = suite(*named, "--trace-config")
    lines = [line for line in out.splitlines() if MODULE in line]
    assert sum("PLUGIN registered" in line for line in lines) == 1, out


def test_the_entry_points_name_is_the_modules_so_that_nothing_loads_it_twice():
    ((name, module),) = entry_points().items()
    assert name == module == PrefixContract.__module__


def test_a_turn_that_adds_nothing_is_fine_and_a_rewrite_is_not():
    contract = PrefixContract()
    for text in ("a", "a", "ab", b"abc"):
        contract(text)
    with pytest.raises(PrefixBroken, match="shrank"):
        contract("ab")
    contract.consolidated()
    contract("x")
    assert (contract.prompts, contract.consolidations) == (6, 1)


def test_a_body_that_its_owner_goes_on_filling_is_compared_with_what_it_was():
    contract = PrefixContract()
    body = {"messages": [{"role": "user", "content": "a"}]}
    contract(body)
    body["messages"].append({"role": "assistant", "content": "b"})
    contract(body)
    body["messages"][0]["content"] = "A"
    with pytest.raises(PrefixBroken) as caught:
        contract(body)
    assert caught.value.where == "messages[0].content, byte 0 of it"


def test_a_prompts_tail_is_free():
    contract, journal = PrefixContract(), Journal("a")
    journal.record_turn(1, "It began.")
    contract(Prompt.of("P", journal, tail="It is 10:31."))
    contract(Prompt.of("P", journal, tail="It is 10:32."))
