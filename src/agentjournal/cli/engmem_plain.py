"""A plain search: a command line of the usual options, read and answered without click."""

from __future__ import annotations

import gc
import os
import sys
from datetime import UTC, datetime

from agentjournal.cli.engmem_commands.given import read_request
from agentjournal.cli.engmem_commands.searched import searched
from agentjournal.cli.output import Output
from agentjournal.compose.asking import occasion
from agentjournal.compose.documents import open_documents
from agentjournal.config.engmem import engmem_places
from agentjournal.config.source import Sources, user_config_file
from agentjournal.errors import AgentJournalError
from agentjournal.lazy_path import lazy_path
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import Any

    from agentjournal.engmem.index.refresh import Listener

__all__ = ["answered", "read_plain"]

_FLAGS = {"--json": "is_json", "--unscoped": "unscoped", "--all-repos": "all_repos"}
_ONE = {"--store": "store", "--session": "draft", "--role": "role", "--status": "status"}
_MANY = {"--repo": "repos", "--tag": "tags"}
_LIMITS = {str(each): each for each in range(1, 11)}
_STATUSES = ("active", "superseded", "draft")


def read_plain(args: Sequence[str]) -> dict[str, Any] | None:
    """Read `search WORDS...` with the usual options as the commands do; None for anything else."""
    if not args or args[0] != "search":
        return None
    given: dict[str, Any] = {
        **dict.fromkeys(_FLAGS.values(), False),
        **dict.fromkeys(_ONE.values()),
        **dict.fromkeys(_MANY.values(), ()),
        "limit": 3,
        "since": None,
        "near": (),
        "is_diff": False,
    }
    words, rest = [], list(reversed(args[1:]))
    while rest:
        arg = rest.pop()
        if not arg.startswith("-"):
            words.append(arg)
        elif arg in _FLAGS:
            given[_FLAGS[arg]] = True
        elif not _is_option(given, arg, rest):
            return None
    return {**given, "words": words} if words else None


def _is_option(given: dict[str, Any], arg: str, rest: list[str]) -> bool:
    """Note an option with the value behind its `=`, else with the next argument."""
    name, is_joined, value = arg.partition("=")
    if is_joined:
        return _is_taken(given, name, value)
    return bool(rest) and not rest[-1].startswith("-") and _is_taken(given, name, rest.pop())


def _is_taken(given: dict[str, Any], name: str, value: str) -> bool:
    """Note an option's value; False where there is no such option or value."""
    if name in _MANY:
        given[_MANY[name]] += (value,)
    elif name == "--limit" and value in _LIMITS:
        given["limit"] = _LIMITS[value]
    elif name in _ONE and (name != "--status" or value in _STATUSES):
        given[_ONE[name]] = value
    else:
        return False
    return True


def answered(args: Sequence[str]) -> bool:
    """Print the answer to a plain search; False where the commands have to answer, or to refuse.

    Nothing was printed or recorded then.
    """
    given = read_plain(args)
    if given is None:
        return False
    now, output = datetime.now(UTC), Output(given.pop("is_json"))
    try:
        cwd = lazy_path(os.getcwd())  # noqa: PTH109 - nothing else loads Path
        places = _places(os.environ, cwd, given.pop("store"))
        if places is None:
            return False
        request = read_request(" ".join(given.pop("words")), cwd, now, given)
        index = open_documents(*places, now=int(now.timestamp() * 1e9), listener=_listener)
        searched(index, request, occasion(places[0], cwd=cwd, now=now), output)
    except BrokenPipeError:
        raise
    except (AgentJournalError, OSError):
        return False
    return True


def _places(
    environment: Mapping[str, str], cwd: Path, store: str | None
) -> tuple[Path, Path] | None:
    """Find store and cache; None where the user has a file of settings, which is read elsewhere."""
    if not environment.get("HOME", "").startswith("/"):
        return None
    home = lazy_path(environment["HOME"])
    file, is_named = user_config_file(environment, cwd, home)
    if is_named or os.path.lexists(file):
        return None
    sources = Sources(
        flags={"store": store},
        environment=environment,
        user={},
        config_file=file,
        cwd=cwd,
        home=home,
        origins={},
    )
    return engmem_places(sources, sys.platform)


def _listener() -> Listener:
    from agentjournal.cli.narrated import narrated

    gc.enable()  # documents will be read
    return narrated()
