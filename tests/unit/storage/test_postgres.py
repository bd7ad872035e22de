from __future__ import annotations

import os
import re
import threading
from urllib.parse import urlsplit

import psycopg
import pytest

from agentjournal.errors import (
    ConfigurationError,
    OutcomeUnknownError,
    SchemaError,
    StoreBusyError,
    StoreError,
    StoreUnavailableError,
)
from agentjournal.storage.migrations import MigrationSet, migrate
from agentjournal.storage.postgres import Postgres
from agentjournal.storage.statement import parse_statement
from support.thing import ADD, ALL, GROW, add, names, with_things

SLEEP = parse_statement("sleep", "SELECT pg_sleep(10)")
KILL = parse_statement(
    "kill",
    "SELECT pg_terminate_backend(pid) AS was FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()",
)


@pytest.fixture
def store(postgres_url):
    database = with_things(Postgres(postgres_url), "a")
    yield database
    database.close()


@pytest.fixture
def other(postgres_url):
    database = Postgres(postgres_url)
    yield database
    database.close()


def setting(cluster, url, text):
    cluster.run(f"ALTER DATABASE {urlsplit(url).path[1:]} SET {text}")


def test_nothing_is_sent_that_a_transaction_pooler_would_break(cluster, postgres_url):
    setting(cluster, postgres_url, "log_statement = 'all'")
    setting(cluster, postgres_url, "log_min_duration_statement = 0")
    store = Postgres(postgres_url)
    migrate(store, [MigrationSet("sample", "support.migrations.second")])
    with_things(store, "a", "b")
    with store.snapshot() as reader:
        names(reader)
    for _ in range(8):  # psycopg prepares what it has seen five times
        store.rows(ALL)
        with store.transaction() as transaction:
            transaction.run(GROW, name="a")
    store.compact()
    store.facts()
    store.close()
    sent = (cluster.folder / "log").read_text()
    assert "pg_advisory_xact_lock" in sent
    assert "set_config('lock_timeout', '10000', true)" in sent
    assert sent.count("set_config") == sent.count(", true)")
    forbidden = (
        r"execute _pg3|\bPREPARE\b|\bDEALLOCATE\b|\bDISCARD\b|\bLISTEN\b|\bTEMP\b|pg_advisory_lock"
    )
    assert not re.search(forbidden, sent)
    assert not re.search(r"(statement|execute [^:]*): *(SET|RESET)\b", sent)


def test_each_session_ends_idle_and_unlocked(store, other):
    with store.migration() as transaction:
        transaction.run(GROW, name="a")
    left = parse_statement(
        "left",
        "SELECT (SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory') AS locks,"
        " (SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
        "  AND state LIKE 'idle in%') AS waiting",
    )
    assert other.rows(left) == [{"locks": 0, "waiting": 0}]


def test_a_schema_is_a_store_of_its_own(store, postgres_url):
    beside = with_things(Postgres(postgres_url, schema="beside"), "b")
    assert names(store) == ["a"]
    assert names(beside) == ["b"]
    with store.snapshot() as reader:
        assert reader.tables() == ["thing"]
    beside.close()


@pytest.mark.parametrize("schema", ["", "Upper", 'a"b', "1st", "a b", "x" * 64, "ä"])
def test_a_schema_that_is_no_plain_name_is_refused(schema):
    with pytest.raises(ConfigurationError, match="no name for a schema"):
        Postgres("postgresql://localhost/x", schema=schema)


def test_no_message_holds_the_password():
    store = Postgres("postgresql://me:hunter2@localhost:1/x?password=hunter2&connect_timeout=1")
    assert store.location == "postgresql://localhost:1/x"
    with pytest.raises(StoreUnavailableError) as caught:
        store.rows(ALL)
    assert "hunter2" not in str(caught.value)


def test_a_server_that_is_not_there_is_named_at_once(cluster):
    store = Postgres(f"postgresql:///x?host={cluster.folder}/nowhere")
    with pytest.raises(StoreUnavailableError, match="nowhere"):
        store.rows(ALL)


@pytest.mark.parametrize("url", ["postgresql://[hunter2", "postgresql://me:hunter2@x/y?z"])
def test_a_url_that_cannot_be_read_is_a_wrong_setting_and_is_not_shown(url):
    with pytest.raises(ConfigurationError) as caught:
        Postgres(url)
    assert "hunter2" not in str(caught.value)


def test_a_database_that_does_not_exist_is_named(cluster):
    with pytest.raises(StoreUnavailableError, match="nobody_made_it"):
        Postgres(cluster.url("nobody_made_it")).rows(ALL)


