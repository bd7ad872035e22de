"""Asks an engine over chat completions, whole or streamed."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.agentloop.assembled import Assembled, message_of
from agentjournal.agentloop.message import Message, Reply
from agentjournal.agentloop.metrics import turn_metrics
from agentjournal.agentloop.overflow import overflow
from agentjournal.errors import ExtraMissingError, ForeignProgramError, InputError
from agentjournal.text.visible import one_line
from agentjournal.usage.normalise import normalise

try:
    import httpx
except ImportError as error:
    raise ExtraMissingError(
        "The agent loop asks engines through httpx, which is not installed.",
        next='Run `pip install "agent-journal[llm]"`.',
    ) from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from agentjournal.usage.observer import Observer
    from agentjournal.usage.record import Usage

__all__ = ["ChatClient"]

_ANSWER_BYTES = 64 * 1024 * 1024
_ERROR_BYTES = 512
_OK = 200


@dataclass(kw_only=True)
class ChatClient:
    """One engine: `endpoint` is its address without `/v1/chat/completions`; `timeout` is in seconds.

    `cache_key` pins the conversation's owner to one replica. `extra` holds further members of every
    request, such as `response_format`. An observer sees every answer's usage.

    Raises:
        InputError: endpoint or model is missing.
    """

    endpoint: str
    model: str
    cache_key: str = ""
    wants_prefix_hit: bool = False
    max_tokens: int = 512
    temperature: float = 0.0
    timeout: float = 900.0
    extra: Mapping[str, object] = field(default_factory=dict)
    is_streaming: bool = False
    on_text: Callable[[str], None] | None = None
    key: str = field(default="", repr=False)
    observer: Observer | None = None
    transport: httpx.BaseTransport | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check what every request needs."""
        self.endpoint = self.endpoint.rstrip("/").removesuffix("/v1")
        if not self.endpoint or not self.model:
            raise InputError(
                "An engine needs an endpoint and a model.",
                next="Give both, like http://127.0.0.1:8080 and the model's name.",
            )

    def complete(
        self, messages: Sequence[Message], tools: list[dict[str, object]] | None = None
    ) -> Reply:
        """Ask once.

        Raises:
            BudgetError: the engine refused the prompt as too long.
            ForeignProgramError: it cannot be reached, answered otherwise, or said nothing.
        """
        url = f"{self.endpoint}/v1/chat/completions"
        try:
            with (
                httpx.Client(transport=self.transport, timeout=self.timeout) as client,
                client.stream(
                    "POST", url, headers=self._headers(), content=self._body(messages, tools)
                ) as response,
            ):
                if response.status_code != _OK:
                    raise _refusal(response.status_code, _text(response))
                return self._streamed(response) if self.is_streaming else self._whole(response)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ForeignProgramError(
                f"{self.endpoint} could not be asked: {one_line(str(error), 200)}.",
                next="Check the endpoint, and that the engine runs.",
            ) from error

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "application/json"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        if self.cache_key:
            headers["X-Flexinfer-Cache-Key"] = self.cache_key
        if self.wants_prefix_hit:
            headers["X-Flexinfer-Want-Prefix-Hit"] = "1"
        return headers

    def _body(self, messages: Sequence[Message], tools: list[dict[str, object]] | None) -> bytes:
        body: dict[str, object] = {
            "model": self.model,
            "messages": [message.body() for message in messages],
        }
        if tools:
            body |= {"tools": tools, "tool_choice": "auto"}
        body |= {
            "max_tokens": self.max_tokens,
            "temperature": self.temperature,
            "stream": self.is_streaming,
        }
        if self.is_streaming:
            body["stream_options"] = {"include_usage": True}
        body |= self.extra
        return json.dumps(body, ensure_ascii=False).encode(errors="replace")

    def _whole(self, response: httpx.Response) -> Reply:
        try:
            body = json.loads(_text(response))
        except (ValueError, RecursionError) as error:
            raise ForeignProgramError(
                "The engine's answer is no JSON.", next="Check what stands at the endpoint."
            ) from error
        message, reason = message_of(body)
        return self._reply(response, message, reason, normalise(body))

    def _streamed(self, response: httpx.Response) -> Reply:
        assembled = Assembled(self.on_text)
        for event in _events(response):
            assembled.take(event)
        message = assembled.message()
        usage = normalise(assembled.fold.body)
        return self._reply(response, message, assembled.finish_reason, usage)

    def _reply(
        self, response: httpx.Response, message: Message, reason: str | None, usage: Usage
    ) -> Reply:
        metrics = turn_metrics(response.headers, usage, reason)
        if self.observer is not None:
            self.observer.observe(usage, requested_model=self.model, lane=f"{self.endpoint}/v1")
        return Reply(
            message=message, metrics=metrics, usage=usage, finish_reason=metrics.finish_reason
        )


def _refusal(status: int, body: str) -> Exception:
    too_long = overflow(status, body)
    if too_long is not None:
        return too_long
    said = one_line(body.encode(errors="replace")[:_ERROR_BYTES].decode("utf-8", "ignore"))
    return ForeignProgramError(
        f"The engine answered {status}: {said or 'nothing'}.",
        next="Check the model and the request.",
    )


def _text(response: httpx.Response) -> str:
    """Read an answer of bounded size."""
    return b"".join(_bounded(response)).decode("utf-8", "replace")


def _bounded(response: httpx.Response) -> Iterator[bytes]:
    size = 0
    for chunk in response.iter_bytes():
        size += len(chunk)
        if size > _ANSWER_BYTES:
            raise ForeignProgramError(
                f"The engine's answer is larger than {_ANSWER_BYTES} bytes.", next="Ask for less."
            )
        yield chunk


def _lines(response: httpx.Response) -> Iterator[str]:
    """Give the lines of a stream of bounded size; only a newline ends one, no other character does."""
    kept = bytearray()
    for chunk in _bounded(response):
        kept += chunk
        if b"\n" in chunk:
            *lines, kept = kept.split(b"\n")
            yield from (line.decode("utf-8", "replace") for line in lines)
    yield kept.decode("utf-8", "replace")


def _events(response: httpx.Response) -> Iterator[dict[str, object]]:
    """Give the events of a stream; an error among them is raised."""
    for line in _lines(response):
        text = line.removeprefix("data:").strip()
        if not line.startswith("data:") or text == "[DONE]":
            continue
        try:
            event = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(event, dict):
            if event.get("error"):
                raise _refusal(400, text)
            yield event
