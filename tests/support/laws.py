"""How many examples a law gets that needs another number than most."""

from __future__ import annotations

from hypothesis import settings


def examples(count: int) -> int:
    """Scale `count`, meant beside the usual hundred, to the profile that runs (tests/conftest.py)."""
    return count * settings.default.max_examples // 100
