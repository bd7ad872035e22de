from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.backfill.apply import Fillable, fill, fillable, fillable_all
from agentjournal.engmem.backfill.extended import extended, stated_in
from agentjournal.engmem.backfill.proposal import propose
from agentjournal.engmem.document import read_document
from agentjournal.engmem.front_matter import FrontMatter, Refusal, read_front_matter
from agentjournal.engmem.store import BYTES
from agentjournal.engmem.writing.commit import set_commits
from agentjournal.errors import InputError
from support.everyday import everyday_store, index_of

NOTES = "20260101-old-notes"


@pytest.fixture
def store(tmp_path):
    return everyday_store(tmp_path / "store")


def filled(data: bytes, file: str = "20260101-x-y.md") -> bytes:
    document = read_document(file, data, "2026-02-03")
    proposal = propose(document, stated_in(data))
    return extended(file, data, proposal.fields) if proposal else data


def test_the_body_stays_and_the_spine_is_complete_but_for_what_nobody_can_know(store):
    path = store / "sessions" / f"{NOTES}.md"
    before = path.read_bytes()
    path.chmod(0o640)
    fill(store, fillable(store, index_of(store), NOTES))
    assert path.read_bytes().endswith(b"---\n" + before)
    assert path.stat().st_mode & 0o777 == 0o640
    header = index_of(store).header(NOTES)
    assert not header.is_partial
    assert header.entities == ("depot", "DepotTable", "depot-id")
    assert header.repos == ("parcel-core", "depot-api")
    assert fillable(store, index_of(store), NOTES) is None


def test_only_incomplete_documents_are_proposed_for(store):
    found = list(fillable_all(store, index_of(store)))
    assert [each.proposal.id for each in found if isinstance(each, Fillable)] == [NOTES]


def test_a_file_that_changed_meanwhile_is_left_alone(store):
    found = fillable(store, index_of(store), NOTES)
    path = store / "sessions" / f"{NOTES}.md"
    path.write_text("# Other\n")
    with pytest.raises(InputError, match="changed since"):
        fill(store, found)
    assert path.read_text() == "# Other\n"


def test_a_link_in_its_place_is_left_alone(store, tmp_path):
    found = fillable(store, index_of(store), NOTES)
    path = store / "sessions" / f"{NOTES}.md"
    outside = tmp_path / "outside.md"
    path.rename(outside)
    path.symlink_to(outside)
    before = outside.read_bytes()
    with pytest.raises(InputError):
        fill(store, found)
    assert outside.read_bytes() == before
    assert path.is_symlink()


def test_a_document_that_another_tool_is_writing_is_left_alone(store):
    found = fillable(store, index_of(store), NOTES)
    (store / "sessions" / f".{NOTES}.md.write-lock").mkdir()
    with pytest.raises(InputError, match="is being written"):
        fill(store, found)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            b"---\r\ntitle: T\r\ndate:\r\n---\r\nB\r\n",
            b"---\r\ntitle: T\r\ndate: 2026-01-01\r\nid: ",
        ),
        (b"\xef\xbb\xbf# H\r\nB", b"\xef\xbb\xbf---\r\nid: 20260101-x-y\r\ntitle: H\r\n"),
        (b"", b"---\nid: 20260101-x-y\n"),
        (b"---\n---\n", b"---\nid: 20260101-x-y\n"),
        (
            b"---\ntitle: |\n  a\n  date:\ndate: # none\n---\n",
            b"---\ntitle: |\n  a\n  date:\ndate: 2026",
        ),
    ],
    ids=["crlf", "mark", "empty", "empty block", "block text"],
)
def test_fields_go_where_their_key_stands_in_the_files_own_line_ends(before, after):
    assert filled(before).startswith(after)


@pytest.mark.parametrize(
    "data",
    [b"---\n{title: T, tags: [a]}\n---\n", b"---\ntitle: T\n...\n---\nB\n"],
    ids=["flow mapping", "ended document"],
)
def test_front_matter_that_cannot_be_added_to_is_refused(data):
    with pytest.raises(InputError, match=r"cannot be added to safely|no YAML"):
        filled(data)


LINES = st.lists(
    st.sampled_from(
        [
            "---",
            "title: T",
            "date:",
            "date: 2026-01-02",
            "tags: [a, 'b: c']",
            "tags:",
            "- x",
            "id: 5",
            "status: draft",
            "# comment",
            "entities:\n  - E1",
            "x: |\n  date:",
            "",
            "# Heading",
            "- Date: 2026-03-04",
            "- Repos: a, B",
            "## Search Keywords",
            "`k1`, V2",
            "[l](other-doc.md)",
            "text",
            "## Pre-reg",
            "- Status: superseded by [x](y-z.md)",
            "é",
        ]
    )
    | st.text(max_size=12),
    max_size=12,
)


@given(LINES, st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_any_document_keeps_its_body_and_what_it_states(lines, ending, has_mark):
    data = (b"\xef\xbb\xbf" if has_mark else b"") + ending.join(lines).encode(errors="replace")
    document = read_document("20260101-x-y.md", data, "2026-02-03")
    if isinstance(document, Refusal):
        return
    try:
        after = filled(data)
    except InputError:
        return
    old, new = (_block(each) for each in (data, after))
    assert new.body == old.body
    assert {name: new.fields[name] for name in old.fields} == dict(old.fields)
    tail = data.removeprefix(b"\xef\xbb\xbf")
    rest = tail if old.fields == {} and not tail.startswith(b"---") else tail.split(b"---")[-1]
    assert after.endswith(rest)


def _block(data: bytes) -> FrontMatter:
    text = data.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    block = read_front_matter(text)
    assert isinstance(block, FrontMatter)
    return block


def test_a_store_that_commits_its_saves_commits_this_one(store):
    subprocess.run(["git", "init", "-q", str(store)], check=True)
    set_commits(store, wanted=True)
    assert fill(store, fillable(store, index_of(store), NOTES)) is None
    log = subprocess.run(
        ["git", "-C", str(store), "log", "--name-only", "--format=%s"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert log.stdout.split("\n\n") == [f"engmem: {NOTES} backfilled", f"sessions/{NOTES}.md\n"]


def test_a_document_is_not_made_larger_than_anybody_reads(store):
    path = store / "sessions" / f"{NOTES}.md"
    path.write_bytes(path.read_bytes().ljust(BYTES, b"x"))
    before = path.read_bytes()
    with pytest.raises(InputError, match="more than 2 MB"):
        fill(store, fillable(store, index_of(store), NOTES))
    assert path.read_bytes() == before
