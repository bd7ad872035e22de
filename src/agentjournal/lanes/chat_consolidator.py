"""A consolidator that asks a model behind any OpenAI-compatible endpoint."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

from agentjournal.journal.answer import read_answer
from agentjournal.journal.instruction import ANSWER_SCHEMA, extending, standing_alone
from agentjournal.journal.routing import Routing, routing
from agentjournal.lanes.completion import Endpoint, RefusedError, new_client

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import httpx

    from agentjournal.journal.consolidation import (
        Consolidation,
        ConsolidationRequest,
        Consolidator,
    )
    from agentjournal.journal.prompt import Prompt

AnswerFormat = Literal["schema", "object", "plain"]

_FORMATS: tuple[AnswerFormat, ...] = ("schema", "object", "plain")
_UNSUPPORTED = frozenset({400, 404, 415, 422, 501})
_PATH = "/chat/completions"


class ChatConsolidator:
    """Distils by a model; give it to `consolidate`, in the thread that may wait for it.

    A turn never waits for it: `consolidate` holds no lock meanwhile, and whatever fails here leaves
    the journal as it was. `timeout` is that of one attempt, in seconds; there are three. The client
    is the caller's or its own; `close` closes only its own.

    `answer_format` asks for structured output (`schema`, or only an `object`); an endpoint that
    refuses it is asked again without. By default a request that stands alone asks for it and one
    that extends a live prompt does not, since some engines put a schema in front of the prompt,
    which is then another prompt. `extra` adds fields to the body; one that is None is left out.

    >>> from agentjournal import ChatConsolidator
    >>> ask = ChatConsolidator("http://127.0.0.1:8080/v1", "local")
    >>> ask.close()
    """

    def __init__(  # noqa: PLR0913 - each has a default that fits a local engine
        self,
        base_url: str,
        model: str,
        *,
        api_key: str = "",
        timeout: float = 90.0,
        attempts: int = 3,
        max_tokens: int = 2048,
        answer_format: AnswerFormat | None = None,
        dialect: Literal["openai-chat", "deepseek"] = "openai-chat",
        marks: bool = True,
        extra: Mapping[str, object] | None = None,
        route: Callable[[str], Routing] = routing,
        client: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._is_own_client = client is None
        self._client = new_client() if client is None else client
        self._endpoint = Endpoint(
            url=base_url.rstrip("/").removesuffix(_PATH) + _PATH,
            client=self._client,
            key=api_key,
            timeout=timeout,
            attempts=attempts,
            sleep=sleep,
            monotonic=monotonic,
        )
        self._fields = {"model": model, "max_tokens": max_tokens, "stream": False, **(extra or {})}
        self._format = answer_format
        self._dialect: Literal["openai-chat", "deepseek"] = dialect
        self._marks = marks
        self._route = route
        self._refused: frozenset[AnswerFormat] = frozenset()

    def __call__(self, request: ConsolidationRequest) -> Consolidation:
        """Ask with a request that holds the span itself: as dear as the span is long.

        Raises:
            ForeignProgramError: the endpoint did not answer, or refused.
            InputError: what it answered is no consolidation of the span.
        """
        return self._ask(standing_alone(request), request, self._format or "schema")

    def extending(self, prompt: Prompt) -> Consolidator:
        """Give a consolidator that asks below the owner's last prompt, which the engine still has.

        Only the question is new to the engine then. Where that prompt does not hold the span, the
        request stands alone.
        """

        def ask(request: ConsolidationRequest) -> Consolidation:
            live = extending(prompt, request)
            if live is None:
                return self(request)
            return self._ask(live, request, self._format or "plain")

        return ask

    def close(self) -> None:
        """Close the connections that it opened itself."""
        if self._is_own_client:
            self._client.close()

    def _ask(
        self, prompt: Prompt, request: ConsolidationRequest, wanted: AnswerFormat
    ) -> Consolidation:
        """Ask in the wanted format, or in the next simpler one where the endpoint refuses it.

        What it refused counts as not offered once a simpler one was answered: else something else
        was wrong with the request.
        """
        *richer, last = [f for f in _FORMATS[_FORMATS.index(wanted) :] if f not in self._refused]
        refused: frozenset[AnswerFormat] = frozenset()
        for answer_format in richer:
            try:
                text = self._complete(prompt, request.owner, answer_format)
            except RefusedError as error:
                if error.status not in _UNSUPPORTED:
                    raise
                refused |= {answer_format}
            else:
                break
        else:
            text = self._complete(prompt, request.owner, last)
        self._refused |= refused
        return read_answer(text, request)

    def _complete(self, prompt: Prompt, owner: str, answer_format: AnswerFormat) -> str:
        way = self._route(owner)
        body = {
            **self._fields,
            **prompt.to_chat(self._dialect, marks=self._marks),
            **way.body,
            **_response_format(answer_format),
        }
        kept = {key: value for key, value in body.items() if value is not None}
        return self._endpoint.complete(kept, way.headers)


def _response_format(answer_format: AnswerFormat) -> Mapping[str, object]:
    match answer_format:
        case "schema":
            schema = {"name": "consolidation", "strict": True, "schema": ANSWER_SCHEMA}
            return {"response_format": {"type": "json_schema", "json_schema": schema}}
        case "object":
            return {"response_format": {"type": "json_object"}}
        case "plain":
            return {}
