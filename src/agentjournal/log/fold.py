"""What turns events into projections: the same fold for live writes, rebuild and verify."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from agentjournal.log.event import Event
    from agentjournal.storage.database import Transaction

__all__ = ["Fold", "Table"]

_WORD = re.compile(r"[a-z][a-z_]*")


@dataclass(frozen=True)
class Table:
    """A projection's table and the columns of its key, which give `verify` its order."""

    name: str
    key: tuple[str, ...]

    def __post_init__(self) -> None:
        """Refuse what is no plain name: these words stand in statements."""
        for word in (self.name, *self.key):
            if not _WORD.fullmatch(word):
                raise ValueError(f"{word!r} is no name of a table or column")


class Fold(Protocol):
    """The one way from events to the rows of some tables.

    It reads and writes its own tables only, never those of the log, and what it writes for a stream
    depends on the events of that stream alone: so folding a stream again gives the same rows.
    """

    name: str
    tables: tuple[Table, ...]

    def apply(self, tx: Transaction, event: Event, /) -> None:
        """Write what the event changes; kinds that it does not know change nothing.

        An event with `hidden` was retracted or redacted later: it keeps its effect on structure
        (counters, what is open or closed) and leaves no text anywhere. The payload of a redacted
        one is its skeleton.
        """
        ...

    def clear(self, tx: Transaction, /) -> None:
        """Delete every row of its tables."""
        ...

    def clear_stream(self, tx: Transaction, stream: str, /) -> None:
        """Delete every row that the events of one stream wrote."""
        ...

    def skeleton(self, kind: str, body: Mapping[str, object], /) -> Mapping[str, object]:
        """Give what a redacted payload keeps: ids and closed words, no free text.

        It holds all that `apply` needs of a hidden event of this kind.
        """
        ...
