"""The server as the SDK's own client sees it, in this process: tools, prompts, and how calls end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from mcp import Client, MCPError

from agentjournal.errors import NotFoundError
from agentjournal.mcp_server.prompts import all_prompts
from agentjournal.mcp_server.server import Surface, make_server
from agentjournal.mcp_server.tools import READING, TOOLS, instructions
from support import golden

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

MODES = ["auto", "legacy"]


def echo(arguments: Mapping[str, Any]) -> str:
    return json.dumps(arguments, sort_keys=True)


def missing(_: Mapping[str, Any]) -> str:
    raise NotFoundError("no document with id 'x' in the store.", next="Search for it.")


def broken(_: Mapping[str, Any]) -> str:
    raise OSError(28, "No space left on device")


CALLS = {tool.name: echo for tool in TOOLS} | {
    "engmem_read": missing,
    "engmem_create_draft": broken,
}


def ask(question: Callable[[Client], Awaitable[Any]], mode: str = "auto", **more: Any) -> Any:
    """Ask a server one thing, as a client of one era."""
    prompts = all_prompts(lambda: "mode: daily")
    surface = Surface(**{"calls": CALLS, "prompts": prompts, "version": "1", **more})

    async def run() -> Any:
        async with Client(make_server(surface), mode=mode) as client:
            try:
                return await question(client)
            except MCPError as error:
                return error

    answer = anyio.run(run)
    if isinstance(answer, MCPError):
        raise answer
    return answer


def call(name: str, mode: str = "auto", *, is_read_only: bool = False, **arguments: Any) -> Any:
    return ask(lambda client: client.call_tool(name, arguments), mode, is_read_only=is_read_only)


def test_tools_are_told_in_plain_ascii_and_their_text_is_a_decision():
    told = "\n".join(f"{tool.name}\n  {tool.told}\n  {json.dumps(tool.schema)}" for tool in TOOLS)
    assert told.isascii()
    opening = instructions(is_read_only=False)
    assert opening.isascii()
    golden.check("engmem_tools.txt", f"{opening}\n{told}")


@pytest.mark.parametrize("mode", MODES)
def test_all_tools_together_cost_a_session_at_most_eight_kilobytes(mode):
    listed = ask(lambda client: client.list_tools(), mode)
    assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
    sent = listed.model_dump_json(by_alias=True, exclude_none=True)
    assert len(sent) <= 8 * 1024
    for tool in listed.tools:
        assert tool.output_schema is None
        assert tool.annotations.open_world_hint is False
        assert tool.annotations.destructive_hint is False


@pytest.mark.parametrize("mode", MODES)
def test_a_call_answers_with_text_and_nothing_beside_it(mode):
    result = call("engmem_search", mode, query="h\u00e9 \U0001f600", repos=["a"])
    assert not result.is_error
    assert result.structured_content is None
    assert json.loads(result.content[0].text) == {"query": "h\u00e9 \U0001f600", "repos": ["a"]}


@pytest.mark.parametrize("mode", MODES)
def test_what_the_store_refuses_is_a_result_that_the_model_can_act_on(mode):
    result = call("engmem_read", mode, id="x")
    assert result.is_error
    assert result.content[0].text == "no document with id 'x' in the store. Next: Search for it."


@pytest.mark.parametrize(
    ("name", "arguments", "code", "message"),
    [
        ("engmem_search", {}, -32602, "invalid params: 'query' must be a non-empty string"),
        ("engmem_nope", {}, -32602, "unknown tool: 'engmem_nope'"),
        (
            "engmem_create_draft",
            {"id": "a-b", "content": "x"},
            -32603,
            "internal error: [Errno 28]",
        ),
    ],
)
@pytest.mark.parametrize("mode", MODES)
def test_what_breaks_the_contract_is_an_error_of_the_protocol(mode, name, arguments, code, message):
    with pytest.raises(MCPError) as refusal:
        call(name, mode, **arguments)
    assert refusal.value.error.code == code
    assert refusal.value.error.message.startswith(message)


def test_a_server_that_only_reads_names_no_tool_that_it_does_not_offer():
    async def opening(client: Client) -> str:
        return client.instructions or ""

    assert "engmem_read" in ask(opening)
    told = ask(opening, is_read_only=True)
    assert "engmem_search" in told
    assert "engmem_read" not in told


def test_a_server_that_only_reads_offers_the_two_searches():
    listed = ask(lambda client: client.list_tools(), is_read_only=True)
    assert [tool.name for tool in listed.tools] == [tool.name for tool in READING]
    assert not call("engmem_search", is_read_only=True, query="x").is_error
    with pytest.raises(
        MCPError, match=r"unknown tool: 'engmem_read' — this server runs with --read-only"
    ):
        call("engmem_read", is_read_only=True, id="x")


@pytest.mark.parametrize("mode", MODES)
def test_the_templates_are_prompts_below_the_line_of_the_mode(mode):
    listed = ask(lambda client: client.list_prompts(), mode)
    assert [(each.name, each.title) for each in listed.prompts] == [
        ("engmem", "/engmem"),
        ("engmem-save", "/engmem-save"),
        ("engmem-save-quick", "/engmem-save-quick"),
    ]
    task = {"task_description": "cache $ARGUMENTS"}
    got = ask(lambda client: client.get_prompt("engmem", task), mode)
    text = got.messages[0].content.text
    assert text.startswith("mode: daily\n\n# /engmem")
    assert 'Task: "cache $ARGUMENTS"' in text
    assert ask(lambda client: client.get_prompt("engmem-save"), mode).messages
    with pytest.raises(MCPError, match="unknown prompt: 'nope'"):
        ask(lambda client: client.get_prompt("nope"), mode)


def test_the_store_is_opened_when_the_tools_are_asked_for_and_before_one_is_called():
    done = []
    calls = CALLS | {"engmem_search": lambda _: f"after {done}"}

    async def question(client):
        assert done == []
        await client.list_tools()
        return await client.call_tool("engmem_search", {"query": "x"})

    found = ask(question, calls=calls, warm=lambda: done.append("warm"))
    assert found.content[0].text == "after ['warm']"
