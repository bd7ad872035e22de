from __future__ import annotations

import os

import pytest

from agentjournal.recall.harvest.harvest import PlanFound, harvest
from agentjournal.recall.harvest.index import harvested_claims, index_path, write_index
from agentjournal.recall.harvest.report import harvest_data, harvest_text
from agentjournal.recall.tried import tried
from support import golden
from support.history import History

QUEUE = """# 7. Use PostgreSQL for the job queue

## Status

Accepted

## Decision

We will keep jobs in a PostgreSQL table, because one store is easier to operate.

## Alternatives considered

* **Redis lists** - a popped job is gone when its worker dies.
* **RabbitMQ**
"""
OLD = "# 3. Use MongoDB\n\nStatus: superseded by 7\n\n## Decision\n\nMongoDB.\n\n## Alternatives\n\n- x: y\n"
TASKS = "# Login\n\n## Work\n\n- [x] T001 Add the table\n- [ ] T002 Add the page\n"


@pytest.fixture
def history(tmp_path):
    return History.begin(tmp_path / "shop")


@pytest.fixture
def shop(history):
    """A repository with a bit of everything."""
    first = history.commit(
        "Poll the outbox table every second",
        files={
            "docs/adr/0003-mongodb.md": OLD,
            "docs/adr/0007-queue.md": QUEUE,
            "docs/adr/README.md": "# Records\n\n## Rejected alternatives\n\n- none: at all\n",
            "specs/001-login/tasks.md": TASKS,
            "vendor/lib/docs/adr/0001-x.md": QUEUE.replace("PostgreSQL", "Oracle"),
            "src/plan.py": "",
        },
    )
    history.commit(
        'Revert "Poll the outbox table every second"',
        f"This reverts commit {first}.\n\nIt burned 12 % CPU on an idle database.",
    )
    return history


def test_reverts_records_and_plans_are_found(shop):
    found = harvest(shop.root, repository="shop")
    assert [(each.verdict, each.what, each.evidence) for each in found.candidates] == [
        (
            "rejected",
            "Poll the outbox table every second",
            f"commit {shop.ids[1][:10]} (2023-11-15)",
        ),
        (
            "decided",
            "Use PostgreSQL for the job queue: We will keep jobs in a PostgreSQL table",
            "docs/adr/0007-queue.md",
        ),
        (
            "rejected",
            "Redis lists (in: Use PostgreSQL for the job queue)",
            "docs/adr/0007-queue.md",
        ),
        ("rejected", "RabbitMQ (in: Use PostgreSQL for the job queue)", "docs/adr/0007-queue.md"),
    ]
    assert found.candidates[3].why == (
        "Chosen instead: We will keep jobs in a PostgreSQL table, "
        "because one store is easier to operate"
    )
    assert found.plans == (PlanFound("specs/001-login/tasks.md", "Login", 2, 1),)
    assert found.counts == {
        "reverts": 1,
        "reintroductions": 0,
        "decision records": 1,
        "rejected options": 2,
        "plans": 1,
        "left out": 0,
    }


def test_what_one_record_says_twice_is_one_candidate(history):
    history.commit("Start", files={"adr/1-a.md": QUEUE, "adr/2-b.md": QUEUE})
    assert len(harvest(history.root, repository="shop").candidates) == 3


def test_only_what_is_committed_is_read_and_no_link_is_followed(history, tmp_path):
    (tmp_path / "secret.md").write_text(QUEUE)
    (history.root / "adr").mkdir()
    (history.root / "adr" / "0001-link.md").symlink_to(tmp_path / "secret.md")
    (history.root / "rfcs").symlink_to(tmp_path)
    history.commit("Start")
    (history.root / "adr" / "0002-new.md").write_text(QUEUE)
    os.mkfifo(history.root / "adr" / "0003-pipe.md")
    assert harvest(history.root, repository="shop").candidates == ()


def test_nothing_that_the_repository_names_is_run(shop):
    hook = shop.root / "run-me"
    hook.write_text(f"#!/bin/sh\ntouch {shop.root}/was-run\n")
    hook.chmod(0o700)
    for key in (
        "core.fsmonitor",
        "diff.external",
        "core.pager",
        "core.hooksPath",
        "filter.x.smudge",
    ):
        shop.git("config", key, str(hook))
    (shop.root / ".gitattributes").write_text("* filter=x diff=x\n")
    assert harvest(shop.root, repository="shop").candidates
    assert not (shop.root / "was-run").exists()


