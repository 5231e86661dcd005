"""What agents' harnesses have probably remembered, in words.

Rule of this file: it says "probably" and never offers to take anything back, because
nothing here can.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from rig_tui.domain.mapping import kind_in_words
from rig_tui.domain.model import Cause
from rig_tui.ui.present.age import clock
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert, inert_words
from rig_tui.ui.present.lines import BLANK, Line, cut, fact, join, line, pad, paint
from rig_tui.ui.present.permit import cause_words
from rig_tui.ui.present.roles import ACCENT, DANGER, DANGER_STRONG, DIM, FAINT, NAME
from rig_tui.ui.present.who import who

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from rig_tui.domain.ledger import Entry, Ledger
    from rig_tui.domain.model import People, Seat

_STOPS: Final = {
    Cause.NO_REGISTERED_PERSON: "register a person, who is then asked instead",
    Cause.SEVERAL_AND_NO_DEFAULT: "choose a default person, who is then asked instead",
    Cause.CHOSEN_PERSON_NOT_REGISTERED: (
        "register the person chosen for the seat, or set the seat back to the default person"
    ),
    Cause.PEOPLE_UNREADABLE: "have the daemon's register of people made readable again",
    Cause.OPTIONS_NOT_SHOWABLE: (
        "its options can't be shown to a person, so registering somebody doesn't help: have its "
        "harness offer two to four with ids of their own"
    ),
    Cause.CLOSED_WITHOUT_CHOICE: "choose reject or deny instead of closing without a choice",
}
_STOP_WORDS: Final = {str(cause): words for cause, words in _STOPS.items()}
_ALWAYS_STOPS: Final = "or set the seat to refuse every request"


def stop_lines(causes: Sequence[str]) -> list[Line]:
    """How to have no more of it remembered unchosen, by why it was."""
    found = [_STOP_WORDS[cause] for cause in dict.fromkeys(causes) if cause in _STOP_WORDS]
    return [
        *(fact("to stop it", Text(words)) for words in found),
        fact(
            "" if found else "to stop it", Text(_ALWAYS_STOPS.removeprefix("" if found else "or "))
        ),
        line(
            ("What is remembered already stays: only the agent's own harness can forget it.", DIM)
        ),
    ]


def counts_line(ledger: Ledger, now: datetime) -> Text:
    """How often each seat was given, for good, what nobody chose."""
    counts = ledger.unchosen_by_seat()
    if not counts:
        return join(("Nothing was remembered that nobody chose", DIM), (_extent(ledger, now), DIM))
    parts: list[str | tuple[str, str] | Text] = [("Nobody chose, remembered: ", DANGER)]
    for number, (seat, count) in enumerate(counts):
        parts += [
            ", " if number else "",
            inert(seat, rtl_tokens=True),
            (f" {count}", DANGER_STRONG),
        ]
    return join(*parts, (_extent(ledger, now), DIM))


def ledger_line(ledger: Ledger, now: datetime) -> Text:
    """How much is probably remembered, and what that rests on."""
    number = len(ledger.entries)
    words = "1 thing is" if number == 1 else f"{number or 'no'} things are"
    said = f"{words[:1].upper()}{words[1:]} probably remembered"
    return join((said, DANGER if number else DIM), (_extent(ledger, now), DIM))


def ledger_row(
    entry: Entry, now: datetime, width: int, people: People, glyphs: Glyphs = UNICODE
) -> Text:
    """An entry in one line, exactly `width` cells wide; the right end gives way."""
    key = entry.key
    subject = inert(key.subject or "no title")
    most = max(16, width // 3)
    if cell_len(subject.plain) > most:
        subject = cut(subject, most, glyphs)
    row = join(
        (f"since {clock(entry.since, now)}  ", FAINT),
        inert(key.session_name, rtl_tokens=True),
        "  ",
        paint(inert(key.name, rtl_tokens=True), NAME),
        join(" (", _kind(entry), ")"),
        f" {glyphs.open_quote}",
        subject,
        f"{glyphs.close_quote}: ",
        _given(entry, people),
    )
    return pad(cut(row, width, glyphs), width)


def ledger_lines(entry: Entry, seat: Seat | None, now: datetime, people: People) -> list[Line]:
    """What is probably remembered, where, since when, and that it stays."""
    key = entry.key
    lines = [
        line(("Probably remembered by the agent's harness", DANGER_STRONG)),
        fact("what", join(paint(inert(key.name, rtl_tokens=True), NAME), " (", _kind(entry), ")")),
        fact("asked about", inert(key.subject or "no title")),
        fact("where", _where(entry, seat)),
        fact("since", Text(clock(entry.since, now))),
        fact("last given", Text(clock(entry.last, now))),
        fact("given", _given(entry, people)),
        BLANK,
        line(
            ("What exactly it remembers, and until when, only the harness knows. ", DIM),
            ("Nothing here can take it back", ACCENT),
            (": look into the harness's own settings. A new conversation may forget it, or not.",
             DIM),
        ),
    ]  # fmt: skip
    return [*lines, *stop_lines(entry.causes)] if entry.unchosen else lines


def ledger_note() -> Line:
    """What the ledger can't hold."""
    return line(
        (
            "Older records don't say their option's kind, and what a runner permitted by itself "
            "isn't on record: there may be more.",
            DIM,
        )
    )


def _extent(ledger: Ledger, now: datetime) -> str:
    if ledger.whole:
        return ", of everything on record."
    since = f", back to {clock(ledger.oldest, now)}" if ledger.oldest else ""
    return f", of the newest {ledger.read} that may be{since}."


def _kind(entry: Entry) -> Text:
    return inert_words(kind_in_words(entry.key.kind) if entry.key.kind else "kind not recorded")


def _given(entry: Entry, people: People) -> Text:
    parts: list[Text] = []
    if entry.unchosen:
        causes = [cause_words(cause) for cause in entry.causes]
        why = Text(", ").join(causes)
        parts.append(join((f"{entry.unchosen}× though nobody chose it", DANGER), ": ", why))
    if entry.chosen:
        by = Text(", ").join([who(actor, people) for actor in entry.by] or [Text("somebody")])
        parts.append(join(f"{entry.chosen}× chosen by ", by))
    return Text("; ").join(parts)


def _where(entry: Entry, seat: Seat | None) -> Text:
    runtime = seat.preset or seat.runtime if seat is not None else ""
    harness = join(", harness ", inert(runtime)) if runtime else Text("")
    conversation = (
        join(", conversation ", inert(entry.key.native_ref))
        if entry.key.native_ref
        else Text(", conversation not recorded")
    )
    return join(inert(entry.key.session_name, rtl_tokens=True), harness, conversation)
