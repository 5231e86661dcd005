"""Presets of community harnesses: what they declare, and what is wrong with them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.launching import Declaration
from rig_tui.wire.preset_file import LARGEST_PRESET, Preset, PresetError, parse_preset
from tests.rules import rule

PRESET = """\
format: 1
name: dsh
command: dsh-seat              # it starts the agent itself
maintainer: <you>
runner: true
launch_result: true
resume: true
limits:
  - a prompt whose whole text is /abort can't be sent
  - fork unsupported
"""


def faults(text: str) -> list[str]:
    with pytest.raises(PresetError) as caught:
        parse_preset(text.encode(), "dsh")
    return [fault.field for fault in caught.value.faults]


def a_preset(**fields: str) -> str:
    said = {"format": "1", "name": "dsh", "command": "dsh-seat"} | fields
    return "".join(f"{field}: {value}\n" for field, value in said.items())


@rule("D2-01")
def test_a_preset_declares_what_it_says() -> None:
    assert parse_preset(PRESET.encode(), "dsh") == Preset(
        Declaration(
            runner=True,
            launch_result=True,
            resume=True,
            command="dsh-seat",
            maintainer="<you>",
            limits=("a prompt whose whole text is /abort can't be sent", "fork unsupported"),
        )
    )


@rule("D2-03")
def test_a_preset_that_says_nothing_of_a_runner_is_plain() -> None:
    assert parse_preset(a_preset().encode(), "dsh").declaration == Declaration(command="dsh-seat")


@rule("D2-01")
@pytest.mark.parametrize("said", ["", "launch_result: false\n"])
def test_a_runner_without_launch_result_is_refused_by_both_names(said: str) -> None:
    with pytest.raises(PresetError, match=r"launch_result: .*runner: true"):
        parse_preset((a_preset(runner="true") + said).encode(), "dsh")


@rule("D2-02")
def test_a_runner_names_no_conversation() -> None:
    runner = a_preset(runner="true", launch_result="true")
    assert faults(runner + "names_conversation: true") == ["names_conversation"]
    parse_preset(f"{runner}names_conversation: false".encode(), "dsh")
    plain = a_preset(names_conversation="true").encode()
    assert parse_preset(plain, "dsh").declaration.names_conversation


@rule("D2-01")
@pytest.mark.parametrize("value", ['"true"', "yes", "1", "on", "", "[true]", "2026-01-01", "{}"])
@pytest.mark.parametrize("field", ["runner", "launch_result", "passes_model", "resume"])
def test_what_isnt_true_or_false_is_a_fault_of_its_field(field: str, value: str) -> None:
    assert faults(a_preset(**{field: value})) == [field]


@pytest.mark.parametrize(
    ("text", "fields"),
    [
        (a_preset(format="2"), ["format"]),
        (a_preset(format="true"), ["format"]),
        (a_preset(format="1.0"), ["format"]),
        ("name: dsh\ncommand: x\n", ["format"]),
        (a_preset(name="codex"), ["name"]),
        (a_preset(command="' '"), ["command"]),
        ("{}", ["format", "name", "command"]),
        (a_preset(maintainer="[me]"), ["maintainer"]),
        (a_preset(limits="none"), ["limits"]),
        (a_preset(limits="[a, 5, true]"), ["limits[1]", "limits[2]"]),
        (a_preset(runner='"true"', limits="5"), ["runner", "limits"]),
        ("", [""]),
        ("- a list", [""]),
        ("runner: [", [""]),
        (a_preset() + "name: dsh", [""]),
        (a_preset() + "---\nname: dsh", [""]),
        ("!!python/object:os.system {}", [""]),
        ("[" * 2000, [""]),
        (a_preset() + "#" * LARGEST_PRESET, [""]),
        ("runner: \x00", [""]),
    ],
)
def test_every_fault_is_named_by_its_field(text: str, fields: list[str]) -> None:
    assert faults(text) == fields


def test_a_preset_that_isnt_text_is_a_fault() -> None:
    with pytest.raises(PresetError, match="UTF-8"):
        parse_preset(b"name: \xff", "dsh")


def test_fields_nobody_knows_are_told_and_ignored() -> None:
    preset = parse_preset(a_preset(passes_modle="true", colour="red").encode(), "dsh")
    assert preset.unknown == ("passes_modle", "colour")
    assert preset.declaration == Declaration(command="dsh-seat")


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200) | st.text(":[]{}#&*!|> \n-'\"a1", max_size=60).map(str.encode))
def test_nothing_a_file_holds_breaks_the_reader(data: bytes) -> None:
    with pytest.raises(PresetError):
        parse_preset(data, "dsh")
