"""A seat in one row of the board, and the headings between rows.

`seat_row` runs for every event that touches a visible row: what can be cached by
text and width is.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Span, Text

from rig_tui.domain import select
from rig_tui.domain.model import (
    PRIMARY_USER,
    Ask,
    AskedMode,
    AskState,
    EvidenceKind,
    HolderType,
    Reading,
    Seat,
    Sending,
    Sent,
)
from rig_tui.domain.tool_call import kind_of
from rig_tui.domain.watching import overdue
from rig_tui.ui.present.age import age_text
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert, inert_words
from rig_tui.ui.present.lines import cut, join, pad, paint
from rig_tui.ui.present.roles import (
    ACCENT,
    DANGER,
    DIM,
    FAINT,
    HEADING,
    NAME,
    OK,
    PLAIN,
    VIOLET,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

_NO_OFFSET = timedelta()
_AGE: Final = 5
_BADGES: Final = {
    Reading.NEEDS_INPUT: ("needs input", "needs", ACCENT),
    Reading.WORKING: ("working", "works", OK),
    Reading.IDLE: ("idle", "idle", DIM),
    Reading.UNKNOWN: ("unknown", "unkn.", VIOLET),
}
_UNREAD: Final = ("not listed", "none", VIOLET)
"""The badge of an ask whose seat isn't known."""

_ENDED: Final = {
    AskState.ANSWERED: "answered",
    AskState.PERMITTED: "permitted",
    AskState.REFUSED: "refused",
    AskState.WITHDRAWN: "withdrawn",
    AskState.STALE: "stale",
    AskState.CLOSED: "closed",
}
_LAUNCHES: Final = {
    "missing": ("conversation missing", "missing"),
    "unconfirmed": ("resume unconfirmed", "unconfirmed"),
    "mismatch": ("other conversation", "mismatch"),
    "not_started": ("nothing started", "not started"),
}


@dataclass(frozen=True, slots=True)
class _Columns:
    full_badge: bool
    name: int
    what: int
    """Without the gap before it; 0 when there is no room for the column."""
    holder: int
    rest: int


