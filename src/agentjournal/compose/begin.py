"""`init`: name a repository's project, and gather what its history rejected."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.config.project import FILE_NAME, write_project_file
from agentjournal.errors import ConflictError, InputError, NotFoundError
from agentjournal.recall.harvest.harvest import harvest
from agentjournal.recall.harvest.index import index_path, write_index
from agentjournal.system.git import repository_root

if TYPE_CHECKING:
    from pathlib import Path

    from agentjournal.compose.services import Services
    from agentjournal.recall.harvest.harvest import Harvest

__all__ = ["Begun", "begin", "slug_of"]

SLUG_CHARACTERS = 64


@dataclass(frozen=True, kw_only=True)
class Begun:
    """What `init` did: the project's name and file, whether the file is new, and the harvest."""

    slug: str
    file: Path
    is_new: bool
    harvest: Harvest


def begin(services: Services, slug: str | None) -> Begun:
    """Write the project's file where there is none, and harvest again in any case.

    Raises:
        NotFoundError: this folder is in no git repository.
        InputError: the slug can name no project.
        ConflictError: the repository has another name already.
    """
    settings = services.settings
    root = repository_root(services.world.cwd)
    if root is None:
        raise NotFoundError(
            f"{services.world.cwd} is in no git repository.",
            next="Change into your repository, or run `git init` first.",
        )
    if slug is not None and slug_of(slug) != slug:
        raise InputError(
            f"{slug!r} can name no project: lower-case letters and digits, joined by single hyphens.",
            next=f"Like --slug {slug_of(slug)}.",
        )
    known = settings.project_slug if settings.project_file else None
    if known is not None and slug not in {None, known}:
        raise ConflictError(
            f"This repository is the project {known} already, as {settings.project_file} says.",
            next=f"Keep the name, or remove that file first: its log is that of {known}.",
        )
    file = root / FILE_NAME
    is_new = settings.project_file is None
    name = slug or known or slug_of(root.name)
    if is_new:
        file = write_project_file(root, name, settings.project_id or services.world.new_id())
    found = harvest(root, repository=name)
    write_index(index_path(settings.cache_dir, root), found)
    return Begun(slug=name, file=settings.project_file or file, is_new=is_new, harvest=found)


def slug_of(name: str) -> str:
    """Make a slug of a folder's name; `project` where nothing of it can stand in one."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain)[:SLUG_CHARACTERS].strip("-") or "project"
