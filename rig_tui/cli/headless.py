"""The commands that print and end.

What was asked for goes to stdout, everything else to stderr: a script may read stdout
without looking.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import aclosing
from typing import TYPE_CHECKING

from rig_tui.cli import acts, asks, brief, people, record, seats, stream
from rig_tui.cli.commands import BY_NAME
from rig_tui.cli.desk import Desk, desk_for, inside_words
from rig_tui.cli.printing import complain
from rig_tui.cli.progress import progress
from rig_tui.cli.stop import REFUSED, UNREACHABLE, USAGE, Stop
from rig_tui.client.errors import BadAnswerError, ClientError, DiscoveryError, NotAllowedError
from rig_tui.domain.inert import inert
from rig_tui.settings import inside_seat

if TYPE_CHECKING:
    import argparse
    from collections.abc import Awaitable, Callable, Mapping

    from rig_tui.settings import Overrides

INTERRUPTED = 130


def run(given: argparse.Namespace, overrides: Overrides, environ: Mapping[str, str]) -> int:
    """Do one command and give its exit code.

    Raises:
        SettingsError: A setting can't be used.
    """
    variable = inside_seat(environ)
    if BY_NAME[given.command].acts and variable is not None:
        return _fail(REFUSED, inside_words(variable))
    try:
        return asyncio.run(_run(given, overrides, environ))
    except Stop as stop:
        return _fail(stop.code, str(stop))
    except DiscoveryError as error:
        return _fail(USAGE, str(error))
    except NotAllowedError as error:
        return _fail(REFUSED, str(error))
    except BadAnswerError as error:
        return _fail(1, str(error))
    except ClientError as error:
        return _fail(UNREACHABLE, str(error))
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has what it wanted; Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


async def _run(given: argparse.Namespace, overrides: Overrides, environ: Mapping[str, str]) -> int:
    desk = desk_for(overrides, environ)
    async with aclosing(desk.backend):
        async with progress("reading what the daemon has"):
            await desk.open()
        code = await COMMANDS[given.command](desk, given)
    sys.stdout.flush()
    return code


async def _cancel_turn(desk: Desk, given: argparse.Namespace) -> int:
    from rig_tui.actions.seats import IN_THE_PANE, REQUESTED

    seat = desk.seat(given.seat)
    sys.stdout.write(f"{inert(seat.seat_ref)}: {IN_THE_PANE}\n{REQUESTED}\n")
    return 0


COMMANDS: dict[str, Callable[[Desk, argparse.Namespace], Awaitable[int]]] = {
    "seats": seats.seats,
    "asks": asks.asks,
    "show": asks.show,
    "permits": record.permits,
    "timeline": record.timeline,
    "people": people.people,
    "people add": people.change_people,
    "people remove": people.change_people,
    "people default": people.change_people,
    "who-is-asked": people.who_is_asked,
    "cancel-turn": _cancel_turn,
    "watch": stream.watch,
    "wait": stream.wait,
    "brief": brief.brief,
    **dict.fromkeys(
        ("answer", "deny", "reply", "route", "handoff", "take-back", "close", "item"), acts.on_ask
    ),
    **dict.fromkeys(("clear-attention", "message", "stop-seat", "revoke-grant"), acts.on_seat),
}
"""What does each command that needs a daemon."""


def _fail(code: int, message: str) -> int:
    complain(message)
    return code
