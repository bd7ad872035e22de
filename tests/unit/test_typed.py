from __future__ import annotations

import subprocess
import sys
import typing

import pytest

from agentjournal import typed


class Light(typed.NamedTuple):
    """Two values."""

    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        return self.x + self.y


class Usual(typing.NamedTuple):
    """Two values."""

    x: int
    y: int = 2

    @property
    def sum(self) -> int:
        return self.x + self.y


def test_a_named_tuple_is_what_that_of_typing_is():
    for kind in (Light, Usual):
        value = kind(1)
        assert (value, value.x, value.sum, kind(y=5, x=4)) == ((1, 2), 1, 3, (4, 5))
        assert value._replace(y=3)._asdict() == {"x": 1, "y": 3}
        assert isinstance(value, kind)
        assert repr(value) == f"{kind.__name__}(x=1, y=2)"
        assert (kind.__doc__, kind.__module__, kind._fields) == (
            "Two values.",
            __name__,
            ("x", "y"),
        )
        with pytest.raises(TypeError):
            kind()
        with pytest.raises(AttributeError):
            value.x = 3
        assert not hasattr(value, "__dict__")


def test_the_names_are_those_of_typing():
    assert not typed.TYPE_CHECKING
    assert all(hasattr(typing, name) for name in typed.__all__)
    assert typed.NewType("Text", str)("a") == typed.cast("str", "a") == "a"


def test_neither_these_nor_frozen_values_load_typing():
    code = "import sys, agentjournal.typed, agentjournal.frozen; sys.exit('typing' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
