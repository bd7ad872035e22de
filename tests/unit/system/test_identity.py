from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from agentjournal.system.identity import attempt_token, uuid7

NOW = datetime(2026, 1, 31, 9, 5, tzinfo=UTC)


@given(st.binary(min_size=10, max_size=10))
def test_an_id_is_a_uuid_of_version_7_with_its_moment_in_front(random: bytes) -> None:
    made = uuid.UUID(uuid7(NOW, lambda _: random))
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert made.int >> 80 == int(NOW.timestamp() * 1000)


@given(st.binary(min_size=10, max_size=10), st.binary(min_size=10, max_size=10))
def test_a_later_millisecond_sorts_later(one: bytes, other: bytes) -> None:
    later = NOW + timedelta(milliseconds=1)
    assert uuid7(NOW, lambda _: one) < uuid7(later, lambda _: other)


def test_all_random_bits_count() -> None:
    made = {uuid7(NOW, lambda _, n=n: (1 << n).to_bytes(10, "big")) for n in range(74)}
    assert len(made) == 74


@given(st.binary(min_size=17, max_size=17))
def test_a_token_has_its_shape(random: bytes) -> None:
    assert re.fullmatch("aj-[a-z2-7]{26}", attempt_token(lambda count: random[:count]))


def test_tokens_of_other_randomness_differ() -> None:
    assert attempt_token(lambda n: b"a" * n) != attempt_token(lambda n: b"b" * n)
