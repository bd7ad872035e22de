from __future__ import annotations

import pytest

from agentjournal.config.flag import parse_flag
from agentjournal.errors import ConfigurationError


@pytest.mark.parametrize("word", ["1", "true", "YES", "On", " on "])
def test_these_words_mean_yes(word: str) -> None:
    assert parse_flag("AGENTJOURNAL_X", word) is True


@pytest.mark.parametrize("word", ["0", "False", "no", "OFF"])
def test_these_words_mean_no(word: str) -> None:
    assert parse_flag("AGENTJOURNAL_X", word) is False


@pytest.mark.parametrize("word", ["", "2", "y", "enabled", "truе"])  # noqa: RUF001 - a Cyrillic e
def test_anything_else_is_refused_by_the_settings_name(word: str) -> None:
    with pytest.raises(ConfigurationError, match="AGENTJOURNAL_X") as refusal:
        parse_flag("AGENTJOURNAL_X", word)
    assert "true" in refusal.value.next
