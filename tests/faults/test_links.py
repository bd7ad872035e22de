"""F13: while somebody swaps folders and links, no read ends outside of the root."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agentjournal.errors import InputError, NotFoundError
from agentjournal.system.files import list_inside, read_inside

pytestmark = [
    pytest.mark.linux,
    pytest.mark.skipif(sys.platform != "linux", reason="linux: needs renameat2"),
]

SWAPPER = Path(__file__).parent.parent / "support" / "links_swapper.py"
READS = ("folder/file", "link", "folder/deep/file")


@pytest.fixture
def root(tmp_path: Path):
    """Give a root whose folder and file change places with links that lead outside."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for place, text in ((inside / "folder", b"inside"), (outside, b"outside")):
        (place / "deep").mkdir(parents=True)
        (place / "file").write_bytes(text)
        (place / "deep" / "file").write_bytes(text)
    (outside / "stolen").write_bytes(b"outside")
    (inside / "folder.link").symlink_to(outside)
    (inside / "link").write_bytes(b"inside")
    (inside / "link.link").symlink_to(outside / "file")
    names = ("folder", "folder.link", "link", "link.link")
    swapper = subprocess.Popen(
        [sys.executable, SWAPPER, *(inside / name for name in names)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert swapper.stdout is not None
    assert swapper.stdout.readline() == b"swapping\n"
    yield inside
    assert swapper.poll() is None, "the swapper stopped before the reads did"
    swapper.communicate()


def read_after_realpath(root: Path, relative: str) -> bytes:
    """Check first, then open: what a careful reader without openat would do."""
    try:
        path = root / relative
        if path.resolve().is_relative_to(root.resolve()):
            return path.read_bytes()
    except OSError as error:
        raise InputError(relative) from error
    raise InputError(relative)


def outcomes(root: Path, read, seconds: float, until: dict[bytes, int]) -> dict[bytes, int]:
    """Read for so many seconds, then for at most a minute until so many outcomes were met."""
    counts = {b"inside": 0, b"outside": 0, b"refused": 0}
    begun = time.monotonic()
    while (taken := time.monotonic() - begun) < seconds or (
        taken < 60 and any(counts[each] < least for each, least in until.items())
    ):
        for relative in READS:
            found = b"refused"
            with contextlib.suppress(InputError, NotFoundError):
                found = read(root, relative)
            counts[found] += 1
    return counts


def test_no_read_ends_outside_while_folders_and_links_change_places(root: Path) -> None:
    both = {b"inside": 101, b"refused": 101}
    counts = outcomes(root, lambda root, relative: read_inside(root, relative, 100), 3, both)
    print(counts)
    assert counts[b"outside"] == 0
    assert min(counts[b"inside"], counts[b"refused"]) > 100  # both states were met


def test_no_listing_shows_the_outside_while_folders_and_links_change_places(root: Path) -> None:
    listed = set()
    end = time.monotonic() + 1
    while time.monotonic() < end:
        with contextlib.suppress(InputError, NotFoundError):
            listed.update(list_inside(root, "folder").files)
    assert listed == {"file"}


def test_the_control_that_checks_the_real_path_first_leaks(root: Path) -> None:
    assert outcomes(root, read_after_realpath, 0, {b"outside": 1})[b"outside"] > 0
