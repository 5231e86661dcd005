"""The manual page, made from the table of commands."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rig_tui import __version__
from rig_tui.cli.commands import COMMANDS, EVERYWHERE, EXIT_CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rig_tui.actions.headless import Headless, Parameter


def print_manual() -> int:
    """Print the page for man(1); gives the exit code."""
    sys.stdout.write("\n".join(page()) + "\n")
    return 0


def page() -> Iterator[str]:
    """The page, in the man macros of roff."""
    yield f'.TH RIG\\-TUI 1 "" "rig\\-tui {_text(__version__)}" "User Commands"'
    yield ".SH NAME"
    yield "rig\\-tui \\- a terminal console for the people who operate AI\\-agent seats"
    yield ".SH SYNOPSIS"
    yield ".B rig\\-tui"
    yield "[\\fICOMMAND\\fR] [\\fIOPTIONS\\fR]"
    yield ".PP"
    yield "Without a command it is the console itself; with"
    yield ".B \\-\\-plain"
    yield "a line mode, for screen readers and dumb terminals."
    yield ".SH OPTIONS"
    yield "Before and after any command:"
    for parameter in EVERYWHERE:
        yield from _parameter(parameter)
    yield ".SH COMMANDS"
    for command in COMMANDS:
        if not command.hidden:
            yield from _command(command)
    yield ".SH EXIT STATUS"
    for code, words in EXIT_CODES.items():
        yield from (".TP", f".B {code}", _text(words))


def synopsis(command: Headless) -> str:
    """`answer ID [OPTION] [--kind KIND] …`."""
    return " ".join((command.name, *map(usage, command.parameters)))


def usage(parameter: Parameter) -> str:
    """How a parameter is written: `ID`, `[OPTION]`, `[--json]`, `--how HOW`."""
    value = parameter.metavar or "|".join(parameter.choices)
    if not parameter.is_flag:
        return f"[{value}]" if parameter.optional else value
    written = f"{parameter.name} {value}" if parameter.metavar else parameter.name
    return written if parameter.required else f"[{written}]"


def _command(command: Headless) -> Iterator[str]:
    yield ".SS " + _text(synopsis(command))
    yield _text(command.about)
    for parameter in command.parameters:
        yield from _parameter(parameter)


def _parameter(parameter: Parameter) -> Iterator[str]:
    yield ".TP"
    yield f".B {_text(usage(parameter).strip('[]'))}"
    choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
    yield _text(f"{parameter.help}{choices if parameter.metavar else ''}.")


def _text(text: str) -> str:
    """Words that roff takes for nothing but words."""
    safe = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{safe}" if safe.startswith((".", "'")) else safe
