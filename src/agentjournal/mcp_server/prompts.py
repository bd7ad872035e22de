"""The ritual's templates as prompts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import mcp_types as types

from agentjournal.engmem.ritual.template import TEMPLATES, body_of, description_of, template

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Prompt", "all_prompts"]

_TASK = "task_description"


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """One template under the name that clients list."""

    name: str
    told: str
    body: str
    mode_line: Callable[[], str]

    @property
    def listed(self) -> types.Prompt:
        """Give the prompt as it stands in a list."""
        task = types.PromptArgument(
            name=_TASK, description="The task, in the user's words.", required=False
        )
        takes = [task] if "$ARGUMENTS" in self.body else []
        title = f"/{self.name}"
        return types.Prompt(name=self.name, title=title, description=self.told, arguments=takes)

    def text(self, arguments: Mapping[str, str]) -> str:
        """Give the body for a task, below the line that names the mode."""
        task = arguments.get(_TASK, "")
        return f"{self.mode_line()}\n\n{self.body.replace('$ARGUMENTS', task)}"


def all_prompts(mode_line: Callable[[], str]) -> dict[str, Prompt]:
    """Make the prompts; how the mode stands is asked when one is fetched."""
    made = {}
    for source, name in TEMPLATES.items():
        text, hyphened = template(source), name.replace(".", "-")
        made[hyphened] = Prompt(
            name=hyphened, told=description_of(text), body=body_of(text), mode_line=mode_line
        )
    return made
