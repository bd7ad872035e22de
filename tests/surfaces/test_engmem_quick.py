from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.engmem_store import Shop, many

QUICK = "from agentjournal.cli.engmem_quick import main; main()"
COMMANDS = "from agentjournal.cli.engmem import main; main()"

# What a plain search must not load: each costs as much as the search.
HEAVY = {"click", "yaml", "apsw", "dataclasses", "inspect", "tomllib", "subprocess", "tempfile"}
HEAVY |= {"hashlib", "shutil", "getpass", "uuid", "numpy", "rich", "detect_secrets", "mcp"}
HEAVY |= {"typing", "pathlib", "urllib", "ipaddress", "importlib.util", "warnings"}
MOST = 85  # modules of our own

PLAIN = [
    ["everywhere"],
    ["everywhere", "only7word"],
    ["everywhere only7word", "--limit", "2"],
    ["--limit=1", "everywhere", "--session", "1-draft"],
    ["everywhere", "--session", "  "],
    ["everywhere", "--json"],
    ["everywhere", "--role", "decisions"],
    ["everywhere", "--role=lessons", "--json"],
    ["everywhere", "--repo", "shop", "--repo", "other"],
    ["everywhere", "--unscoped"],
    ["everywhere", "--all-repos", "--tag", "a"],
    ["everywhere", "--status", "draft"],
    ["nothing-of-the-kind"],
    [""],
    ["\u4e2d\u6587", "caf\u00e9", "\x1b[31m"],
]
UNUSUAL = [
    [],
    ["--", "everywhere"],
    ["everywhere", "--limit", "0"],
    ["everywhere", "--limit", "99"],
    ["everywhere", "--limit"],
    ["everywhere", "--role", "nope"],
    ["everywhere", "--role", ""],
    ["everywhere", "--repo", " "],
    ["everywhere", "--unscoped", "--all-repos"],
    ["everywhere", "--status", "lost"],
    ["everywhere", "--since", "2020-01-01"],
    ["everywhere", "--near", "no-such-file"],
    ["everywhere", "--store", "/no/such/store"],
    ["everywhere", "--store"],
    ["everywhere", "--nope"],
    ["-x starts with a dash"],
    ["--help"],
]


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    shop = Shop(tmp_path_factory.mktemp("quick"))
    many(shop, 40)
    shop.write("aa-bad", "---\ntitle: [\n---\n")
    shop.write("aa-mine", body="everywhere", repos="[shop]", tags="[a]", title="\x1b[2J")
    shop.write("aa-draft", body="everywhere", status="draft")
    return shop


def run(shop, program, *args, **more):
    environment = {
        "HOME": str(shop.root.parent),
        "XDG_CACHE_HOME": str(shop.cache),
        "ENGMEM_HOME": str(shop.root),
        "PATH": os.environ["PATH"],
        **more,
    }
    command = [sys.executable, "-c", program, *args]
    return subprocess.run(command, env=environment, capture_output=True, check=False)


@pytest.mark.parametrize("args", PLAIN + UNUSUAL, ids=repr)
def test_a_search_says_the_same_whoever_reads_its_command_line(shop, args):
    quick, commands = run(shop, QUICK, "search", *args), run(shop, COMMANDS, "search", *args)
    assert quick.stdout == commands.stdout
    assert quick.stderr == commands.stderr
    assert quick.returncode == commands.returncode


@pytest.mark.parametrize("args", [["--help"], ["roles"], ["nope"], []], ids=repr)
def test_everything_else_goes_to_the_commands(shop, args):
    quick, commands = run(shop, QUICK, *args), run(shop, COMMANDS, *args)
    assert (quick.stdout, quick.stderr) == (commands.stdout, commands.stderr)
    assert quick.returncode == commands.returncode


@pytest.mark.parametrize("args", PLAIN, ids=repr)
def test_a_plain_search_loads_little(shop, args):
    run(shop, QUICK, "search", "everywhere")  # the index is there
    code = (
        "import os, sys, json; leave = os._exit\n"
        "os._exit = lambda code: (os.write(2, json.dumps(sorted(sys.modules)).encode()), leave(0))\n"
    )
    told = run(shop, code + QUICK, "search", *args).stderr.decode()
    modules = json.loads(told[told.rindex("[") :])
    assert HEAVY & set(modules) == set()
    assert len([each for each in modules if each.startswith("agentjournal")]) <= MOST


def test_each_search_leaves_one_line_of_telemetry(shop):
    telemetry = shop.root / "telemetry.jsonl"
    telemetry.unlink(missing_ok=True)
    run(shop, QUICK, "search", "everywhere")
    run(shop, QUICK, "search", "everywhere", "--role", "nope")
    run(shop, QUICK, "search", "everywhere", "--since", "2020-01-01")
    assert len(telemetry.read_text().splitlines()) == 2


def test_settings_of_the_user_are_read_by_the_commands(shop, tmp_path):
    file = tmp_path / "config.toml"
    file.write_text("nonsense = 1\n")
    for more in ({"AGENTJOURNAL_CONFIG": str(file)}, {"XDG_CONFIG_HOME": str(tmp_path)}):
        folder = tmp_path / "agentjournal"
        folder.mkdir(exist_ok=True)
        (folder / "config.toml").write_text("nonsense = 1\n")
        quick = run(shop, QUICK, "search", "everywhere", **more)
        assert quick.returncode == 2
        assert b"nonsense" in quick.stdout
        assert quick.stdout == run(shop, COMMANDS, "search", "everywhere", **more).stdout


def test_the_installed_program_is_the_quick_one():
    scripts = (Path(__file__).parents[2] / "pyproject.toml").read_text()
    assert 'engmem = "agentjournal.cli.engmem_quick:main"' in scripts


def test_a_reader_who_leaves_early_is_no_failure(shop):
    environment = {"HOME": "/", "XDG_CACHE_HOME": str(shop.cache), "ENGMEM_HOME": str(shop.root)}
    command = f'"{sys.executable}" -c "{QUICK}" search everywhere | true; exit ${{PIPESTATUS[0]}}'
    ended = subprocess.run(
        ["bash", "-c", command], env={**os.environ, **environment}, capture_output=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, ended.stderr)
    assert b"Traceback" not in ended.stderr
