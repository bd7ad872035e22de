from __future__ import annotations

import os
import time

import pytest

from agentjournal.engmem.document import Document
from agentjournal.engmem.store import read_file, read_store, scan
from agentjournal.engmem.strays import find_strays
from agentjournal.errors import InputError, NotFoundError
from support.documents import document, make_store


def test_documents_are_read_in_the_order_of_their_files(tmp_path):
    root = make_store(tmp_path, {"b.md": document("b-b"), "a.md": document("a-a")})
    store = read_store(root)
    assert [each.id for each in store.documents] == ["a-a", "b-b"]
    assert store.failures == ()


def test_only_markdown_files_directly_in_sessions_are_documents(tmp_path):
    root = make_store(
        tmp_path, {"a.md": document("a-a"), ".#a.md": "x", "._a.md": "\0", "n.txt": ""}
    )
    (root / "sessions" / "folder").mkdir()
    (root / "sessions" / "folder" / "a.md").write_text("Not one.")
    (root / "README.md").write_text("Not one.")
    store = read_store(root)
    assert ([each.id for each in store.documents], store.failures) == (["a-a"], ())


def test_a_file_that_fails_hides_no_other(tmp_path):
    root = make_store(
        tmp_path,
        {"a.md": document("a-a"), "b.md": "---\nx: &y 1\n---\n", "c.md": document("a-a")},
    )
    store = read_store(root)
    assert [each.file for each in store.documents] == ["a.md"]
    assert [(each.file, each.reason) for each in store.failures] == [
        ("b.md", "the front matter uses an anchor or alias"),
        ("c.md", "duplicate id 'a-a' in a.md and c.md"),
    ]


def test_links_and_pipes_are_refused_by_name_and_never_waited_for(tmp_path):
    root = make_store(tmp_path, {"a.md": document("a-a")})
    (tmp_path / "secret.md").write_text(document("s-s"))
    (root / "sessions" / "link.md").symlink_to(tmp_path / "secret.md")
    (root / "sessions" / "loop.md").symlink_to("loop.md")
    (root / "sessions" / "folder.md").mkdir()
    os.mkfifo(root / "sessions" / "pipe.md")
    store = read_store(root)
    assert [each.id for each in store.documents] == ["a-a"]
    behind = (
        "sessions/{} passes through a link or junction -- engmem reads only files inside the "
        "store, so nothing behind it was read"
    )
    assert {each.file: each.reason for each in store.failures} == {
        "folder.md": "Not a regular file",
        "link.md": behind.format("link.md"),
        "loop.md": behind.format("loop.md"),
        "pipe.md": "Not a regular file",
    }


def test_a_document_beyond_the_size_limit_is_refused(tmp_path):
    root = make_store(tmp_path, {"a.md": "x" * (2 * 1024 * 1024 + 1)})
    assert [each.file for each in read_store(root).failures] == ["a.md"]


def test_a_store_without_its_folder_is_named(tmp_path):
    with pytest.raises(NotFoundError) as refused:
        read_store(tmp_path)
    assert str(refused.value) == (
        f"store not found: {tmp_path}/sessions does not exist (run `engmem install` to create the "
        "store, or `engmem store show` to see which setting chose this path)"
    )


def test_a_folder_that_is_a_link_is_not_read(tmp_path):
    elsewhere = make_store(tmp_path / "elsewhere", {"a.md": document("a-a")})
    root = tmp_path / "root"
    root.mkdir()
    (root / "sessions").symlink_to(elsewhere / "sessions")
    assert (scan(root).files, scan(root).error) == (
        {},
        (
            f"{root}/sessions: cannot list directory (sessions passes through a link or junction -- "
            "engmem reads only files inside the store, so nothing behind it was read) — the number of "
            "documents normally found here is unknown, not zero"
        ),
    )
    with pytest.raises(InputError, match="unknown, not zero"):
        read_store(root)


def test_the_root_itself_may_be_a_link(tmp_path):
    make_store(tmp_path / "real", {"a.md": document("a-a")})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert len(read_store(tmp_path / "link").documents) == 1


def test_a_name_that_is_no_text_is_told_and_not_read(tmp_path):
    root = make_store(tmp_path, {"a.md": document("a-a")})
    (root / os.fsdecode(b"sessions/\xff.md")).write_text(document("b-b"))
    store = read_store(root)
    assert [each.id for each in store.documents] == ["a-a"]
    assert [(each.file, each.reason) for each in store.failures] == [
        ("\\xff.md", "its name is not UTF-8")
    ]


def test_the_day_of_the_last_change_stands_in_where_no_date_is_stated(tmp_path):
    root = make_store(tmp_path, {"a.md": "- Date: 2026-13-41\nText."})
    noon = time.mktime((2026, 5, 28, 12, 0, 0, 0, 0, -1))  # here, wherever that is
    os.utime(root / "sessions" / "a.md", (noon, noon))
    found = read_file(root, "a.md").found
    assert isinstance(found, Document)
    assert (found.date, found.task_date) == ("2026-05-28", "2026-05-28")


def test_a_signature_tells_that_a_file_changed(tmp_path):
    root = make_store(tmp_path, {"a.md": document("a-a"), "b.md": document("b-b")})
    before = scan(root).files
    (root / "sessions" / "a.md").write_text(document("a-a", "More."))
    after = scan(root).files
    assert (before["a.md"] == after["a.md"], before["b.md"] == after["b.md"]) == (False, True)
    assert read_file(root, "a.md").signature == after["a.md"]


def test_markdown_that_no_search_looks_at_is_named(tmp_path):
    root = make_store(tmp_path, {"a.md": document("a-a")})
    for name in ("x.md", "README.md", ".hidden.md", "n.txt"):
        (root / name).write_text("x")
    for folder in ("sub/deep", ".git", "notes"):
        (root / "sessions" / folder).mkdir(parents=True)
    for name in ("sub/y.md", "sub/deep/z.md", ".git/w.md", "notes/v.md", "notes/v.txt"):
        (root / "sessions" / name).write_text("x")
    (root / "sessions" / "loop").symlink_to("..")
    strays = find_strays(root)
    assert strays.names == (
        "sessions/notes/v.md",
        "sessions/sub/deep/z.md",
        "sessions/sub/y.md",
        "x.md",
    )
    assert strays.warning(root) == (
        f"4 markdown file(s) are never searched — engmem reads only {root}/sessions/*.md, not the "
        "store root and not subdirectories (sessions/notes/v.md, sessions/sub/deep/z.md, "
        "sessions/sub/y.md, +1 more). Move them directly into sessions/ to make them findable."
    )
    assert strays.note().startswith("(4 markdown file(s) sit outside the searched set")


def test_without_strays_nothing_is_said(tmp_path):
    strays = find_strays(make_store(tmp_path, {"a.md": document("a-a")}))
    assert (strays.names, strays.error, strays.warning(tmp_path), strays.note()) == (
        (),
        None,
        "",
        "",
    )
