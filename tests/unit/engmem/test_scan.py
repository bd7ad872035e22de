from __future__ import annotations

import os

import pytest

from agentjournal.engmem.index.looked import looked_at
from agentjournal.engmem.scan import look, signature_of
from agentjournal.errors import InputError


@pytest.fixture
def root(tmp_path):
    (tmp_path / "sessions" / "below").mkdir(parents=True)
    for name in ("a.md", "b.md", ".hidden.md", "c.txt", "below/d.md"):
        (tmp_path / "sessions" / name).write_text(name)
    return tmp_path


def test_a_look_has_the_names_the_signatures_and_the_folders(root):
    looks = look(root)
    sessions = root / "sessions"
    assert sorted(looks.names) == ["a.md", "b.md"]
    assert looks.folders == ["below"]
    assert looks.files() == {each: signature_of((sessions / each).lstat()) for each in looks.names}


def test_a_name_that_goes_away_meanwhile_is_no_failure_and_seen_by_the_next_look(root, monkeypatch):
    before = looked_at(root)
    listdir = os.listdir

    def listed(folder):
        names = listdir(folder)
        (root / "sessions" / "a.md").unlink(missing_ok=True)
        return names

    with monkeypatch.context() as patched:
        patched.setattr(os, "listdir", listed)
        meanwhile = looked_at(root)
    assert set(meanwhile.looks.files()["a.md"]) == {0}
    assert meanwhile.looks.files()["b.md"] == before.looks.files()["b.md"]
    assert meanwhile.data != before.data
    assert looked_at(root).looks.names == ["b.md"]


def rewritten(file):
    file.write_text("A.md")
    os.utime(file, ns=(file.stat().st_atime_ns, 1))


def linked(file):
    file.rename(file.parents[1] / "a.md")
    file.symlink_to("../a.md")


def renamed(file):
    file.rename(file.with_name("z.md"))


def replaced(file):
    new = file.with_name("new")
    new.write_text("a.md")
    new.replace(file)


@pytest.mark.parametrize("change", [rewritten, linked, renamed, replaced])
def test_whatever_changes_a_file_is_seen_by_the_next_look(root, change):
    file = root / "sessions" / "a.md"
    os.utime(file, ns=(1, 1))
    before = looked_at(root)
    assert before.data == looked_at(root).data
    change(file)
    os.utime(file.parent, ns=(1, 1))
    assert looked_at(root).data != before.data


def test_sessions_that_became_a_link_are_not_followed(root):
    (root / "sessions").rename(root / "elsewhere")
    (root / "sessions").symlink_to("elsewhere")
    with pytest.raises(InputError, match="without links"):
        look(root)
