"""Rules of the source tree that no linter knows."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "src" / "agentjournal"
MODULES = sorted(SOURCE.rglob("*.py"))

# Start-up is paid by every command: these may import where they need it (docs/adr/0001-layers.md).
LATE_IMPORTS = {"cli", "compose", "storage", "proxy", "usage", "lanes", "agentloop", "mcp_server"}
LATE_FILES = {"__init__.py", "text/redact.py", "lazy_path.py"}
# The clock itself, and the one library door whose defaults are this machine's.
WORLD = {"system/clock.py", "usage/observer.py"}
LONGEST_FILE = 400
LONGEST_FUNCTION = 60


def place(path: Path) -> str:
    return path.relative_to(SOURCE).as_posix()


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    nodes = ast.walk(ast.parse(path.read_text()))
    return [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


@pytest.mark.parametrize("path", MODULES, ids=place)
def test_a_module_is_short_and_so_are_its_functions(path):
    assert len(path.read_text().splitlines()) <= LONGEST_FILE
    long = [f.name for f in functions(path) if (f.end_lineno or 0) - f.lineno >= LONGEST_FUNCTION]
    assert long == []


def test_functions_import_only_where_start_up_is_paid():
    late = [
        place(path)
        for path in MODULES
        for function in functions(path)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
        and place(path).split("/")[0] not in LATE_IMPORTS
        and place(path) not in LATE_FILES
    ]
    assert late == []


def test_no_clock_no_chance_and_no_environment_below_compose():
    taken = re.compile(
        r"\bdatetime\.now\(|\btime\.time\(|\bos\.environ\b|\bos\.urandom\b|\brandom\.\w+\("
    )
    above = {"cli", "compose", "demo", "proxy"}
    found = [
        f"{place(path)}:{number}"
        for path in MODULES
        if place(path).split("/")[0] not in above
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if taken.search(line) and place(path) not in WORLD
    ]
    assert found == []


def test_statements_stand_in_files():
    spoken = re.compile(r'"(SELECT|INSERT INTO|UPDATE|DELETE FROM|CREATE TABLE)\b')
    found = [place(path) for path in MODULES if spoken.search(path.read_text())]
    assert [each for each in found if not each.startswith("storage/")] == []


def test_nothing_is_left_to_do_and_nothing_names_a_machine():
    marks = re.compile(r"\b(TODO|FIXME|XXX)\b|//(?:pypi|registry|files)[.\w-]*\.(?:org|com)\b")
    files = [*MODULES, *ROOT.glob("docs/**/*.md"), *ROOT.glob("*.md"), ROOT / "constraints.txt"]
    assert [str(each) for each in files if marks.search(each.read_text())] == []
