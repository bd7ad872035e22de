"""Numbered migrations, each package's own, applied once."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentjournal.errors import SchemaError
from agentjournal.storage.statement import load_statements, package_folder, parse_statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from agentjournal.storage.database import Database, Reader, Row, Transaction
    from agentjournal.storage.statement import Statement

__all__ = ["Migration", "MigrationSet", "migrate"]

_SQL = load_statements(__package__, "sql/migration.sql")
_FILE = re.compile(r"(\d{4})_[a-z0-9_]+\.sql")


@dataclass(frozen=True, kw_only=True)
class Migration:
    """One file of a set."""

    package: str
    number: int
    name: str
    sha256: str
    statement: Statement

    @property
    def key(self) -> tuple[str, int]:
        """Name it in the whole store."""
        return (self.package, self.number)


@dataclass(frozen=True)
class MigrationSet:
    """The migrations of one package; `folder` names the package that holds its files."""

    package: str
    folder: str

    def migrations(self) -> list[Migration]:
        """Read every file, in the order of their numbers."""
        files = sorted(package_folder(self.folder).glob("*.sql"))
        return [self._read(file.name, file.read_bytes()) for file in files]

    def _read(self, name: str, content: bytes) -> Migration:
        found = _FILE.fullmatch(name)
        if found is None:
            raise ValueError(f"{self.folder}: {name} is not named like 0001_event.sql")
        return Migration(
            package=self.package,
            number=int(found[1]),
            name=name,
            sha256=hashlib.sha256(content).hexdigest(),
            statement=parse_statement(name, content.decode()),
        )


def migrate(database: Database, sets: Iterable[MigrationSet]) -> list[Migration]:
    """Bring the store up to date and give what was applied; another process may do it meanwhile.

    Raises:
        SchemaError: a newer version made the store, or a migration is not what was applied.
    """
    known = [migration for each in sets for migration in each.migrations()]
    with database.snapshot() as reader:
        if not _pending(reader, known):
            return []
    with database.migration() as transaction:
        pending = _pending(transaction, known)
        transaction.run(_SQL["create"])
        for migration in pending:
            _apply(transaction, migration)
    return pending


def _apply(transaction: Transaction, migration: Migration) -> None:
    transaction.run(migration.statement)
    transaction.run(
        _SQL["record"],
        package=migration.package,
        number=migration.number,
        name=migration.name,
        sha256=migration.sha256,
        applied_at=transaction.now(),
    )


def _pending(reader: Reader, known: Sequence[Migration]) -> list[Migration]:
    """Give what the store lacks, once what it has is found to be ours."""
    tables = reader.tables()
    if tables and "migration" not in tables:
        raise SchemaError(
            f"The database holds tables, but not ours: {', '.join(tables[:3])}.",
            next="Name another database or schema.",
        )
    rows = reader.rows(_SQL["applied"]) if tables else []
    ours = {migration.key: migration for migration in known}
    packages = {migration.package for migration in known}
    for row in rows:
        if row["package"] in packages:
            _check(row, ours.get((str(row["package"]), int(row["number"] or 0))))
    applied = {(row["package"], row["number"]) for row in rows}
    return [migration for migration in known if migration.key not in applied]


def _check(row: Row, migration: Migration | None) -> None:
    name = "/".join(str(row[column]) for column in ("package", "name"))
    if migration is None:
        raise SchemaError(
            f"The store has migration {name}, which this version does not know.",
            next="Update agent-journal.",
        )
    if row["sha256"] != migration.sha256:
        raise SchemaError(
            f"The store has another text of migration {name} than this version.",
            next="Use the version that made the store, or import its export into a new one.",
        )
