"""SQL lives in files: named statements, written once, read for both engines.

A file holds blocks. Each begins with `-- name: step_by_id` and a comment line that says what for.
Parameters are `:name`. What the engines spell differently stands in braces: `{schema}` before a
table's name, `{text}` and `{integer}` as column types, `{for_update}` after a SELECT, `{now}` for
the engine's clock, `{json e.payload log}` for one key of a JSON text as text. A literal holds no
`:` and no `--`. NULL sorts first on one engine and last on the other: say `NULLS FIRST` where it
matters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Statement", "load_statements", "package_folder", "parse_statement"]

_BLOCK = re.compile(r"^-- name: ([a-z][a-z0-9_]*)[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"--[^\n]*")
_PARAMETER = re.compile(r"(?<![:\w]):([a-z][a-z0-9_]*)")
_JSON = re.compile(r"\{json ([a-z_.]+) ([a-z_]+)\}")
_SQLITE = {
    "{schema}": "",
    "{text}": "TEXT",
    "{integer}": "INTEGER",
    "{for_update}": "",
    "{now}": "strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000Z'",
}
_POSTGRES = {
    "{text}": 'text COLLATE "C"',
    "{integer}": "bigint",
    "{for_update}": "FOR UPDATE",
    "{now}": """to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
}


@dataclass(frozen=True, kw_only=True)
class Statement:
    """One named statement in both dialects; PostgreSQL's still names its schema `{schema}`."""

    name: str
    sqlite: str
    postgres: str
    parameters: frozenset[str]


def parse_statement(name: str, text: str) -> Statement:
    """Read one statement (or several, separated by `;`, without parameters)."""
    bare = _COMMENT.sub("", text).strip()
    return Statement(
        name=name,
        sqlite=_JSON.sub(r"json_extract(\1, '$.\2')", _filled(bare, _SQLITE)),
        postgres=_PARAMETER.sub(r"%(\1)s", _postgres(bare)),
        parameters=frozenset(_PARAMETER.findall(bare)),
    )


def load_statements(package: str, file: str) -> Mapping[str, Statement]:
    """Read every statement of a file inside the package, by name.

    Raises:
        ValueError: a name stands twice, or there is none: a fault of ours, found by any test.
    """
    parts = _BLOCK.split((package_folder(package) / file).read_text(encoding="utf-8"))
    names, texts = parts[1::2], parts[2::2]
    if not names or len(set(names)) < len(names):
        raise ValueError(f"{package}/{file}: statement names must be there and differ: {names}")
    return {name: parse_statement(name, text) for name, text in zip(names, texts, strict=True)}


def package_folder(package: str) -> Path:
    """Give the folder that the package lies in (importlib.resources costs 20 ms more)."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ValueError(f"{package} is no package of ours")
    return Path(next(iter(spec.submodule_search_locations)))


def _postgres(bare: str) -> str:
    text = _JSON.sub(r"(\1::json ->> '\2')", _filled(bare, _POSTGRES))
    return text.replace("%", "%%")


def _filled(text: str, words: Mapping[str, str]) -> str:
    for placeholder, word in words.items():
        text = text.replace(placeholder, word)
    return text
