from __future__ import annotations

from pathlib import Path

import pytest

from agentjournal.errors import StoreBusyError, StoreUnavailableError
from agentjournal.storage import network_fs
from agentjournal.storage.network_fs import network_type
from agentjournal.storage.sqlite import Sqlite
from support.thing import add, names, with_things

MOUNTS = r"""
/dev/vda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/vdb /home/local ext4 rw 0 0
share /mnt/a\040b cifs rw 0 0
host /shared virtiofs rw 0 0
root /nine 9p rw 0 0
sshfs /ssh fuse.sshfs rw 0 0
/dev/vdc /over xfs rw 0 0
portal /over fuse rw 0 0
""".lstrip()


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/log.db", None),
        ("/home/me/log.db", "nfs4"),
        ("/home/local/log.db", None),
        ("/homeless/log.db", None),
        ("/mnt/a b/log.db", "cifs"),
        ("/shared/log.db", "virtiofs"),
        ("/nine/log.db", "9p"),
        ("/ssh/log.db", "fuse.sshfs"),
        ("/over/log.db", "fuse"),
    ],
)
def test_the_innermost_and_newest_mount_decides(tmp_path, path, kind):
    mounts = tmp_path / "mounts"
    mounts.write_text(MOUNTS)
    assert network_type(Path(path), mounts) == kind


def test_where_mounts_cannot_be_told_nothing_is_refused(tmp_path):
    assert network_type(tmp_path, tmp_path / "nowhere") is None


@pytest.fixture
def shared_path(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/vda / ext4 rw 0 0\nhost {tmp_path}/shared nfs rw 0 0\n")
    monkeypatch.setattr(network_fs, "_MOUNTS", mounts)
    return str(tmp_path / "shared" / "log.db")


def test_a_store_on_a_network_file_system_is_refused_with_a_way_out(shared_path):
    with pytest.raises(StoreUnavailableError) as caught:
        Sqlite(shared_path)
    assert "(nfs)" in str(caught.value)
    assert "postgresql://" in caught.value.next
    assert not Path(shared_path).parent.exists()


def test_a_store_that_was_allowed_there_shares_no_memory(shared_path):
    database = with_things(Sqlite(shared_path, allow_network_fs=True), "a")
    assert database.facts()["journal_mode"] == "delete"
    assert names(database) == ["a"]
    assert not Path(f"{shared_path}-wal").exists()
    database.close()


def test_there_a_commit_that_meets_a_reader_is_a_busy_store_and_stores_nothing(shared_path):
    database = with_things(Sqlite(shared_path, allow_network_fs=True, busy_wait=0.02), "a")
    reader = Sqlite(shared_path, allow_network_fs=True)
    with reader.snapshot() as before:
        assert names(before) == ["a"]
        with pytest.raises(StoreBusyError):
            add(database, "b")
    add(database, "c")
    assert names(database) == ["a", "c"]
    for each in (database, reader):
        each.close()
