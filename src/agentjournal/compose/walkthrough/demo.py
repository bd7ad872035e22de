"""The two demonstrations: what stands in their folder."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, get_args

from agentjournal.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DEMOS", "MARKER", "Demo", "Name", "demo_at", "piece", "read_name"]

Name = Literal["codex", "handoff"]
DEMOS: tuple[Name, ...] = get_args(Name)
MARKER = ".engmem-walkthrough"


@dataclass(frozen=True)
class Demo:
    """A demonstration in a folder of its own."""

    name: Name
    folder: Path

    @property
    def store(self) -> Path:
        """Give the store that all its sessions share."""
        return self.folder / "store"

    @property
    def codex_home(self) -> Path:
        """Give the folder of Codex's settings."""
        return self.folder / "codex-home"

    @property
    def parcels(self) -> Path:
        """Give Codex's workspace."""
        return self.folder / "parcels"

    @property
    def labels(self) -> Path:
        """Give Claude Code's workspace."""
        return self.folder / "labels"

    @property
    def workspaces(self) -> dict[Path, dict[str, str]]:
        """Give the files of each workspace by their path in it."""
        parcels = {
            "README.md": piece("parcels.readme"),
            "demo_parcels/__init__.py": '"""Parcels."""\n',
            "demo_parcels/parcel.py": piece("parcel.py"),
            "demo_parcels/check.py": piece("check.py"),
        }
        labels = {
            "README.md": piece("labels.readme"),
            "demo_labels/__init__.py": '"""Labels."""\n',
            "demo_labels/label.py": piece("label.py"),
        }
        return {self.parcels: parcels} | ({self.labels: labels} if self.name == "handoff" else {})

    @property
    def steps(self) -> str:
        """Give what a person does."""
        return piece(f"{self.name}.steps").format(
            folder=self.folder,
            store=self.store,
            codex_home=self.codex_home,
            parcels=self.parcels,
            labels=self.labels,
        )


def piece(name: str) -> str:
    """Give a text of the demonstrations."""
    return files(__package__).joinpath("pieces", f"{name}.txt").read_text(encoding="utf-8")


def read_name(name: str) -> Name:
    """Read which demonstration is meant.

    Raises:
        InputError: there is none of that name.
    """
    for known in DEMOS:
        if name == known:
            return known
    raise InputError(f"no walkthrough for {name!r}.", next=f"One of: {', '.join(DEMOS)}.")


def demo_at(name: Name, folder: Path) -> Demo:
    """Find a demonstration that was built.

    Raises:
        InputError: it was not built there.
    """
    try:
        built = (folder / MARKER).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        built = ""
    if built != name:
        raise InputError(
            f"{folder} was not built by `engmem walkthrough {name}`.",
            next=f"Run `engmem walkthrough {name} --dir {folder}` first.",
        )
    return Demo(name, folder)
