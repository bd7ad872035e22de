"""A prompt as the message lists that chat APIs take: plain dictionaries, no vendor's package."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from agentjournal.errors import Fault, InputError
from agentjournal.journal.breakpoints import breakpoints
from agentjournal.journal.dialect import CHAT_DIALECTS, ChatDialect, unknown_dialect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from agentjournal.journal.breakpoints import Rule
    from agentjournal.journal.segment import Segment

Json = dict[str, object]

_RULES: dict[ChatDialect, Rule] = {
    "openai-chat": "exact",
    "openai-responses": "exact",
    "anthropic": "look back",
}
_MARKS: dict[ChatDialect, tuple[str, Json]] = {
    "openai-chat": ("prompt_cache_breakpoint", {"mode": "explicit"}),
    "openai-responses": ("prompt_cache_breakpoint", {"mode": "explicit"}),
    "anthropic": ("cache_control", {"type": "ephemeral"}),
}


def chat_body(
    dialect: ChatDialect,
    segments: Sequence[Segment],
    tail: str,
    *,
    marks: bool,
    earlier: Sequence[Segment] = (),
) -> Json:
    """Give the part of a request body that holds the prompt, ready to be merged with the rest.

    Each segment is a block of its own, the tail is the last one and never marked; joined, the
    blocks' texts are the prompt's text. Blank ones stand in front of the next: Anthropic refuses a
    block that shows nothing.

    Raises:
        InputError: the dialect is unknown, or there is neither memory nor a tail.
    """
    if dialect not in CHAT_DIALECTS:
        raise unknown_dialect(dialect)
    segments, before = _shown(segments)
    tail = before + tail if tail else ""
    head = [segment for segment in segments if segment.kind == "preamble"]
    if len(head) == len(segments) and not tail:
        raise _nothing_to_say()
    marked: frozenset[int] = frozenset()
    if marks and dialect in _RULES:
        marked = breakpoints(segments, _RULES[dialect], _shown(earlier)[0])
    texts = [(segment.text, place in marked) for place, segment in enumerate(segments)]
    system, user = texts[: len(head)], [*texts[len(head) :], *([(tail, False)] if tail else [])]
    match dialect:
        case "openai-chat":
            return {"messages": _messages(dialect, "text", system, user), **_options(marked)}
        case "openai-responses":
            return {"input": _messages(dialect, "input_text", system, user), **_options(marked)}
        case "anthropic":
            above: Json = {"system": _blocks(dialect, "text", system)} if system else {}
            return {**above, "messages": _messages(dialect, "text", [], user)}
        case "deepseek":
            return {"messages": _one_each("system", system) + _one_each("user", user)}
        case _:
            assert_never(dialect)


def _shown(segments: Sequence[Segment]) -> tuple[list[Segment], str]:
    """Give the segments that are not blank, and what blank text is left behind the last."""
    shown: list[Segment] = []
    blank = ""
    for segment in segments:
        text = blank + segment.text
        if text.strip():
            shown.append(replace(segment, text=text))
            blank = ""
        else:
            blank = text
    return shown, blank


Texts = list[tuple[str, bool]]


def _messages(dialect: ChatDialect, kind: str, system: Texts, user: Texts) -> list[Json]:
    return [
        {"role": role, "content": _blocks(dialect, kind, texts)}
        for role, texts in (("system", system), ("user", user))
        if texts
    ]


def _options(marked: frozenset[int]) -> Json:
    """Keep all four writes: one would go to the newest message otherwise, the tail included."""
    return {"prompt_cache_options": {"mode": "explicit"}} if marked else {}


def _one_each(role: str, texts: Texts) -> list[Json]:
    """A message for each segment: DeepSeek keeps prefixes that end where a user's input ends."""
    return [{"role": role, "content": text} for text, _ in texts]


def _blocks(dialect: ChatDialect, kind: str, texts: Texts) -> list[Json]:
    name, mark = _MARKS[dialect]
    return [
        {"type": kind, "text": text, **({name: dict(mark)} if is_marked else {})}
        for text, is_marked in texts
    ]


def _nothing_to_say() -> InputError:
    fault = Fault(
        field="prompt",
        rule="memory or a tail below the preamble",
        got="neither",
        remedy="Give a journal, or a tail.",
    )
    return InputError("A chat needs something that a user says.", faults=(fault,))
