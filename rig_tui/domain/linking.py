"""How the link stands after something has happened to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, assert_never

from rig_tui.domain.events import (
    LinkDoubted,
    LinkLost,
    LinkMade,
    LinkRefused,
    LinkRemarked,
    LinkTried,
)
from rig_tui.domain.model import Link, LinkState

if TYPE_CHECKING:
    from datetime import datetime

REMARKS_KEPT = 50

LinkEvent: TypeAlias = LinkTried | LinkMade | LinkDoubted | LinkLost | LinkRefused | LinkRemarked
_KEPT = (LinkState.CONNECTING, LinkState.REFUSED, LinkState.STALE)
"""States that a new attempt alone doesn't change."""
_DOWN = (LinkState.LOST, LinkState.RETRYING, LinkState.STALE)
"""States in which nothing has vouched for the picture since."""


def linked(link: Link, event: LinkEvent) -> Link:
    """The link after this event."""
    match event:
        case LinkTried(address, found_by):
            return replace(
                link,
                state=link.state if link.state in _KEPT else LinkState.RETRYING,
                address=address,
                found_by=found_by,
                attempts=link.attempts + 1,
                retry_at=None,
            )
        case LinkMade():
            return replace(
                link,
                state=LinkState.LIVE,
                address=event.address,
                since=event.at,
                cause="",
                retry_at=None,
                attempts=0,
                version=event.version,
                contract=event.contract,
                epoch=event.epoch,
                capabilities=event.capabilities,
                clock_offset=event.clock_offset,
            )
        case LinkDoubted(cause, since):
            return replace(link, state=LinkState.STALE, cause=cause, since=since)
        case LinkLost(cause, at, retry_at):
            return _down(link, LinkState.LOST, cause, at, retry_at)
        case LinkRefused(cause, at, retry_at):
            return _down(link, LinkState.REFUSED, cause, at, retry_at)
        case LinkRemarked(remark):
            return replace(link, remarks=(*link.remarks, remark)[-REMARKS_KEPT:])
        case _:
            assert_never(event)


def _down(link: Link, state: LinkState, cause: str, at: datetime, retry_at: datetime) -> Link:
    since = link.since if link.state in _DOWN else at
    return replace(link, state=state, cause=cause, since=since, retry_at=retry_at)
