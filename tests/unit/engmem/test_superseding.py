from __future__ import annotations

import re
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.engmem.document import Document, read_document, version_of
from agentjournal.engmem.store import BYTES
from agentjournal.engmem.writing.refusal import WriteRefused
from agentjournal.engmem.writing.spine_lines import with_fields
from agentjournal.engmem.writing.superseding import mark_superseded

FIELDS = {"status": "superseded", "superseded_by": "b-x"}


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.fixture
def root(tmp_path):
    (tmp_path / "sessions").mkdir()
    return tmp_path


def written(root, id_, data):
    (root / "sessions" / f"{id_}.md").write_bytes(data)
    return version_of(data)


def marked(root, data, id_="a-x"):
    mark_superseded(root, id_, "b-x", written(root, id_, data))
    return (root / "sessions" / f"{id_}.md").read_bytes()


def test_the_two_lines_change_and_the_answer_says_so(root):
    version = written(root, "20261010-data-lake", b"---\nstatus: active\nsuperseded_by:\n---\nB\n")
    told = mark_superseded(root, "20261010-data-lake", "2201-parcel-router", version)
    assert told == (
        "marked sessions/20261010-data-lake.md superseded by 2201-parcel-router "
        "(status: active -> superseded)"
    )
    assert (root / "sessions" / "20261010-data-lake.md").read_bytes() == (
        b"---\nstatus: superseded\nsuperseded_by: 2201-parcel-router\n---\nB\n"
    )


def test_a_successor_that_no_search_finds_yet_is_said_to_be_a_draft(root):
    written(root, "2201-b-x", b"---\nid: 2201-b-x\nstatus: draft\n---\nB\n")
    version = written(root, "2201-a-x", b"---\nstatus: active\n---\nA\n")
    told = mark_superseded(root, "2201-a-x", "2201-b-x", version)
    assert "2201-b-x is still a draft" in told


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            b"\xef\xbb\xbf---\r\nid: a-x\r\ntitle: T\r\n---\r\nBody",
            (
                b"\xef\xbb\xbf---\r\nid: a-x\r\ntitle: T\r\n"
                b"status: superseded\r\nsuperseded_by: b-x\r\n---\r\nBody"
            ),
        ),
        (
            b"---\nstatus: active # why\nid: a-x\r\nsuperseded_by: ''\n---\nstatus: active\n",
            b"---\nstatus: superseded\nid: a-x\r\nsuperseded_by: b-x\n---\nstatus: active\n",
        ),
        (
            b'---\n"status": active\n---\n',
            b"---\nstatus: superseded\nsuperseded_by: b-x\n---\n",
        ),
        (
            b"---\nverified_at:\n  status: abcdef1\ntitle: |\n  status: active\nstatus: active\n---\n",
            (
                b"---\nverified_at:\n  status: abcdef1\ntitle: |\n  status: active\n"
                b"status: superseded\nsuperseded_by: b-x\n---\n"
            ),
        ),
        (b"Body only\n", b"---\nstatus: superseded\nsuperseded_by: b-x\n---\nBody only\n"),
        (b"---\n---\nBody\n", b"---\nstatus: superseded\nsuperseded_by: b-x\n---\nBody\n"),
        (b"---\rid: a-x\r---\rB", b"---\rid: a-x\rstatus: superseded\rsuperseded_by: b-x\r---\rB"),
    ],
)
def test_every_other_byte_stays(root, before, after):
    assert marked(root, before) == after


@pytest.mark.parametrize(
    ("block", "why"),
    [
        (b"{id: a-x, status: active}", "flow mapping"),
        (b"status: active\nstatus: active", "more than one line 'status'"),
        (b"  id: a-x\n  status: active", "indented"),
        (b"status: >\n  active", "more than one line"),
        (b"status:\n  active", "more than one line"),
        (b"status: &x active", "anchor"),
        (b"id: a-x\n...", "cannot be changed safely"),
        (b"superseded_by: [x]", "no text"),
    ],
)
def test_what_cannot_be_changed_safely_is_refused_and_stays(root, block, why):
    data = b"---\n" + block + b"\n---\nBody\n"
    with pytest.raises(WriteRefused, match=why):
        marked(root, data)
    assert (root / "sessions" / "a-x.md").read_bytes() == data


@pytest.mark.parametrize("status", [b"draft", b"superseded"])
def test_only_an_active_document_is_superseded(root, status):
    with pytest.raises(WriteRefused, match="only an active document"):
        marked(root, b"---\nstatus: " + status + b"\n---\n")


