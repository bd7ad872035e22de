"""Which repositories' documents are searched, said as a line and as a record."""

from __future__ import annotations

from agentjournal.errors import InputError
from agentjournal.frozen import frozen
from agentjournal.text.bounded import clip
from agentjournal.text.visible import one_line, visible
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.engmem.header import Header

__all__ = [
    "AllRepositories",
    "Repositories",
    "Scope",
    "Unscoped",
    "repositories",
    "scope_line",
    "scope_record",
]

NAME = 120  # characters of one name
NAMES = 240  # characters of all that are shown
RECORDED = 50  # names
LINE = 700  # bytes


@frozen
class Repositories:
    """The documents that are linked to one of these repositories, in the names they were asked by."""

    names: tuple[str, ...]

    def admits(self, header: Header) -> bool:
        """Say whether the document belongs here."""
        wanted = {_folded(name) for name in self.names}
        return any(_folded(name) in wanted for name in header.repos)


@frozen
class Unscoped:
    """The documents that are linked to no repository."""

    def admits(self, header: Header) -> bool:
        """Say whether the document belongs here."""
        return not header.repos and not header.has_unknown_repos


@frozen
class AllRepositories:
    """Every document, asked for by name."""

    def admits(self, header: Header) -> bool:  # noqa: ARG002 - all are
        """Say whether the document belongs here: it does."""
        return True


Scope = Repositories | Unscoped | AllRepositories


def repositories(names: Iterable[str]) -> Repositories:
    """Give the scope of these repositories, each once.

    Raises:
        InputError: a name is blank.
    """
    kept: dict[str, str] = {}
    for name in names:
        if not name.strip():
            raise InputError("engmem search: --repo needs a repository name (got a blank value)")
        kept.setdefault(_folded(name), name.strip())
    return Repositories(tuple(kept.values()))


def scope_line(scope: Scope, count: int) -> str:
    """Say which documents were searched, and how many those are."""
    return clip(f"scope: {_told(scope, count)}", LINE)


def _told(scope: Scope, count: int) -> str:
    match scope:
        case Repositories((name,)):
            return f"repo {_shown(name)} ({count} {_LINKED}"
        case Repositories(names):
            return f"repos {_listed(names)} ({count} {_LINKED}"
        case Unscoped():
            return f"unscoped ({count} document(s) linked to no repository searched)"
        case AllRepositories():
            return f"all repositories ({count} document(s) searched; {_WHOLE}"


_WHOLE = "the whole store, records linked to no repository included)"
_LINKED = "linked document(s) searched; records linked to no repository are left out)"


def scope_record(scope: Scope | None, count: int) -> dict[str, object] | None:
    """Give the scope as telemetry keeps it."""
    match scope:
        case None:
            return None
        case Repositories(names):
            record: dict[str, object] = {
                "repos": [name[:NAME] for name in names[:RECORDED]],
                "n_searched": count,
            }
            if len(names) > RECORDED or any(len(name) > NAME for name in names):
                record |= {"repos_truncated": True, "repos_total": len(names)}
            return record
        case Unscoped():
            return {"unscoped": True, "n_searched": count}
        case AllRepositories():
            return {"all_repos": True, "n_searched": count}


def _listed(names: Sequence[str]) -> str:
    """List names until they are long enough, and count the others."""
    shown: list[str] = []
    for name in map(_shown, names):
        if shown and len(", ".join([*shown, name])) > NAMES:
            break
        shown.append(name)
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more} more" if more else "")


def _shown(name: str) -> str:
    return visible(one_line(name[:NAME]), keep="")


def _folded(name: str) -> str:
    return name.strip().casefold()
