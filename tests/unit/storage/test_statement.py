from __future__ import annotations

import pytest

from agentjournal.storage.statement import load_statements, package_folder, parse_statement


def test_each_engine_gets_its_own_spelling():
    statement = parse_statement("x", "SELECT a FROM {schema}t WHERE b = :b {for_update};")
    assert statement.sqlite == "SELECT a FROM t WHERE b = :b ;"
    assert statement.postgres == "SELECT a FROM {schema}t WHERE b = %(b)s FOR UPDATE;"
    assert statement.parameters == {"b"}


def test_text_has_a_collation_where_it_matters():
    statement = parse_statement("x", "CREATE TABLE {schema}t (a {text} NOT NULL, b {integer})")
    assert statement.sqlite == "CREATE TABLE t (a TEXT NOT NULL, b INTEGER)"
    assert 'a text COLLATE "C" NOT NULL, b bigint' in statement.postgres


def test_comments_are_left_out_and_name_no_parameter():
    statement = parse_statement("x", "SELECT 1 -- 100 % of :nothing\n-- :more\n, :a")
    assert statement.parameters == {"a"}
    assert statement.sqlite.split() == ["SELECT", "1", ",", ":a"]


def test_a_percent_sign_is_doubled_for_psycopg_only():
    statement = parse_statement("x", "SELECT a LIKE '5%' FROM t WHERE b = :b")
    assert "'5%'" in statement.sqlite
    assert "'5%%'" in statement.postgres


def test_a_file_is_read_into_named_statements():
    found = load_statements("support", "sample.sql")
    assert list(found) == ["first", "second"]
    assert found["first"].sqlite == "SELECT 1;"
    assert found["second"].parameters == {"one", "two"}


@pytest.mark.parametrize("file", ["sample_twice.sql", "sample_none.sql"])
def test_a_file_without_names_or_with_one_twice_is_a_fault_of_ours(file):
    with pytest.raises(ValueError, match="must be there and differ"):
        load_statements("support", file)


def test_an_unknown_package_is_a_fault_of_ours():
    with pytest.raises(ValueError, match="no package of ours"):
        package_folder("agentjournal.errors")
