"""The settings in force, and where each came from. A secret is never printed."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, cast

from rig_tui.actions.keymap import keymap_of
from rig_tui.actions.registry import ACTIONS
from rig_tui.actions.spots import SPOTS
from rig_tui.cli.printing import print_json, print_table
from rig_tui.settings import config_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rig_tui.domain.model import JsonValue
    from rig_tui.settings import NamedDaemon, Settings

DEFAULT = "default"
_APART = frozenset({"keys", "daemons", "path", "origins", "token"})


def print_config(settings: Settings, environ: Mapping[str, str], *, as_json: bool) -> int:
    """Print every setting and the key of every action; gives the exit code.

    Raises:
        SettingsError: A key can't be given to its action.
    """
    keymap = keymap_of(settings)
    rows = dict(_settings(settings))
    rows |= {f"keys.{action.id}": [*keymap.keys(action)] for action in ACTIONS.values()}
    rows |= {f"keys.{spot.id}": [*keymap.keys(spot)] for spot in SPOTS.values()}
    origins = settings.origins
    if as_json:
        print_json(
            {
                "file": str(settings.path) if settings.path else None,
                "settings": {
                    name: {"value": value, "from": origins.get(name, DEFAULT)}
                    for name, value in rows.items()
                },
            }
        )
        return 0
    file = settings.path or f"none; it would be {config_path(environ)}"
    print_table(
        ("setting", "value", "from"),
        [
            ("settings file", str(file), ""),
            *((name, _words(value), origins.get(name, DEFAULT)) for name, value in rows.items()),
        ],
        "",
    )
    return 0


def _settings(settings: Settings) -> Iterator[tuple[str, JsonValue]]:
    for each in fields(settings):
        value = getattr(settings, each.name)
        name = "as" if each.name == "acting_as" else each.name
        if each.name in _APART:
            continue
        if is_dataclass(value):
            for part in fields(value):
                yield f"{name}.{part.name}", _value(getattr(value, part.name))
        else:
            yield name, _value(value)
    yield "token", "set" if settings.token else None
    for daemon in settings.daemons:
        yield from _daemon(daemon)


def _daemon(daemon: NamedDaemon) -> Iterator[tuple[str, JsonValue]]:
    for name in ("url", "home", "token_file"):
        value = getattr(daemon, name)
        if value is not None:
            yield f"daemons.{daemon.name}.{name}", str(value)


def _value(value: object) -> JsonValue:
    if isinstance(value, tuple):
        return [item if isinstance(item, int) else str(item) for item in value]
    return cast("JsonValue", value)


def _words(value: JsonValue) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    return "not set" if value is None or value == "" else str(value)
