"""The connection to the daemon, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.domain.model import Link, LinkState
from rig_tui.ui.present.age import age_words, clock, short
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import BLANK, Line, fact, join, line, paint
from rig_tui.ui.present.roles import (
    ACCENT,
    DANGER,
    DANGER_STRONG,
    DIM,
    HEADING,
    OK,
)

if TYPE_CHECKING:
    from datetime import datetime

_WORDS: Final = {
    LinkState.CONNECTING: ("connecting", ACCENT),
    LinkState.LIVE: ("live", OK),
    LinkState.STALE: ("stale", ACCENT),
    LinkState.LOST: ("lost", DANGER),
    LinkState.RETRYING: ("retrying", DANGER),
    LinkState.REFUSED: ("refused", DANGER),
}


def link_word(link: Link) -> tuple[str, str]:
    """The word for how the link stands, and its role."""
    return _WORDS[link.state]


def link_banner(link: Link, now: datetime) -> Text | None:
    """What a link that isn't live means for the agents (T7-27); None when it is live."""
    match link.state:
        case LinkState.LIVE:
            return None
        case LinkState.CONNECTING:
            return join(("connecting to the daemon", ACCENT), _at(link), *_cause(link))
        case LinkState.STALE:
            at = f" since {clock(link.since, now)}" if link.since else ""
            words = f"nothing vouches for what is shown{at}; an answer reads its ask again first"
            return join((words, ACCENT), *_cause(link))
        case LinkState.REFUSED:
            words = "the daemon won't have this console: nothing can be answered from here"
            return join((words, DANGER_STRONG), *_cause(link), *_retry(link, now))
        case LinkState.LOST | LinkState.RETRYING:
            words = "can't reach the daemon: runners that ask now will permit"
            if not link.takes_requests:
                words = "can't reach the daemon: what is shown is old, and nothing can be done"
            return join((words, DANGER_STRONG), *_cause(link), *_retry(link, now))


def old_words(link: Link, now: datetime) -> tuple[str, ...]:
    """What a row says when nothing vouches for it, longest wording first; else nothing."""
    if link.live:
        return ()
    word = "stale" if link.state is LinkState.STALE else "offline"
    if link.since is None:
        return (word,)
    at = f"{link.since.astimezone(now.tzinfo):%H:%M}"
    return (f"{word} since {at}", f"{word} {at}", word)


def link_lines(link: Link, now: datetime) -> list[Line]:
    """Everything known about the connection."""
    word, role = link_word(link)
    lines = [fact("link", join((word, role)))]
    banner = link_banner(link, now)
    if banner is not None:
        lines.append(Line(banner, 2))
    offset = link.clock_offset.total_seconds()
    clocks = "agrees with ours" if abs(offset) < 1 else f"{_signed(offset)} ours"
    lines += [
        fact("address", inert(link.address or "none yet")),
        fact("found by", inert(link.found_by or "not said")),
        fact("since", _since(link, now)),
        fact("attempts", Text(str(link.attempts))),
        fact("version", inert(link.version or "not known")),
        fact("contract", inert(_contract(link))),
        fact("epoch", inert(link.epoch or "not known")),
        fact("its clock", Text(clocks)),
        *_abilities(link),
    ]
    if link.remarks:
        lines += [BLANK, line(("What the stream brought that couldn't be used", HEADING))]
        lines += [Line(paint(inert(remark), DIM), 2) for remark in reversed(link.remarks)]
    return lines


def _contract(link: Link) -> str:
    if link.takes_requests:
        return link.contract or "not known"
    return f"none: {link.version} has no permission answers; answer in the pane or in Slack"


def _abilities(link: Link) -> list[Line]:
    """What it can do; one that was probed route by route is told kind by kind."""
    if link.takes_requests:
        return [fact("can do", inert(", ".join(sorted(link.capabilities)) or "not known"))]
    kinds = {"reads": "read:", "streams": "stream:", "commands": "do:"}
    return [
        fact(kind, inert(", ".join(_of_kind(link, prefix)) or "none"))
        for kind, prefix in kinds.items()
    ]


def _of_kind(link: Link, prefix: str) -> list[str]:
    names = sorted(link.capabilities)
    return [name.removeprefix(prefix) for name in names if name.startswith(prefix)]


def _at(link: Link) -> Text:
    return join(" at ", inert(link.address)) if link.address else Text("")


def _cause(link: Link) -> tuple[Text, ...]:
    return (join(": ", inert(link.cause)),) if link.cause else ()


def _retry(link: Link, now: datetime) -> tuple[str, ...]:
    if link.retry_at is None:
        return ()
    seconds = (link.retry_at - now).total_seconds()
    return (f"; trying again in {short(seconds)}" if seconds >= 1 else "; trying again",)


def _since(link: Link, now: datetime) -> Text:
    if link.since is None:
        return Text("not known")
    return Text(f"{clock(link.since, now)}, {age_words(link.since, now)} ago")


def _signed(seconds: float) -> str:
    return f"{short(abs(seconds))} {'ahead of' if seconds > 0 else 'behind'}"
