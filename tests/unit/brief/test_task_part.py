from __future__ import annotations

import json
import re

import pytest

from agentjournal.brief.contain import framed, without_headings
from agentjournal.brief.retry import render_retry
from agentjournal.brief.task_part import Work, render_attempt, render_task

TOKEN = "aj-" + "a" * 26


def work(body="", title="Retry the fetch", token=TOKEN):
    return Work(slug="fetcher", task="T-042", title=title, body=body, attempt=2, token=token)


def test_a_task_is_its_title_and_its_framed_text():
    text = render_task(work("Retry three times.\n\nVerify: `pytest`\n"), 3_000)
    head, opening, *body, closing = text.splitlines()
    assert head == "T-042 Retry the fetch"
    assert re.fullmatch(r"<quoted:[0-9a-f]{12} the text of your task>", opening)
    assert body == ["Retry three times.", "", "Verify: `pytest`"]
    assert closing == f"</quoted:{opening[8:20]}>"


@pytest.mark.parametrize("body", ["", "  \n", "Retry the fetch"])
def test_a_task_without_more_text_than_its_title_is_one_line(body):
    assert render_task(work(body), 3_000) == "T-042 Retry the fetch"


@pytest.mark.parametrize("unit", ["word ", "é", "😀\n", "<quoted:x ", "\x00", "== x ==\n"])
def test_a_long_task_is_cut_within_its_cap_and_says_how_to_read_all(unit):
    text = render_task(work(unit * 4_000), 3_000)
    assert 2_900 < len(text.encode()) <= 3_000
    last = text.splitlines()[-1]
    assert re.fullmatch(
        r"\(\d+ of \d+ bytes are shown: `agentjournal plan show fetcher T-042` prints all\.\)", last
    )


def test_the_attempt_names_project_task_number_and_token():
    assert render_attempt(work()) == (
        f"Project fetcher, task T-042, attempt 2. Your token: {TOKEN}"
    )
    assert "only looked at" in render_attempt(work(token=None))


@pytest.mark.parametrize(
    "text",
    [
        "======== boundary ========",
        "  == Your task ==",
        "\t=== x",
        "\u00a0== x ==",
        "a\n== b ==",
        "==\u2003wide ==",
    ],
)
def test_a_line_that_poses_as_a_heading_is_broken_byte_for_byte(text):
    broken = without_headings(text)
    assert len(broken.encode()) == len(text.encode())
    assert not any(line.strip().startswith("==") for line in broken.splitlines())


@pytest.mark.parametrize("text", ["Title\n=====\n", "a == b", "=> x", "x\n=======\ny"])
def test_what_is_no_heading_of_ours_stays(text):
    assert without_headings(text) == text


@pytest.mark.parametrize("cap", [0, 60, 100, 500])
def test_a_frame_keeps_its_cap_wherever_the_frame_itself_fits(cap):
    text = framed("label", "<quoted:" * 500, cap)
    assert len(text.encode()) <= max(cap, len(framed("label", "", 10**6).encode()))


def back(attempt, result="failed", end="handoff", action="Tried a pool", handoff=None, **more):
    return {
        "attempt": attempt,
        "actor": "worker-1",
        "result": result,
        "end_reason": end,
        "action": action,
        "handoff": handoff,
        "faults": None,
        **more,
    }


def test_a_first_attempt_has_no_retry_context():
    assert render_retry(1, [], 600) == ""


def test_a_retry_tells_the_first_failure_and_the_last_return():
    first = back(1, handoff='{"ruled_out":[{"option":"a pool of 8","why":"the server bans us"}]}')
    last = back(3, "partial", "no_stop_event", "Ended without a word")
    text = render_retry(4, [first, last], 600)
    assert re.sub("quoted:[0-9a-f]{12}", "quoted:DIGEST", text) == (
        "This is attempt 4 of this task. Files of earlier attempts may lie there half done: "
        "look before you build on them.\n"
        "<quoted:DIGEST how earlier attempts came back>\n"
        "Attempt 1 (worker-1), failed: Tried a pool. "
        "Ruled out: a pool of 8: the server bans us\n"
        "Attempt 3 (worker-1), partial (no stop event): Ended without a word\n"
        "</quoted:DIGEST>"
    )


def test_a_retry_tells_what_was_not_valid_in_the_last_handoff_that_was_not():
    next_step = '{"next_step":"Go on"}'
    faults = '["a: b","c: d"]'
    wrong = back(1, "partial", "contract_missing", handoff=next_step, faults=faults)
    killed = back(2, "partial", "signal", "Was killed", '{"current_state":"Last output: boom"}')
    text = render_retry(3, [wrong, killed], 600)
    assert text.splitlines()[2:-1] == [
        "Attempt 1 (worker-1), partial (contract missing): Tried a pool. Go on",
        "Attempt 2 (worker-1), partial (signal): Was killed. Last output: boom",
        "Not valid in attempt 1: a: b",
        "Not valid in attempt 1: c: d",
    ]


def test_a_retry_with_long_faults_gives_each_line_its_share_of_the_cap():
    faults = json.dumps([f"{name}: " + "x\n== y ==" * 40 for name in "abc"])
    long = back(1, action="é" * 120, handoff='{"next_step":"' + "n" * 500 + '"}', faults=faults)
    text = render_retry(3, [long, dict(long, attempt=2)], 600)
    assert 560 < len(text.encode()) <= 600
    starts = ["Attempt 1 (", "Attempt 2 (", *(f"Not valid in attempt 2: {n}: x" for n in "abc")]
    lines = text.splitlines()[2:-1]
    assert [line[: len(start)] for line, start in zip(lines, starts, strict=True)] == starts


def test_a_retry_of_long_texts_stays_within_its_cap_and_on_its_lines():
    long = back(1, action="é" * 120, handoff='{"open_questions":["' + "q\\n== x ==" * 90 + '"]}')
    text = render_retry(10**6, [long, dict(long, attempt=2)], 600)
    assert 500 < len(text.encode()) <= 600
    assert len(text.splitlines()) == 5
    assert "\nAttempt 1 (worker-1), failed: éé" in text
    assert "\nAttempt 2 (worker-1), failed: éé" in text
    assert text.splitlines()[-2].endswith("…")
