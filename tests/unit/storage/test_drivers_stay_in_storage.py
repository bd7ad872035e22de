"""What the import contracts cannot see: nobody but storage opens a database file or writes SQL."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import agentjournal

SOURCE = Path(agentjournal.__file__).parent
FILES = sorted(SOURCE.rglob("*.py"))
DRIVERS = {"apsw", "psycopg", "psycopg_pool", "sqlite3"}
OPENERS = {
    *("open", "copy", "copy2", "copyfile", "copytree", "move", "rename", "replace", "unlink"),
    *("read_bytes", "read_text", "write_bytes", "write_text", "remove", "link_to", "hardlink_to"),
}
DATABASE = re.compile(r"\.db\b|\.db-|database_path|db_path|settings\.database|\.location\b")
SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE\s.+\sSET|DELETE FROM|CREATE (TABLE|INDEX|VIEW))\b",
    re.DOTALL,
)


def is_storage(file):
    return file.is_relative_to(SOURCE / "storage")


def drivers(tree):
    """Name each driver that the file imports."""
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        yield from (name for name in names if name.split(".")[0] in DRIVERS)


def openings(tree):
    """Give each call that opens, copies or moves something named like a database."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if called in OPENERS and DATABASE.search(ast.unparse(node)):
                yield ast.unparse(node)


def sql(tree):
    """Give each text that holds a statement; what a docstring says is no statement."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    spoken = {
        ast.get_docstring(n, clean=False) for n in ast.walk(tree) if isinstance(n, documented)
    }
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and node.value not in spoken
        ):
            yield from SQL.findall(node.value)


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_file_outside_storage_knows_a_driver_or_opens_a_database(file):
    tree = ast.parse(file.read_text())
    if not is_storage(file):
        assert list(drivers(tree)) == []
    assert list(openings(tree)) == []
    assert list(sql(tree)) == []


@pytest.mark.parametrize(
    ("find", "text"),
    [
        (drivers, "import apsw"),
        (drivers, "from psycopg.rows import dict_row"),
        (openings, "open(folder / 'log.db')"),
        (openings, "shutil.copy2(settings.database, target)"),
        (openings, "(folder / 'log.db-wal').read_bytes()"),
        (sql, "x = 'SELECT a FROM t'"),
        (sql, "f('INSERT INTO t VALUES (1)')"),
    ],
)
def test_each_of_these_would_be_found(find, text):
    assert list(find(ast.parse(text)))