@lru_cache(maxsize=512)
def _columns(width: int) -> _Columns:
    """Share a row's cells out: badge, name and age always, then what, then the holder."""
    full = width >= 30
    room = width - (13 if full else 7) - 1 - _AGE
    holder = 1 + min(14, 8 + max(0, width - 57) // 5) if width >= 56 else 0
    room -= holder
    what = min(28, max(10, room * 2 // 5)) if room >= 20 else 0
    name = max(1, room - (what + 1 if what else 0))
    return _Columns(full, min(name, 40), what, holder, max(0, name - 40))


def badge(reading: Reading) -> tuple[str, str]:
    """The word of a reading, and its role."""
    word, _, role = _BADGES[reading]
    return word, role


def glyph_of(reading: Reading, glyphs: Glyphs = UNICODE) -> str:
    """The glyph of a reading."""
    match reading:
        case Reading.NEEDS_INPUT:
            return glyphs.needs_input
        case Reading.WORKING:
            return glyphs.working
        case Reading.IDLE:
            return glyphs.idle
        case Reading.UNKNOWN:
            return glyphs.unknown


def seat_row(
    seat: Seat | None,
    ask: Ask | None,
    *,
    now: datetime,
    width: int,
    sent: Sent | None = None,
    operator: str = PRIMARY_USER,
    offset: timedelta = _NO_OFFSET,
    old: tuple[str, ...] = (),
    flapping: bool = False,
    after_no: str = "",
    glyphs: Glyphs = UNICODE,
) -> Text:
    """One row of the board, exactly `width` cells wide (20 or more).

    Args:
        seat: The seat; None for an ask of a seat nobody listed.
        ask: The ask the row stands for, waiting or ended and not picked up.
        now: The instant that ages are counted to.
        width: The cells there are.
        sent: What this console last sent for the ask.
        operator: Who sits here, to mark what others hold.
        offset: The daemon's clock minus ours.
        old: Since when nothing vouches for the row, the longest wording first; it then
            looks and reads as old.
        flapping: Whether the seat flips between working and idle too fast to be read.
        after_no: The tool the seat used in this turn although it was refused.
        glyphs: The set to draw with.
    """
    columns = _columns(width)
    reading = seat.reading if seat else None
    needy = ask is not None or (seat is not None and _needs(seat))
    name, rig = (seat.name, seat.rig_name) if seat else (ask.seat_ref if ask else "", "")
    held, held_role = _holder(seat, ask, operator, glyphs)
    words, role = _what(seat, ask, sent, glyphs)
    if ask is not None and not ask.pending and overdue(ask, now + offset):
        words, role = _late(ask, words, role)
    if after_no and ask is None:
        words, role = (f"{after_no}, after a no", "after a no"), ACCENT
    if flapping and role != DANGER and ask is None:
        words, role = ("flapping",), VIOLET
    if held and ask is not None and not columns.holder and role != DANGER:
        words, role = (held,), held_role
    if old and role != DANGER:
        words = old
    mark = glyph_of(reading, glyphs) if reading else glyphs.unknown
    left, spans = _left(mark, reading, name, rig if needy else "", needy, words, role, width)
    age = row_age(seat, ask, now, offset)
    right, more = _right(f"~{age}" if old else age, held, held_role, width)
    if old:
        return Text(left + right, spans=[Span(0, len(left) + len(right), DIM)])
    at = len(left)
    return Text(left + right, spans=[*spans, *(Span(at + x, at + y, each) for x, y, each in more)])


def row_age(
    seat: Seat | None, ask: Ask | None, now: datetime, offset: timedelta = _NO_OFFSET
) -> str:
    """What the age column shows: a tick changes a row only when this changes."""
    if ask is not None:
        return age_text(ask.opened_at if ask.pending else ask.decided_at, now, offset)
    return age_text(seat.evidence.at, now, offset) if seat else ""


def group_heading(
    title: str,
    count: int,
    width: int,
    *,
    needs_person: bool = False,
    glyphs: Glyphs = UNICODE,
) -> Text:
    """The heading of a group of rows, exactly `width` cells wide."""
    noun = "" if needs_person else " seat" if count == 1 else " seats"
    number = f"  {count}{noun}"
    if needs_person or width - len(number) < 8:
        number = f"  {count}"
    name = cut(inert(title, rtl_tokens=True), max(1, width - len(number)), glyphs)
    return pad(cut(join((name.plain, HEADING), (number, FAINT)), width, glyphs), width)


@lru_cache(maxsize=16384)
def _left(
    mark: str,
    reading: Reading | None,
    name: str,
    rig: str,
    needy: bool,
    words: tuple[str, ...],
    role: str,
    width: int,
) -> tuple[str, tuple[Span, ...]]:
    """Badge, name and what of a row; they change less often than its age."""
    columns = _columns(width)
    long, short, badge_role = _BADGES[reading] if reading else _UNREAD
    word = f"{mark} {long:<11}" if columns.full_badge else f"{mark} {short:<5}"
    label = paint(inert(name, rtl_tokens=True), NAME if needy else PLAIN)
    suffix = paint(inert(f"@{rig}", rtl_tokens=True), FAINT)
    if rig and cell_len(label.plain) + cell_len(suffix.plain) <= columns.name:
        label = join(label, suffix)
    parts: list[Text | str | tuple[str, str]] = [
        (word, badge_role),
        " ",
        pad(cut(label, columns.name), columns.name),
    ]
    if columns.what:
        parts += [" ", pad(_longest(words, columns.what, role), columns.what)]
    text = join(*parts)
    return text.plain, tuple(text.spans)


@lru_cache(maxsize=4096)
def _right(
    age: str, held: str, role: str, width: int
) -> tuple[str, tuple[tuple[int, int, str], ...]]:
    """Age and holder of a row, and the cells left over."""
    columns = _columns(width)
    text = join((age.rjust(_AGE), DIM))
    if columns.holder:
        holder = _longest((held,), columns.holder - 1, role)
        text = join(text, " ", pad(holder, columns.holder - 1))
    text = join(text, " " * columns.rest)
    return text.plain, tuple((span.start, span.end, str(span.style)) for span in text.spans)


def _longest(words: Sequence[str], width: int, role: str) -> Text:
    """The longest wording that fits, else what fits of the shortest."""
    drawn = [paint(inert_words(each, rtl_tokens=True), role) for each in words]
    fitting = next((each for each in drawn if cell_len(each.plain) <= width), None)
    return fitting if fitting is not None else cut(drawn[-1], width)


def _needs(seat: Seat) -> bool:
    return seat.reading is Reading.NEEDS_INPUT or seat.launch_attention


def _holder(seat: Seat | None, ask: Ask | None, operator: str, glyphs: Glyphs) -> tuple[str, str]:
    """Who holds the ask, unless the operator does; else whether nobody will be asked."""
    if ask is not None and ask.pending and ask.holder.id != operator:
        stands_in = operator == PRIMARY_USER and ask.holder.type is HolderType.PERSON
        return f"{glyphs.arrow} {ask.holder.name or ask.holder.id}", DIM if stands_in else ACCENT
    if seat is not None and ask is None and seat.asked.mode is AskedMode.PERMITS:
        return "permits", DANGER
    if seat is not None and ask is None and seat.asked.mode is AskedMode.REFUSES:
        return "refuses", DIM
    return "", PLAIN


def _what(
    seat: Seat | None, ask: Ask | None, sent: Sent | None, glyphs: Glyphs
) -> tuple[tuple[str, ...], str]:
    """What the seat is at, longest wording first, and its role."""
    if ask is None:
        return _doing(seat) if seat else (("",), DIM)
    if sent is not None and ask.pending:
        if sent.state is Sending.SENDING:
            return (f"sending{glyphs.ellipsis}", "sending"), ACCENT
        if sent.state is Sending.UNSENT:
            return ("not sent",), DANGER
        if sent.state is Sending.UNCONFIRMED:
            return ("not confirmed", "unconfirmed"), DANGER
    if not ask.pending:
        ended = _ENDED.get(ask.outcome.state, "ended")
        if ask.outcome.state not in select.CLOSED_BY_SOMEBODY:
            return (ended,), DIM
        return (f"{ended}, not picked up yet", "not picked up", ended), DIM
    kind = kind_of(ask.tool_call) or "permission"
    if seat is not None and seat.reading is not Reading.NEEDS_INPUT:
        return (f"asks: {kind}", kind), ACCENT
    return (kind,), DIM


def _late(ask: Ask, words: tuple[str, ...], role: str) -> tuple[tuple[str, ...], str]:
    """The same once its runner has had long enough to post."""
    if ask.outcome.state not in select.CLOSED_BY_SOMEBODY:
        return words, role
    ended = _ENDED[ask.outcome.state]
    return (f"{ended}, not picked up!", "not picked up!"), DANGER


def _doing(seat: Seat) -> tuple[tuple[str, ...], str]:
    evidence = seat.evidence
    if seat.launch_attention:
        outcome = seat.launch.outcome if seat.launch else ""
        return _LAUNCHES.get(outcome, ("no launch record", "launch")), ACCENT
    match seat.reading:
        case Reading.NEEDS_INPUT:
            if evidence.kind is EvidenceKind.PROMPT:
                return ("refused a request", "refused"), DIM
            return ("a request", "asks"), DIM
        case Reading.WORKING:
            if evidence.kind is EvidenceKind.BEAT:
                return ("still alive", "alive"), DIM
            if evidence.kind is EvidenceKind.SCREEN:
                return ("screen changes", "screen"), DIM
            return (evidence.detail,), DIM
        case Reading.IDLE:
            return ("" if evidence.until else "no beat",), DIM
        case Reading.UNKNOWN:
            return _unknown(seat), DIM


def _unknown(seat: Seat) -> tuple[str, ...]:
    if seat.exited or seat.evidence.kind is EvidenceKind.EXIT:
        return ("exited",)
    if seat.generation is None:
        return ("no occupant", "empty")
    return ("quiet",) if seat.evidence.at else ("no evidence", "no word")
