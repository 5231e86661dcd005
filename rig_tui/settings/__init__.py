"""What the operator set: flags > environment > one TOML file.

Rule of this package: standard library only, and nothing slow before it is needed; the
first frame waits for these values.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rig_tui.settings.people import actor
from rig_tui.settings.values import (
    Answering,
    Filter,
    NamedDaemon,
    Notifications,
    Overrides,
    QuietHours,
    Settings,
    SettingsError,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "APP",
    "Answering",
    "Filter",
    "NamedDaemon",
    "Notifications",
    "Overrides",
    "QuietHours",
    "Settings",
    "SettingsError",
    "actor",
    "config_path",
    "default_home",
    "inside_seat",
    "load",
    "misplaced",
    "state_folder",
]

APP = "rig-tui"

_SEAT_VARIABLES = (
    "OPENRIG_OCCUPANT_GENERATION",
    "OPENRIG_LAUNCH_ATTEMPT",
    "OPENRIG_ACTIVITY_HOOK_TOKEN",
)


def load(overrides: Overrides, environ: Mapping[str, str]) -> Settings:
    """Read the settings file and lay the environment and the flags over it.

    Raises:
        SettingsError: A value can't be used, or the file is there and can't be read.
    """
    from rig_tui.settings.toml_file import read

    loaded = read(config_path(environ))
    acting_as, origins = loaded.acting_as, dict(loaded.origins)
    if environ.get("RIG_TUI_AS"):
        acting_as = actor(environ["RIG_TUI_AS"], "RIG_TUI_AS")
        origins["as"] = "RIG_TUI_AS"
    if overrides.acting_as:
        acting_as, origins["as"] = overrides.acting_as, "--as"
    theme = loaded.theme
    if "NO_COLOR" in environ:
        theme, origins["theme"] = "mono", "NO_COLOR"
    if environ.get("RIG_TUI_TOKEN"):
        origins["token"] = "RIG_TUI_TOKEN"
    return replace(
        loaded,
        acting_as=acting_as,
        token=environ.get("RIG_TUI_TOKEN") or None,
        theme=theme,
        origins=origins,
    )


def misplaced(settings: Settings, dotted: str, words: str) -> SettingsError:
    """The error for a value that only a later judge could refuse, with its line."""
    from rig_tui.settings.toml_file import place_of

    if settings.path is None:
        return SettingsError(f"{dotted}: {words}")
    text = settings.path.read_text(encoding="utf-8")
    return SettingsError(f"{place_of(settings.path, text, dotted)}: {words}")


def inside_seat(environ: Mapping[str, str]) -> str | None:
    """The variable that shows this environment to be a seat's, if it is one."""
    return next((name for name in _SEAT_VARIABLES if environ.get(name)), None)


def config_path(environ: Mapping[str, str]) -> Path:
    """Where the settings file is, whether it exists or not."""
    named = environ.get("RIG_TUI_CONFIG")
    if named:
        return Path(named).expanduser()
    from platformdirs import user_config_path

    return user_config_path(APP, appauthor=False) / "config.toml"


def default_home() -> Path:
    """The home of the daemon that nobody named."""
    from platformdirs import user_data_path

    return user_data_path(APP, appauthor=False)


def state_folder() -> Path:
    """Where this console keeps what it wrote down for its operator."""
    from platformdirs import user_state_path

    return user_state_path(APP, appauthor=False)
