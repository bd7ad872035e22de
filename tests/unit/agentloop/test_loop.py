"""The loop: it extends, it stops in time, and a tool's failure is something that the model reads."""

from __future__ import annotations

import itertools
import json
import threading

import pytest

from agentjournal import is_cache_safe, open_journal
from agentjournal.agentloop import (
    Budget,
    BudgetError,
    Conversation,
    Loop,
    LoopError,
    Message,
    Registry,
    Reply,
    Tool,
    ToolCall,
    TurnMetrics,
)
from agentjournal.agentloop.memory import Memory
from agentjournal.errors import InputError, NotFoundError


def reply(text="", *calls, prompt_tokens=0, reason=None):
    message = Message(role="assistant", content=text, tool_calls=calls)
    return Reply(
        message=message, metrics=TurnMetrics(prompt_tokens=prompt_tokens, finish_reason=reason)
    )


def call(name, number=1, **arguments):
    return ToolCall(id=f"c{number}", name=name, arguments=json.dumps(arguments))


class Scripted:
    """An engine that gives its answers in turn; an error among them is raised."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.requests = []
        self.tools = []

    def complete(self, messages, tools):
        self.requests.append([message.body() for message in messages])
        self.tools.append(tools)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def echo(given):
    return f"echo {given['text']}"


def fails(_):
    raise RuntimeError("broken pipe")


ECHO = Tool(name="echo", description="Say it again.", parameters={"type": "object"}, run=echo)
FAILS = Tool(name="fails", description="Fail.", parameters={}, run=fails)
REGISTRY = Registry([ECHO, FAILS])


def test_a_tool_is_run_and_the_answer_is_final():
    engine = Scripted(reply("", call("echo", text="hi")), reply("done", reason="stop"))
    seen = []
    result = Loop(client=engine, registry=REGISTRY, on_round=seen.append).run(
        Conversation("You help."), "go"
    )
    assert (result.answer, result.stopped, result.finish_reason) == ("done", "final", "stop")
    [run] = result.rounds[0].tool_calls
    assert (run.name, run.result, run.error) == ("echo", "echo hi", None)
    assert [(each.round, each.final) for each in seen] == [(1, False), (2, True)]
    assert engine.requests[1][-1] == {
        "role": "tool",
        "content": "echo hi",
        "name": "echo",
        "tool_call_id": "c1",
    }


def test_each_request_extends_the_one_before_and_the_tools_never_move():
    engine = Scripted(*[reply("", call("echo", n, text=str(n))) for n in range(5)], reply("end"))
    Loop(client=engine, registry=REGISTRY).run(Conversation("You help."), "go")
    for earlier, later in zip(engine.requests, engine.requests[1:], strict=False):
        assert later[: len(earlier)] == earlier
        assert len(later) > len(earlier)
    names = [[tool["function"]["name"] for tool in tools] for tools in engine.tools]
    assert names == [["echo", "fails"]] * 6


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (call("fails"), "tool error: RuntimeError: broken pipe"),
        (call("nothing"), "tool error: There is no tool 'nothing'."),
        (ToolCall(id="x", name="echo", arguments="{half"), "tool error: The arguments are no JSON"),
        (ToolCall(id="x", name="echo", arguments="[]"), "tool error: The arguments are no object."),
        (ToolCall(id="x", name="echo", arguments=""), "tool error: KeyError: 'text'"),
    ],
)
def test_a_failing_tool_is_something_the_model_reads(asked, told):
    engine = Scripted(reply("", asked), reply("well"))
    result = Loop(client=engine, registry=REGISTRY).run(Conversation(), "go")
    assert result.stopped == "final"
    assert engine.requests[1][-1]["content"].startswith(told)
    assert result.rounds[0].tool_calls[0].error


def test_without_a_registry_every_call_is_an_error_and_no_tools_are_sent():
    engine = Scripted(reply("", call("echo", text="x")), reply("well"))
    Loop(client=engine).run(Conversation(), "go")
    assert engine.tools == [None, None]
    assert engine.requests[1][-1]["content"].startswith("tool error: There are no tools here.")


def test_the_one_hook_may_refuse_a_call():
    engine = Scripted(reply("", call("echo", text="x")), reply("well"))
    loop = Loop(client=engine, registry=REGISTRY, before_tool=lambda asked: f"not {asked.name}")
    loop.run(Conversation(), "go")
    assert engine.requests[1][-1]["content"] == "tool error: not echo"


def test_a_tool_that_takes_too_long_is_left_to_itself():
    gate = threading.Event()
    slow = Tool(name="slow", description="", parameters={}, run=lambda _: str(gate.wait(60)))
    engine = Scripted(reply("", call("slow")), reply("well"))
    result = Loop(client=engine, registry=Registry([slow]), tool_timeout=0.05).run(
        Conversation(), "go"
    )
    gate.set()
    assert "did not answer within 0.05 s" in result.rounds[0].tool_calls[0].error


def test_within_its_time_a_tools_result_and_error_come_through():
    engine = Scripted(reply("", call("echo", text="x"), call("fails", 2)), reply("well"))
    result = Loop(client=engine, registry=REGISTRY, tool_timeout=30).run(Conversation(), "go")
    first, second = result.rounds[0].tool_calls
    assert first.result == "echo x"
    assert second.error == "RuntimeError: broken pipe"


def test_after_the_last_round_there_is_no_answer():
    engine = Scripted(*[reply("", call("echo", text="x")) for _ in range(2)])
    result = Loop(client=engine, registry=REGISTRY, max_rounds=2).run(Conversation(), "go")
    assert (result.answer, result.stopped, len(result.rounds)) == ("", "max_rounds", 2)


def test_an_engine_that_refuses_the_prompt_is_a_clean_stop():
    engine = Scripted(reply("", call("echo", text="x")), BudgetError("too long"))
    result = Loop(client=engine, registry=REGISTRY).run(Conversation(), "go")
    assert (result.stopped, len(result.rounds)) == ("budget", 1)


def test_the_measured_prompt_stops_the_loop_after_its_round():
    engine = Scripted(reply("", call("echo", text="x"), prompt_tokens=801))
    budget = Budget(max_model_len=1000, output_reserve=200)
    result = Loop(client=engine, registry=REGISTRY, budget=budget).run(Conversation(), "go")
    assert (result.stopped, len(result.rounds)) == ("budget", 1)


def test_a_final_turn_is_never_stopped():
    engine = Scripted(reply("done", prompt_tokens=5000))
    result = Loop(client=engine, budget=Budget(max_model_len=1000)).run(Conversation(), "go")
    assert result.stopped == "final"


def test_a_large_result_stops_before_it_is_sent():
    large = Tool(name="large", description="", parameters={}, run=lambda _: "x" * 8000)
    engine = Scripted(reply("", call("large"), prompt_tokens=100))
    loop = Loop(client=engine, registry=Registry([large]), budget=Budget(max_model_len=1500))
    assert loop.run(Conversation(), "go").stopped == "budget"
    assert len(engine.requests) == 1


def test_the_system_text_counts_before_the_first_request():
    engine = Scripted()
    loop = Loop(client=engine, budget=Budget(max_model_len=1000))
    result = loop.run(Conversation("s" * 8000), "go")
    assert (result.stopped, result.rounds, engine.requests) == ("budget", (), [])


@pytest.mark.parametrize("rounds", [0, -1])
def test_no_rounds_are_refused_before_anything_is_appended(rounds):
    conversation = Conversation()
    with pytest.raises(InputError):
        Loop(client=Scripted(), max_rounds=rounds).run(conversation, "go")
    assert conversation.rounds == 0


def test_a_window_that_the_reserve_fills_is_refused():
    conversation = Conversation()
    budget = Budget(max_model_len=100, output_reserve=200)
    with pytest.raises(InputError, match="leaves nothing to ask"):
        Loop(client=Scripted(), budget=budget).run(conversation, "go")
    assert conversation.rounds == 0


def test_a_failing_round_is_told_with_what_came_before():
    engine = Scripted(reply("", call("echo", text="x")), ValueError("odd"))
    with pytest.raises(LoopError, match="round 2: odd") as caught:
        Loop(client=engine, registry=REGISTRY).run(Conversation(), "go")
    assert len(caught.value.result.rounds) == 1
    assert isinstance(caught.value.__cause__, ValueError)


def test_the_result_is_data():
    engine = Scripted(reply("", call("echo", text="x")), reply("done", reason="stop"))
    data = Loop(client=engine, registry=REGISTRY).run(Conversation(), "go").data()
    assert list(data) == ["answer", "stopped", "rounds", "finish_reason"]
    assert data["rounds"][1] == {
        "round": 2,
        "metrics": {"upstream_ms": 0, "prompt_tokens": 0, "finish_reason": "stop"},
        "final": True,
    }
    json.dumps(data)


def test_a_conversation_gives_copies():
    conversation = Conversation("", [Message(role="user", content="a")])
    conversation.messages().clear()
    conversation.history().clear()
    assert conversation.messages() == [Message(role="user", content="a")]
    assert conversation.rounds == 1


@pytest.mark.parametrize("names", [("a", "a"), ("",)])
def test_tools_need_names_of_their_own(names):
    with pytest.raises(InputError):
        Registry([Tool(name=name, description="", parameters={}, run=echo) for name in names])


def test_no_tools_are_no_definitions():
    assert Registry().definitions() is None
    with pytest.raises(NotFoundError):
        Registry().tool("x")


def session(path, number, answer):
    """Run one session as a process of its own would: give the system text that it began with."""
    with open_journal("agent/shop/worker", database=str(path)) as kept:
        memory = Memory(kept)
        text = memory.system("You help.")
        engine = Scripted(reply(answer))
        result = Loop(client=engine).run(Conversation(text), f"question {number}")
        memory.remember(f"question {number}", result)
    return text


def test_what_was_lived_is_in_the_next_sessions_system_text_and_only_grows(sqlite_path):
    texts = [session(sqlite_path, n, f"answer {n}") for n in range(4)]
    assert "question 2" in texts[-1]
    assert "You said: answer 0" in texts[-1]
    assert all(is_cache_safe(a, b) for a, b in itertools.pairwise(texts[1:]))


def test_a_memory_stays_within_its_room_and_old_sessions_become_lines(sqlite_path):
    texts = [session(sqlite_path, n, f"answer {n}. {'More of it. ' * 150}") for n in range(24)]
    assert max(len(text.encode()) for text in texts) < 20_000
    assert "Episodic ledger" in texts[-1]
    assert "question 22" in texts[-1]
