"""A client made of a socket: it sends any bytes, and reads all that comes back."""

from __future__ import annotations

import contextlib
import socket

GRACE = 30


def connect(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=GRACE)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


def exchange(port: int, data: bytes, *, half_close: bool = True) -> bytes:
    """Send the bytes, say that no more come, and give all that is answered until the other side ends."""
    with connect(port) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(data)
            if half_close:
                connection.shutdown(socket.SHUT_WR)
        return read_all(connection)


def read_all(connection: socket.socket) -> bytes:
    read = bytearray()
    with contextlib.suppress(ConnectionError):
        while chunk := connection.recv(65536):
            read += chunk
    return bytes(read)


def post(port: int, path: str, body: bytes, *headers: str) -> bytes:
    """Write a POST request that ends its connection."""
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Content-Length: {len(body)}",
        "Connection: close",
        *headers,
        "",
        "",
    ]
    return "\r\n".join(lines).encode() + body
