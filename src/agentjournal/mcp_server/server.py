"""The server of the official SDK with our tools and prompts; one thread does the work, call after call."""

from __future__ import annotations

import asyncio
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from agentjournal.errors import AgentJournalError
from agentjournal.mcp_server.field import ArgumentError, read_arguments
from agentjournal.mcp_server.tools import READING, TOOLS, Effect, Tool, instructions

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from agentjournal.mcp_server.prompts import Prompt

__all__ = ["Surface", "make_server"]


@dataclass(frozen=True, kw_only=True)
class Surface:
    """What is served: a function for each tool by name, and the prompts.

    `warm` is done when the client has asked for the tools, before it calls one.
    """

    calls: Mapping[str, Callable[[Mapping[str, Any]], str]]
    prompts: Mapping[str, Prompt]
    version: str
    is_read_only: bool = False
    warm: Callable[[], None] | None = None

    @property
    def tools(self) -> tuple[Tool, ...]:
        """Give the tools that are served."""
        return READING if self.is_read_only else TOOLS


def make_server(surface: Surface) -> Server[Any]:
    """Build the server; it answers any client before the store is looked at."""
    worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="engmem")
    return Server(
        "engmem",
        version=surface.version,
        instructions=instructions(is_read_only=surface.is_read_only),
        on_list_tools=partial(_list_tools, surface, worker),
        on_call_tool=partial(_call_tool, surface, worker),
        on_list_prompts=partial(_list_prompts, surface),
        on_get_prompt=partial(_get_prompt, surface),
    )


async def _list_tools(
    surface: Surface, worker: ThreadPoolExecutor, _context: object, _params: object
) -> types.ListToolsResult:
    if surface.warm is not None:
        worker.submit(surface.warm)
    return types.ListToolsResult(
        tools=[
            types.Tool(
                name=tool.name,
                description=tool.told,
                input_schema=tool.schema,
                annotations=_hints(tool.effect),
            )
            for tool in surface.tools
        ]
    )


def _hints(effect: Effect) -> types.ToolAnnotations:
    """Say what a call does; none of them reaches out of the store, and none destroys."""
    return types.ToolAnnotations(
        read_only_hint=effect == "reads",
        destructive_hint=False,
        idempotent_hint=effect != "adds",
        open_world_hint=False,
    )


async def _call_tool(
    surface: Surface,
    worker: ThreadPoolExecutor,
    _context: object,
    params: types.CallToolRequestParams,
) -> types.CallToolResult:
    tool = _tool(surface, params.name)
    try:
        arguments = read_arguments(tool.fields, params.arguments or {})
        work = partial(surface.calls[tool.name], arguments)
        text = await asyncio.get_running_loop().run_in_executor(worker, work)
    except ArgumentError as error:
        raise _invalid(f"invalid params: {error}") from error
    except AgentJournalError as error:
        return _result(str(error), is_error=True)
    except Exception as error:
        sys.stderr.write(f"engmem-mcp: {params.name}: {error!r}\n")
        raise MCPError(types.INTERNAL_ERROR, f"internal error: {error}") from error
    return _result(text, is_error=False)


async def _list_prompts(
    surface: Surface, _context: object, _params: object
) -> types.ListPromptsResult:
    return types.ListPromptsResult(prompts=[each.listed for each in surface.prompts.values()])


async def _get_prompt(
    surface: Surface, _context: object, params: types.GetPromptRequestParams
) -> types.GetPromptResult:
    prompt = surface.prompts.get(params.name)
    if prompt is None:
        raise _invalid(f"unknown prompt: {params.name!r}")
    text = types.TextContent(type="text", text=prompt.text(params.arguments or {}))
    message = types.PromptMessage(role="user", content=text)
    return types.GetPromptResult(description=prompt.told, messages=[message])


def _tool(surface: Surface, name: str) -> Tool:
    for tool in surface.tools:
        if tool.name == name:
            return tool
    if surface.is_read_only and any(tool.name == name for tool in TOOLS):
        raise _invalid(f"unknown tool: {name!r} \u2014 this server runs with --read-only")
    raise _invalid(f"unknown tool: {name!r}")


def _invalid(message: str) -> MCPError:
    return MCPError(types.INVALID_PARAMS, message)


def _result(text: str, *, is_error: bool) -> types.CallToolResult:
    """Give text only: with structured content beside it two hosts would drop the text."""
    content = types.TextContent(type="text", text=text)
    return types.CallToolResult(content=[content], is_error=is_error)
