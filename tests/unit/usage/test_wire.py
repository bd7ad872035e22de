"""Answers are read as they pass, however they are cut into chunks, in bounded memory."""

from __future__ import annotations

import base64
import gzip
import importlib.util
import json
import struct
import sys
import tracemalloc
import types
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.usage import normalise
from agentjournal.usage.wire.answer import AnswerReader, is_completion
from agentjournal.usage.wire.decoding import Unreadable, decoder_of
from agentjournal.usage.wire.members import MemberPicker

VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=12,
)
KEYS = st.one_of(st.sampled_from(["usage", "model", "other"]), st.text('abc"\\{}[],:é', max_size=5))


def pieces(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


@given(
    document=st.dictionaries(KEYS, VALUES, max_size=6),
    size=st.integers(1, 40),
    indent=st.sampled_from([None, 2]),
    is_ascii=st.booleans(),
    is_list=st.booleans(),
)
def test_members_are_picked_out_as_a_parser_would(document, size, indent, is_ascii, is_list):
    whole = [{"usage": "before"}, document] if is_list else document
    text = json.dumps(whole, indent=indent, ensure_ascii=is_ascii).encode()
    picker = MemberPicker([b"usage", b"model"])
    for piece in pieces(text, size):
        picker.feed(piece)
    expected = {name: document[name] for name in ("usage", "model") if name in document}
    if is_list:
        expected.setdefault("usage", "before")
    assert {name.decode(): json.loads(value) for name, value in picker.found.items()} == expected


def read(data: bytes, content_type: str, encoding: str = "", size: int = 10):
    reader = AnswerReader(content_type, encoding)
    for piece in pieces(data, size):
        reader.feed(piece)
    return reader.finish()


USAGE = {
    "prompt_tokens": 50,
    "completion_tokens": 2,
    "prompt_tokens_details": {"cached_tokens": 40},
}
EVENTS = [
    {"choices": [{"delta": {"content": 'x"usage":{"prompt_tokens":1}'}}], "model": "m"},
    {"choices": [], "model": "m", "usage": USAGE},
]


@pytest.mark.parametrize("size", [1, 3, 1000])
@pytest.mark.parametrize("ending", ["\n\n", "\r\n\r\n"])
def test_events_are_read_however_they_are_cut(size, ending):
    text = "".join(f": comment{ending}data: {json.dumps(each)}{ending}" for each in EVENTS)
    usage = read(
        (text + f"data: [DONE]{ending}").encode(), "text/event-stream; charset=utf-8", "", size
    )
    assert usage == normalise(EVENTS)
    assert usage.cache_read == 40


def test_an_event_without_a_last_newline_counts():
    assert read(f"data: {json.dumps(EVENTS[1])}".encode(), "text/event-stream").cache_read == 40


def test_lines_of_json_and_a_list_of_chunks_are_streams_too():
    lines = "\n".join(map(json.dumps, EVENTS)).encode()
    assert read(lines, "application/x-ndjson").cache_read == 40
    assert read(json.dumps(EVENTS).encode(), "application/json").cache_read == 40


@pytest.mark.parametrize(
    ("name", "encode"),
    [
        ("gzip", gzip.compress),
        ("deflate", zlib.compress),
        ("deflate", lambda data: zlib.compress(data)[2:-4]),
        ("identity", bytes),
    ],
)
def test_encoded_answers_are_read(name, encode):
    assert read(encode(json.dumps(EVENTS[1]).encode()), "application/json", name).cache_read == 40


def frame(payload: bytes) -> bytes:
    headers = b"\x05:typ\x07\x00\x01e"
    return struct.pack(">III", 16 + len(headers) + len(payload), len(headers), 0) + (
        headers + payload + b"\0\0\0\0"
    )


def test_bedrocks_frames_are_read_and_other_vendors_events_inside_them():
    kind = "application/vnd.amazon.eventstream"
    native = {"usage": {"inputTokens": 100, "cacheReadInputTokens": 900, "outputTokens": 5}}
    usage = read(frame(b'{"text":"x"}') + frame(json.dumps(native).encode()), kind)
    assert (usage.dialect, usage.input_total, usage.cache_read) == ("bedrock", 1000, 900)
    start = {"type": "message_start", "message": {"model": "c", "usage": {"input_tokens": 7}}}
    inside = {"bytes": base64.b64encode(json.dumps(start).encode()).decode()}
    usage = read(frame(json.dumps(inside).encode()), kind)
    assert (usage.dialect, usage.input_total, usage.model) == ("anthropic", 7, "c")


def test_what_are_no_frames_is_unmeasured():
    assert not read(b"\xff" * 200, "application/vnd.amazon.eventstream").is_reported


@pytest.mark.parametrize("kind", ["application/json", "text/event-stream"])
def test_a_long_answer_takes_no_memory(kind):
    piece = (
        (b'data: {"choices": "' + b"x" * 60_000 + b'"}\n\n') if "event" in kind else b"y" * 60_000
    )
    reader = AnswerReader(kind)
    if "event" not in kind:
        reader.feed(b'{"choices": "')
    tracemalloc.start()
    for _ in range(500):
        reader.feed(piece)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    last = b'", "usage": ' if "event" not in kind else b'data: {"usage": '
    reader.feed(last + json.dumps(USAGE).encode() + b"}\n\n")
    assert reader.finish().cache_read == 40
    assert peak < 1_000_000


def test_an_event_that_never_ends_takes_no_memory_and_hides_none_that_follows():
    reader = AnswerReader("text/event-stream")
    line = b"data: " + b"x" * 60_000 + b"\n"
    tracemalloc.start()
    for _ in range(1000):
        reader.feed(line)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    reader.feed(b'\ndata: {"usage": ' + json.dumps(USAGE).encode() + b"}\n\n")
    assert reader.finish().cache_read == 40
    assert peak < 40_000_000


def test_what_follows_the_end_of_a_packed_answer_takes_no_memory():
    reader = AnswerReader("application/json", "gzip")
    reader.feed(gzip.compress(json.dumps({"usage": USAGE}).encode()))
    tracemalloc.start()
    for _ in range(200):
        reader.feed(b"y" * 60_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert reader.finish().cache_read == 40
    assert peak < 1_000_000


class Brotli:
    """Plays the package that undoes `br` where it is not installed: each byte stands for 100,000."""

    def __init__(self):
        self.waiting = 0

    def process(self, data, *, output_buffer_limit):
        self.waiting += 100_000 * len(data)
        given = min(self.waiting, output_buffer_limit)
        self.waiting -= given
        return b" " * given

    def can_accept_more_data(self):
        return not self.waiting


def install(monkeypatch, name, **members):
    module = types.ModuleType(name)
    for member, value in members.items():
        monkeypatch.setattr(module, member, value, raising=False)
    monkeypatch.setitem(sys.modules, name, module)


def packed_bomb(encoding, monkeypatch):
    """Give few bytes that unpack to 760 MB, by the real package where it is installed."""
    name = {"br": "brotli", "zstd": "zstandard"}[encoding]
    if importlib.util.find_spec(name) is None:
        if encoding == "br":
            install(monkeypatch, name, Decompressor=Brotli)
            return b"\0" * 7_600
        install(monkeypatch, name, ZstdDecompressor=Zstd)
        return b"\0" * 24_000
    package = importlib.import_module(name)
    made = (
        package.Compressor(quality=5)
        if encoding == "br"
        else package.ZstdCompressor().compressobj()
    )
    pack = made.process if encoding == "br" else made.compress
    end = made.finish if encoding == "br" else made.flush
    return b"".join(pack(b" " * 1_000_000) for _ in range(760)) + end()


class Zstd:
    """Plays the other package: no limit, 4 bytes are a block of 128 KiB."""

    def decompressobj(self):
        return self

    def decompress(self, data):
        return b" " * (32 * 1024 * len(data))


@pytest.mark.parametrize("encoding", ["br", "zstd"])
def test_a_packed_answer_of_760_mb_takes_little_memory_and_is_unmeasured(monkeypatch, encoding):
    bomb = packed_bomb(encoding, monkeypatch)
    assert len(bomb) < 100_000
    reader = AnswerReader("application/json", encoding)
    tracemalloc.start()
    reader.feed(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert not reader.finish().is_reported
    assert peak < 10_000_000


def test_a_brotli_package_without_a_limit_is_not_used(monkeypatch):
    old = type("Decompressor", (), {"process": staticmethod(lambda _: b"x" * 10**9)})
    for name in ("brotli", "brotlicffi"):
        install(monkeypatch, name, Decompressor=old)
    with pytest.raises(Unreadable):
        decoder_of("br")


def test_what_is_unpacked_comes_in_few_pieces(monkeypatch):
    install(monkeypatch, "brotli", Decompressor=Brotli)
    assert [len(piece) for piece in decoder_of("br")(b"\0" * 25)] == [1 << 20, 1 << 20, 402_848]


@pytest.mark.parametrize(("unpacked", "is_told"), [(60_000_000, True), (70_000_000, False)])
def test_a_long_packed_answer_is_read_up_to_64_mib(unpacked, is_told):
    said = b'{"text": "' + b"x" * unpacked + b'", "usage": ' + json.dumps(USAGE).encode() + b"}"
    assert read(gzip.compress(said), "application/json", "gzip", 65_536).is_reported is is_told


def test_a_bomb_is_decoded_in_pieces():
    bomb = gzip.compress(b"{" + b" " * 50_000_000)
    tracemalloc.start()
    read(bomb, "application/json", "gzip", len(bomb))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8_000_000


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/v1/chat/completions", True),
        ("/api/v1/messages", True),
        ("/v1/messages/count_tokens", False),
        ("/v1beta/models/g:streamGenerateContent", True),
        ("/v1/embeddings", False),
        ("/model/x/converse-stream", True),
    ],
)
def test_completions_are_told_by_their_path(path, expected):
    assert is_completion("POST", path) is expected
    assert not is_completion("GET", path)


@given(
    chunks=st.lists(st.binary(max_size=60), max_size=8),
    kind=st.sampled_from(
        ["application/json", "text/event-stream", "application/vnd.amazon.eventstream", ""]
    ),
    encoding=st.sampled_from(["", "gzip", "deflate"]),
)
def test_no_bytes_raise(chunks, kind, encoding):
    reader = AnswerReader(kind, encoding)
    for chunk in chunks:
        reader.feed(chunk)
    assert reader.finish().violations == ()
