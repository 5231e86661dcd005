"""A community harness's preset (`community-harnesses/<name>.yaml`), read strictly.

A text where true or false belongs is a fault, never coerced: a runner that was meant
and isn't declared would have its reports thrown away.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from rig_tui.domain.launching import Declaration
from rig_tui.wire.errors import WireError

LARGEST_PRESET = 16 * 1024

_FLAGS = (
    "runner",
    "launch_result",
    "resume",
    "first_input",
    "passes_model",
    "names_conversation",
)
_KNOWN = frozenset({"format", "name", "command", "maintainer", "limits", *_FLAGS})

Fields: TypeAlias = dict[object, object]


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with one field; `field` is empty when it is the file as a whole."""

    field: str
    message: str

    def __str__(self) -> str:
        return f"{self.field}: {self.message}" if self.field else self.message


class PresetError(WireError):
    """A preset that can't be launched, with every fault it has."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__("invalid_preset", "; ".join(str(fault) for fault in faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Preset:
    """A preset as it may be launched."""

    declaration: Declaration
    unknown: tuple[str, ...] = ()
    """Fields nobody here knows: ignored, and worth telling whoever wrote them."""


def parse_preset(data: bytes, name: str) -> Preset:
    """Read the preset of this name.

    Raises:
        PresetError: It can't be launched (D2-01, D2-02).
    """
    fields = _fields(data)
    faults = [*_named(fields, name), *_flagged(fields), *_worded(fields)]
    if faults:
        raise PresetError(*faults)
    limits = fields.get("limits", ())
    assert isinstance(limits, list | tuple)
    declaration = Declaration(
        **{flag: fields.get(flag, False) is True for flag in _FLAGS},
        command=str(fields["command"]),
        maintainer=str(fields.get("maintainer", "")),
        limits=tuple(str(limit) for limit in limits),
    )
    unknown = tuple(str(field) for field in fields if field not in _KNOWN)
    return Preset(declaration, unknown)


def _fields(data: bytes) -> Fields:
    if len(data) > LARGEST_PRESET:
        raise PresetError(Fault("", f"it is larger than {LARGEST_PRESET // 1024} KiB"))
    try:
        fields = YAML(typ="safe", pure=True).load(data.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise PresetError(Fault("", "it isn't UTF-8 text")) from None
    except RecursionError:
        raise PresetError(Fault("", "it nests too deep")) from None
    except (YAMLError, ValueError) as exc:
        raise PresetError(Fault("", f"it isn't YAML: {' '.join(str(exc).split())}")) from None
    if not isinstance(fields, dict):
        raise PresetError(Fault("", "it must hold fields such as `name: dsh`"))
    return fields


def _named(fields: Fields, name: str) -> list[Fault]:
    faults = []
    if type(fields.get("format")) is not int or fields["format"] != 1:
        faults.append(Fault("format", f"must be 1, {_not(fields, 'format')}"))
    if fields.get("name") != name:
        faults.append(Fault("name", f"must be {name}, as the file's is, {_not(fields, 'name')}"))
    command = fields.get("command")
    if not isinstance(command, str) or not command.strip():
        faults.append(Fault("command", f"must be the command to run, {_not(fields, 'command')}"))
    return faults


def _flagged(fields: Fields) -> list[Fault]:
    faults = [
        Fault(flag, f"must be true or false, {_not(fields, flag)}")
        for flag in _FLAGS
        if not isinstance(fields.get(flag, False), bool)
    ]
    if fields.get("runner") is True:
        if fields.get("launch_result", False) is False:
            faults.append(Fault("launch_result", "must be true with runner: true"))
        if fields.get("names_conversation") is True:
            faults.append(
                Fault("names_conversation", "can't be true with runner: true; leave it out")
            )
    return faults


def _worded(fields: Fields) -> list[Fault]:
    faults = []
    if not isinstance(fields.get("maintainer", ""), str):
        faults.append(Fault("maintainer", f"must be text, {_not(fields, 'maintainer')}"))
    limits = fields.get("limits", [])
    if not isinstance(limits, list):
        faults.append(Fault("limits", f"must be a list of texts, {_not(fields, 'limits')}"))
    else:
        faults += [
            Fault(f"limits[{place}]", f"must be text, not {_shown(limit)}")
            for place, limit in enumerate(limits)
            if not isinstance(limit, str)
        ]
    return faults


def _not(fields: Fields, field: str) -> str:
    return f"not {_shown(fields[field])}" if field in fields else "and is missing"


def _shown(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case str():
            return f"the text {value[:40]!r}"
        case int() | float():
            return str(value)
        case list():
            return "a list"
        case dict():
            return "fields of its own"
        case _:
            return f"{value}"[:40]
