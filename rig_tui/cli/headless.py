"""The commands that print and end.

What was asked for goes to stdout, everything else to stderr: a script may read stdout
without looking.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import aclosing
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

from rig_tui.cli.asks import asks_json, print_asks
from rig_tui.cli.people import add_person
from rig_tui.cli.printing import print_json
from rig_tui.cli.seats import print_seats, seats_json
from rig_tui.client.errors import BadAnswerError, ClientError, DiscoveryError, NotAllowedError
from rig_tui.client.local import local_backend, now
from rig_tui.domain.inert import inert_block
from rig_tui.domain.model import Fleet
from rig_tui.settings import inside_seat, load

if TYPE_CHECKING:
    import argparse
    from collections.abc import Mapping

    from rig_tui.settings import Overrides

_ACTING = frozenset({"people"})
"""Commands that change something, which a seat may not."""


def run(given: argparse.Namespace, overrides: Overrides, environ: Mapping[str, str]) -> int:
    """Do one command and give its exit code.

    Raises:
        SettingsError: A setting can't be used.
    """
    variable = inside_seat(environ)
    if given.command in _ACTING and variable is not None:
        return _fail(f"this runs inside a seat ({variable} is set): nothing was done", 6)
    try:
        return asyncio.run(_run(given, overrides, environ))
    except DiscoveryError as error:
        return _fail(str(error), 2)
    except NotAllowedError as error:
        return _fail(str(error), 6)
    except BadAnswerError as error:
        return _fail(str(error), 1)
    except ClientError as error:
        return _fail(str(error), 5)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has what it wanted; Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


async def _run(given: argparse.Namespace, overrides: Overrides, environ: Mapping[str, str]) -> int:
    settings = load(overrides, environ)
    known = Fleet(acting_as=settings.acting_as)
    backend = local_backend(
        overrides, settings, environ, program="cli", actor=lambda: known.operator
    )
    async with aclosing(backend):
        fleet = await backend.open()
        known = replace(known, people=fleet.people)
        match given.command:
            case "seats" if given.as_json:
                print_json(seats_json(fleet, backend.base_url))
            case "seats":
                print_seats(fleet, now() + backend.clock_offset)
            case "asks" if given.as_json:
                print_json(asks_json(fleet, backend.base_url))
            case "asks":
                print_asks(fleet, now() + backend.clock_offset)
            case _:
                return await add_person(backend, given, uuid4().hex)
    sys.stdout.flush()
    return 0


def _fail(message: str, code: int) -> int:
    sys.stderr.write(f"rig-tui: {inert_block(message)}\n")
    return code