@pytest.mark.parametrize(
    ("id_", "successor", "why"),
    [
        ("a-x", "a-x", "superseded by itself"),
        ("a-x", "Bad", "invalid document superseded_by 'Bad'"),
        ("../a-x", "b-x", "invalid document id"),
        ("a-x\0", "b-x", "invalid document id"),
        ("a" * 100 + "-" + "b" * 20, "b-x", "at most 120 characters"),
        (
            "no-such",
            "b-x",
            "no document found for id 'no-such': sessions/no-such.md does not exist",
        ),
    ],
)
def test_ids_are_checked_and_the_document_must_exist(root, id_, successor, why):
    written(root, "a-x", b"---\nstatus: active\n---\n")
    with pytest.raises(WriteRefused, match=why):
        mark_superseded(root, id_, successor, "0" * 16)


def test_another_version_is_refused_with_the_current_text(root):
    data = "---\nstatus: active\n---\nGrüße\n"
    version = written(root, "a-x", data.encode())
    with pytest.raises(WriteRefused) as refused:
        mark_superseded(root, "a-x", "b-x", "0123456789abcdef")
    assert str(refused.value).endswith(f"--- current sessions/a-x.md ---\n{data}")
    assert version in str(refused.value)


def test_the_version_that_is_replaced_is_kept(root):
    data = b"---\nstatus: active\n---\nBody\n"
    marked(root, data)
    assert (root / "versions" / "a-x" / f"{version_of(data)}.md").read_bytes() == data


def test_permissions_stay(root):
    written(root, "a-x", b"---\nstatus: active\n---\n")
    (root / "sessions" / "a-x.md").chmod(0o640)
    mark_superseded(root, "a-x", "b-x", version_of(b"---\nstatus: active\n---\n"))
    assert stat.S_IMODE((root / "sessions" / "a-x.md").stat().st_mode) == 0o640


def test_nothing_is_written_through_a_link(root, tmp_path):
    outside = tmp_path / "outside.md"
    outside.write_bytes(b"---\nstatus: active\n---\n")
    (root / "sessions" / "a-x.md").symlink_to(outside)
    with pytest.raises(WriteRefused) as refused:
        mark_superseded(root, "a-x", "b-x", version_of(outside.read_bytes()))
    assert str(refused.value) == (
        "sessions/a-x.md passes through a link or junction -- engmem writes only inside the store, "
        "so nothing was written"
    )
    assert outside.read_bytes() == b"---\nstatus: active\n---\n"
    assert names(root / "sessions") == ["a-x.md"]


LINES = st.sampled_from(
    [
        "status: active",
        "superseded_by:",
        "superseded_by: old-one",
        "title: 'a: b'",
        "tags: [a, b]",
        "tags:\n  - a\n  - b",
        "note: |\n  status: active\n\n  more",
        "# status: active",
        "",
        "mode: daily",
        "x: é\u2028\x85y",
        '"quo\\ted": "a\n  b"',
    ]
)


@given(
    st.lists(LINES, max_size=8),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.sampled_from([b"", b"\xef\xbb\xbf"]),
    st.text(st.sampled_from("a#-\n\r\u2028é "), max_size=30),
)
def test_all_other_lines_are_the_same_bytes_or_nothing_is_done(lines, ending, bom, body):
    text = "\n".join(["---", *lines, "---"]).replace("\n", ending) + ending + body
    data = bom + text.encode()
    try:
        after = with_fields(data, FIELDS)
    except WriteRefused:
        return
    assert _others(after) == _others(data)
    read = read_document("a-x.md", after)
    assert isinstance(read, Document)
    assert (read.status, read.superseded_by) == ("superseded", "b-x")


def _others(data):
    """Give all lines with their ends, but the two that may change."""
    lines = re.findall(rb"[^\r\n]*(?:\r\n|\n|\r|$)", data)
    return [line for line in lines if not line.startswith((b"status:", b"superseded_by:"))]


def test_a_document_is_not_made_larger_than_anybody_reads(root):
    data = b"---\nstatus: active\n---\n"
    data += b"x" * (BYTES - len(data))
    version = written(root, "20261010-a-x", data)
    with pytest.raises(WriteRefused, match="more than 2 MB"):
        mark_superseded(root, "20261010-a-x", "2201-b-x", version)
    assert (root / "sessions" / "20261010-a-x.md").read_bytes() == data
