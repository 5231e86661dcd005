"""What of a response leaves together, and what never waits."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rig_tui.daemon.joined_writes import JoinedWrites

LARGE = b"x" * 4096


class Wire(asyncio.Transport):
    """Keeps what it is given, write by write."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        assert not self.closed
        self.sent.append(bytes(data))

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed


@pytest.fixture
def wire() -> Wire:
    return Wire()


@pytest.mark.parametrize("body", [b"body", LARGE])
async def test_a_head_and_its_body_leave_together(wire: Wire, body: bytes) -> None:
    joined = JoinedWrites(wire)
    joined.write(b"head")
    joined.write(body)
    await asyncio.sleep(0)
    assert wire.sent == [b"head" + body]


async def test_what_nothing_follows_leaves_in_the_same_turn(wire: Wire) -> None:
    JoinedWrites(wire).write(b"head")
    await asyncio.sleep(0)
    assert wire.sent == [b"head"]


async def test_a_large_write_never_waits(wire: Wire) -> None:
    JoinedWrites(wire).write(LARGE)
    assert wire.sent == [LARGE]


async def test_closing_loses_nothing(wire: Wire) -> None:
    joined = JoinedWrites(wire)
    joined.write(b"head")
    joined.close()
    assert wire.sent == [b"head"]
    assert joined.is_closing()


async def test_nothing_is_written_to_what_the_other_end_closed(wire: Wire) -> None:
    JoinedWrites(wire).write(b"head")
    wire.closed = True
    await asyncio.sleep(0)
    assert wire.sent == []
