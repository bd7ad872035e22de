"""The one way to run git: nothing that a repository's own configuration names is ever started."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from agentjournal.errors import Fault, ForeignProgramError, InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["GitAnswer", "head_commit", "refuse_option", "repository_root", "run_git"]

_SETTINGS = {
    "commit.gpgSign": "false",
    "core.fsmonitor": "false",
    "core.fsync": "committed",
    "core.hooksPath": os.devnull,
    "core.pager": "cat",
    "core.sshCommand": "false",
    "credential.helper": "",
    "diff.external": "",
    "diff.submodule": "short",
    "gc.auto": "0",
    "gpg.program": "false",
    "log.showSignature": "false",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "safe.bareRepository": "explicit",
    "status.submoduleSummary": "false",
    "submodule.recurse": "false",
    "tag.gpgSign": "false",
}
_VARIABLES = {
    "GIT_ALLOW_PROTOCOL": "none",  # not even to fetch what a partial clone left out
    "GIT_EDITOR": "false",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}

_NO_DRIVERS = ("--no-ext-diff", "--no-textconv")
_NO_SUBMODULES = ("--ignore-submodules=all",)  # each has a configuration of its own
_EXTRA = {
    "blame": _NO_DRIVERS,
    "diff": _NO_DRIVERS + _NO_SUBMODULES,
    "diff-files": _NO_DRIVERS + _NO_SUBMODULES,
    "diff-index": _NO_DRIVERS + _NO_SUBMODULES,
    "diff-tree": _NO_DRIVERS,
    "log": _NO_DRIVERS,
    "show": _NO_DRIVERS,
    "status": _NO_SUBMODULES,
}

# These start no driver; all others get each one switched off by its name.
_STARTS_NOTHING = frozenset({"cat-file", "config", "ls-tree", "rev-list", "rev-parse", "version"})
_DRIVER = re.compile(
    r"(?:filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|merge\..*\.driver"
    r"|hook\..*\.command|trailer\..*\.(?:command|cmd))",
    re.DOTALL,
)
_REQUIRED = re.compile(r"filter\..*\.required", re.DOTALL)


@dataclass(frozen=True)
class GitAnswer:
    """What git answered: its exit status and the bytes of its two outputs."""

    code: int
    out: bytes
    err: bytes


def run_git(
    args: Sequence[str],
    cwd: Path,
    *,
    timeout: float = 30,
    stdin: bytes | None = None,
    settings: Mapping[str, str] | None = None,
) -> GitAnswer:
    """Run one git command without pager, prompt, network, hooks, monitors, filters or diff drivers.

    Settings come on top of the repository's own, and never replace those that keep git quiet.
    A status other than 0 is an answer, no error. A word that comes from outside goes through
    `refuse_option` first, or stands behind `--end-of-options` or `--`.

    Raises:
        ForeignProgramError: git is not installed, did not end in time (seconds), or the folder is
            gone.
    """
    command, *rest = args
    drivers = {} if command in _STARTS_NOTHING else _switched_off(cwd, timeout)
    full = [command, *_EXTRA.get(command, ()), *rest]
    return _run(full, cwd, {**(settings or {}), **_SETTINGS, **drivers}, timeout, stdin)


def repository_root(path: Path) -> Path | None:
    """Give the top folder of the working tree that holds the path, or None where there is none.

    Bare repositories, and those that claim a working tree elsewhere, count as none.
    """
    answer = run_git(["rev-parse", "--show-toplevel"], path)
    if answer.code != 0:
        return None
    root = Path(os.fsdecode(answer.out.removesuffix(b"\n")))
    is_its_own = (root / ".git").exists() and path.resolve().is_relative_to(root)
    return root if is_its_own else None


def head_commit(root: Path) -> str | None:
    """Give the full id of the commit that is checked out, or None before the first one."""
    answer = run_git(["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], root)
    return answer.out.decode("ascii").strip() if answer.code == 0 else None


def refuse_option(text: str) -> str:
    """Give the text back where git cannot take it for an option.

    Raises:
        InputError: it begins with `-`, is empty, or holds a NUL.
    """
    if text and not text.startswith("-") and "\0" not in text:
        return text
    remedy = "Give a plain name or revision."
    fault = Fault(field="name", rule="must not look like an option", got=repr(text), remedy=remedy)
    raise InputError(f"{text!r} must not look like an option of git.", faults=(fault,), next=remedy)


def _switched_off(cwd: Path, timeout: float) -> dict[str, str]:
    """List the drivers that any configuration names here, each set to nothing."""
    answer = _run(["config", "--null", "--name-only", "--list"], cwd, _SETTINGS, timeout, None)
    names = os.fsdecode(answer.out).split("\0")
    off = {name: "" for name in names if _DRIVER.fullmatch(name)}
    return off | {name: "false" for name in names if _REQUIRED.fullmatch(name)}


def _run(
    command: Sequence[str],
    cwd: Path,
    settings: Mapping[str, str],
    timeout: float,
    stdin: bytes | None,
) -> GitAnswer:
    program, environment = _program(), _environment(settings)
    try:
        done = subprocess.run(  # noqa: S603 - this is the one place
            [program, "--no-pager", *command],
            cwd=cwd,
            env=environment,
            input=stdin or b"",
            capture_output=True,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ForeignProgramError(
            f"git {command[0]} did not end within {timeout:g} seconds in {cwd}.",
            next="Try it by hand there; a very large repository may need a longer limit.",
        ) from error
    except OSError as error:
        raise ForeignProgramError(
            f"git {command[0]} could not be run in {cwd}: {error.strerror}.",
            next="Check that folder and the installation of git.",
        ) from error
    return GitAnswer(done.returncode, done.stdout, done.stderr)


def _program() -> str:
    """Find git, in absolute folders only: a relative one would lead into the repository."""
    program = shutil.which("git", path=_search_path())
    if program is None:
        raise ForeignProgramError("git is not installed here.", next="Install git and try again.")
    return program


def _search_path() -> str:
    return os.pathsep.join(folder for folder in os.get_exec_path() if folder.startswith("/"))


def _environment(settings: Mapping[str, str]) -> dict[str, str]:
    """Make git's whole environment: settings by number, as `-c` would split a name at its `=`."""
    numbered = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (key, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return {"PATH": _search_path(), "HOME": str(Path.home()), **_VARIABLES, **numbered}
