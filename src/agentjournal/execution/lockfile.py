"""Which version of which library a project stands on, read from the text of its lock files."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Any

from agentjournal.execution.version import read_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["LOCK_FILES", "library_name", "lock_versions"]

# Patterns of the names that are worth reading, in the project root.
LOCK_FILES = (
    "uv.lock",
    "poetry.lock",
    "pdm.lock",
    "pylock.toml",
    "Cargo.lock",
    "Pipfile.lock",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "requirements*.txt",
    "constraints*.txt",
)
_PINNED = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*===?\s*([^\s;,#\\]+)")


def lock_versions(files: Mapping[str, bytes]) -> dict[str, str]:
    """Give each library's version, the newest where several are locked.

    A file that does not parse says nothing: a condition on what it locks does not hold.
    """
    newest: dict[str, str] = {}
    for path in sorted(files):
        for name, version in _locked(PurePosixPath(path).name, files[path]):
            known = library_name(name)
            newest[known] = _newer(version, newest.get(known))
    return newest


def library_name(name: str) -> str:
    """Give the one spelling of a library: `Typing_Extensions` is `typing-extensions`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _locked(name: str, data: bytes) -> Iterable[tuple[str, str]]:
    text = data.decode("utf-8", errors="replace")
    if name.endswith(".txt"):
        return [
            (found[1], found[2]) for line in text.splitlines() if (found := _PINNED.match(line))
        ]
    is_json = name.endswith(".json") or name == "Pipfile.lock"
    try:
        content = json.loads(text) if is_json else tomllib.loads(text)
        return [pair for pair in _pairs(content) if all(p and isinstance(p, str) for p in pair)]
    except (ValueError, RecursionError, AttributeError):
        return ()


def _pairs(content: Any) -> Iterator[tuple[Any, Any]]:  # noqa: ANN401 - a foreign file
    """Find name and version where uv, poetry, pdm, cargo, npm and pipenv put them."""
    for package in [*_listed(content.get("package")), *_listed(content.get("packages"))]:
        yield package.get("name"), package.get("version")
    if isinstance(packages := content.get("packages"), dict):
        for path, package in packages.items():
            yield path.rpartition("node_modules/")[2], package.get("version")
    for group in ("default", "develop"):
        for name, package in content.get(group, {}).items():
            yield name, package.get("version", "").removeprefix("==")


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _newer(version: str, known: str | None) -> str:
    first, second = read_version(version), read_version(known or "")
    return known if known and first and second and second >= first else version
