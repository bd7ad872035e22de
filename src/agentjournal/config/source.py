"""Where values come from: flags, the environment, the user's own file, in this order."""

from __future__ import annotations

import os.path

from agentjournal.config.flag import parse_flag
from agentjournal.errors import ConfigurationError
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping
    from pathlib import Path
    from typing import TypeVar

    T = TypeVar("T")

__all__ = [
    "Found",
    "Sources",
    "absolute",
    "bad_value",
    "cache_folder",
    "user_config_file",
    "xdg_folder",
]

_URLS = ("postgresql://", "postgres://")
_MOST = 2**31 - 1


@frozen(kw_only=True)
class Found:
    """One value as it was given: by whom, and which folder its relative paths start from."""

    value: object
    origin: str
    base: Path


@frozen(kw_only=True)
class Sources:
    """All that may set a value; each reading method notes the origin under the value's name."""

    flags: Mapping[str, str | None]
    environment: Mapping[str, str]
    user: Mapping[str, object]
    config_file: Path
    cwd: Path
    home: Path
    origins: dict[str, str]

    def find(
        self, name: str, *, flag: str | None = None, variable: str | None = None
    ) -> Found | None:
        """Give the first value that is set and not blank."""
        flag = flag or name
        given = self.flags.get(flag)
        if given and given.strip():
            return Found(value=given, origin=f"--{flag.replace('_', '-')}", base=self.cwd)
        variable = variable or f"AGENTJOURNAL_{name.upper()}"
        given = self.environment.get(variable)
        if given and given.strip():
            return Found(value=given, origin=variable, base=self.cwd)
        if name in self.user:
            base = self.config_file.parent
            return Found(value=self.user[name], origin=str(self.config_file), base=base)
        return None

    def noted(self, name: str, value: T, origin: str | None) -> T:
        """Note the value's origin (None means the default) and give the value back."""
        self.origins[name] = origin or "default"
        return value

    def text(self, name: str, default: str, rule: re.Pattern[str], said: str) -> str:
        """Give a text that follows the rule."""
        found = self.find(name)
        if found is None:
            return self.noted(name, default, None)
        value = found.value.strip() if isinstance(found.value, str) else found.value
        if not isinstance(value, str) or not rule.fullmatch(value):
            raise bad_value(name, found, said)
        return self.noted(name, value, found.origin)

    def whole(self, name: str, default: int, *, least: int) -> int:
        """Give a whole number from the least one upwards."""
        found = self.find(name)
        if found is None:
            return self.noted(name, default, None)
        value = found.value
        if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
            value = int(value.strip()[:20])
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _MOST:
            raise bad_value(name, found, f"a whole number from {least} upwards")
        return self.noted(name, value, found.origin)

    def flag(self, name: str, *, default: bool) -> bool:
        """Give a yes or no."""
        found = self.find(name)
        if found is None:
            return self.noted(name, default, None)
        if isinstance(found.value, bool):
            return self.noted(name, found.value, found.origin)
        return self.noted(name, parse_flag(found.origin, str(found.value)), found.origin)

    def path(self, name: str, default: Path) -> Path:
        """Give an absolute path; a relative one starts where it was written."""
        found = self.find(name)
        if found is None:
            return self.noted(name, default, None)
        return self.noted(name, self._path(name, found), found.origin)

    def location(self, name: str, default: Path) -> str:
        """Give a database: an absolute path, or a PostgreSQL URL or `:memory:` as it was written."""
        found = self.find(name)
        if found is None:
            return self.noted(name, str(default), None)
        value = str(found.value)
        if value.startswith(_URLS) or value == ":memory:":
            return self.noted(name, value, found.origin)
        if "://" in value:
            raise bad_value(name, found, "a path, or a URL that begins with postgresql://")
        return self.noted(name, str(self._path(name, found)), found.origin)

    def _path(self, name: str, found: Found) -> Path:
        if not isinstance(found.value, str) or "\0" in found.value or not found.value.strip():
            raise bad_value(name, found, "a path")
        return absolute(found.value, found.base, self.home)


def bad_value(name: str, found: Found, rule: str) -> ConfigurationError:
    """Say which setting breaks which rule, and where it was set."""
    shown = str(found.value).partition("://")[0][:80]  # what follows may hold a password
    return ConfigurationError(
        f"The setting {name!r} from {found.origin} must be {rule}, and is {shown!r}.",
        next=f"Correct it in {found.origin}.",
    )


def absolute(text: str, base: Path, home: Path) -> Path:
    """Make the path absolute against the folder; a leading `~` is the home folder."""
    if text == "~" or text.startswith("~/"):
        return home / text[2:]
    whole = os.path.normpath(base / os.path.expanduser(text))  # noqa: PTH111 - a search loads no Path
    return base / whole  # below a folder, an absolute path is itself


def xdg_folder(environment: Mapping[str, str], variable: str, default: Path) -> Path:
    """Give the folder that an XDG variable names, where it is absolute as the standard demands."""
    named = environment.get(variable, "")
    return default / named if named.startswith("/") else default


def user_config_file(environment: Mapping[str, str], cwd: Path, home: Path) -> tuple[Path, bool]:
    """Give the user's own file of settings, and whether it was named, so that it must be there."""
    named = environment.get("AGENTJOURNAL_CONFIG", "").strip()
    folder = xdg_folder(environment, "XDG_CONFIG_HOME", home / ".config")
    path = absolute(named, cwd, home) if named else folder / "agentjournal" / "config.toml"
    return path, bool(named)


def cache_folder(environment: Mapping[str, str], home: Path, platform: str) -> Path:
    """Give the folder for what can be made again: XDG's where set, else the platform's own."""
    usual = home / "Library" / "Caches" if platform == "darwin" else home / ".cache"
    return xdg_folder(environment, "XDG_CACHE_HOME", usual) / "agentjournal"
