"""Talks to one engine over HTTP, for a probe."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from agentjournal.errors import ExtraMissingError, ForeignProgramError, InputError
from agentjournal.text.visible import one_line
from agentjournal.usage.count import inner, word

try:
    import httpx
except ImportError as error:
    raise ExtraMissingError(
        "A probe needs httpx, which is not installed.",
        next='Run `pip install "agent-journal[llm]"`.',
    ) from error

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from agentjournal.usage.probe import ProbeDialect

__all__ = ["LaneClient"]

_PATHS: Mapping[ProbeDialect, str] = {
    "openai-chat": "/chat/completions",
    "openai-responses": "/responses",
    "anthropic": "/messages",
}
_TIMEOUT = 300.0
_OK = 200


class LaneClient:
    """One engine at its base URL; the key goes to it and nowhere else.

    Raises:
        InputError: this is no base URL.
    """

    def __init__(self, url: str, dialect: ProbeDialect, key: str = "") -> None:
        self.base = _base(url)
        self._path = _PATHS[dialect]
        self._headers = _headers(key) if key else {}

    def send(self, body: Mapping[str, object]) -> object:
        """Ask for one completion and give the answer's body.

        Raises:
            ForeignProgramError: the engine cannot be reached, or answered otherwise.
        """
        with self._asked() as client:
            return _answered(client.post(f"{self.base}{self._path}", json=body))

    def first_model(self) -> str:
        """Give the first model that the engine lists.

        Raises:
            ForeignProgramError: as `send`, or it lists none.
        """
        with self._asked() as client:
            listed = inner({"listed": _answered(client.get(f"{self.base}/models"))}, "listed")
        models = listed.get("data")
        first = models[0] if isinstance(models, list) and models else {}
        name = word(inner({"first": first}, "first").get("id"))
        if name is None:
            raise ForeignProgramError("The engine lists no model.", next="Name one with --model.")
        return name

    @contextmanager
    def _asked(self) -> Iterator[httpx.Client]:
        try:
            with httpx.Client(headers=self._headers, timeout=_TIMEOUT) as client:
                yield client
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ForeignProgramError(
                f"{self.base} could not be asked: {one_line(str(error), 200)}.",
                next="Check the URL, and that the engine runs.",
            ) from error


def _base(url: str) -> str:
    """Give the base URL that clients would use: `/v1` where no path was given."""
    if not url.startswith(("http://", "https://")) or "@" in url or "?" in url:
        raise InputError(
            f"{one_line(url, 100)!r} is no base URL.",
            next="Give one like http://127.0.0.1:8080/v1, without credentials.",
        )
    bare = url.rstrip("/")
    for path in _PATHS.values():
        bare = bare.removesuffix(path)
    return bare if "/" in bare.split("://", 1)[1] else f"{bare}/v1"


def _headers(key: str) -> dict[str, str]:
    return {
        "Authorization": f"Bearer {key}",
        "x-api-key": key,
        "anthropic-version": "2023-06-01",
    }


def _answered(response: httpx.Response) -> object:
    """Read an answer's JSON, or say what the engine answered instead."""
    if response.status_code == _OK:
        try:
            value: object = response.json()
        except ValueError:
            pass
        else:
            return value
    raise ForeignProgramError(
        f"The engine answered {response.status_code}: {one_line(response.text, 200) or 'nothing'}.",
        next="Name the model (--model), the dialect (--dialect) or the key (--key-env).",
    )
