"""Answers are read as they pass, however they are cut into chunks, in bounded memory."""

from __future__ import annotations

import base64
import gzip
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
from agentjournal.usage.wire.decoding import decoder_of
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


def brotli(monkeypatch, process):
    """Play the package that undoes `br`, which is not needed here."""
    module = types.ModuleType("brotli")
    kind = type("Decompressor", (), {"process": staticmethod(process)})
    monkeypatch.setattr(module, "Decompressor", kind, raising=False)
    monkeypatch.setitem(sys.modules, "brotli", module)


def test_a_decoder_without_a_limit_of_its_own_gets_little_at_once(monkeypatch):
    brotli(monkeypatch, lambda chunk: b" " * 100_000 * len(chunk))
    tracemalloc.start()
    read(b"\0" * 640, "application/json", "br", 640)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30_000_000


def test_what_such_a_decoder_gives_comes_in_few_pieces(monkeypatch):
    brotli(monkeypatch, bytes)
    body = bytes(range(256)) * 10_000
    assert [len(piece) for piece in decoder_of("br")(body)] == [1 << 20, 1 << 20, 462_848]


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