def test_hostile_names_and_files_do_no_harm(history):
    history.commit(
        "Start",
        files={
            "adr/-o --output=x.md": QUEUE,
            "adr/0001 \x1b[2J\n.md": QUEUE.replace("Redis", "Kafka"),
            "adr/0002-big.md": QUEUE + "x" * 300_000,
            "adr/0003-wide.md": "# a" + " " * 100_000 + "b\n## Decision\n" + "*" * 100_000,
            "adr/0004-deep.md": "\n".join(
                f"{'#' * (n % 6 + 1)} Alternatives" for n in range(20_000)
            ),
            "adr/0005-list.md": "## Alternatives\n" + "- a: b\n" * 30_000,
            "adr/0006-bomb.md": "---\na: &a [x]\nb: *a\n---\n# t\n## Decision\nWe do.\n",
        },
    )
    (history.root / "adr" / "0007.md").write_bytes(b"# \xff\xfe\n## Decision\n\x00We do.\n")
    history.commit("More")
    found = harvest(history.root, repository="shop")
    shown = "".join(each.what + each.why + each.evidence for each in found.candidates)
    assert "\x1b" not in shown
    assert "\n" not in shown
    assert max(len(each.what.encode()) for each in found.candidates) <= 240


def test_candidates_are_kept_and_found_again_as_candidates(shop, tmp_path):
    path = index_path(tmp_path / "cache", shop.root)
    write_index(path, harvest(shop.root, repository="shop"))
    assert path.stat().st_mode & 0o777 == 0o600
    answer = tried([harvested_claims(path)], "should we be polling the outbox?")
    (ranked,) = answer.claims
    assert ranked.claim.standing == "candidate"
    assert "   standing: candidate, accepted by nobody\n" in answer.text
    assert list(path.parent.iterdir()) == [path]


def test_a_new_harvest_takes_the_place_of_the_old(shop, tmp_path):
    path = index_path(tmp_path, shop.root)
    write_index(path, harvest(shop.root, repository="shop"))
    before = path.read_bytes()
    write_index(path, harvest(shop.root, repository="shop"))
    assert path.read_bytes() == before
    shop.commit('Revert "Sort rows in the browser"', "Too slow on phones.")
    write_index(path, harvest(shop.root, repository="shop"))
    assert tried([harvested_claims(path)], "sort rows in the browser").claims


@pytest.mark.parametrize(
    "kept",
    [
        b"",
        b"{",
        b"[]",
        b'{"format":"other","version":1,"candidates":[]}',
        b'{"format":"agentjournal-harvest","version":2,"candidates":[]}',
        b'{"format":"agentjournal-harvest","version":1,"candidates":[1,{"id":2},{"verdict":"x"}]}',
        b"\xff",
    ],
)
def test_an_unreadable_index_holds_no_claims(tmp_path, kept):
    path = tmp_path / "a.json"
    path.write_bytes(kept)
    assert harvested_claims(path).claims(["x"], 3).claims == ()


def test_a_missing_index_and_a_link_hold_no_claims(tmp_path, shop):
    assert harvested_claims(tmp_path / "none" / "a.json").claims(["x"], 3).claims == ()
    path = index_path(tmp_path / "cache", shop.root)
    write_index(path, harvest(shop.root, repository="shop"))
    link = tmp_path / "link.json"
    link.symlink_to(path)
    assert harvested_claims(link).claims(["x"], 3).frequencies.total == 0


def test_what_was_found_is_told(shop):
    golden.check("harvest.txt", harvest_text(harvest(shop.root, repository="shop")))


def test_a_long_list_shows_commits_and_records_and_counts_the_rest(history):
    for number in range(20):
        history.commit(f'Revert "Sort table {number} in the browser"', "Slow. " * 60)
    history.commit(
        "Decide", files={f"adr/{n:04d}-x.md": QUEUE.replace("job", f"job{n}") for n in range(9)}
    )
    text = harvest_text(harvest(history.root, repository="shop"))
    assert len(text.encode()) <= 4_000
    assert text.count("\n    commit ") == text.count("\n    adr/") == 4
    assert text.endswith("\n  (39 more.)")


def test_nothing_found_is_told(history):
    history.commit("Start")
    golden.check("harvest_nothing.txt", harvest_text(harvest(history.root, repository="shop")))


def test_the_data_of_a_harvest_is_plain(shop):
    data = harvest_data(harvest(shop.root, repository="shop"))
    assert data["counts"]["reverts"] == 1
    assert data["candidates"][0]["what"] == "Poll the outbox table every second"
    assert data["plans"] == [
        {"path": "specs/001-login/tasks.md", "title": "Login", "tasks": 2, "done": 1}
    ]
