"""What a repository may say about itself: a name, an id and where its plan lies. Nothing else."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.config.setting_file import read_setting_file
from agentjournal.config.toml import parse_toml, refuse_unknown
from agentjournal.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FILE_NAME", "SLUG", "ProjectFile", "find_project_file", "write_project_file"]

FILE_NAME = ".agentjournal.toml"
SLUG = re.compile(r"(?=.{1,64}\Z)[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)

_KEYS = ("slug", "id", "plan")
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", re.ASCII)
_PLAN = re.compile(r"(?!-)[^\x00-\x1f\x7f\\:]{1,400}")


@dataclass(frozen=True, kw_only=True)
class ProjectFile:
    """A project's own file: `plan` is a path relative to the folder that holds it."""

    path: Path
    slug: str | None = None
    id: str | None = None
    plan: str | None = None


def find_project_file(folder: Path, home: Path) -> ProjectFile | None:
    """Give the nearest project file, from the folder upwards.

    The search ends at the top of a repository and at the home folder, whose own files still count.

    Raises:
        ConfigurationError: the file holds a key that a repository may not set, or a bad value.
    """
    for place in (folder, *folder.parents):
        found = _read_own(place / FILE_NAME) or _read_pyproject(place / "pyproject.toml")
        if found or (place / ".git").exists() or place == home:
            return found
    return None


def write_project_file(root: Path, slug: str, id: str) -> Path:  # noqa: A002 - the file's own word
    """Write `.agentjournal.toml` into the folder; the same content may stand there already.

    Raises:
        ConfigurationError: slug or id break their rule, another project file stands there, or it
            cannot be written.
    """
    path = root / FILE_NAME
    _checked(path, {"slug": slug, "id": id})
    text = f'slug = "{slug}"\nid = "{id}"\n'
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with open(os.open(path, flags, 0o644), "w", encoding="utf-8") as file:  # noqa: PTH123 - as above
            file.write(text)
    except FileExistsError as error:
        if read_setting_file(path, follow=False) != text:
            raise ConfigurationError(
                f"{path} is there already and says something else.",
                next="Keep it, or remove it and try again.",
            ) from error
    except OSError as error:
        raise ConfigurationError(
            f"{path} cannot be written: {error.strerror}.", next="Check the folder's permissions."
        ) from error
    return path


def _read_own(path: Path) -> ProjectFile | None:
    text = read_setting_file(path, follow=False)
    return None if text is None else _checked(path, parse_toml(path, text))


def _read_pyproject(path: Path) -> ProjectFile | None:
    """Read the table `[tool.agentjournal]`; a file that never names it is not even parsed."""
    if path.is_symlink() or not path.is_file():
        return None
    with path.open("rb") as file:
        if b"agentjournal" not in file.read(1024 * 1024):
            return None
    text = read_setting_file(path, follow=False)
    tool = parse_toml(path, text or "").get("tool")
    table = tool.get("agentjournal") if isinstance(tool, dict) else None
    return _checked(path, table) if isinstance(table, dict) else None


def _checked(path: Path, table: dict[str, object]) -> ProjectFile:
    refuse_unknown(path, table, _KEYS, "is nothing that a repository may set")
    return ProjectFile(
        path=path,
        slug=_matching(path, table, "slug", SLUG, "up to 64 of a-z and 0-9, joined by single '-'"),
        id=_matching(path, table, "id", _ID, "up to 64 letters, digits, '.', '_' and '-'"),
        plan=_plan(path, table),
    )


def _plan(path: Path, table: dict[str, object]) -> str | None:
    rule = "a relative path inside the project, without '..'"
    plan = _matching(path, table, "plan", _PLAN, rule)
    if plan is not None and any(part in {"", ".", ".."} for part in plan.split("/")):
        raise _bad(path, "plan", plan, rule)
    return plan


def _matching(
    path: Path, table: dict[str, object], key: str, rule: re.Pattern[str], said: str
) -> str | None:
    value = table.get(key)
    if value is None:
        return None
    if not isinstance(value, str) or not rule.fullmatch(value):
        raise _bad(path, key, value, said)
    return value


def _bad(path: Path, key: str, value: object, rule: str) -> ConfigurationError:
    return ConfigurationError(
        f"The key {key!r} in {path} must be {rule}, and is {str(value)[:80]!r}.",
        next=f"Correct {key!r} in that file.",
    )
