"""One seam, two engines: the same rows, the same order, the same errors."""

from __future__ import annotations

import threading
from datetime import UTC, datetime

import pytest

from agentjournal.errors import ConstraintError, InputError, SchemaError, StoreError
from agentjournal.storage.open import open_database
from agentjournal.storage.statement import parse_statement
from support.thing import ADD, ALL, GROW, SIZE, add, names, with_things

TEXTS = ["", "Zebra", "apple", "Äpfel", "zebra", "ß", "é", "e\u0301", "日本", "中国", "🙂"]
TEXTS += ["_a", "-b", "a b", "ab"]


def test_rows_come_back_as_they_were_stored(database):
    with_things(database)
    with database.transaction() as transaction:
        transaction.run(ADD, name="a\n'b\" 100% :c \\ {x} $1 ?", size=-(2**63), note=None)
        transaction.run(ADD, name="日本 ä 🙂", size=2**63 - 1, note="")
        inside = transaction.rows(ALL)
    assert inside == [
        {"name": "a\n'b\" 100% :c \\ {x} $1 ?", "size": -(2**63), "note": None},
        {"name": "日本 ä 🙂", "size": 2**63 - 1, "note": ""},
    ]
    assert database.rows(ALL) == inside


def test_text_sorts_by_code_point(database):
    with_things(database, *TEXTS)
    assert names(database) == sorted(TEXTS)


def test_text_compares_by_code_point(database):
    with_things(database, *TEXTS)
    above = parse_statement(
        "above",
        "SELECT name, (SELECT MAX(name) FROM {schema}thing) AS last"
        " FROM {schema}thing WHERE name > :name ORDER BY name DESC",
    )
    rows = database.rows(above, name="a")
    assert [row["name"] for row in rows] == sorted((t for t in TEXTS if t > "a"), reverse=True)
    assert {row["last"] for row in rows} == {max(TEXTS)}


def test_like_tells_large_letters_from_small(database):
    with_things(database, "Zebra", "zebra")
    like = parse_statement("like", "SELECT name FROM {schema}thing WHERE name LIKE 'z%'")
    assert database.rows(like) == [{"name": "zebra"}]


def test_sums_counts_and_comparisons_are_integers(database):
    with_things(database, "a", "b")
    totals = parse_statement(
        "totals",
        "SELECT SUM(size + 2) AS total, COUNT(*) AS n, MAX(size) >= 0 AS yes, 1 > 2 AS no,"
        " SUM(size) AS none FROM {schema}thing",
    )
    assert database.rows(totals) == [{"total": 4, "n": 2, "yes": 1, "no": 0, "none": 0}]
    assert all(type(value) is int for value in database.rows(totals)[0].values())


def test_true_and_false_are_stored_as_one_and_zero(database):
    with_things(database)
    with database.transaction() as transaction:
        transaction.run(ADD, name="a", size=True, note=None)
    assert database.rows(SIZE, name="a") == [{"size": 1}]


def test_a_parameter_may_stand_twice_and_be_nothing(database):
    with_things(database, "a", "b")
    either = parse_statement(
        "either",
        "SELECT name FROM {schema}thing WHERE (:name IS NULL OR name = :name) ORDER BY name",
    )
    assert len(database.rows(either, name=None)) == 2
    assert database.rows(either, name="b") == [{"name": "b"}]


def test_a_parameter_may_be_joined_to_text_and_limit_rows(database):
    with_things(database, "a", "ab", "abc")
    starts = parse_statement(
        "starts",
        "SELECT :mark || name AS found FROM {schema}thing WHERE name LIKE :start || '%'"
        " ORDER BY name LIMIT :n",
    )
    assert database.rows(starts, mark="%", start="ab", n=1) == [{"found": "%ab"}]


def test_statement_without_rows_gives_an_empty_list(database):
    with_things(database)
    assert database.rows(ALL) == []


