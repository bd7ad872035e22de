"""The one reading of a yes or no."""

from __future__ import annotations

from agentjournal.errors import ConfigurationError

__all__ = ["parse_flag"]

_WORDS = {"1": True, "true": True, "yes": True, "on": True} | dict.fromkeys(
    ("0", "false", "no", "off"), False
)


def parse_flag(name: str, text: str) -> bool:
    """Read `1 true yes on` or `0 false no off`, in any case.

    Raises:
        ConfigurationError: anything else; it names the setting.
    """
    try:
        return _WORDS[text.strip().lower()]
    except KeyError:
        raise ConfigurationError(
            f"{name} must be yes or no, and is {text[:80]!r}.",
            next="Use one of 1 true yes on, or 0 false no off.",
        ) from None
