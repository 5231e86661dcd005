"""Typing commands in this process."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from docs.shapes import EXTENDS, OPTIONAL, PRINTED, SHAPES
from rig_tui.__main__ import main

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pytest


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit code, and what was printed on stdout and stderr."""
    try:
        code = main(arguments)
    except SystemExit as end:
        code = int(str(end.code))
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    """What a command that must succeed printed as JSON."""
    code, out, err = run(capsys, *arguments, "--json")
    assert (code, err) == (0, ""), err
    assert "\x1b" not in out
    printed = json.loads(out)
    faults = [*misfits(printed, printed_by(arguments))]
    assert not faults, faults
    return printed


def printed_by(arguments: tuple[str, ...]) -> str:
    """The shape in which a command's JSON is documented."""
    two, one = " ".join(arguments[:2]), arguments[0]
    if one == "asks" and "--ended" in arguments:
        return "[ended ask]"
    if one == "permits" and "--runner" in arguments:
        return "[runner permit]"
    if one == "who-is-asked" and "--reason" in arguments:
        return "act"
    return PRINTED.get(two) or PRINTED[one]


def misfits(value: Any, kind: str, place: str = "") -> Iterator[str]:
    """Where a value isn't as documented."""
    if kind.endswith("?"):
        if value is not None:
            yield from misfits(value, kind[:-1], place)
    elif kind.startswith("["):
        if not isinstance(value, list):
            yield f"{place}: {value!r} is no array"
            return
        for number, each in enumerate(value):
            yield from misfits(each, kind[1:-1], f"{place}[{number}]")
    elif kind in SHAPES:
        yield from _unlike(value, kind, place)
    elif not PLAIN[kind](value):
        yield f"{place}: {value!r} is no {kind}"


def _unlike(value: Any, shape: str, place: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{place}: {value!r} is no {shape}"
        return
    fields = fields_of(shape)
    sometimes = OPTIONAL.get(shape, {})
    yield from (f"{place}.{name} is missing" for name in fields if name not in value)
    for name, each in value.items():
        documented = fields.get(name) or sometimes.get(name)
        if documented is None:
            yield f"{place}.{name} is documented nowhere"
        else:
            yield from misfits(each, documented[0], f"{place}.{name}")


def fields_of(shape: str) -> dict[str, tuple[str, str]]:
    """The fields of a shape, with those it has from another."""
    above = fields_of(EXTENDS[shape]) if shape in EXTENDS else {}
    return above | SHAPES[shape]


INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
PLAIN: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "yes/no": lambda value: isinstance(value, bool),
    "instant": lambda value: bool(INSTANT.fullmatch(value)),
    "anything": lambda value: True,
}
