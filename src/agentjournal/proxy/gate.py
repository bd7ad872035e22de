"""Who may speak to the proxy, and in what framing: decided on the raw scope, before all else."""

from __future__ import annotations

import hmac
import ipaddress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from agentjournal.proxy.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterable

    from agentjournal.proxy.headers import Headers

__all__ = ["TOKEN", "Gate", "is_loopback"]

TOKEN = b"x-agentjournal-token"
_ALONE = (b"host", b"origin", b"content-length", b"transfer-encoding", TOKEN)
_HTTP = 80
_LOCAL = ("127.0.0.1", "localhost", "[::1]")


def is_loopback(host: str) -> bool:
    """Say whether only this machine reaches an address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@dataclass(frozen=True, kw_only=True)
class Gate:
    """The names under which we are spoken to (host and port, exact), and the token where one is asked."""

    names: frozenset[bytes]
    token: bytes | None = field(default=None, repr=False)

    @classmethod
    def of(cls, host: str, port: int, *, names: Iterable[str], token: str | None) -> Gate:
        """Open the gate of one listener; `names` are further hosts, with their port where it differs."""
        name = f"[{host}]" if ":" in host else host
        own = {name, *_LOCAL} if is_loopback(host) else {name}
        known = {*names, *(f"{each}:{port}" for each in own)}
        if port == _HTTP:
            known |= own
        allowed = frozenset(each.lower().encode() for each in known)
        return cls(names=allowed, token=token.encode() if token else None)

    def check(self, headers: Headers, version: str = "1.1") -> None:
        """Let a request of this version of HTTP through.

        Raises:
            Refusal: its framing has two readings, or it comes from a page or program that may not.
        """
        found: dict[bytes, bytes] = {}
        for name, value in headers:
            if name in _ALONE:
                if name in found:
                    raise Refusal(400, f"The header {name.decode()} stands there twice.")
                found[name] = value
            elif name == b"sec-fetch-site" and value not in (b"same-origin", b"none"):
                raise Refusal(403, "Web pages may not speak to this proxy.")
        self._check_framing(found, version)
        self._check_sender(found)

    @staticmethod
    def _check_framing(found: dict[bytes, bytes], version: str) -> None:
        coding = found.get(b"transfer-encoding")
        if coding is not None and b"content-length" in found:
            raise Refusal(400, "Content-Length and Transfer-Encoding contradict each other.")
        if coding is not None and (coding.lower() != b"chunked" or version != "1.1"):
            raise Refusal(400, "The only Transfer-Encoding that is taken is chunked, in HTTP/1.1.")

    def _check_sender(self, found: dict[bytes, bytes]) -> None:
        host = found.get(b"host")
        if host is None:
            raise Refusal(400, "The header host is missing.")
        if host.lower() not in self.names:
            raise Refusal(403, "This proxy is not known by that host and port.")
        origin = found.get(b"origin")
        if origin is not None and origin.lower().removeprefix(b"http://") not in self.names:
            raise Refusal(403, "Web pages of other origins may not speak to this proxy.")
        if self.token and not hmac.compare_digest(found.get(TOKEN, b""), self.token):
            raise Refusal(401, "The header X-Agentjournal-Token is missing or wrong.")
