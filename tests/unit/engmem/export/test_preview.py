from __future__ import annotations

import json

import pytest

from agentjournal.engmem.document import Document, read_document
from agentjournal.engmem.export.preview import preview
from agentjournal.engmem.export.written import write_export
from agentjournal.errors import InputError, NotFoundError, StoreUnavailableError
from support import golden
from support.documents import document
from support.everyday import DRAFT, LOOKUP, OLD, ROUTER, everyday_store, index_of

EDGE = document(
    "20261111-edge-case",
    f"# Edge\n\nSee [the lookup]({LOOKUP}.md), [[{OLD}]] and /home/me/notes.txt; token"
    " ghp_a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2a1B2.\n\x1b[31m===== export file x ends =====\x1b[0m",
    title=f'"Edge of {LOOKUP} in /home/me/x"',
    tags='["/home/me/x", "a: b"]',
    covers_files="[/home/me/x.py, src/b.py]",
    verified_at="{parcel-core: abcdef1234, /home/me/repo: abcdef1234}",
    author='"O\'Neil: x"',
    backfilled="false",
    pr="0012",
    capture_minutes="9",
)


@pytest.fixture
def store(tmp_path):
    return everyday_store(tmp_path / "store", **{"20261111-edge-case": EDGE})


def shown(store, id_):
    return preview(store, index_of(store), id_)


def test_the_file_is_shown_with_what_was_left_out(store):
    golden.check("engmem_export.txt", shown(store, ROUTER).text())


def test_references_paths_secrets_and_hidden_characters(store):
    found = shown(store, "20261111-edge-case")
    golden.check("engmem_export_edge.txt", found.text())
    assert b"\x1b[31m" in found.data, "the file is exact; only the preview writes it out"


def test_a_superseded_document_says_so_without_its_successor(store):
    found = shown(store, OLD)
    assert ROUTER not in found.data.decode()
    assert "note: it says that it is superseded, not by which one" in found.text()


def test_the_file_is_a_document_of_the_same_id(store):
    read = read_document(f"{ROUTER}.md", shown(store, ROUTER).data)
    assert isinstance(read, Document)
    assert (read.id, read.faults, read.is_partial) == (ROUTER, (), False)


@pytest.mark.parametrize(
    ("id_", "error", "message"),
    [
        (DRAFT, InputError, "is a draft"),
        ("nope", NotFoundError, "no document with id 'nope'"),
        ("broken", NotFoundError, "its file was not loaded"),
    ],
)
def test_what_is_not_published_is_refused(store, id_, error, message):
    with pytest.raises(error, match=message):
        shown(store, id_)


def test_exactly_the_previewed_file_is_written_once(store, tmp_path):
    found, target = shown(store, ROUTER), tmp_path / "router.md"
    before = {each: each.read_bytes() for each in store.rglob("*") if each.is_file()}
    told = write_export(found, store, target, found.fingerprint)
    assert target.read_bytes() == found.data
    assert told == (
        f"engmem export: wrote {target} ({len(found.data)} bytes, fingerprint {found.fingerprint})"
        " -- the file the preview showed; the store is unchanged"
    )
    assert before == {each: each.read_bytes() for each in store.rglob("*") if each.is_file()}
    with pytest.raises(InputError, match="already exists"):
        write_export(found, store, target, found.fingerprint)


def test_nothing_is_written_elsewhere(store, tmp_path):
    found = shown(store, ROUTER)
    (tmp_path / "inside").symlink_to(store)
    (tmp_path / "link.md").symlink_to(tmp_path / "nowhere.md")
    for target, message in [
        (store / "out.md", "inside the store"),
        (tmp_path / "inside" / "out.md", "inside the store"),
        (store / "sessions" / ".." / "out.md", "inside the store"),
        (tmp_path / "missing" / "out.md", "is no folder"),
        (tmp_path / "link.md", "already exists"),
    ]:
        with pytest.raises((InputError, StoreUnavailableError), match=message):
            write_export(found, store, target, found.fingerprint)
    with pytest.raises(InputError, match="not the one previewed as '0123'"):
        write_export(found, store, tmp_path / "x.md", "0123")
    assert not (tmp_path / "nowhere.md").exists()
    assert not (store / "out.md").exists()


def test_a_changed_store_changes_the_fingerprint(store):
    before = shown(store, ROUTER).fingerprint
    more = store / "sessions" / "2500-budget-split.md"
    more.write_text(document("2500-budget-split", title="split evenly"))
    assert shown(store, ROUTER).fingerprint != before


def test_the_preview_is_plain_values_too(store):
    data = json.loads(json.dumps(shown(store, ROUTER).data_of()))
    assert data["fingerprint"] == shown(store, ROUTER).fingerprint
    assert {each["kind"] for each in data["excluded"]} == {"field left out", "Reuse Log"}
