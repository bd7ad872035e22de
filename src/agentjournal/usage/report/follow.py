"""One line for each call as it comes, for `usage watch`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentjournal.text.visible import one_line
from agentjournal.usage.report.render import thousands

if TYPE_CHECKING:
    from agentjournal.usage.call import Call

__all__ = ["call_line"]


def call_line(call: Call) -> str:
    """Give time, who, model, tokens and share of one call."""
    usage = call.usage
    share = (
        "unmeasured" if usage.cached_share is None else f"{usage.cached_share * 100:.1f} % cached"
    )
    who = "/".join(filter(None, (call.subject.component, call.subject.task or call.subject.owner)))
    wrong = f"  ! {'; '.join(usage.violations)}" if usage.violations else ""
    return one_line(
        f"{call.at[11:19]}  {who or '-'}  {call.model or '-'}  in {thousands(usage.input_total)}  "
        f"{share}  out {thousands(usage.output)}{wrong}",
        300,
    )
