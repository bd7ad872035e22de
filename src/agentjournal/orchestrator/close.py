"""Write a closing step now, or keep it in the spool until the store takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, cast

from agentjournal.errors import InputError, NotFoundError, StoreError
from agentjournal.execution.closing import close_attempt
from agentjournal.execution.ending import Ending, text_of
from agentjournal.text.redact import redact, redact_value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from agentjournal.execution.contract import Source
    from agentjournal.execution.ending import Written
    from agentjournal.execution.logged import Logged
    from agentjournal.log.log import Log
    from agentjournal.orchestrator.workshop import Workshop
    from agentjournal.system.spool import Spool

__all__ = ["Closed", "close_or_spool", "take_spooled"]


@dataclass(frozen=True, kw_only=True)
class Closed:
    """The close as the log has it; None while it waits in the spool, and why it does."""

    logged: Logged | None
    waits_because: str = ""


def close_or_spool(
    shop: Workshop,
    ending: Ending,
    written: Written,
    *,
    source: Source = "file",
    blobs: Mapping[str, str] | None = None,
) -> Closed:
    """Close the attempt; where the store cannot take it now, spool the close: nothing is lost.

    `blobs` are those of the working tree, for options that a changed file may reopen.
    """
    try:
        logged = close_attempt(
            shop.log, ending, written, source=source, new_id=shop.new_id, blobs=blobs
        )
        return Closed(logged=logged)
    except StoreError as error:
        shop.spool.append(_line(ending, written))
        return Closed(logged=None, waits_because=error.message)


def _line(ending: Ending, written: Written) -> Mapping[str, object]:
    """Write a close as a line of the spool: no token, no secret, and nothing that it cannot hold."""
    if isinstance(written, Mapping):
        told = {name: value for name, value in written.items() if name != "attempt"}
        clean, _ = redact_value(told)  # before quotes are escaped, which would hide a secret
        written = cast("Mapping[str, object]", clean)
    ended = asdict(ending) | {"output": _storable(ending.output)}
    return {
        "v": 1,
        "type": "close",
        "ending": {name: value for name, value in ended.items() if value is not None},
        "written": None if written is None else _storable(text_of(written)),
    }


def _storable(text: str) -> str:
    """Take out secrets, and what canonical JSON refuses."""
    return redact(text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()).text


def take_spooled(
    log: Log, spool: Spool, new_id: Callable[[], str]
) -> Callable[[Sequence[Mapping[str, Any]]], None]:
    """Give what stores lines of the spool; each is stored once, however often it comes.

    A line that is no close of ours, or whose project is not in this store, is set aside.
    """

    def take(lines: Sequence[Mapping[str, Any]]) -> None:
        for line in lines:
            try:
                close_attempt(log, Ending(**line["ending"]), line.get("written"), new_id=new_id)
            except (KeyError, TypeError, InputError, NotFoundError):
                spool.set_aside([line])

    return take
