from __future__ import annotations

import itertools
import os
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from agentjournal.errors import InputError, OutcomeUnknownError, StoreUnavailableError
from agentjournal.system.spool import Drained, Spool

if TYPE_CHECKING:
    from pathlib import Path

FULL = """
import resource, sys
from pathlib import Path
from agentjournal.errors import StoreFullError
from agentjournal.system.spool import Spool
spool = Spool(Path(sys.argv[1]), lambda: "x")
spool.append({"id": "before"})
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
try:
    spool.append({"id": "large", "log": "x" * 5000})
except StoreFullError as error:
    print(error)
spool.append({"id": "after"})
"""


@pytest.fixture
def spool(tmp_path: Path) -> Spool:
    numbers = itertools.count()
    return Spool(tmp_path / "spool", lambda: f"{next(numbers):04d}")


def drained(spool: Spool) -> tuple[list[dict[str, object]], Drained]:
    taken: list[dict[str, object]] = []
    answer = spool.drain(lambda lines: taken.extend(map(dict, lines)))
    return taken, answer


def waiting(spool: Spool) -> list[str]:
    return sorted(path.name for path in spool.folder.glob("*.jsonl"))


def quarantined(spool: Spool) -> list[bytes]:
    folder = spool.folder / "quarantine"
    return sorted(path.read_bytes() for path in folder.iterdir() if path.is_file())


def test_lines_come_out_once_and_in_order(spool: Spool) -> None:
    lines = [{"id": str(number), "log": "é\n"} for number in range(5)]
    for line in lines:
        spool.append(line)
    assert drained(spool) == (lines, Drained(5, 0))
    assert drained(spool) == ([], Drained(0, 0))
    assert waiting(spool) == []


def test_an_empty_or_missing_spool_has_nothing(spool: Spool) -> None:
    assert drained(spool) == ([], Drained(0, 0))
    assert not spool.folder.exists()


def test_the_spool_is_for_the_user_alone(spool: Spool) -> None:
    spool.append({"id": "1"})
    assert stat.S_IMODE(spool.folder.stat().st_mode) == 0o700
    for path in spool.folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_line_without_canonical_form_is_refused(spool: Spool) -> None:
    with pytest.raises(InputError, match="cost"):
        spool.append({"cost": 0.5})
    assert drained(spool)[0] == []


def test_a_failing_take_keeps_the_lines(spool: Spool) -> None:
    def fail(_lines: object) -> None:
        raise ZeroDivisionError

    spool.append({"id": "1"})
    with pytest.raises(ZeroDivisionError):
        spool.drain(fail)
    spool.append({"id": "2"})
    assert drained(spool)[0] == [{"id": "1"}, {"id": "2"}]


def test_appending_goes_on_while_a_drain_takes(spool: Spool) -> None:
    spool.append({"id": "1"})
    spool.drain(lambda _lines: spool.append({"id": "2"}))
    assert drained(spool)[0] == [{"id": "2"}]


def test_a_left_over_file_is_drained_first(spool: Spool) -> None:
    spool.append({"id": "new"})
    (spool.folder / "draining-0.jsonl").write_bytes(b'{"id":"old"}\n')
    assert drained(spool) == ([{"id": "old"}, {"id": "new"}], Drained(2, 0))


def test_half_a_line_is_set_aside_and_spoils_no_other(spool: Spool) -> None:
    spool.append({"id": "1"})
    with (spool.folder / "events.jsonl").open("ab") as file:
        file.write(b'{"id":"hal')
    spool.append({"id": "2"})
    assert drained(spool) == ([{"id": "1"}, {"id": "2"}], Drained(2, 1))
    assert quarantined(spool) == [b'{"id":"hal\n']


def test_a_whole_line_that_only_lacks_its_end_counts(spool: Spool) -> None:
    spool.append({"id": "1"})
    events = spool.folder / "events.jsonl"
    events.write_bytes(events.read_bytes() + b'{"id":"2"}')
    assert drained(spool)[0] == [{"id": "1"}, {"id": "2"}]


@pytest.mark.parametrize("stray", [b"\xff\xfe", b"[1]", b"null", b'{"a":1,"a":2}', b"{" * 9999])
def test_a_line_that_is_none_of_ours_is_set_aside(spool: Spool, stray: bytes) -> None:
    spool.append({"id": "1"})
    (spool.folder / "draining-x.jsonl").write_bytes(stray + b"\n")
    assert drained(spool) == ([{"id": "1"}], Drained(1, 1))
    assert quarantined(spool) == [stray + b"\n"]


def test_setting_the_same_aside_twice_keeps_it_once(spool: Spool) -> None:
    spool.append({"id": "1"})
    spool.set_aside([{"id": "x"}])
    spool.set_aside([{"id": "x"}])
    assert quarantined(spool) == [b'{"id":"x"}\n']


def test_links_pipes_and_folders_are_moved_aside_unread(spool: Spool, tmp_path: Path) -> None:
    spool.append({"id": "1"})
    (tmp_path / "outside").write_bytes(b'{"id":"outside"}\n')
    (spool.folder / "draining-a.jsonl").symlink_to(tmp_path / "outside")
    os.mkfifo(spool.folder / "draining-b.jsonl")
    (spool.folder / "draining-c.jsonl").mkdir()
    assert drained(spool) == ([{"id": "1"}], Drained(1, 3))
    assert waiting(spool) == []
    assert (tmp_path / "outside").read_bytes() == b'{"id":"outside"}\n'


def test_a_foreign_file_beside_the_spool_is_left_alone(spool: Spool) -> None:
    spool.append({"id": "1"})
    (spool.folder / "notes.txt").write_bytes(b"mine")
    assert drained(spool)[1] == Drained(1, 0)
    assert (spool.folder / "notes.txt").read_bytes() == b"mine"


def test_nothing_is_appended_through_a_link_or_into_a_pipe(spool: Spool, tmp_path: Path) -> None:
    spool.folder.mkdir()
    events = spool.folder / "events.jsonl"
    events.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreUnavailableError, match="events"):
        spool.append({"id": "1"})
    events.unlink()
    os.mkfifo(events)
    with pytest.raises(StoreUnavailableError, match="regular"):
        spool.append({"id": "1"})
    assert not (tmp_path / "elsewhere").exists()
    assert drained(spool) == ([], Drained(0, 1))
    spool.append({"id": "2"})
    assert drained(spool)[0] == [{"id": "2"}]


def test_a_full_disk_refuses_a_line_whole_and_the_next_one_fits(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FULL, tmp_path / "spool"], check=True, capture_output=True, text=True
    )
    assert "no room" in run.stdout
    assert "Free some space" in run.stdout
    taken, answer = drained(Spool(tmp_path / "spool", lambda: "y"))
    assert [line["id"] for line in taken] == ["before", "after"]
    assert answer == Drained(2, 0)


def test_a_device_that_does_not_confirm_leaves_the_outcome_open(
    spool: Spool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("agentjournal.system.spool.sync_file", fail)
    with pytest.raises(OutcomeUnknownError, match="same id"):
        spool.append({"id": "1"})
