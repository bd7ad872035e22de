"""One completion from an OpenAI-compatible endpoint: bounded in time, bytes and attempts."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.errors import ExtraMissingError, Fault, ForeignProgramError, InputError
from agentjournal.text.visible import one_line

try:
    import httpx
except ImportError as cause:
    raise ExtraMissingError(
        "A model's endpoint needs httpx, which is not installed.",
        next='Run `pip install "agent-journal[llm]"`.',
    ) from cause

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ANSWER_BYTES = 1024 * 1024
_RETRIED = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LONGEST_PAUSE = 30.0


class RefusedError(ForeignProgramError):
    """The endpoint said that it cannot answer this request; to send it again is of no use."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message, next="check model, key and what the endpoint supports")
        self.status = status


class UnreachableError(ForeignProgramError):
    """No answer came, in time or at all, or the endpoint asked to come back later."""

    def __init__(self, message: str, *, pause: float | None = None) -> None:
        super().__init__(message, next="try again later")
        self.pause = pause


@dataclass(frozen=True, kw_only=True)
class Endpoint:
    """Where completions come from, and how long to ask.

    `timeout` bounds each wait of an attempt and the reading of its answer, in seconds; between
    attempts the pause doubles, or is what the endpoint asks for, up to 30 seconds.
    """

    url: str
    client: httpx.Client
    sleep: Callable[[float], None]
    monotonic: Callable[[], float]
    key: str = field(default="", repr=False)
    timeout: float = 90.0
    attempts: int = 3
    pause: float = 1.0

    def __post_init__(self) -> None:
        if not _is_address(self.url):
            fault = Fault(
                field="endpoint",
                rule="a URL that begins with http:// or https://",
                got=self._plain(repr(self.url)),
                remedy="Give the address up to and with /v1.",
            )
            raise InputError("No model can be asked there.", faults=(fault,))
        if not all("!" <= char <= "~" for char in self.key):
            fault = Fault(
                field="key",
                rule="visible ASCII without blanks",
                got=f"{len(self.key)} characters, others among them",
                remedy="Look for a line break at its end.",
            )
            raise InputError("No model can be asked with this key.", faults=(fault,))

    def complete(self, body: Mapping[str, object], headers: Mapping[str, str]) -> str:
        """Send the body and give the text of the first choice.

        Raises:
            RefusedError: the endpoint cannot answer this request.
            UnreachableError: it did not answer within the attempts.
        """
        for attempt in range(1, self.attempts + 1):
            try:
                return self._once(body, headers)
            except UnreachableError as error:
                if attempt == self.attempts:
                    raise
                pause = self.pause * 2.0 ** (attempt - 1) if error.pause is None else error.pause
                self.sleep(min(pause, _LONGEST_PAUSE))
        raise UnreachableError("No attempt was allowed.")

    def _once(self, body: Mapping[str, object], headers: Mapping[str, str]) -> str:
        headers = {**({"Authorization": f"Bearer {self.key}"} if self.key else {}), **headers}
        until = self.monotonic() + self.timeout
        try:
            with self.client.stream(
                "POST", self.url, json=body, headers=headers, timeout=self.timeout
            ) as response:
                data = self._read(response, until)
        except httpx.HTTPError as cause:
            raise UnreachableError(
                f"The model did not answer: {self._plain(cause).rstrip('.')}."
            ) from cause
        if response.status_code in _RETRIED:
            said = f"The model answered with status {response.status_code}."
            raise UnreachableError(said, pause=_asked_pause(response))
        if not response.is_success:
            said = f"The model refused with status {response.status_code}: {self._plain(data)}."
            raise RefusedError(said, response.status_code)
        return self._text(data)

    def _read(self, response: httpx.Response, until: float) -> str:
        """Read the body in pieces: a read's own time limit would not end a slow drip."""
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > ANSWER_BYTES:
                raise RefusedError(f"The answer is longer than {ANSWER_BYTES} bytes.", 200)
            if self.monotonic() > until:
                raise UnreachableError(f"The model did not end its answer in {self.timeout} s.")
        return data.decode("utf-8", "replace")

    def _text(self, data: str) -> str:
        try:
            content = _said(json.loads(data)["choices"][0]["message"]["content"])
        except (ValueError, KeyError, IndexError, TypeError, RecursionError) as cause:
            raise RefusedError(f"No completion: {self._plain(data)}.", 200) from cause
        if not content:
            raise RefusedError(
                "The completion holds no text: a model that thinks may need more max_tokens.", 200
            )
        return content

    def _plain(self, said: object) -> str:
        """Quote what came back, short and without the key."""
        text = str(said) or type(said).__name__
        return one_line(text.replace(self.key, "[key]") if self.key else text, 200)


def new_client() -> httpx.Client:
    """Give a client that follows no redirect: it would take the key elsewhere."""
    return httpx.Client(follow_redirects=False)


def _is_address(url: str) -> bool:
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return False
    return parsed.scheme in {"http", "https"} and bool(parsed.host)


def _said(content: object) -> str:
    """Read the text of a message: all of it, or the parts that are text and no thinking."""
    if isinstance(content, list):
        texts = (part.get("text") for part in content if isinstance(part, dict))
        return "".join(text for text in texts if isinstance(text, str))
    return content if isinstance(content, str) else ""


def _asked_pause(response: httpx.Response) -> float | None:
    """Read how many seconds the endpoint asks to wait; dates are not understood."""
    asked = response.headers.get("Retry-After", "")
    return float(asked) if asked.isascii() and asked.isdigit() else None
