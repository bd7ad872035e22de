from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest

from agentjournal.errors import (
    InputError,
    NotFoundError,
    StoreFullError,
    StoreUnavailableError,
)
from agentjournal.system.files import (
    Listing,
    list_inside,
    open_inside,
    private_folder,
    read_inside,
    write_atomically,
)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def root(tmp_path: Path) -> Path:
    inside = tmp_path / "inside"
    (inside / "docs").mkdir(parents=True)
    (inside / "docs" / "a.md").write_bytes(b"inside")
    (tmp_path / "secret").write_bytes(b"outside")
    return inside


def test_a_file_below_the_root_is_read(root: Path) -> None:
    assert read_inside(root, "docs/a.md", 100) == b"inside"


def test_the_root_itself_may_be_a_link(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    assert read_inside(tmp_path / "link", "docs/a.md", 6) == b"inside"


@pytest.mark.parametrize(
    "relative",
    [
        "",
        ".",
        "..",
        "../secret",
        "docs/../../secret",
        "/etc/passwd",
        "docs//a.md",
        "./docs/a.md",
        "docs/",
        "a\0b",
    ],
)
def test_a_path_that_is_not_plain_and_relative_is_refused(root: Path, relative: str) -> None:
    with pytest.raises(InputError) as refusal:
        read_inside(root, relative, 100)
    assert refusal.value.faults[0].field == "path"


def test_a_link_is_followed_nowhere_on_the_way(root: Path, tmp_path: Path) -> None:
    (root / "file").symlink_to(tmp_path / "secret")
    (root / "folder").symlink_to(tmp_path)
    for relative in ("file", "folder/secret"):
        with pytest.raises(InputError, match="links"):
            read_inside(root, relative, 100)
    with pytest.raises(InputError):
        list_inside(root, "folder")


def test_pipes_devices_and_folders_are_refused_without_waiting(root: Path) -> None:
    os.mkfifo(root / "pipe")
    for relative in ("pipe", "docs"):
        with pytest.raises(InputError, match="regular"):
            open_inside(root, relative)


def test_what_is_missing_is_named(root: Path) -> None:
    for relative in ("docs/b.md", "nowhere/a.md"):
        with pytest.raises(NotFoundError, match=relative):
            read_inside(root, relative, 100)


def test_a_file_over_the_limit_is_refused(root: Path) -> None:
    with pytest.raises(InputError, match="5 bytes"):
        read_inside(root, "docs/a.md", 5)


def test_a_listing_is_sorted_and_holds_no_links(root: Path) -> None:
    for name in ("b", "a"):
        (root / name).write_bytes(b"")
    (root / "link").symlink_to(root / "a")
    os.mkfifo(root / "pipe")
    assert list_inside(root) == Listing(files=("a", "b"), folders=("docs",))
    assert list_inside(root, "docs") == Listing(files=("a.md",), folders=())


def test_no_descriptor_stays_open(root: Path) -> None:
    before = len(names(Path("/dev/fd")))
    for relative in ("docs/a.md", "docs", "docs/b.md", "nowhere/x"):
        try:
            read_inside(root, relative, 3)
        except (InputError, NotFoundError):
            continue
    list_inside(root, "docs")
    assert len(names(Path("/dev/fd"))) == before


def test_a_written_file_is_whole_private_and_alone(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old and longer")
    write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert names(tmp_path) == ["file"]


def test_a_mode_is_taken_as_given(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", b"", mode=0o644)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o644


def test_writing_replaces_a_link_and_not_its_target(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"kept")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "target").read_bytes() == b"kept"
    assert (tmp_path / "link").read_bytes() == b"new"


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.ENOSPC, StoreFullError), (errno.EIO, StoreUnavailableError)]
)
def test_a_failed_write_leaves_the_old_file_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception]
) -> None:
    def failing(_descriptor: int) -> None:
        raise OSError(number, os.strerror(number))

    path = tmp_path / "file"
    path.write_bytes(b"old")
    monkeypatch.setattr("agentjournal.system.files.sync_file", failing)
    with pytest.raises(kind, match="file"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_a_private_folder_is_for_the_user_alone(tmp_path: Path) -> None:
    private_folder(tmp_path / "a" / "b")
    for folder in (tmp_path / "a", tmp_path / "a" / "b"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_is_there_keeps_its_permissions(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir(mode=0o755)
    private_folder(tmp_path / "shared")
    assert stat.S_IMODE((tmp_path / "shared").stat().st_mode) == 0o755


def test_a_file_in_the_place_of_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(StoreUnavailableError, match="file"):
            private_folder(path)
