from __future__ import annotations

import stat

import pytest

from agentjournal.engmem.document import version_of
from agentjournal.engmem.writing.versions import retain_version

DATA = b"---\r\nid: a-b\r\n---\r\n\xff"


def test_a_copy_has_the_same_bytes_and_is_private(tmp_path):
    assert retain_version(tmp_path, "a-b", DATA) is None
    copy = tmp_path / "versions" / "a-b" / f"{version_of(DATA)}.md"
    assert copy.read_bytes() == DATA
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    assert (tmp_path / "versions" / ".gitattributes").read_bytes() == b"* -text\n"


def test_a_copy_that_is_there_is_left_alone(tmp_path):
    retain_version(tmp_path, "a-b", DATA)
    copy = tmp_path / "versions" / "a-b" / f"{version_of(DATA)}.md"
    before = copy.stat()
    assert retain_version(tmp_path, "a-b", DATA) is None
    assert (copy.stat().st_ino, copy.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_a_torn_copy_is_mended(tmp_path):
    retain_version(tmp_path, "a-b", DATA)
    copy = tmp_path / "versions" / "a-b" / f"{version_of(DATA)}.md"
    copy.write_bytes(DATA[:3])
    assert retain_version(tmp_path, "a-b", DATA) is None
    assert copy.read_bytes() == DATA


@pytest.mark.parametrize("id_", ["", "..", ".a", "a/b", "a\0b", "a\nb", "x" * 201])
def test_an_id_that_cannot_name_a_folder_is_a_reason(tmp_path, id_):
    assert retain_version(tmp_path, id_, DATA) == "its id cannot name a folder"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("place", ["versions", "versions/a-b"])
def test_nothing_is_kept_behind_a_link(tmp_path, place):
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / place).parent.mkdir(exist_ok=True)
    (tmp_path / place).symlink_to(outside)
    assert "without links" in (retain_version(tmp_path, "a-b", DATA) or "")
    assert list(outside.iterdir()) == []
