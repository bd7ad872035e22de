"""Where decision records and plans lie in a repository, told by the names of folders and files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from agentjournal.recall.harvest.objects import File, files_in, folders

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["candidate_files", "is_plan_name", "is_record_name"]

FOLDERS = 50_000  # of a repository that are looked at, by name
LISTED = 400  # folders whose files are listed

_RECORDS = re.compile(
    r"(?:adrs?|adl|rfcs?|decisions?|(?:architect\w*-)?decision-(?:records?|logs?)|architect\w*-decisions?"
    r"|design-decisions|keps?|peps?|proposals?|enhancements?|enhancement-proposals)"
)
_OTHERS = re.compile(r"(?:docs?|documentation|design(?:-docs?)?|text|architecture|notes)")
_PLANS = re.compile(r"(?:plans?|specs?|\.specify|\.kiro|tasks|roadmaps?|backlog)")
_FOREIGN = re.compile(
    r"(?:node-modules|vendor|third-?party|external|testdata|test|tests|fixtures?|__fixtures__|examples?"
    r"|\.git|\.venv|site-packages)"
)
_TEXT = re.compile(r".+\.(?:md|markdown|rst|adoc|asciidoc)", re.IGNORECASE)
_NAMED = re.compile(r"(?:(?:[a-z]+-){0,2}(?:adr|rfc|pep|kep)[-_ ]?\d|\d{2,8}[-_. ])", re.IGNORECASE)
_NOT_ONE = re.compile(
    r"(?:readme|index|template|changelog|contributing|license|glossary|toc|summary)\b|.*template",
    re.IGNORECASE,
)
_PLAN_NAME = re.compile(
    r"(?:.*[-_.])?(?:tasks?|todo|plan|implementation|roadmap|backlog)(?:[-_.].*)?\.(?:md|markdown)",
    re.IGNORECASE,
)


def candidate_files(root: Path) -> list[File]:
    """Give the files that may be records or plans, by path; nothing is opened yet."""
    chosen = [each for each in folders(root, FOLDERS) if _is_looked_into(each)]
    found = [file for folder in chosen[:LISTED] for file in files_in(root, folder)]
    return sorted(
        (each for each in found if _TEXT.fullmatch(each.path)), key=lambda each: each.path
    )


def is_record_name(path: str) -> bool:
    """Say whether a path is that of a decision record: by its folder, or by a number in its name."""
    *above, name = path.split("/")
    if _is_within(above, _RECORDS):
        is_numbered_folder = bool(above) and above[-1][:1].isdigit()  # 1234-title/README.md
        return is_numbered_folder or not _NOT_ONE.match(name)
    return _NAMED.match(name) is not None and not _NOT_ONE.match(name)


def is_plan_name(path: str) -> bool:
    """Say whether a path may be that of a plan with tasks."""
    *above, name = path.split("/")
    return _PLAN_NAME.fullmatch(name) is not None or (
        _is_within(above, _PLANS) and not _is_within(above, _RECORDS) and not _NOT_ONE.match(name)
    )


def _is_looked_into(folder: str) -> bool:
    parts = folder.split("/") if folder else []
    if _is_within(parts, _FOREIGN):
        return False
    is_named = _is_within(parts, _RECORDS) or _is_within(parts, _PLANS)
    return is_named or all(_OTHERS.fullmatch(part) for part in _plain(parts))


def _is_within(parts: list[str], names: re.Pattern[str]) -> bool:
    return any(names.fullmatch(part) for part in _plain(parts))


def _plain(parts: list[str]) -> Iterator[str]:
    return (part.casefold().replace("_", "-").replace(" ", "-") for part in parts)
