"""A store is made whole, also where an earlier try had to stop."""

from __future__ import annotations

from agentjournal.engmem.install.new_store import ensure_store
from agentjournal.engmem.writing.commit import commits_saves


def test_a_store_that_a_full_disk_left_half_made_is_made_whole(tmp_path):
    root = tmp_path / "store"
    (root / ".git" / "hooks").mkdir(parents=True)  # git begins with its templates
    assert ensure_store(root)
    assert commits_saves(root)
    assert not ensure_store(root)


def test_a_store_that_was_there_keeps_its_own_choice(tmp_path):
    (tmp_path / "sessions").mkdir()
    assert not ensure_store(tmp_path)
    assert not commits_saves(tmp_path)
