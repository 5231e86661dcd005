"""A seat's timeline: each entry in one line, and in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.text import Text

from rig_tui.domain.activity import Why
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.timeline import SeatEvent, SeatEventKind
from rig_tui.ui.present.age import clock
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, cut, fact, join, line, pad, paint
from rig_tui.ui.present.roles import ACCENT, DANGER, DIM, FAINT, NAME, OK, PLAIN, VIOLET
from rig_tui.ui.present.who import who

if TYPE_CHECKING:
    from datetime import datetime

    from rig_tui.domain.model import People

_KINDS: Final = {
    SeatEventKind.POST: ("posted", PLAIN),
    SeatEventKind.REFUSED: ("not counted", DIM),
    SeatEventKind.ERROR: ("error", DANGER),
    SeatEventKind.EXIT: ("agent exited", VIOLET),
    SeatEventKind.CLEARED: ("attention cleared", PLAIN),
    SeatEventKind.OVERRIDE: ("who is asked", PLAIN),
    SeatEventKind.GRANT: ("grant", PLAIN),
    SeatEventKind.LAUNCH: ("launch", PLAIN),
    SeatEventKind.STOPPED: ("stopped", VIOLET),
    SeatEventKind.ASK: ("asked", ACCENT),
    SeatEventKind.HANDOFF: ("handed over", PLAIN),
    SeatEventKind.ENDED: ("ask ended", OK),
    SeatEventKind.PERMIT: ("permitted by default", DANGER),
}
_WORDS: Final = {kind.value: shown for kind, shown in _KINDS.items()}
_LABEL: Final = 20
_WHY: Final = {
    Why.STALE_GENERATION: "from an earlier occupant",
    Why.NOT_ACTIVITY: "recorded only; it says nothing about activity",
    Why.OLDER: "older than the last counted post",
    Why.DUPLICATE: "the same post again",
    Why.BEAT_WITHOUT_GENERATION: "a beat that doesn't say whose it is",
    Why.BEAT_OUTSIDE_TURN: "a beat outside its turn",
    Why.BEAT_WITHOUT_RISING_SEQUENCE: "a beat whose number doesn't rise",
    Why.BEAT_DURING_ATTENTION: "a beat while somebody is waited for",
}
_WHY_WORDS: Final = {why.value: words for why, words in _WHY.items()}


def timeline_row(
    event: SeatEvent, now: datetime, width: int, people: People, glyphs: Glyphs = UNICODE
) -> Text:
    """An entry in one line, exactly `width` cells wide; the right end gives way."""
    words, role = _kind(event)
    narrow = width < 60
    label = words if narrow else words.plain.ljust(_LABEL)
    row = join(
        (f"{clock(event.at, now)}  ", FAINT),
        paint(words, role) if narrow else (str(label), role),
        "  " if narrow else " ",
        paint(inert(event.what), NAME if event.kind == SeatEventKind.ASK else PLAIN),
        *((" by ", who(event.by, people)) if event.by else ()),
        *((": ", paint(_reason(event), DIM)) if event.reason else ()),
    )
    return pad(cut(row, width, glyphs), width)


def timeline_lines(event: SeatEvent, now: datetime, people: People) -> list[Line]:
    """Everything the daemon logged of an entry."""
    words, role = _kind(event)
    lines = [line(paint(words, role)), fact("when", Text(clock(event.at, now)))]
    if event.what:
        lines.append(fact("what", inert(event.what)))
    if event.by:
        lines.append(fact("by", who(event.by, people)))
    if event.reason:
        lines.append(fact("reason", _reason(event)))
    if event.ask_id:
        lines.append(fact("ask", inert(event.ask_id)))
    if event.kind == SeatEventKind.ERROR:
        lines.append(line(("An error changes nothing of what the seat reads.", DIM)))
    return lines


def no_timeline() -> list[Line]:
    """Why there is none to show, and where to look instead."""
    return [
        line(("This daemon keeps no timeline of its seats that a console could read.", ACCENT)),
        line(("The seat's permits and ended asks are in the history, narrowed to it.", DIM)),
    ]


def _kind(event: SeatEvent) -> tuple[Text, str]:
    words, role = _WORDS.get(event.kind, ("", PLAIN))
    return (Text(words), role) if words else (inert(event.kind or "no kind given"), role)


def _reason(event: SeatEvent) -> Text:
    reason = event.reason or ""
    if event.kind in (SeatEventKind.REFUSED, SeatEventKind.ERROR):
        return inert(_WHY_WORDS.get(reason, reason))
    return inert(cause_in_words(reason) if event.kind == SeatEventKind.PERMIT else reason)
