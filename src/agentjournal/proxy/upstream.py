"""The one engine that a proxy stands before, fixed at its start."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from agentjournal.errors import ConfigurationError

__all__ = ["Upstream"]

_PORTS = {"http": 80, "https": 443}
_VERSION = "/v1"


@dataclass(frozen=True)
class Upstream:
    """Where requests go: nothing in a request can change scheme, host or port."""

    scheme: str
    host: str
    port: int
    path: str

    @classmethod
    def parse(cls, text: str) -> Upstream:
        """Read a base URL, with or without a path such as `/v1`.

        Raises:
            ConfigurationError: it is no plain URL of http or https.
        """
        try:
            parts = urlsplit(text.strip())
            port = parts.port or _PORTS.get(parts.scheme, 0)
        except ValueError:
            raise _refused("it cannot be read") from None
        if parts.scheme not in _PORTS or not parts.hostname:
            raise _refused("it must begin with http:// or https:// and a host")
        if parts.username is not None or parts.query or parts.fragment:
            raise _refused("it may hold no credentials, query or fragment")
        if not text.isascii() or any(char.isspace() for char in text.strip()):
            raise _refused("it must be plain ASCII without spaces")
        return cls(parts.scheme, parts.hostname, port, parts.path.rstrip("/"))

    @property
    def authority(self) -> str:
        """Give host and port as a `Host` header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        """Give the base URL."""
        return f"{self.scheme}://{self.authority}{self.path}"

    def target(self, path: bytes, query: bytes) -> bytes:
        """Give what the request line names: path and query as they came, below the base's path.

        Clients that say `/v1` themselves reach a base that ends in `/v1` all the same.
        """
        base = self.path
        if base.endswith(_VERSION) and path.startswith(_VERSION.encode() + b"/"):
            base = base.removesuffix(_VERSION)
        whole = base.encode() + path
        return whole + b"?" + query if query else whole


def _refused(why: str) -> ConfigurationError:
    return ConfigurationError(
        f"The upstream cannot be used: {why}.",
        next="Give the engine's base URL, like --upstream http://127.0.0.1:8000/v1.",
    )
