"""A throwaway git repository whose history is written commit by commit."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_DAY = 86_400
_FIRST = 1_700_000_000  # 2023-11-14


@dataclass
class History:
    """Commits get a day each, by the same author, so that ids are the same in every run."""

    root: Path
    ids: list[str] = field(default_factory=list)

    @classmethod
    def begin(cls, root: Path) -> History:
        root.mkdir(parents=True)
        history = cls(root)
        history.git("init", "-q", "-b", "main")
        return history

    def commit(self, subject: str, body: str = "", files: Mapping[str, str] | None = None) -> str:
        """Commit files, or nothing, with this message, and give the commit's id."""
        for path, text in (files or {}).items():
            (self.root / path).parent.mkdir(parents=True, exist_ok=True)
            (self.root / path).write_text(text, encoding="utf-8")
        self.git("add", "-A")
        message = f"{subject}\n\n{body}" if body else subject
        self.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-F", "-", stdin=message)
        return self._done()

    def merge(self, subject: str, body: str, branch: str) -> str:
        """Commit something on a branch and merge it with this message."""
        self.git("checkout", "-q", "-b", branch)
        self.commit(f"Work on {branch}")
        self.git("checkout", "-q", "main")
        self.git("merge", "-q", "--no-ff", "--no-edit", "-m", subject, "-m", body, branch)
        return self._done()

    def git(self, *args: str, stdin: str = "") -> str:
        at = f"{_FIRST + len(self.ids) * _DAY} +0000"
        environment = {
            "PATH": "/usr/bin:/bin:/usr/local/bin:/opt/homebrew/bin",
            "HOME": str(self.root),
            "GIT_CONFIG_NOSYSTEM": "1",
            **{
                f"GIT_{who}_{what}": value
                for who in ("AUTHOR", "COMMITTER")
                for what, value in (
                    ("NAME", "Ada"),
                    ("EMAIL", "ada@example.org"),
                    ("DATE", at),
                )
            },
        }
        done = subprocess.run(
            ["git", *args],
            cwd=self.root,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    def _done(self) -> str:
        self.ids.append(self.git("rev-parse", "HEAD"))
        return self.ids[-1]