def test_a_database_without_utf8_is_refused(cluster):
    cluster.run("CREATE DATABASE ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(SchemaError, match="SQL_ASCII"):
        Postgres(cluster.url("ascii")).rows(ALL)
    cluster.run("DROP DATABASE ascii WITH (FORCE)")


def test_a_lost_connection_before_the_commit_stores_nothing(store, other):
    def lose_it_and_go_on():
        with store.transaction() as transaction:
            transaction.run(GROW, name="a")
            other.rows(KILL)
            transaction.run(GROW, name="a")

    with pytest.raises(StoreUnavailableError):
        lose_it_and_go_on()
    assert store.rows(ALL)[0]["size"] == 0


def test_a_connection_lost_at_the_commit_leaves_its_outcome_unknown(store, other):
    def lose_it():
        with store.transaction() as transaction:
            transaction.run(GROW, name="a")
            other.rows(KILL)

    with pytest.raises(OutcomeUnknownError, match="no answer"):
        lose_it()
    assert names(store) == ["a"]


def test_a_server_that_dropped_idle_connections_is_met_again(store, other):
    other.rows(KILL)
    assert names(store) == ["a"]


def test_a_broken_rule_found_at_the_commit_is_not_an_unknown_outcome(store):
    deferred = parse_statement(
        "deferred",
        "CREATE TABLE {schema}pair (name {text} REFERENCES {schema}thing DEFERRABLE INITIALLY DEFERRED)",
    )
    with store.migration() as transaction:
        transaction.run(deferred)
    wrong = parse_statement("wrong", "INSERT INTO {schema}pair (name) VALUES ('nowhere')")
    with pytest.raises(StoreError) as caught, store.transaction() as transaction:
        transaction.run(wrong)
    assert caught.value.kind == "constraint"


def test_a_server_that_only_reads_is_named(cluster, postgres_url, store):
    store.close()
    setting(cluster, postgres_url, "default_transaction_read_only = on")
    with pytest.raises(StoreUnavailableError, match="read-only"):
        add(store, "b")


def test_the_servers_own_time_limit_is_a_busy_store(cluster, postgres_url):
    setting(cluster, postgres_url, "statement_timeout = 20")
    store = Postgres(postgres_url)
    with pytest.raises(StoreBusyError, match="timeout"):
        store.rows(SLEEP)
    store.close()


def test_a_missing_right_is_named(cluster, store, postgres_url):
    cluster.run("CREATE ROLE reader LOGIN")
    reader = Postgres(postgres_url.replace("postgres@", "reader@"))
    with pytest.raises(StoreUnavailableError, match="permission denied"):
        reader.rows(ALL)
    reader.close()
    cluster.run("DROP ROLE reader")
    assert names(store) == ["a"]


def test_when_every_connection_is_in_use_the_store_is_busy(postgres_url, store):
    narrow = Postgres(postgres_url, pool_size=1, busy_wait=0.05)
    caught = []

    def read():
        with pytest.raises(StoreBusyError, match="all 1 connections") as error:
            narrow.rows(ALL)
        caught.append(error)

    with narrow.snapshot():
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
    assert len(caught) == 1
    assert names(narrow) == names(store) == ["a"]
    narrow.close()


def test_a_statement_with_a_wrong_name_is_a_schema_error(store):
    with pytest.raises(SchemaError):
        store.rows(parse_statement("wrong", "SELECT nothing FROM {schema}thing"))


def test_a_copy_is_left_to_the_servers_own_tools(store):
    with pytest.raises(StoreError) as caught:
        store.backup("copy.db")
    assert "pg_dump" in caught.value.next


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_child_gets_connections_of_its_own(store):
    pid = os.fork()
    if pid == 0:
        try:
            add(store, "b")
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    add(store, "c")
    assert names(store) == ["a", "b", "c"]


def test_the_locale_sorts_unlike_code_points_so_that_a_missing_collation_shows(cluster):
    with psycopg.connect(cluster.url()) as connection:
        rows = connection.execute("SELECT x FROM (VALUES ('a'), ('B')) v(x) ORDER BY x").fetchall()
    assert rows == ([("a",), ("B",)] if cluster.locale != "C" else [("B",), ("a",)])


def test_many_values_are_sent_in_few_round_trips(cluster, postgres_url):
    store = with_things(Postgres(postgres_url))
    setting(cluster, postgres_url, "log_statement = 'all'")
    store.close()
    with store.transaction() as transaction:
        transaction.many(ADD, ({"name": str(n), "size": n, "note": None} for n in range(450)))
    store.close()
    sent = (cluster.folder / "log").read_text()
    assert sent.count("VALUES ('449', 449, NULL)") == 1
    assert len(re.findall(r'statement: INSERT INTO "agentjournal".thing', sent)) <= 5
