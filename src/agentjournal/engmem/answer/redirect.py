"""Where a superseded document leads: its chain of successors, told in one line."""

from __future__ import annotations

from agentjournal.engmem.answer.spelled import ID, spelled
from agentjournal.frozen import frozen
from agentjournal.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from agentjournal.engmem.header import Header

__all__ = ["Redirect", "redirect"]

LONGEST = 8  # successors that are followed


@frozen(kw_only=True)
class Redirect:
    """A superseded document, the documents that follow it, how the chain ends, and at which one.

    `named` are the ids of the chain as documents state them; `chain` those of them that are in the
    store; `end` is the active document at its end, None where there is no such one.
    """

    header: Header
    named: tuple[str, ...]
    chain: tuple[Header, ...]
    ending: str
    end: Header | None

    @property
    def line(self) -> str:
        """Say what took its place."""
        by = f" by {' → '.join(spelled(each, ID) for each in self.named)}" if self.named else ""
        ending = f" ({self.ending})" if self.ending else ""
        return f"{spelled(self.header.id, ID)}: superseded{by}{ending}"


def redirect(header: Header, known: Callable[[str], Header | None]) -> Redirect:
    """Follow a superseded document to the one that is in force."""
    named: list[str] = []
    chain: list[Header] = []
    here, ending = header, ""
    while here.status == "superseded":
        following = here.superseded_by
        if not following:
            ending = (
                "itself superseded, no successor recorded" if named else "no successor recorded"
            )
        elif following == header.id or following in named:
            ending = f"the chain loops back to {spelled(following, ID)}"
            named += [following] if not named else []
        elif len(named) == LONGEST:
            ending = "the chain goes on"
        else:
            named.append(following)
            found = known(following)
            ending = "" if found else "successor not in store"
            if found:
                here = found
                chain.append(found)
                continue
        break
    if here.status == "draft":
        ending = "successor is still a draft"
    return Redirect(
        header=header,
        named=tuple(named),
        chain=tuple(chain),
        ending=ending,
        end=here if here.status == "active" and here is not header else None,
    )
