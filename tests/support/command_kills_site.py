"""A place where whole commands run: a store, a project with its plan, and what is kept outside of both."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterable

SLUG = "shop"
STEP_ID = "0192f0c4-0000-7000-8000-000000000001"
_WORKER = Path(__file__).with_name("command_kills_worker.py")
_NAMES = ("First", "Second", "Third", "Fourth", "Fifth")


@dataclass(frozen=True)
class Site:
    """Everything of one trial lies in `folder`, but for a store on a server."""

    folder: Path
    database: str

    @property
    def project(self) -> Path:
        """Give the folder where commands are run and workers work."""
        return self.folder / "project"

    @property
    def outside(self) -> Path:
        """Give the folder of what is noted outside of the store: the witness."""
        return self.folder / "outside"

    @property
    def worker(self) -> str:
        """Give the worker's command."""
        return shlex.join([sys.executable, "-I", "-S", str(_WORKER), str(self.outside)])

    @property
    def environment(self) -> dict[str, str]:
        """Give the environment of commands; the marker names every process of this trial."""
        return {
            "PATH": os.environ["PATH"],
            "HOME": str(self.folder / "home"),
            "XDG_DATA_HOME": str(self.folder / "data"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "XDG_CACHE_HOME": str(self.folder / "cache"),
            "AGENTJOURNAL_DATABASE": self.database,
            "AGENTJOURNAL_ACTOR": "tester",
            "KILL_TRIAL": str(self.folder),
        }

    def lay(self, tasks: int) -> None:
        """Make the folders, the plan and the step that `log` records."""
        for folder in (self.project, self.outside, self.folder / "home"):
            folder.mkdir(parents=True)
        names = enumerate(_NAMES[:tasks], 1)
        texts = [f"### T-{n} {name}\n\nMake `T-{n}.txt`.\n" for n, name in names]
        plan = "\n".join(["# Shop", "", "Sell things.", "", *texts])
        (self.project / "plan.md").write_text(plan)
        self.write_step(STEP_ID)

    def write_step(self, step_id: str) -> None:
        """Write the form that `log` takes."""
        form = {
            "id": step_id,
            "project_slug": SLUG,
            "plan_ref": "T-1",
            "result": "success",
            "action": "Made the first by hand",
            "current_state": "It works.",
            "ended_at": "2026-11-20T10:00:00Z",
        }
        (self.project / "step.json").write_text(json.dumps(form))

    def notes(self, word: str) -> list[list[str]]:
        """Give what workers noted under a word: task, then pid or handed word."""
        ledger = self.outside / "ledger"
        lines = ledger.read_text().splitlines() if ledger.exists() else []
        return [line.split()[1:] for line in lines if line.startswith(f"{word} ")]


@dataclass(frozen=True)
class SqliteSites:
    """Makes sites on SQLite: each a copy of the first one."""

    root: Path

    def first(self) -> Site:
        """Give the site that the others copy."""
        return self._site("template")

    def copy(self, name: str) -> Site:
        """Copy the first site, store included: nobody has it open."""
        shutil.copytree(self.root / "template", self.root / name)
        return self._site(name)

    def remove(self, site: Site) -> None:
        """Take a site away."""
        shutil.rmtree(site.folder)

    def _site(self, name: str) -> Site:
        folder = self.root / name
        return Site(folder, str(folder / "store" / "log.db"))


@dataclass(frozen=True)
class PostgresSites:
    """Makes sites on one server: each with a database of its own."""

    root: Path
    server: str  # URL of a database beside them

    def first(self) -> Site:
        """Give the site that the others copy."""
        return self._made("template", "")

    def copy(self, name: str) -> Site:
        """Copy the first site and its database."""
        shutil.copytree(self.root / "template", self.root / name)
        return self._made(name, f"TEMPLATE {self._database('template')} STRATEGY file_copy")

    def remove(self, site: Site) -> None:
        """Take a site and its database away, whoever is still connected."""
        shutil.rmtree(site.folder)
        self._run([f"DROP DATABASE {self._database(site.folder.name)} WITH (FORCE)"])

    def _made(self, name: str, source: str) -> Site:
        self._run([f"CREATE DATABASE {self._database(name)} {source}"])
        url = urlsplit(self.server)._replace(path=f"/{self._database(name)}").geturl()
        return Site(self.root / name, url)

    def _database(self, name: str) -> str:
        return f"kills_{os.getpid()}_{name}".replace("-", "_")

    def _run(self, statements: Iterable[str]) -> None:
        with psycopg.connect(self.server, autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement.encode())


Sites = SqliteSites | PostgresSites
