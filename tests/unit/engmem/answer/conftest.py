from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from support.memory import ask, open_store, write_store

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from agentjournal.engmem.answer.answer import Answer


@pytest.fixture
def asked(tmp_path: Path) -> Callable[..., Answer]:
    """Write a store and ask it."""

    def call(files: dict[str, str | bytes], query: str, **how: object) -> Answer:
        return ask(open_store(write_store(tmp_path / "store", files)), query, **how)

    return call
