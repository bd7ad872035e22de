"""What a call cost, where a dated table knows its model; unknown stays unknown."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.errors import ConfigurationError
from agentjournal.storage.statement import package_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from agentjournal.usage.record import Usage

__all__ = ["Price", "Prices", "load_prices"]

_VENDOR = re.compile(r"^(?:.*/)?(?:[a-z]{2,6}\.)?(?:anthropic\.|openai\.)?")
_VERSION = re.compile(r"(?:[-@]20\d{2}-?\d{2}-?\d{2})?(?:-v\d+(?::\d+)?)?(?:-latest)?$")
_NEEDED = ("input", "output")
_OPTIONAL = ("cache_read", "cache_write", "cache_write_1h")
_MILLION = 1_000_000
_HIGHEST = 1_000_000_000  # what is above, such as inf, is no price


@dataclass(frozen=True, kw_only=True)
class Price:
    """US dollars per million tokens; what is not listed costs as much as plain input."""

    model: str
    as_of: str
    input: float
    output: float
    cache_read: float
    cache_write: float
    cache_write_1h: float

    def of(self, usage: Usage) -> float | None:
        """Give the cost of one call in dollars, None where its counts do not say enough."""
        if usage.uncached is None or usage.output is None or usage.cache_read is None:
            return None
        written, long = usage.cache_write or 0, usage.cache_write_1h or 0
        total = (
            usage.uncached * self.input
            + usage.cache_read * self.cache_read
            + (written - long) * self.cache_write
            + long * self.cache_write_1h
            + usage.output * self.output
        )
        return total / _MILLION


@dataclass(frozen=True)
class Prices:
    """A table of prices by model."""

    by_model: Mapping[str, Price] = field(default_factory=dict)
    as_of: str = ""

    def of(self, model: str) -> Price | None:
        """Give the price of a model, also behind a vendor's prefix or with a date; never a near name's."""
        name = model.strip().lower()
        bare = _VENDOR.sub("", name)
        names = (name, bare, _VERSION.sub("", bare))
        return next((self.by_model[each] for each in names if each in self.by_model), None)


def load_prices(own: Path | None = None) -> Prices:
    """Read the table that comes with the package, and the user's own over it.

    Raises:
        ConfigurationError: the user's table cannot be read; the message names the place.
    """
    shipped = _read(package_folder(__package__) / "prices.toml")
    if own is None:
        return shipped
    mine = _read(own)
    return Prices({**shipped.by_model, **mine.by_model}, mine.as_of or shipped.as_of)


def _read(path: Path) -> Prices:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigurationError(
            f"The price table {path} cannot be read: {error}.",
            next="Give TOML with [[price]] tables, like the one that comes with the package.",
        ) from error
    entries = table.get("price", [])
    as_of = str(table.get("as_of", ""))
    rows = entries if isinstance(entries, list) else [entries]
    prices = [_price(row, place, path, as_of) for place, row in enumerate(rows, 1)]
    return Prices({price.model: price for price in prices}, as_of)


def _price(row: object, place: int, path: Path, as_of: str) -> Price:
    values = row if isinstance(row, dict) else {}
    numbers = {
        name: float(value)
        for name, value in values.items()
        if name in (*_NEEDED, *_OPTIONAL) and _is_price(value)
    }
    model = values.get("model")
    given = [name for name in (*_NEEDED, *_OPTIONAL) if name in values]
    if not isinstance(model, str) or not {*_NEEDED, *given} <= numbers.keys():
        raise ConfigurationError(
            f"Entry {place} of the price table {path} is wrong: {model!r}.",
            next="Give model, input and output, prices as numbers from 0.",
        )
    filled = {name: numbers.get(name, numbers["input"]) for name in _OPTIONAL}
    return Price(
        model=model.strip().lower(),
        as_of=str(values.get("as_of", as_of)),
        input=numbers["input"],
        output=numbers["output"],
        **filled,
    )


def _is_price(value: object) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return 0 <= value <= _HIGHEST
