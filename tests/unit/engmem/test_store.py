from __future__ import annotations

import os

import pytest

from agentjournal.engmem.store import read_store
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
    (root / "sessions" / "folder.md").mkdir()
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
        ("c.md", "its id 'a-a' is that of a.md"),
    ]


def test_links_and_pipes_are_refused_by_name_and_never_waited_for(tmp_path):
    root = make_store(tmp_path, {"a.md": document("a-a")})
    (tmp_path / "secret.md").write_text(document("s-s"))
    (root / "sessions" / "link.md").symlink_to(tmp_path / "secret.md")
    os.mkfifo(root / "sessions" / "pipe.md")
    store = read_store(root)
    assert [each.id for each in store.documents] == ["a-a"]
    assert [each.file for each in store.failures] == ["link.md", "pipe.md"]


def test_a_document_beyond_the_size_limit_is_refused(tmp_path):
    root = make_store(tmp_path, {"a.md": "x" * (2 * 1024 * 1024 + 1)})
    assert [each.file for each in read_store(root).failures] == ["a.md"]


def test_a_store_without_its_folder_is_named(tmp_path):
    with pytest.raises(NotFoundError, match="store not found"):
        read_store(tmp_path)


def test_a_folder_that_is_a_link_is_not_read(tmp_path):
    elsewhere = make_store(tmp_path / "elsewhere", {"a.md": document("a-a")})
    root = tmp_path / "root"
    root.mkdir()
    (root / "sessions").symlink_to(elsewhere / "sessions")
    with pytest.raises(InputError):
        read_store(root)


def test_the_root_itself_may_be_a_link(tmp_path):
    make_store(tmp_path / "real", {"a.md": document("a-a")})
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert len(read_store(tmp_path / "link").documents) == 1
