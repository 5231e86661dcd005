"""The command line as values.

argparse is imported only when there is a subcommand to read: a bare `rig-tui` has a
first frame to draw.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rig_tui.settings import Overrides, SettingsError, actor

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from rig_tui.actions.headless import Parameter

_EVERYWHERE = ("--url", "--home", "--as", "--token-file")


def split(arguments: Sequence[str]) -> tuple[Overrides, list[str]]:
    """Take out the flags that may stand before or after a command.

    Raises:
        SettingsError: One of them lacks its value or can't be used.
    """
    found: dict[str, str] = {}
    rest: list[str] = []
    remaining = iter(arguments)
    for argument in remaining:
        flag, equals, value = argument.partition("=")
        if argument == "--":
            rest.extend((argument, *remaining))
        elif flag not in _EVERYWHERE:
            rest.append(argument)
        else:
            given = value if equals else next(remaining, "")
            if not given or (not equals and given.startswith("--")):
                raise SettingsError(f"{flag} wants a value")
            found[flag] = given
    return (
        Overrides(
            url=found.get("--url"),
            home=_path(found.get("--home")),
            token_file=_path(found.get("--token-file")),
            acting_as=actor(found["--as"], "--as") if "--as" in found else None,
        ),
        rest,
    )


def _path(text: str | None) -> Path | None:
    return Path(text).expanduser() if text is not None else None


def parse(rest: Sequence[str]) -> argparse.Namespace:
    """Read a command and its own flags; usage errors and help end the process."""
    return parser().parse_args(rest)


@cache
def parser() -> argparse.ArgumentParser:
    """The parser of every command, made from their table."""
    import argparse

    from rig_tui.cli.commands import COMMANDS

    whole = argparse.ArgumentParser(
        prog="rig-tui",
        description="A terminal console for the people who operate AI-agent seats.",
        epilog=_epilog(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    whole.add_argument("--version", action="store_true", help="print the version")
    whole.add_argument(
        "--plain", action="store_true", help="a line mode, for screen readers and dumb terminals"
    )
    whole.set_defaults(command=None)
    words = whole.add_subparsers(metavar="COMMAND")
    below: dict[str, argparse._SubParsersAction[argparse.ArgumentParser]] = {}
    for command in COMMANDS:
        first, _, second = command.name.partition(" ")
        among = below[first] if second else words
        # argparse lists what has a help.
        listed: dict[str, Any] = {} if command.hidden else {"help": command.help}
        made = among.add_parser(
            second or first,
            **listed,
            description=command.about,
            allow_abbrev=False,
        )
        made.set_defaults(command=command.name)
        if any(each.name.startswith(f"{first} ") for each in COMMANDS) and not second:
            below[first] = made.add_subparsers(metavar="ACT")
        for parameter in command.parameters:
            _add(made, parameter)
    return whole


def _add(parser: argparse.ArgumentParser, parameter: Parameter) -> None:
    facts: dict[str, Any] = {"help": parameter.help.replace("%", "%%")}
    if parameter.is_flag:
        # `json` would hide a module where it is read, and `--as` is a keyword.
        facts["dest"] = "as_json" if parameter.name == "--json" else _attribute(parameter.name)
    elif parameter.repeated or parameter.optional:
        facts["nargs"] = "*" if parameter.repeated else "?"
    if parameter.required:
        facts["required"] = True
    if parameter.is_flag and not parameter.metavar:
        parser.add_argument(parameter.name, action="store_true", **facts)
        return
    facts["default"] = [] if parameter.repeated else parameter.default
    if parameter.choices:
        facts["choices"] = parameter.choices
        facts["metavar"] = "|".join(parameter.choices) if not parameter.metavar else None
    if parameter.metavar:
        facts["metavar"] = parameter.metavar
        if parameter.choices:
            facts["help"] += f" ({', '.join(parameter.choices)})"
    if parameter.convert is not None:
        facts["type"] = parameter.convert
    if parameter.required:
        facts["required"] = True
    several = parameter.is_flag and parameter.repeated
    parser.add_argument(parameter.name, action="append" if several else "store", **facts)


def _attribute(flag: str) -> str:
    return flag.removeprefix("--").replace("-", "_")


def _epilog() -> str:
    from rig_tui.cli.commands import EVERYWHERE, EXIT_CODES

    flags = "\n".join(f"  {f'{p.name} {p.metavar}':<20}{p.help}" for p in EVERYWHERE)
    codes = "\n".join(f"  {code}  {words}" for code, words in EXIT_CODES.items())
    return (
        f"before and after any command:\n{flags}\n\n"
        f"without a command: the console itself\n\nexit codes:\n{codes}\n"
    )
