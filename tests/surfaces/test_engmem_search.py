"""`engmem search`: the options of the command, names at hand, telemetry, and failures on both streams."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from support.documents import document, make_store

FILES = {
    "2201-parcel-router.md": document(
        "2201-parcel-router",
        "## Decision Log\nThe router splits the budget evenly.",
        "## Lessons Learned\nNever retry inside the controller.",
        entities="[ParcelRouteController]",
        covers_files="[src/ParcelRouteController.java]",
        tags="[routing]",
        repos="[shop]",
        verified_at="{{shop: {commit}}}",
    ),
    "3304-ledger.md": document("3304-ledger", "## Decision Log\nThe budget is batched.", date="2026-01-01"),
}  # fmt: skip


@pytest.fixture
def store(home):
    files = {
        name: text.replace("{commit}", "0" * 40).replace("{{", "{").replace("}}", "}")
        for name, text in FILES.items()
    }
    return make_store(home / "store", files)


@pytest.fixture
def search(shell, store):
    def run(*args, **how):
        return shell("search", *args, "--store", str(store), program="engmem", **how)

    return run


@pytest.fixture
def checkout(home, monkeypatch):
    """A repository named `shop` with one commit, in which one stands."""
    folder = home / "shop"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "ParcelRouteController.java").write_text("class ParcelRouteController {}\n")
    for args in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *args], cwd=folder, check=True)
    monkeypatch.chdir(folder)
    return folder


def rows(store):
    return [json.loads(line) for line in (store / "telemetry.jsonl").read_text().splitlines()]


def shown(answer):
    return [line.split()[1] for line in answer.out.splitlines() if line.startswith("### ")]


def test_several_words_need_no_quotes_and_one_line_is_kept_of_each_search(search, store):
    answer = search("parcel", "controller", "budget", "--session", "a-draft")
    assert answer.code == 0
    assert shown(answer)[0] == "2201-parcel-router"
    assert "unattributed" not in answer.out
    (row,) = rows(store)
    assert (row["query"], row["session_id"]) == ("parcel controller budget", "a-draft")
    assert row["surfaced"] == shown(answer)
    assert row["delivered_bytes"] == len(answer.out.encode())
    assert sorted(path.name for path in store.iterdir()) == ["sessions", "telemetry.jsonl"]


def test_what_json_takes_is_counted_as_it_is_printed(search, store):
    answer = search("parcel", "controller", "--json")
    (row,) = rows(store)
    assert row["delivered_bytes"] == len(answer.out.encode())
    assert row["context_bytes"] < row["delivered_bytes"]


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ((), ["2201-parcel-router", "3304-ledger"]),
        (("--repo", "SHOP"), ["2201-parcel-router"]),
        (("--unscoped",), ["3304-ledger"]),
        (("--all-repos",), ["2201-parcel-router", "3304-ledger"]),
        (("--tag", "routing"), ["2201-parcel-router"]),
        (("--since", "2026-06-01"), ["2201-parcel-router"]),
        (("--status", "superseded"), []),
        (("--role", "lessons"), ["2201-parcel-router"]),
        (("--limit", "1"), ["2201-parcel-router"]),
    ],
)
def test_options_narrow_what_is_found(search, options, ids):
    assert sorted(shown(search("budget", "router", *options))) == sorted(ids)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--role", "nope"), "unknown role 'nope' — valid roles: acceptance, architecture,"),
        (("--repo", " "), "--repo needs a repository name"),
        (("--repo", "a", "--unscoped"), "are different scopes"),
        (("--since", "soon"), "'soon' is no time"),
        (("--diff",), "is in no working tree of git"),
    ],
)
def test_a_refusal_is_told_on_both_streams(search, options, told):
    answer = search("budget", *options)
    assert answer.code == 2
    assert answer.out == answer.err
    assert answer.out.startswith("error: ")
    assert told in answer.out


def test_a_blank_question_finds_nothing_and_is_no_misuse(search):
    assert search("").out.startswith("prior context: none found\n")


def test_a_question_may_begin_with_a_dash_where_it_is_more_than_a_word(search, shell, store):
    assert search("- budget router", "--session", "a-b").code == 0
    told = shell("search", "--store", str(store), "--", "-budget", program="engmem")
    assert told.code == 0
    assert search("-budget").code == 2
    assert [row["query"] for row in rows(store)] == ["- budget router", "-budget"]


def test_a_blank_session_is_none(search, store):
    assert "note: unattributed search" in search("budget", "--session", " ").out
    assert rows(store)[0]["session_id"] is None


def test_json_shows_the_same_documents(search):
    answer = search("budget", "--json")
    assert [hit["id"] for hit in answer.data["hits"]] == shown(search("budget"))
    assert set(answer.data["hits"][0]) >= {"title", "path", "score", "parts", "matched", "sections"}


def test_names_of_files_at_hand_are_added_and_said(search, checkout):
    plain = search("budget")
    near = search("budget", "--near", "src/ParcelRouteController.java", "--near", "new/Gone.java")
    line = (
        "(names added to the query: ParcelRouteController.java, ParcelRouteController, Gone.java)"
    )
    assert line in near.out.splitlines()
    assert shown(near)[0] == "2201-parcel-router"
    assert set(shown(near)) == set(shown(plain))


def test_a_link_or_a_file_elsewhere_gives_its_name_only(search, checkout, home):
    (home / "secret.py").write_text("class Secret: ...\n")
    (checkout / "link.py").symlink_to(home / "secret.py")
    os.mkfifo(checkout / "pipe.py")
    answer = search("budget", "--near", "link.py", "--near", "../secret.py", "--near", "pipe.py")
    assert "(names added to the query: link.py, secret.py, pipe.py)" in answer.out.splitlines()


def test_changed_and_new_files_are_at_hand(search, checkout):
    (checkout / "src" / "ParcelRouteController.java").write_text(
        "class ParcelRouteController { }\n"
    )
    (checkout / "Depot.java").write_text("interface Depot {}\n")
    assert (
        "(names added to the query: ParcelRouteController.java, ParcelRouteController, Depot.java,"
        " Depot)"
    ) in search("budget", "--diff").out.splitlines()


def test_a_document_linked_to_the_repository_here_says_what_changed(search, store, checkout):
    def told():
        (line,) = [each for each in search("router").out.splitlines() if "snapshot: " in each]
        return line.removeprefix("snapshot: ")

    def commit(*args):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *args], cwd=checkout, check=True, capture_output=True)

    head = subprocess.check_output(["git", "rev-parse", "HEAD"], cwd=checkout, text=True).strip()
    assert told().endswith(
        "covered files not checked: that commit is not in this checkout, re-check"
    )
    path = store / "sessions" / "2201-parcel-router.md"
    path.write_text(path.read_text().replace("0" * 40, head))
    assert told() == f"shop {head[:7]}: same commit as HEAD"
    commit("commit", "-qm", "second", "--allow-empty")
    assert told().endswith(", covered files unchanged")
    (checkout / "src" / "ParcelRouteController.java").write_text(
        "class ParcelRouteController { }\n"
    )
    commit("commit", "-qam", "third")
    assert told().endswith("covered file(s) changed: src/ParcelRouteController.java, re-check")
    commit("rm", "-q", "src/ParcelRouteController.java")
    commit("commit", "-qm", "fourth")
    assert told().endswith("changed: src/ParcelRouteController.java (deleted), re-check")


@pytest.mark.parametrize("option", ["--repo", "--tag"])
def test_a_blank_name_to_narrow_by_is_refused_and_finds_nothing_silently(search, option):
    answer = search("budget", option, " ")
    assert answer.code == 2
    assert f"error: engmem search: {option} needs a " in answer.out
    assert "(got a blank value)" in answer.out


def test_files_that_were_not_loaded_are_told_on_both_streams(search, store):
    (store / "sessions" / "bad.md").write_text("---\na: [\n---\n")
    (store / "stray.md").write_text("x")
    answer = search("budget")
    assert "not loaded: bad.md (" in answer.out
    assert "error: bad.md: " in answer.err
    assert "warning: 1 markdown file(s) are never searched" in answer.err


def test_a_store_that_takes_no_line_still_answers(search, store):
    os.mkfifo(store / "telemetry.jsonl")
    answer = search("budget")
    assert answer.code == 0
    assert "note: telemetry not recorded (" in answer.out


def test_documents_that_cannot_be_listed_are_unknown_and_not_none(search, store):
    (store / "sessions").rename(store / "elsewhere")
    (store / "sessions").symlink_to(store / "elsewhere")
    answer = search("budget")
    first, second, *_, last = answer.out.splitlines()
    assert answer.code == 0
    assert first.startswith(f"error: {store}/sessions: cannot list directory (")
    assert first.endswith("the number of documents normally found here is unknown, not zero")
    assert second == "prior context: none found"
    assert "docs: 0 (1 failed to load) | drafts: 0 | last doc: never" in answer.out
    assert last == "note: unattributed search — pass --session <draft-id>"


def test_a_search_asks_git_nothing_where_no_document_is_linked_to_the_folder_one_is_in(
    search, checkout, monkeypatch
):
    monkeypatch.setenv("PATH", "/nowhere")
    assert "snapshot: " not in search("batched").out
    assert "snapshot: shop: unknown, git is not installed here." in search("router").out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["search"], "error: engmem search: Missing argument 'WORDS...'.\n"),
        (["search", "x", "--limit", "0"], "error: engmem search: Invalid value for '--limit': "),
        (["serch", "x"], "error: engmem: No such command 'serch'. Did you mean search?\n"),
    ],
)
def test_a_wrong_command_line_is_told_on_standard_output_too(shell, args, told):
    answer = shell(*args, program="engmem")
    assert answer.code == 2
    assert answer.out.startswith(told)
    assert answer.out.count("\n") == 1
    assert answer.err


def test_a_wrong_command_line_of_a_server_leaves_standard_output_to_frames(shell):
    assert shell("mcp", "--bad", program="engmem").out == ""


def test_what_is_odd_in_a_document_that_is_shown_is_told_beside_the_answer(search):
    answer = search("ledger", "budget")
    assert "warning: 3304-ledger.md: entities is empty" in answer.err.splitlines()
    assert "entities is empty" not in answer.out


def test_a_folder_that_is_a_link_is_told_once_beside_the_answer(search, store):
    (store / "sessions").rename(store / "elsewhere")
    (store / "sessions").symlink_to(store / "elsewhere")
    [line] = search("ledger").err.splitlines()
    assert line.startswith(f"error: {store}/sessions: cannot list directory (")


def test_a_naive_plan_and_the_words_of_others_stand_behind_what_was_decided(search, store):
    text = document(
        "4404-cache",
        "## Pre-reg\nCache rows with lru_cache. Cache rows with lru_cache.",
        "## Decision Log\nRejected lru_cache: it kept the rows of closed files alive.",
    )
    (store / "sessions" / "4404-cache.md").write_text(text)
    lines = search("lru_cache rows").out.splitlines()
    shown = [line.split()[0] for line in lines if line.startswith("  §")]
    assert shown == ["§2-decision-log", "§1-pre-reg"]
