from __future__ import annotations

import pytest

from agentjournal import InputError, scan_volatile


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("it is 10:31:02 now", "clock"),
        ("at 2026-11-30T19:32:00.123456Z", "clock"),
        ("2026-11-30 19:32:00+01:00", "clock"),
        ("meet at 7:05 pm", "clock"),
        ("It is 10:31. What next?", "clock"),
        ("Current time: 9:05", "clock"),
        ("now=23:59, go", "clock"),
        ("at 2026-11-30T19:32Z", "clock"),
        ("2026-11-30 19:32, Monday", "clock"),
        ("ts=1764500000", "clock"),
        ("ts=1764500000123", "clock"),
        ("id 0190a7b4-7c1d-7abc-8def-0123456789ab", "uuid"),
        ("turn 14 of 30", "counter"),
        ("Step 3/10", "counter"),
        ("3 messages left", "counter"),
        ("12 remaining", "counter"),
        ("you used 1,234 tokens", "tokens"),
        ("prompt_tokens=801", "tokens"),
        ('"input_tokens": 801', "tokens"),
        ("attempt 2 of 3", "retry"),
        ("retry #2", "retry"),
        ("retries: 1", "retry"),
        ('{"name": 1, "arguments": 2}', "key order"),
    ],
)
def test_what_changes_by_itself_is_found(text, kind):
    assert [found.kind for found in scan_volatile(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Decided on 2024-03-01 to keep it.",
        "[3] T-042 failed (attempt 2, worker-3): tried a queue. Ruled out: polling",
        "ratio 16:9, at 3:1, port 127.0.0.1:8080",
        "runtime 12:30, file.py:12:30, the odds now 3:1, at noon 12:00",
        "commit 0190a7b47c1d7abc8def0123456789ab01234567",
        '{"arguments": {"b": 1}, "name": {"a": 2}}',
        "section 2.1 of 3 parts",
        "std::chrono::seconds, a::b::c",
    ],
)
def test_what_stays_is_left_alone(text):
    assert scan_volatile(text) == []


def test_a_finding_says_where_it_is_in_bytes_and_lines():
    found = scan_volatile("é\nzwölf: turn 14 of 30\nat 10:31:02")
    assert [(f.at, f.line, f.text, f.reason) for f in found] == [
        (11, 2, "turn 14 of 30", "a counter"),
        (28, 3, "10:31:02", "a clock time"),
    ]


def test_with_a_day_that_date_is_found_and_another_days_time_is_history():
    text = "2026-11-30, 2026-11-29T10:00:00Z and 2026-11-30T11:00:00Z"
    found = scan_volatile(text, today="2026-11-30")
    assert [(f.at, f.kind) for f in found] == [(0, "date"), (37, "clock")]


@pytest.mark.parametrize("unit", ['"\\', '{"a":', "1 ", "turn 1 ", "a" * 7 + "-", "1:"])
def test_hostile_text_does_not_stall_the_scan(unit):
    scan_volatile(unit * (200_000 // len(unit)))


@pytest.mark.parametrize(
    "text", ["2026-11-30", "2026/11/30", "Nov 30, 2026", "November 30th, 2026", "30 Nov. 2026"]
)
def test_today_is_found_as_people_write_it(text):
    (found,) = scan_volatile(f"Today is {text}, a Monday.", today="2026-11-30")
    assert (found.kind, found.text) == ("date", text)


@pytest.mark.parametrize("text", ["2026-11-29", "Nov 3, 2026", "30 October 2026", "Nov 30, 2025"])
def test_another_day_is_history(text):
    assert scan_volatile(f"It began on {text}.", today="2026-11-30") == []


def test_a_count_of_tokens_is_found_where_the_number_comes_last():
    assert [found.kind for found in scan_volatile("Tokens remaining: 4000")] == ["tokens"]


@pytest.mark.parametrize("today", ["", "today", "2026-13-01", "30.11.2026"])
def test_what_is_no_day_is_refused(today):
    with pytest.raises(InputError, match="a day as YYYY-MM-DD"):
        scan_volatile("2026-11-30", today=today)


def test_a_day_written_short_is_the_same_day():
    assert len(scan_volatile("It is 2026-03-01.", today="2026-3-1")) == 1
