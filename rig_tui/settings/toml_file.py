"""One TOML file as settings; an error names the key and the line it stands on."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast, get_args

from rig_tui.settings.people import actor
from rig_tui.settings.values import (
    Answering,
    Channel,
    CopyTo,
    Density,
    Filter,
    GlyphSet,
    Motion,
    NamedDaemon,
    NextAsk,
    Notifications,
    QuietHours,
    ReadFirst,
    Reason,
    Settings,
    SettingsError,
    ShownStates,
    Theme,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Value = TypeVar("Value")
At = tuple[str, ...]

_QUIET = re.compile(r"([01]\d|2[0-3]):([0-5]\d)-([01]\d|2[0-3]):([0-5]\d)")
_TABLES = ("answer", "filter", "keys", "notifications", "daemons")
_CHOICES: dict[str, tuple[str, ...]] = {
    "theme": get_args(Theme),
    "density": get_args(Density),
    "motion": get_args(Motion),
    "glyphs": get_args(GlyphSet),
    "copy": get_args(CopyTo),
}


def read(path: Path) -> Settings:
    """The settings of this file; the defaults where there is no such file.

    Raises:
        SettingsError: The file is there and can't be read, or a value can't be used.
    """
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


def place_of(path: Path, text: str, dotted: str) -> str:
    """Where a key stands in a file: `config.toml, line 3, theme`."""
    line = _line_of(text, tuple(dotted.split(".")))
    return f"{path}, line {line}, {dotted}" if line is not None else f"{path}, {dotted}"


@dataclass(frozen=True, slots=True)
class _File:
    """A parsed file, which knows on what line each key stands."""

    path: Path
    text: str
    origins: dict[str, str] = field(default_factory=dict)

    def settings(self, table: dict[str, object]) -> Settings:
        self._only(table, (), ("as", *_CHOICES, "mouse", *_TABLES))
        acting_as = self._text(table, ("as",))
        if acting_as is not None:
            acting_as = actor(acting_as, self._where(("as",)))
        named = self._table(table, ("daemons",))
        chosen: dict[str, object] = {
            name: self._choice(table, (name,), allowed)
            for name, allowed in _CHOICES.items()
            if name in table
        }
        if "mouse" in table:
            chosen["mouse"] = self._flag(table, ("mouse",))
        return Settings(
            acting_as=acting_as,
            **chosen,  # type: ignore[arg-type]
            answer=self._answer(self._table(table, ("answer",))),
            filter=self._filter(self._table(table, ("filter",))),
            keys=self._keys(self._table(table, ("keys",)), ("keys",)),
            notifications=self._notifications(self._table(table, ("notifications",))),
            daemons=tuple(self._daemon(named, name) for name in named),
            path=self.path,
            origins=self.origins,
        )

    def _answer(self, table: dict[str, object]) -> Answering:
        at = ("answer",)
        reads: dict[str, Callable[[At], object]] = {
            "next": lambda place: self._choice(table, place, get_args(NextAsk)),
            "arm_ms": lambda place: self._number(table["arm_ms"], place, 100, 10_000),
            "hold_ms": lambda place: self._number(table["hold_ms"], place, 20, 1_000),
            "read_first": lambda place: self._choice(table, place, get_args(ReadFirst)),
        }
        self._only(table, at, tuple(reads))
        found = {key: read((*at, key)) for key, read in reads.items() if key in table}
        return replace(Answering(), **found)  # type: ignore[arg-type]

    def _filter(self, table: dict[str, object]) -> Filter:
        at, given = ("filter",), Filter()
        self._only(table, at, ("text", "state", "mine", "flat"))
        read: dict[str, object] = {}
        if "text" in table:
            read["text"] = self._string(table, (*at, "text"))
        if "state" in table:
            read["state"] = self._choice(table, (*at, "state"), get_args(ShownStates))
        for name in ("mine", "flat"):
            if name in table:
                read[name] = self._flag(table, (*at, name))
        return Filter(**{**_fields(given), **read})  # type: ignore[arg-type]

    def _notifications(self, table: dict[str, object]) -> Notifications:
        at = ("notifications",)
        readers: dict[str, Callable[[At], object]] = {
            "reasons": lambda place: tuple(
                cast("Reason", self._one_of(reason, place, get_args(Reason)))
                for reason in self._strings(table, place)
            ),
            "bell": lambda place: self._flag(table, place),
            "terminal": lambda place: self._choice(table, place, get_args(Channel)),
            "title": lambda place: self._flag(table, place),
            "command": lambda place: self._strings(table, place),
            "quiet": lambda place: tuple(
                self._quiet(span, place) for span in self._strings(table, place)
            ),
            "remind_minutes": lambda place: self._minutes(table, place),
            "tmux_depth": lambda place: self._number(table[place[-1]], place, 0, 5),
        }
        self._only(table, at, tuple(readers))
        read = {name: read((*at, name)) for name, read in readers.items() if name in table}
        return Notifications(**{**_fields(Notifications()), **read})  # type: ignore[arg-type]

    def _quiet(self, text: str, at: At) -> QuietHours:
        span = _QUIET.fullmatch(text)
        if span is None or text[:5] == text[6:]:
            raise SettingsError(
                f"{self._where(at)}: {text!r} is no part of a day; write it as '22:00-07:00'"
            )
        hours = [int(part) for part in span.groups()]
        return QuietHours(time(hours[0], hours[1]), time(hours[2], hours[3]))

    def _minutes(self, table: dict[str, object], at: At) -> tuple[int, ...]:
        value = table[at[-1]]
        if not isinstance(value, list):
            raise SettingsError(f"{self._where(at)}: a list of minutes is expected")
        minutes = tuple(self._number(item, at, 1, 10_080) for item in value)
        if list(minutes) != sorted(set(minutes)):
            raise SettingsError(f"{self._where(at)}: each must be longer than the one before")
        return minutes

    def _keys(self, table: dict[str, object], at: At) -> dict[str, tuple[str, ...]]:
        """Keys by action id, which may be written as one quoted key or as tables."""
        keys: dict[str, tuple[str, ...]] = {}
        for name, value in table.items():
            place = (*at, *name.split("."))
            if isinstance(value, dict):
                keys.update(self._keys(value, place))
            elif isinstance(value, str):
                keys[".".join(place[1:])] = (value,)
                self._came(place)
            else:
                keys[".".join(place[1:])] = self._strings({place[-1]: value}, place)
        return keys

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

    def _only(self, table: dict[str, object], at: At, known: tuple[str, ...]) -> None:
        for key in table:
            if key not in known:
                raise SettingsError(
                    f"{self._where((*at, key))}: no such setting; here are {', '.join(known)}"
                )

    def _table(self, parent: dict[str, object], at: At) -> dict[str, object]:
        value = parent.get(at[-1], {})
        if not isinstance(value, dict):
            raise SettingsError(f"{self._where(at)}: a table is expected, not {value!r}")
        return value

    def _text(self, table: dict[str, object], at: At) -> str | None:
        value = table.get(at[-1])
        if value is None:
            return None
        if not isinstance(value, str) or not value.strip():
            raise SettingsError(f"{self._where(at)}: text is expected, not {value!r}")
        return self._came(at, value)

    def _string(self, table: dict[str, object], at: At) -> str:
        value = table[at[-1]]
        if not isinstance(value, str):
            raise SettingsError(f"{self._where(at)}: text is expected, not {value!r}")
        return self._came(at, value)

    def _strings(self, table: dict[str, object], at: At) -> tuple[str, ...]:
        value = table[at[-1]]
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise SettingsError(f"{self._where(at)}: a list of texts is expected, not {value!r}")
        return self._came(at, tuple(cast("list[str]", value)))

    def _flag(self, table: dict[str, object], at: At) -> bool:
        value = table[at[-1]]
        if not isinstance(value, bool):
            raise SettingsError(f"{self._where(at)}: true or false is expected, not {value!r}")
        return self._came(at, value)

    def _number(self, value: object, at: At, least: int, most: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise SettingsError(
                f"{self._where(at)}: a whole number from {least} to {most} is expected, "
                f"not {value!r}"
            )
        return self._came(at, value)

    def _choice(self, table: dict[str, object], at: At, allowed: tuple[str, ...]) -> str:
        return self._came(at, self._one_of(table[at[-1]], at, allowed))

    def _one_of(self, value: object, at: At, allowed: tuple[str, ...]) -> str:
        if value not in allowed:
            raise SettingsError(
                f"{self._where(at)}: {value!r} is none of {', '.join(map(repr, allowed))}"
            )
        return str(value)

    def _came(self, at: At, value: Value = None) -> Value:  # type: ignore[assignment]
        """Note that a value came from this file."""
        line = _line_of(self.text, at)
        place = f"{self.path}, line {line}" if line is not None else str(self.path)
        self.origins[".".join(at)] = place
        return value

    def _where(self, at: At) -> str:
        return place_of(self.path, self.text, ".".join(at))


def _fields(value: Filter | Notifications) -> dict[str, object]:
    return {name: getattr(value, name) for name in value.__slots__}


def _line_of(text: str, at: At) -> int | None:
    """The line on which a key, or the table of that name, first stands."""
    table: At = ()
    for number, line in enumerate(text.splitlines(), start=1):
        header = re.match(r"\s*\[\[?([^\]=]+)\]", line)
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


def _parts(dotted: str) -> At:
    return tuple(part.strip().strip("\"'") for part in dotted.split("."))
