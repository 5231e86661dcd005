"""One connection followed: its opening, the lists, then what its stream brings."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from typing import TYPE_CHECKING, NoReturn

from rig_tui.client.errors import AnewError, BadAnswerError, LostError
from rig_tui.client.lists import read_fleet
from rig_tui.client.pulse import Doubt, Pulse
from rig_tui.domain.events import LinkDoubted, LinkMade

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
    from datetime import datetime

    from rig_tui.client.intake import EventStream, Intake
    from rig_tui.client.session import Session, Timing
    from rig_tui.domain.events import EventBatch


class Following:
    """Follows one session until it is lost, or isn't to be trusted any more."""

    def __init__(
        self,
        session: Session,
        *,
        clock: Callable[[], datetime],
        timing: Timing,
        probe: Callable[[], Awaitable[object]],
    ) -> None:
        """Nothing is read before `batches`.

        Args:
            session: The daemon that has proved itself.
            clock: The time, aware.
            timing: How long to wait for what.
            probe: Has the daemon prove itself anew, on a connection of its own.
        """
        self._session = session
        self._clock = clock
        self._timing = timing
        self._probe = probe

    async def batches(
        self, chunks: AsyncIterator[bytes], stream: EventStream
    ) -> AsyncGenerator[EventBatch, None]:
        """Read the lists once the stream is open, then pass on what it brings.

        Raises:
            AnewError: The daemon is there, and the stream must be opened anew.
            ClientError: It is lost.
        """
        pulse = Pulse(chunks, self._clock, self._timing)
        try:
            first = await self._opening(pulse, stream)
            read = await read_fleet(self._session, stream.seq)
            yield (made(self._session, self._clock(), renumbered=stream.renumbered), read)
            if first.events:
                yield first.events
            async with aclosing(self._rest(pulse, stream)) as batches:
                async for batch in batches:
                    yield batch
        finally:
            await pulse.aclose()

    async def _opening(self, pulse: Pulse, stream: EventStream) -> Intake:
        """Read up to `stream.opened`, which comes before everything else."""
        time = asyncio.get_running_loop().time
        deadline = time() + self._timing.answer
        while time() < deadline:
            taken = await pulse.take()
            if isinstance(taken, Doubt):
                break
            intake = await stream.take(taken)
            if intake.opened is not None:
                self._check_epoch(intake)
                return intake
            if intake.events:
                break
        raise BadAnswerError("the event stream doesn't begin with stream.opened")

    async def _rest(self, pulse: Pulse, stream: EventStream) -> AsyncGenerator[EventBatch, None]:
        time = asyncio.get_running_loop().time
        last_read = time()
        while True:
            taken = await pulse.take()
            if isinstance(taken, Doubt):
                yield (LinkDoubted(taken.cause, taken.since),)
                await self._make_sure(taken)
            intake = await stream.take(taken)
            self._check_epoch(intake)
            if intake.events:
                yield intake.events
            if intake.reread:
                # What comes meanwhile waits in the socket, and is applied after.
                await asyncio.sleep(max(0.0, last_read + self._timing.reread - time()))
                yield (await read_fleet(self._session, stream.seq),)
                last_read = time()

    async def _make_sure(self, doubt: Doubt) -> NoReturn:
        """See whether the daemon is there; if so, only its stream is to be opened anew."""
        where = self._session.candidate.address
        try:
            async with asyncio.timeout(self._timing.probe):
                await self._probe()
        except TimeoutError as error:
            raise LostError(f"{where} fell silent: {doubt.cause}, and it doesn't answer") from error
        raise AnewError(f"{where}: {doubt.cause}")

    def _check_epoch(self, intake: Intake) -> None:
        """See to it that the stream is of the daemon that proved itself."""
        session = self._session
        if intake.opened is not None and intake.opened.epoch != session.health.epoch:
            raise LostError(f"another daemon has come up at {session.candidate.address}")


def made(session: Session, at: datetime, *, renumbered: bool = False) -> LinkMade:
    """That this session's daemon is connected to."""
    health = session.health
    return LinkMade(
        address=session.candidate.address,
        at=at,
        version=health.version,
        contract=health.contract,
        epoch=health.epoch,
        capabilities=health.capabilities,
        clock_offset=session.clock_offset,
        renumbered=renumbered,
    )
