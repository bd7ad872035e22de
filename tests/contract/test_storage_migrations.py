"""Migrations are applied once, whole, by one process; a newer store is refused."""

from __future__ import annotations

import pytest

from agentjournal.errors import ConstraintError, SchemaError
from agentjournal.storage.migrations import MigrationSet, migrate
from agentjournal.storage.open import open_database
from agentjournal.storage.statement import parse_statement

OURS = [
    MigrationSet("log", "agentjournal.log.migrations"),
    MigrationSet("execution", "agentjournal.execution.migrations"),
]
FIRST = MigrationSet("sample", "support.migrations.first")
SECOND = MigrationSet("sample", "support.migrations.second")
BROKEN = MigrationSet("sample", "support.migrations.broken")
SAMPLES = parse_statement("samples", "SELECT * FROM {schema}sample ORDER BY id")
APPLIED = parse_statement("applied", "SELECT * FROM {schema}migration ORDER BY package, number")


def test_our_own_migrations_make_an_empty_store_usable_and_are_applied_once(database):
    applied = migrate(database, OURS)
    assert {migration.package for migration in applied} == {"log", "execution"}
    assert migrate(database, OURS) == []
    with database.snapshot() as reader:
        assert {"event", "migration", "step", "task"} < set(reader.tables())


def test_an_old_store_gets_what_it_lacks_and_keeps_its_rows(database, clock):
    assert [migration.name for migration in migrate(database, [FIRST])] == ["0001_start.sql"]
    assert database.rows(SAMPLES) == [{"id": "old", "n": 1}]
    clock.advance(60)
    assert [migration.name for migration in migrate(database, [SECOND])] == ["0002_grow.sql"]
    assert database.rows(SAMPLES) == [{"id": "old", "n": 1, "note": "from before"}]
    assert [(row["number"], row["name"], row["applied_at"]) for row in database.rows(APPLIED)] == [
        (1, "0001_start.sql", "2026-01-31T09:00:00.000000Z"),
        (2, "0002_grow.sql", "2026-01-31T09:01:00.000000Z"),
    ]


def test_a_migration_that_fails_leaves_the_store_as_it_was(database):
    migrate(database, [FIRST])
    with pytest.raises(ConstraintError):
        migrate(database, [BROKEN])
    assert database.rows(SAMPLES) == [{"id": "old", "n": 1}]
    assert len(database.rows(APPLIED)) == 1
    assert len(migrate(database, [SECOND])) == 1


def test_a_store_of_a_newer_version_is_refused(database):
    migrate(database, [SECOND])
    with pytest.raises(SchemaError, match=r"sample/0002_grow\.sql.*Update agent-journal"):
        migrate(database, [FIRST])


def test_a_migration_with_another_text_is_refused(database):
    migrate(database, [SECOND])
    with pytest.raises(SchemaError, match=r"another text of migration sample/0002_grow\.sql"):
        migrate(database, [BROKEN])


def test_packages_of_others_do_not_matter(database):
    migrate(database, [SECOND])
    assert len(migrate(database, OURS)) == 2
    assert migrate(database, [SECOND]) == []


def test_a_store_with_foreign_tables_is_refused_and_left_alone(database):
    with database.migration() as transaction:
        transaction.run(parse_statement("make", "CREATE TABLE {schema}album (title {text})"))
    with pytest.raises(SchemaError, match="album"):
        migrate(database, OURS)
    with database.snapshot() as reader:
        assert reader.tables() == ["album"]


def test_eight_processes_make_one_store_at_once_one_applies_and_all_go_on(location, child):
    children = [child("migrate", location, "second") for _ in range(8)]
    for process in children:
        process.go()
    said = sorted(process.process.stdout.readline().strip() for process in children)
    for process in children:
        process.end()
    assert said == ["0001_start.sql 0002_grow.sql", *["nothing"] * 7]
    database = open_database(location)
    assert database.rows(SAMPLES) == [{"id": "old", "n": 1, "note": "from before"}]
    database.close()


def test_a_badly_named_migration_is_a_fault_of_ours(database):
    with pytest.raises(ValueError, match="is not named like"):
        migrate(database, [MigrationSet("storage", "agentjournal.storage.sql")])
