from __future__ import annotations

import subprocess
import sys
from functools import cached_property

import pytest

from agentjournal.frozen import frozen, replace


@frozen
class Point:
    x: int
    y: int = 0

    @cached_property
    def sum(self) -> int:
        return self.x + self.y


@frozen(kw_only=True)
class Named:
    name: str
    note: str = ""


def test_a_value_has_its_fields_and_their_defaults():
    assert (Point(1).x, Point(1).y, Point(y=3, x=2).sum) == (1, 0, 5)
    assert Named(name="a") == Named(name="a", note="")


@frozen(kw_only=True)
class Dated(Named):
    date: str


def test_a_class_has_the_fields_of_what_it_is_made_from():
    assert Dated(name="a", date="2026-11-30").note == ""
    assert repr(Dated(name="a", date="d")) == "Dated(name='a', note='', date='d')"
    assert Dated(name="a", date="d") != Named(name="a")


def test_values_are_equal_by_their_fields_and_never_to_another_class():
    point = Point(1, 2)
    assert point.sum == 3  # what was worked out is no field
    assert point == Point(1, 2)
    assert hash(point) == hash(Point(1, 2))
    assert point != Point(2, 1)
    assert point != (1, 2)
    assert repr(point) == "Point(x=1, y=2)"


def test_a_value_is_never_changed_but_another_is_made():
    point = Point(1, 2)
    with pytest.raises(AttributeError, match="fixed"):
        point.x = 3
    with pytest.raises(AttributeError, match="fixed"):
        del point.x
    assert point.sum == 3
    assert replace(point, x=3) == Point(3, 2)


@pytest.mark.parametrize(
    "make",
    [
        Point,
        lambda: Point(1, 2, 3),
        lambda: Point(1, z=2),
        lambda: Named("a"),
        lambda: Named(name="a", other=1),
        lambda: Named(other=1),
        lambda: replace(Point(1), z=1),
    ],
)
def test_a_value_with_other_fields_is_refused(make):
    with pytest.raises(TypeError):
        make()


def test_a_pattern_takes_a_value_apart():
    match Point(1, 2):
        case Point(x, y):
            assert (x, y) == (1, 2)


def test_it_loads_nothing_that_compiles_code():
    code = "import sys, agentjournal.frozen; sys.exit('dataclasses' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
