"""The fingerprint of a failure ignores what differs between two runs of it, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.execution.fingerprint import fingerprint, normal_lines

FIRST = """
FAILED tests/test_queue.py::test_retry - AssertionError: 3 != 4
2026-11-30T19:40:12.123456Z worker at 0x7f3a2c1b9d60 gave up after 1.52s
  File "/home/ada/project/src/queue.py", line 42, in poll
commit 3f2a9bc failed on Mon Nov 30 19:40:12 2026
request 0192f3a4-1b2c-7d3e-8f40-a1b2c3d4e5f6
"""
AGAIN = """
FAILED tests/test_queue.py::test_retry - AssertionError: 17 != 18
2026-12-01T08:01:02Z worker at 0x55d0a9 gave up after 12s
  File "/tmp/build-9/src/queue.py", line 43, in poll
commit 1234567 failed on Tue Dec  1 08:01:02 2026
request 0192f3ff-0000-7d3e-8f40-ffffffffffff
"""


def test_the_same_failure_elsewhere_on_another_day_has_the_same_fingerprint():
    assert fingerprint("exit_nonzero", 1, FIRST) == fingerprint("exit_nonzero", 1, AGAIN)


@pytest.mark.parametrize(
    ("end", "status", "output"),
    [
        ("timeout", 1, FIRST),
        ("exit_nonzero", 2, FIRST),
        ("exit_nonzero", None, FIRST),
        ("exit_nonzero", 1, FIRST.replace("AssertionError", "TypeError")),
        ("exit_nonzero", 1, FIRST.replace("in poll", "in push")),
        ("exit_nonzero", 1, FIRST + "Segmentation fault\n"),
    ],
)
def test_another_end_status_or_message_is_another_failure(end, status, output):
    assert fingerprint(end, status, output) != fingerprint("exit_nonzero", 1, FIRST)


def test_what_stands_above_the_last_twenty_lines_does_not_count():
    tail = "\n".join(f"line {'x' * n}" for n in range(20))
    assert fingerprint("signal", None, "begin\n" + tail) == fingerprint("signal", None, tail)
    assert len(normal_lines("begin\n" + tail)) == 20


def test_blank_lines_and_spacing_do_not_count():
    assert fingerprint("signal", None, "a  b\n\n\nc\n") == fingerprint("signal", None, "a b\nc")


def test_a_word_is_no_time_and_no_path():
    assert normal_lines("the march of may, on sunday: and/or") == [
        "the march of may, on sunday: <path>"
    ]


@given(st.text())
def test_any_output_has_a_fingerprint_of_its_own_bytes(output):
    assert fingerprint("signal", None, output) == fingerprint("signal", None, output)
    assert len(fingerprint("signal", None, output)) == 64


@pytest.mark.timeout(20)
@pytest.mark.parametrize("unit", ["a-", "/", "0", "a", "\ud800\0", "jan "])
def test_ten_megabytes_on_one_line_are_no_burden(unit):
    assert len(normal_lines(unit * (10_000_000 // len(unit)))) == 1
