"""What a line on the wire is: a message, nothing, or a refusal with the right code."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentjournal.mcp_server.wire import DEPTH, Message, Refusal, admitted, in_ascii


def refused(line: bytes) -> tuple[object, int, str]:
    verdict = admitted(line)
    assert isinstance(verdict, Refusal)
    frame = json.loads(verdict.frame)
    assert frame["jsonrpc"] == "2.0"
    return frame["id"], frame["error"]["code"], frame["error"]["message"]


@pytest.mark.parametrize("line", [b"", b"  ", b"\r", b"\t \r"])
def test_a_blank_line_is_passed_over(line):
    assert admitted(line) is None


@pytest.mark.parametrize("line", [b"nope", b"{", b"\xff", b"[" * 100_000, b'{"a":' * 100_000])
def test_what_is_not_json_is_a_parse_error_without_an_id(line):
    id_, code, message = refused(line)
    assert (id_, code) == (None, -32700)
    assert message.startswith("parse error: ")
    assert len(message) < 200


@pytest.mark.parametrize("line", [b"[]", b"1", b'"x"', b"null", b'[{"jsonrpc":"2.0"}]'])
def test_what_is_no_object_is_an_invalid_request(line):
    assert refused(line) == (None, -32600, "invalid request: expected a JSON object")


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud800"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"\\udfff":[1]}}',
        b'{"jsonrpc":"2.0","id":"\\udc00","method":"ping"}',
    ],
)
def test_an_unpaired_surrogate_anywhere_is_refused(line):
    assert refused(line)[:2] == (None, -32600)


def test_a_paired_surrogate_is_a_character():
    line = b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"\\ud83d\\ude00"}}'
    assert isinstance(admitted(line), Message)


@pytest.mark.parametrize("id_", ["true", "[]", "{}", "1.5", "null"])
def test_an_id_that_no_answer_could_carry_is_refused(id_):
    line = f'{{"jsonrpc":"2.0","id":{id_},"method":"ping"}}'.encode()
    assert refused(line)[:2] == (None, -32600)


@pytest.mark.parametrize(
    "rest", ['"method":"ping"', '"jsonrpc":"1.0","method":"ping"', '"jsonrpc":"2.0"']
)
def test_a_broken_envelope_is_refused_with_its_id_and_passed_over_without_one(rest):
    assert refused(f'{{"id":7,{rest}}}'.encode())[:2] == (7, -32600)
    assert admitted(f"{{{rest}}}".encode()) is None


def test_params_that_are_no_object_count_as_none():
    verdict = admitted(b'{"jsonrpc":"2.0","id":"a","method":"ping","params":[1]}')
    assert isinstance(verdict, Message)
    assert verdict.id == "a"
    assert json.loads(verdict.text)["params"] == {}


def test_a_cancelled_request_is_not_waited_for():
    line = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}'
    assert admitted(line) == Message(line.decode().replace(":", ": ").replace(",", ", "), None, 3)


@given(st.text(), st.text())
def test_a_frame_is_written_in_ascii_and_means_the_same(key, text):
    frame = json.dumps({key: text}, ensure_ascii=False)
    if not any("\ud800" <= ch <= "\udfff" for ch in frame):
        assert json.loads(in_ascii(frame)) == {key: text}


@pytest.mark.parametrize("nest", ['{{"a":{}}}', "[{}]"])
def test_what_the_next_reader_would_give_up_on_is_refused_here(nest):
    def line(levels: int) -> bytes:
        value = "1"
        for _ in range(levels):
            value = nest.format(value)
        return f'{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"x":{value}}}}}'.encode()

    assert isinstance(admitted(line(DEPTH - 2)), Message)
    assert refused(line(DEPTH - 1)) == (None, -32700, "parse error: nested too deeply")