def test_run_counts_the_rows_it_touched(database):
    with_things(database, "a", "b", "c")
    every = parse_statement("every", "UPDATE {schema}thing SET size = 5 WHERE name > :name")
    unless = parse_statement("unless", ADD_OR_NOTHING)
    with database.transaction() as transaction:
        assert transaction.run(every, name="a") == 2
        assert transaction.run(every, name="z") == 0
        assert transaction.run(unless, name="a") == 0
        assert transaction.run(unless, name="d") == 1


ADD_OR_NOTHING = (
    "INSERT INTO {schema}thing (name, size, note) VALUES (:name, 0, NULL)"
    " ON CONFLICT (name) DO NOTHING"
)


def test_returning_gives_what_was_written(database):
    with_things(database, "a")
    grow = parse_statement(
        "grow", GROW.sqlite.replace("thing", "{schema}thing") + " RETURNING size"
    )
    with database.transaction() as transaction:
        assert transaction.rows(grow, name="a") == [{"size": 1}]
        assert transaction.rows(grow, name="z") == []


def test_many_writes_each(database):
    with_things(database, *(f"{n:04}" for n in range(1001)))
    assert len(names(database)) == 1001
    with database.transaction() as transaction:
        transaction.many(GROW, [])
        transaction.many(GROW, ({"name": f"{n:04}"} for n in range(0, 1001, 2)))
    assert sum(row["size"] for row in database.rows(ALL)) == 501


def test_a_transaction_that_raises_stores_nothing(database):
    with_things(database, "a")
    with pytest.raises(KeyError):
        write_and_raise(database)
    assert database.rows(ALL) == [{"name": "a", "size": 0, "note": None}]
    add(database, "c")
    assert names(database) == ["a", "c"]


def write_and_raise(database):
    with database.transaction() as transaction:
        transaction.run(ADD, name="b", size=0, note=None)
        transaction.run(GROW, name="a")
        raise KeyError


def test_a_failed_statement_fails_the_transaction_even_when_swallowed(database):
    with_things(database, "a")
    with pytest.raises(StoreError, match="nothing was stored"):
        write_and_swallow(database)
    assert names(database) == ["a"]


def write_and_swallow(database):
    with database.transaction() as transaction:
        transaction.run(ADD, name="b", size=0, note=None)
        with pytest.raises(ConstraintError):
            transaction.run(ADD, name="a", size=0, note=None)


def test_a_refused_value_leaves_the_transaction_good(database):
    with_things(database, "a")
    with database.transaction() as transaction:
        with pytest.raises(InputError):
            transaction.run(ADD, name="b\x00", size=0, note=None)
        transaction.run(ADD, name="c", size=0, note=None)
    assert names(database) == ["a", "c"]


@pytest.mark.parametrize(
    ("value", "rule"),
    [
        ("a\x00b", "NUL"),
        ("a\ud800", "surrogate"),
        (2**63, "64 bits"),
        (-(2**63) - 1, "64 bits"),
        (1.5, "text, an integer"),
    ],
)
def test_a_value_that_one_engine_cannot_hold_is_refused_by_both(database, value, rule):
    with_things(database)
    with pytest.raises(InputError, match=rule) as caught, database.transaction() as transaction:
        transaction.run(ADD, name="a", size=0, note=value)
    assert [fault.field for fault in caught.value.faults] == ["note"]
    assert database.rows(ALL) == []


def test_one_bad_value_among_many_writes_none_of_them(database):
    with_things(database)
    with database.transaction() as transaction, pytest.raises(InputError):
        transaction.many(ADD, [{"name": n, "size": 0, "note": None} for n in ("a", "\x00")])
    assert names(database) == []


