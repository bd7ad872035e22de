from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentjournal.errors import InputError
from agentjournal.system.clock import SystemClock, parse_timestamp, read_moment, timestamp

MOMENTS = st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(MOMENTS)
def test_a_timestamp_reads_back_as_the_same_moment(moment: datetime) -> None:
    assert parse_timestamp(timestamp(moment)) == moment


@given(MOMENTS, MOMENTS)
def test_timestamps_sort_as_their_moments(one: datetime, other: datetime) -> None:
    assert (timestamp(one) < timestamp(other)) == (one < other)


def test_a_timestamp_is_in_utc_with_six_digits() -> None:
    moment = datetime(2026, 1, 31, 23, 5, tzinfo=timezone(timedelta(hours=-2)))
    assert timestamp(moment) == "2026-02-01T01:05:00.000000Z"


def test_a_moment_without_its_zone_is_refused() -> None:
    with pytest.raises(InputError, match="time"):
        timestamp(datetime(2026, 1, 31))  # noqa: DTZ001


OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))


@given(st.datetimes(timezones=OFFSETS | st.none()))
@example(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))))
@example(datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-14))))
def test_any_moment_of_others_is_in_utc_or_none_of_ours(moment: datetime) -> None:
    read = read_moment(moment.isoformat())
    if read is None:
        assert moment.year in {1, 9999}
    else:
        assert read.utcoffset() == timedelta(0)
        assert read == (moment if moment.tzinfo else moment.replace(tzinfo=UTC))


@pytest.mark.parametrize("text", ["", "noon", "2026-02-30", "10000-01-01T00:00:00Z"])
def test_what_is_no_moment_is_none(text: str) -> None:
    assert read_moment(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-31T09:05:00Z",
        "2026-01-31 09:05:00.000000Z",
        "2026-02-30T09:05:00.000000Z",
        "2026-01-31T09:05:00.000000Z\n",
        "٢٠٢٦-01-31T09:05:00.000000Z",
        "",
    ],
)
def test_any_other_spelling_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        parse_timestamp(text)


def test_the_systems_clock_is_aware_and_goes_forward() -> None:
    clock = SystemClock()
    assert clock.now().utcoffset() == timedelta(0)
    first = clock.monotonic()
    assert clock.monotonic() >= first
