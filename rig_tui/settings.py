"""What the operator set: flags > environment > one TOML file.

Rule of this file: standard library only, and nothing slow before it is needed; the
first frame waits for these values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, cast, get_args

if TYPE_CHECKING:
    from collections.abc import Mapping

APP = "rig-tui"

NextAsk: TypeAlias = Literal["stay", "auto"]
Theme: TypeAlias = Literal["dark", "light"]

_PRIMARY_USER = "human@host"
_SEAT_VARIABLES = (
    "OPENRIG_OCCUPANT_GENERATION",
    "OPENRIG_LAUNCH_ATTEMPT",
    "OPENRIG_ACTIVITY_HOOK_TOKEN",
)
_ENTITY = re.compile(r"[^\s@]+")


class SettingsError(Exception):
    """A setting can't be used; the message names it and where it stands."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """What the command line said."""

    url: str | None = None
    """The one daemon to use."""
    home: Path | None = None
    """The home whose daemon to use."""
    token_file: Path | None = None
    """A file that holds the operator token for a daemon named by URL."""
    acting_as: str | None = None
    """Who answers: `<entityId>@external` or `human@host`."""
    demo: bool = False
    """Whether `home` is a demo's: no real agent waits there."""


@dataclass(frozen=True, slots=True)
class NamedDaemon:
    """A daemon of the file, `[daemons.<name>]`."""

    name: str
    """What the operator calls it."""
    url: str | None = None
    """Its base URL; exactly one of `url` and `home` is set."""
    home: Path | None = None
    """The home it serves."""
    token_file: Path | None = None
    """With `url`: the file that holds its operator token."""


@dataclass(frozen=True, slots=True)
class Answering:
    """The table `[answer]`."""

    next: NextAsk = "stay"
    """After an answer: `stay` on the answered ask, or `auto` to show the next one."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every setting, with what the environment and the flags made of it."""

    acting_as: str | None = None
    """`as`, `RIG_TUI_AS` or `--as`: who answers; None leaves it to who is registered."""
    token: str | None = field(default=None, repr=False)
    """`RIG_TUI_TOKEN`: the operator token for a daemon named by URL."""
    theme: Theme = "dark"
    """The colours; `NO_COLOR` wins over both."""
    answer: Answering = Answering()
    """What happens around an answer."""
    daemons: tuple[NamedDaemon, ...] = ()
    """The daemons of the file; the first is used when nothing else names one."""
    path: Path | None = None
    """The file that was read, None when there is none."""


def load(overrides: Overrides, environ: Mapping[str, str]) -> Settings:
    """Read the settings file and lay the environment and the flags over it.

    Raises:
        SettingsError: A value can't be used, or the file is there and can't be read.
    """
    path = config_path(environ)
    loaded = _read(path)
    acting_as = loaded.acting_as
    if environ.get("RIG_TUI_AS"):
        acting_as = actor(environ["RIG_TUI_AS"], "RIG_TUI_AS")
    return Settings(
        acting_as=overrides.acting_as or acting_as,
        token=environ.get("RIG_TUI_TOKEN") or None,
        theme=loaded.theme,
        answer=loaded.answer,
        daemons=loaded.daemons,
        path=loaded.path,
    )


def actor(text: str, where: str) -> str:
    """The actor name for a person as typed: `ana`, `ana@external` or `human@host`.

    Raises:
        SettingsError: It names no person; a seat can't answer here.
    """
    if text == _PRIMARY_USER:
        return text
    entity = text.removesuffix("@external")
    if not _ENTITY.fullmatch(entity):
        raise SettingsError(
            f"{where}: {text!r} names no person; give an entity id such as ana, or {_PRIMARY_USER}"
        )
    return f"{entity}@external"


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


def _read(path: Path) -> Settings:
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} can't be read: {error}") from error
    import tomllib

    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SettingsError(f"{path}: not valid TOML: {error}") from error
    return _File(path, text).settings(table)


@dataclass(frozen=True, slots=True)
class _File:
    """A parsed file, which knows on what line each key stands."""

    path: Path
    text: str

    def settings(self, table: dict[str, object]) -> Settings:
        self._only(table, (), ("as", "theme", "answer", "daemons"))
        answer = self._table(table, ("answer",))
        self._only(answer, ("answer",), ("next",))
        named = self._table(table, ("daemons",))
        acting_as = self._text(table, ("as",))
        if acting_as is not None:
            acting_as = actor(acting_as, self._where(("as",)))
        return Settings(
            acting_as=acting_as,
            theme=cast("Theme", self._choice(table, ("theme",), get_args(Theme), "dark")),
            answer=Answering(
                cast("NextAsk", self._choice(answer, ("answer", "next"), get_args(NextAsk), "stay"))
            ),
            daemons=tuple(self._daemon(named, name) for name in named),
            path=self.path,
        )

    def _daemon(self, named: dict[str, object], name: str) -> NamedDaemon:
        at = ("daemons", name)
        table = self._table(named, at)
        self._only(table, at, ("url", "home", "token_file"))
        url = self._text(table, (*at, "url"))
        home = self._text(table, (*at, "home"))
        token_file = self._text(table, (*at, "token_file"))
        if (url is None) == (home is None):
            raise SettingsError(f"{self._where(at)}: give url or home, one of them")
        if home is not None and token_file is not None:
            raise SettingsError(f"{self._where((*at, 'token_file'))}: a home holds its own token")
        return NamedDaemon(
            name,
            url,
            Path(home).expanduser() if home is not None else None,
            Path(token_file).expanduser() if token_file is not None else None,
        )

    def _only(self, table: dict[str, object], at: tuple[str, ...], known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                raise SettingsError(
                    f"{self._where((*at, key))}: no such setting; here are {', '.join(known)}"
                )

    def _table(self, parent: dict[str, object], at: tuple[str, ...]) -> dict[str, object]:
        value = parent.get(at[-1], {})
        if not isinstance(value, dict):
            raise SettingsError(f"{self._where(at)}: a table is expected, not {value!r}")
        return value

    def _text(self, table: dict[str, object], at: tuple[str, ...]) -> str | None:
        value = table.get(at[-1])
        if value is not None and (not isinstance(value, str) or not value.strip()):
            raise SettingsError(f"{self._where(at)}: text is expected, not {value!r}")
        return value

    def _choice(
        self, table: dict[str, object], at: tuple[str, ...], allowed: tuple[str, ...], default: str
    ) -> str:
        value = table.get(at[-1], default)
        if value not in allowed:
            raise SettingsError(
                f"{self._where(at)}: {value!r} is none of {', '.join(map(repr, allowed))}"
            )
        return value

    def _where(self, at: tuple[str, ...]) -> str:
        line = _line_of(self.text, at)
        place = f"{self.path}, line {line}" if line is not None else str(self.path)
        return f"{place}, {'.'.join(at)}"


def _line_of(text: str, at: tuple[str, ...]) -> int | None:
    """The line on which a key, or the table of that name, first stands."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[\[?([^\]]+)\]", line)
        if header:
            table = _parts(header[1])
            found = table
        else:
            key = re.match(r"\s*([^#=]+?)\s*=", line)
            if not key:
                continue
            found = (*table, *_parts(key[1]))
        if found[: len(at)] == at:
            return number
        inline = at[: len(found)] == found and not header
        if inline and re.search(rf"\b{re.escape(at[-1])}\b", line.partition("=")[2]):
            return number
    return None


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