def test_a_missing_value_is_a_fault_of_ours(database):
    with pytest.raises(TypeError, match="add: no value for note, size"):
        database.rows(ADD, name="a")


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO {schema}thing (name) VALUES ('a')",
        "INSERT INTO {schema}thing (name) VALUES (NULL)",
        "INSERT INTO {schema}checked (n) VALUES (0)",
    ],
)
def test_a_broken_rule_of_the_schema_is_a_constraint_error(database, sql):
    with_things(database, "a")
    with database.migration() as transaction:
        transaction.run(
            parse_statement("c", "CREATE TABLE {schema}checked (n {integer} CHECK (n > 0))")
        )
        transaction.run(parse_statement("d", "CREATE TABLE {schema}other (name {text} NOT NULL)"))
    sql = sql.replace("{schema}thing (name) VALUES (NULL)", "{schema}other (name) VALUES (NULL)")
    with pytest.raises(ConstraintError) as caught, database.transaction() as transaction:
        transaction.run(parse_statement("bad", sql))
    assert caught.value.next


def test_a_table_that_is_not_there_is_a_schema_error(database):
    with pytest.raises(SchemaError, match="thing"):
        database.rows(ALL)


def test_a_snapshot_does_not_see_what_is_written_meanwhile(database, location):
    with_things(database, "a")
    with open_database(location).snapshot() as before, database.snapshot() as reader:
        assert names(reader) == ["a"]
        thread = threading.Thread(target=add, args=(database, "b"))
        thread.start()
        thread.join()
        assert names(reader) == ["a"]
        assert names(before) == ["a"], "what a snapshot sees is fixed when it opens"
    assert names(database) == ["a", "b"]


def test_a_transaction_sees_what_it_wrote_and_others_do_not_yet(database):
    with_things(database, "a")
    seen = []
    with database.transaction() as transaction:
        transaction.run(ADD, name="b", size=0, note=None)
        thread = threading.Thread(target=lambda: seen.extend(names(database)))
        thread.start()
        thread.join()
        assert names(transaction) == ["a", "b"]
    assert seen == ["a"]


@pytest.mark.parametrize("inner", ["snapshot", "transaction", "rows"])
@pytest.mark.parametrize("outer", ["snapshot", "transaction"])
def test_a_block_inside_a_block_is_refused(database, outer, inner):
    with_things(database, "a")
    enter = {
        "rows": lambda: database.rows(ALL),
        "snapshot": lambda: database.snapshot().__enter__(),
        "transaction": lambda: database.transaction().__enter__(),
    }[inner]
    with getattr(database, outer)(), pytest.raises(StoreError, match="still open"):
        enter()
    assert names(database) == ["a"]


def test_threads_share_one_store(database):
    with_things(database, "a")
    threads = [threading.Thread(target=grow_25_times, args=(database,)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert database.rows(SIZE, name="a") == [{"size": 200}]


def grow_25_times(database):
    for _ in range(25):
        with database.transaction() as transaction:
            transaction.run(GROW, name="a")


def test_the_clock_is_the_one_given(database, clock):
    with_things(database)
    clock.set(datetime(2027, 3, 1, 12, 30, 5, 42, tzinfo=UTC))
    with database.snapshot() as reader:
        assert reader.now() == "2027-03-01T12:30:05.000042Z"
    with database.transaction() as transaction:
        assert transaction.now() == "2027-03-01T12:30:05.000042Z"


def test_without_a_clock_the_engine_tells_the_time(location):
    database = with_things(open_database(location))
    with database.snapshot() as reader:
        told = reader.now()
    database.close()
    assert len(told) == len("2027-03-01T12:30:05.000042Z")
    assert abs(datetime.fromisoformat(told) - datetime.now(UTC)).total_seconds() < 60


def test_tables_are_listed_in_order(database):
    with database.snapshot() as reader:
        assert reader.tables() == []
    with_things(database)
    with database.migration() as transaction:
        transaction.run(parse_statement("make", "CREATE TABLE {schema}other (n {integer})"))
        assert transaction.tables() == ["other", "thing"]


def test_compacting_keeps_every_row(database):
    with_things(database, "a", "b")
    database.compact()
    assert names(database) == ["a", "b"]


def test_facts_say_what_guards_the_data(database):
    facts = database.facts()
    assert facts["engine"] == database.engine
    assert all(isinstance(value, str) for value in facts.values())


def test_a_closed_store_opens_again_when_it_is_used(database):
    with_things(database, "a")
    database.close()
    assert names(database) == ["a"]
