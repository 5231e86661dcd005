"""Shell completion: what may come next on a command line, and each shell's script for it.

Rule of this file: what agents named is offered only where no shell could take it for
anything but a word.
"""

from __future__ import annotations

import asyncio
import re
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING, Final

from rig_tui.actions.headless import Names
from rig_tui.cli.argv import split
from rig_tui.cli.commands import BY_NAME, COMMANDS, EVERYWHERE
from rig_tui.cli.stop import Stop
from rig_tui.client.errors import ClientError
from rig_tui.settings import Overrides, SettingsError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rig_tui.actions.headless import Headless, Parameter
    from rig_tui.cli.desk import Desk

SHELLS: Final = ("bash", "zsh", "fish")
PATIENCE: Final = 5.0
"""Seconds a daemon may take before nothing of it is offered."""
_PLAIN = re.compile(r"[\w.:@/+,-]+", re.ASCII)
_SCRIPTS: Final = {
    "bash": """\
_rig_tui() {
    local line=${COMP_LINE:0:COMP_POINT} current prefix found
    local -a words
    read -ra words <<<"$line"
    [[ $line == *[[:space:]] ]] && words+=("")
    current=${words[-1]}
    # Bash takes a name apart at these and completes its last part only.
    prefix=${current%"${current##*[@:=]}"}
    COMPREPLY=()
    while IFS= read -r found; do
        COMPREPLY+=("${found#"$prefix"}")
    done < <("${words[0]}" complete -- "${words[@]:1}" 2>/dev/null)
}
complete -F _rig_tui rig-tui
""",
    "zsh": """\
#compdef rig-tui
_rig_tui() {
    local -a found
    found=("${(@f)$("$words[1]" complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
    compadd -- $found
}
compdef _rig_tui rig-tui
""",
    "fish": """\
function __rig_tui_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    $words[1] complete -- $words[2..-1] "$current" 2>/dev/null
end
complete -c rig-tui -f -a '(__rig_tui_complete)'
""",
}


def print_script(shell: str) -> int:
    """Print a shell's script; gives the exit code."""
    sys.stdout.write(_SCRIPTS[shell])
    return 0


def print_candidates(words: Sequence[str], environ: Mapping[str, str]) -> int:
    """Print what the last of these words may become, one on each line."""
    *before, current = words or [""]
    found = [*candidates(before, current, environ)]
    sys.stdout.write("".join(f"{word}\n" for word in found if word.startswith(current)))
    return 0


def candidates(before: Sequence[str], current: str, environ: Mapping[str, str]) -> Iterable[str]:
    """Every word that may come next, whatever has been typed of it."""
    overrides, rest, pending = _overrides(before)
    if pending is not None:
        return _named(pending, [], overrides, environ)
    command = _command(rest)
    if command is None:
        flags = (each.name for each in EVERYWHERE)
        return [*dict.fromkeys(each.name.split()[0] for each in COMMANDS if not each.hidden),
                *flags]  # fmt: skip
    flag, given = _given(command, rest[len(command.name.split()) :])
    if flag is not None:
        return _named(flag, given, overrides, environ)
    if current.startswith("-"):
        return [each.name for each in (*command.parameters, *EVERYWHERE) if each.is_flag]
    second = [each.name.split()[1] for each in COMMANDS if each.name.startswith(f"{command.name} ")]
    words = [each for each in command.parameters if not each.is_flag]
    if len(given) < len(words):
        return [*second, *_named(words[len(given)], given, overrides, environ)]
    return second


def _overrides(before: Sequence[str]) -> tuple[Overrides, list[str], Parameter | None]:
    """What stands before or after any command, the rest, and a flag that wants a value."""
    everywhere = {each.name: each for each in EVERYWHERE}
    last = everywhere.get(before[-1]) if before else None
    try:
        return *split(before[:-1] if last else before), last
    except SettingsError:
        return Overrides(), [], last


def _command(rest: Sequence[str]) -> Headless | None:
    two = BY_NAME.get(" ".join(rest[:2]))
    return two or (BY_NAME.get(rest[0]) if rest else None)


def _given(command: Headless, words: Sequence[str]) -> tuple[Parameter | None, list[str]]:
    """A flag that waits for its value, and the words that stand by their place."""
    flags = {each.name: each for each in command.parameters if each.is_flag}
    waiting: Parameter | None = None
    given: list[str] = []
    for word in words:
        if waiting is not None:
            waiting = None
        elif word in flags:
            waiting = flags[word] if flags[word].metavar else None
        elif not word.startswith("-"):
            given.append(word)
    return waiting, given


def _named(
    parameter: Parameter, given: Sequence[str], overrides: Overrides, environ: Mapping[str, str]
) -> list[str]:
    if parameter.choices:
        return [*parameter.choices]
    if parameter.names is Names.NOTHING:
        return []
    try:
        names = asyncio.run(_ask(parameter.names, given, overrides, environ))
    except (ClientError, SettingsError, Stop, TimeoutError):
        return []
    return [name for name in names if _PLAIN.fullmatch(name)]


async def _ask(
    names: Names, given: Sequence[str], overrides: Overrides, environ: Mapping[str, str]
) -> list[str]:
    from rig_tui.cli.desk import desk_for

    desk = desk_for(overrides, environ)
    async with aclosing(desk.backend), asyncio.timeout(PATIENCE):
        await desk.open()
        return await _known(desk, names, given)


async def _known(desk: Desk, names: Names, given: Sequence[str]) -> list[str]:
    fleet = desk.fleet
    match names:
        case Names.ASK:
            return [ask.ask_id for ask in fleet.asks.values() if ask.pending]
        case Names.OPTION:
            ask = await desk.ask(given[0])
            return [option.option_id for option in ask.options]
        case Names.SEAT:
            return sorted(seat.seat_ref for seat in fleet.seats.values())
        case Names.PERSON:
            return [person.entity_id for person in fleet.people.registered]
        case Names.NOTHING:
            return []
