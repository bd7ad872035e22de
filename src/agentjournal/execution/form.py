"""The form that a worker or person fills in, and reading it back: JSON, YAML or a fenced block."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, get_args

from agentjournal.errors import Fault, InputError
from agentjournal.execution.form_yaml import read_yaml
from agentjournal.execution.rules import described
from agentjournal.execution.step import Result
from agentjournal.text.bounded import size
from agentjournal.text.canonical import parse_json

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "FORM_BYTES",
    "form",
    "handoff_blocks",
    "read_form",
]

FORM_BYTES = 128 * 1024

_OPENING = re.compile(r" {0,3}(?P<fence>`{3,}|~{3,})[ \t]*handoff[ \t]*")
_STATE = {
    "success": "what is true now",
    "failed": "what is true now, what was tried",
    "partial": "what is done and what is not",
    "gated": "what is true now",
    "skipped": "why it was skipped",
}
_NEXT = {
    "failed": "what to try instead",
    "partial": "where to go on",
    "gated": "what a person must decide",
}
_RULED_OUT = """\
ruled_out:             # required: this or open_questions; at most 12
  - option:            # at most 200 characters
    why:               # at most 400 characters
    # reopen_if:       # library NAME >= VERSION, date YYYY-MM-DD, path GLOB changes, or words
"""
_GATE = """\
gate_events:           # required: what was asked or denied
  - category:          # outside_project privilege network_config secrets destructive_data
                       # git_beyond_branch dependency_change cross_service
    operation:
    decision: ask      # ask, deny, in_scope
    why:
"""
_REST = """\
# Where there is more to say:
# goal:                # the task's title where left out
# decisions: [{point: , options: [ , ], chosen: , why: , would_gate: }]
# reused: [{document: , quote: , impact: }]
# open_questions: []
# touches: [{kind: file, name: src/module.py}]
# artifacts: [{kind: commit, ref: , note: }]
# token_usage: {input_tokens: , output_tokens: }
# log: |
#   free text, at most 64 KiB
"""


def form(result: str) -> str:
    """Give the form for a result as YAML: what it needs stands open, the rest is commented out.

    Raises:
        InputError: no such result.
    """
    words = get_args(Result)
    if result not in words:
        remedy = f"Use one of: {', '.join(words)}."
        fault = Fault(
            field="result", rule="is one known word", got=described(result), remedy=remedy
        )
        raise InputError("There is no form for this result.", faults=(fault,))
    lines = [f"result: {result}", "action:                # one line that begins with a verb"]
    lines.append(f"current_state:         # required: {_STATE[result]}")
    if result in _NEXT:
        lines.append(f"next_step:             # required: {_NEXT[result]}")
    special = {"failed": _RULED_OUT, "gated": _GATE}.get(result, "")
    optional = "" if result == "failed" else "# ruled_out: [{option: , why: , reopen_if: }]\n"
    return (
        "\n".join(lines) + "\n" + special + _REST.replace("# decisions", optional + "# decisions")
    )


def read_form(text: str) -> Mapping[str, object]:
    """Read one flat object from JSON, YAML, or the last fenced `handoff` block that the text holds.

    Raises:
        InputError: too large, not readable, or no object.
    """
    blocks = handoff_blocks(text)
    body = blocks[-1] if blocks else text
    if (given := size(body)) > FORM_BYTES:
        rule = f"at most {FORM_BYTES} bytes"
        remedy = "Shorten `log`; name the whole as an artifact."
        fault = Fault(field="(whole form)", rule=rule, got=f"{given} bytes", remedy=remedy)
        raise InputError("The form is too large.", faults=(fault,))
    value = parse_json(body) if body.lstrip().startswith(("{", "[")) else read_yaml(body)
    if not isinstance(value, dict):
        remedy = "Begin with `result:`; see agentjournal log --form RESULT."
        fault = Fault(
            field="(whole form)", rule="is one flat object", got=described(value), remedy=remedy
        )
        raise InputError("The form is no object.", faults=(fault,))
    return value


def handoff_blocks(text: str) -> tuple[str, ...]:
    """Give the content of every closed fenced block marked `handoff`, in order."""
    blocks: list[str] = []
    fence, held = "", list[str]()
    for line in text.replace("\r\n", "\n").split("\n"):
        if not fence:
            if opened := _OPENING.fullmatch(line):
                fence, held = opened["fence"], []
        elif _closes(line, fence):
            blocks.append("\n".join(held))
            fence = ""
        else:
            held.append(line)
    return tuple(blocks)


def _closes(line: str, fence: str) -> bool:
    bare = line.strip()
    return len(bare) >= len(fence) and set(bare) == {fence[0]}
