from __future__ import annotations

import json

import pytest

from support.documents import make_store
from support.reviewed import make_files, story


@pytest.fixture
def store(home):
    return make_store(home / "store", make_files())


@pytest.fixture
def ask(shell, store):
    return lambda *args: shell(*args, "--store", str(store), program="engmem")


def test_review_prints_the_verdict_and_writes_a_page_beside(ask, home):
    place = str(home / "page.html")
    answer = ask("review", "--since", "4w", "--html", place)
    assert (answer.code, answer.err) == (0, f"Wrote {place}.\n")
    assert answer.out.startswith("Primary endpoint met: s02-far")
    page = (home / "page.html").read_text()
    assert page.startswith("<!doctype html>")
    assert "Searches and costs since" in page


def test_review_as_json_holds_every_row_and_null_for_what_is_unmeasured(ask):
    data = json.loads(ask("review", "--json").out)["data"]
    assert data["endpoint"]["verdict"] == "met"
    assert len(data["rows"]) == 14
    assert [each["session"] for each in data["recalled"]["sessions"]] == []


def test_verify_fails_exactly_when_a_quote_cannot_be_verified(ask, store):
    answer = ask("verify")
    assert answer.code == 1
    assert answer.out.startswith("s03-lost.md:20: unverifiable: ")
    for name in ("s03-lost", "s04-ghost", "s05-bare", "s07-version"):
        (store / "sessions" / f"{name}.md").write_text(story(name))
    answer = ask("verify", "--json")
    assert (answer.code, json.loads(answer.out)["data"]["is_sound"]) == (0, True)


def test_what_verify_prints_is_bounded_and_json_names_all(shell, home):
    rows = "".join(f'| gone-{number} | "never said" | none | reuse |\n' for number in range(500))
    root = make_store(home / "large", {"1-a.md": story("1-a", rows)})
    answer = shell("verify", "--store", str(root), program="engmem")
    assert answer.code == 1
    assert len(answer.out.encode()) < 13_000
    *_, left, counted = answer.out.splitlines()
    assert left.endswith(" more: engmem verify --json names all")
    assert counted.startswith("500 rows checked: 500 unverifiable")
    whole = shell("verify", "--store", str(root), "--json", program="engmem")
    assert len(whole.data["problems"]) == 500


@pytest.mark.parametrize("command", ["review", "verify"])
def test_a_store_that_is_not_there_is_said_on_both_streams(shell, home, command):
    answer = shell(command, "--store", str(home / "nowhere"), program="engmem")
    assert answer.code == 2
    assert answer.out == answer.err
    assert answer.out.startswith("error: store not found: ")
