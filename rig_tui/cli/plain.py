"""`rig-tui --plain`: a line mode for screen readers and terminals that can't draw.

Rule of this file: lines out, lines in, no cursor addressing. A line is a command as the
shell takes it, so that everything with a command can be done here; what arrives meanwhile
is told in lines of its own, and nothing that is typed answers by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import shlex
import sys
import threading
from contextlib import aclosing
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Final, TextIO

from rig_tui.cli import argv
from rig_tui.cli.asks import title
from rig_tui.cli.commands import BY_NAME, COMMANDS
from rig_tui.cli.desk import Desk, desk_for
from rig_tui.cli.manual import synopsis
from rig_tui.cli.printing import SPOKEN, age, complain
from rig_tui.cli.stream import Told
from rig_tui.cli.words import state_words
from rig_tui.client.errors import ClientError
from rig_tui.domain import mapping, select
from rig_tui.domain.inert import inert
from rig_tui.settings import SettingsError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Mapping

    from rig_tui.domain.model import Ask, JsonObject
    from rig_tui.settings import Overrides

LEAVE: Final = frozenset({"q", "quit", "exit"})
ELSEWHERE: Final = frozenset({"demo", "daemon", "complete", "completion", "man", "watch"})
"""Commands that are processes of their own, or for other programs."""
_NUMBER = re.compile(r"#(\d+)")
_TOLD: Final = frozenset({"link", "ask.opened", "ask.changed", "ask.closed", "permit",
                          "runner.permit", "people"})  # fmt: skip


def run(
    overrides: Overrides,
    environ: Mapping[str, str],
    do: Callable[[Overrides, argparse.Namespace], int],
    lines: TextIO,
) -> int:
    """Read commands until the end, and give the exit code.

    Raises:
        SettingsError: A setting can't be used.
    """
    SPOKEN.set(True)
    try:
        return asyncio.run(_Talk(desk_for(overrides, environ), overrides, do).hold(lines))
    except ClientError as error:
        complain(str(error))
        return 5
    except KeyboardInterrupt:
        return 130


class _Talk:
    """One session of lines with a daemon."""

    def __init__(
        self,
        desk: Desk,
        overrides: Overrides,
        do: Callable[[Overrides, argparse.Namespace], int],
    ) -> None:
        self._desk = desk
        self._overrides = overrides
        self._do = do
        self._numbers: dict[str, int] = {}
        """The number by which an ask is named here; it is never given to another."""
        self._link = "live"
        self._busy = False
        self._held_back: list[str] = []
        """What happened while a command was printing."""

    async def hold(self, lines: TextIO) -> int:
        """Talk until the last line."""
        async with aclosing(self._desk.backend):
            await self._desk.open()
            self._say(f"rig-tui at {self._desk.fleet.link.address}, "
                      f"answering as {self._desk.fleet.operator}.")  # fmt: skip
            self._list()
            self._say("Type help for the commands, quit to leave. Leaving answers nothing.")
            await self._desk.backend.aclose()
            follower = asyncio.create_task(self._follow())
            try:
                await self._read(lines)
            finally:
                follower.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await follower
        return 0

    async def _read(self, lines: TextIO) -> None:
        arrived: asyncio.Queue[str] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def read() -> None:
            for line in lines:
                loop.call_soon_threadsafe(arrived.put_nowait, line)
            loop.call_soon_threadsafe(arrived.put_nowait, "quit")

        # A thread that waits for a line can't be ended, and must not keep the process.
        threading.Thread(target=read, daemon=True).start()
        while True:
            self._prompt()
            words = self._words(await arrived.get())
            if words and words[0] in LEAVE:
                return
            if words:
                await self._command(words)

    def _words(self, line: str) -> list[str]:
        try:
            return [self._named(word) for word in shlex.split(line)]
        except ValueError as error:
            complain(f"that line can't be read: {error}")
            return []

    def _named(self, word: str) -> str:
        """The id of an ask that is named by its number.

        Raises:
            ValueError: No ask has this number.
        """
        number = _NUMBER.fullmatch(word)
        if number is None:
            return word
        for ask_id, held in self._numbers.items():
            if held == int(number[1]):
                return ask_id
        raise ValueError(f"no ask has the number {word}")

    async def _command(self, words: list[str]) -> None:
        self._busy = True
        try:
            if words[0] == "help":
                self._help(words[1:])
            elif words == ["asks"]:
                self._list()
            elif words[0] in ELSEWHERE:
                complain(f"{words[0]} is no command of the line mode: leave, and use the shell")
            else:
                await asyncio.to_thread(self._typed, words)
        finally:
            self._busy = False
        for line in self._held_back:
            self._say(line)
        self._held_back.clear()

    def _typed(self, words: list[str]) -> None:
        try:
            overrides, rest = argv.split(words)
            code = self._do(self._over(overrides), argv.parse(rest))
        except SettingsError as error:
            complain(str(error))
            return
        except SystemExit:
            return  # argparse has said what it wants
        if code:
            self._say(f"Exit code {code}.")

    def _over(self, line: Overrides) -> Overrides:
        """What the line says, and where it says nothing what the session was begun with."""
        said = {each.name: getattr(line, each.name) for each in fields(line)}
        return replace(self._overrides, **{name: value for name, value in said.items() if value})

    def _help(self, words: list[str]) -> None:
        wanted = " ".join(words)
        if wanted in BY_NAME:
            with contextlib.suppress(SystemExit):
                argv.parse([*words, "--help"])
            return
        for command in COMMANDS:
            if command.name not in ELSEWHERE:
                self._say(f"{synopsis(command)}: {command.help}.")
        self._say("An ask may be named by its number, as #1. help COMMAND tells more.")

    async def _follow(self) -> None:
        told = Told(self._desk)
        async with aclosing(self._desk.backend.connect()) as batches:
            async for batch in batches:
                for event in batch:
                    for row, words in told.of(event):
                        if row["type"] in _TOLD and self._is_news(row):
                            self._tell(str(row["type"]), words)

    def _is_news(self, row: JsonObject) -> bool:
        """Whether it wasn't just told; each attempt to get through again isn't."""
        if row["type"] != "link":
            return True
        was, self._link = self._link, str(row["state"])
        return was != self._link

    def _tell(self, kind: str, words: str) -> None:
        for ask in self._desk.fleet.asks.values():
            if ask.ask_id in words:
                words = words.replace(ask.ask_id, f"#{self._number(ask)}")
        line = f"{kind.replace('.', ' ')}: {' '.join(words.split())}"
        if self._busy:
            self._held_back.append(line)
        else:
            self._say(line)

    def _list(self) -> None:
        waiting = select.pending_asks(self._desk.fleet)
        self._say(f"{len(waiting)} waiting." if waiting else "Nobody is asked anything.")
        for ask in waiting:
            self._say(self._sentence(ask))

    def _sentence(self, ask: Ask) -> str:
        options = "; ".join(
            f"{option.option_id}: {option.name}, {mapping.meaning(option.kind)}"
            for option in ask.options
        )
        offers = f"Options: {options}." if options else "It is no permission request: use item."
        return (
            f"#{self._number(ask)} {ask.seat_ref}: {title(ask) or 'untitled'}; "
            f"{state_words(ask)} for {age(ask.opened_at, self._desk.now())}. {offers}"
        )

    def _number(self, ask: Ask) -> int:
        return self._numbers.setdefault(ask.ask_id, len(self._numbers) + 1)

    def _say(self, line: str) -> None:
        sys.stdout.write(f"{inert(line)}\n")
        sys.stdout.flush()

    def _prompt(self) -> None:
        if sys.stdin is not None and sys.stdin.isatty():
            sys.stdout.write("> ")
            sys.stdout.flush()
