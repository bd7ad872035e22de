"""What a command line asks of a store, read from its options."""

from __future__ import annotations

from agentjournal.engmem.answer.request import SearchRequest
from agentjournal.engmem.answer.scope import AllRepositories, Unscoped, repositories
from agentjournal.errors import InputError
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path
    from typing import Any

    from agentjournal.engmem.answer.scope import Scope
    from agentjournal.engmem.role import Role

__all__ = ["read_names", "read_request"]


def read_names(near: Sequence[str], cwd: Path, *, is_diff: bool) -> tuple[str, ...]:
    """Give the names in the files at hand; without any, nothing of this is loaded."""
    if not near and not is_diff:
        return ()
    from agentjournal.compose.at_hand import changed_files, names_at_hand

    changed = changed_files(cwd) if is_diff else ()
    return names_at_hand([*near, *changed], cwd)


def read_request(query: str, cwd: Path, now: datetime, given: dict[str, Any]) -> SearchRequest:
    """Read what a command line asks; takes these options out of `given`.

    Raises:
        InputError: a role, a scope, a tag or a time is none.
    """
    since = given.pop("since")
    return SearchRequest(
        query=query,
        session=(given.pop("draft") or "").strip() or None,
        role=_role(role) if (role := given.pop("role")) is not None else None,
        scope=_scope(
            given.pop("repos"), is_unscoped=given.pop("unscoped"), is_all=given.pop("all_repos")
        ),
        limit=given.pop("limit"),
        tags=_tags(given.pop("tags")),
        since=_day(since, now) if since else "",
        status=given.pop("status"),
        names=read_names(given.pop("near"), cwd, is_diff=given.pop("is_diff")),
    )


def _role(text: str) -> Role:
    from agentjournal.engmem.answer.role import read_role

    return read_role(text)


def _tags(tags: tuple[str, ...]) -> tuple[str, ...]:
    if not all(tag.strip() for tag in tags):
        raise InputError("engmem search: --tag needs a tag (got a blank value)")
    return tags


def _day(since: str, now: datetime) -> str:
    from agentjournal.usage.report.since import read_since

    return read_since(since, now)[:10]


def _scope(repos: Sequence[str], *, is_unscoped: bool, is_all: bool) -> Scope | None:
    if (bool(repos) + is_unscoped + is_all) > 1:
        raise InputError(
            "engmem search: --repo, --unscoped and --all-repos are different scopes.",
            next="Pass one of them.",
        )
    if is_unscoped:
        return Unscoped()
    if is_all:
        return AllRepositories()
    return repositories(repos) if repos else None
