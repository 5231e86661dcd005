"""Who is asked: a seat's own override, and the people who can be asked at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.action import Action, Context, Family, Fill, Show
from rig_tui.actions.shown import daemon_words
from rig_tui.domain.asked import cause_in_words
from rig_tui.domain.model import AskedMode, OverrideMode

if TYPE_CHECKING:
    from collections.abc import Callable

    from rig_tui.domain.model import Seat


def asked_words(seat: Seat) -> str:
    """Who a seat's next request reaches, in one sentence's end."""
    because = cause_in_words(seat.asked.because) if seat.asked.because else "not known here"
    match seat.asked.mode:
        case AskedMode.PERSON:
            return f"asks {seat.asked.person}: {because}"
        case AskedMode.REFUSES:
            return "REFUSES ALL requests"
        case AskedMode.ELSEWHERE:
            return "asks where it runs: this daemon takes no requests"
        case AskedMode.PERMITS:
            return f"PERMITS ALL requests: {because}"


def _why_not(context: Context, capability: str) -> str | None:
    if context.barred:
        return context.barred
    if not context.fleet.link.live:
        return "the daemon can't be reached; nothing can be changed"
    if capability not in context.fleet.link.capabilities:
        return f"{daemon_words(context.fleet.link)} can't do that (it has no {capability})"
    return None


def _why_not_people(context: Context) -> str | None:
    if not context.fleet.people.readable:
        return "the people can't be read at the daemon: every seat PERMITS until they can"
    return _why_not(context, "people")


def _why_not_override(context: Context) -> str | None:
    if context.seat is None:
        return "no seat is selected"
    return _why_not(context, "permissions-to")


def _why_not_default(context: Context) -> str | None:
    seat = context.seat
    if seat is not None and seat.override.mode is OverrideMode.NONE:
        return f"{seat.seat_ref} has no choice of its own"
    return _why_not_override(context)


def _why_nobody(context: Context) -> str | None:
    if not context.fleet.people.registered:
        return "nobody is registered"
    return _why_not_people(context)


def _about_seat(words: str) -> Callable[[Context], str]:
    def consequence(context: Context) -> str:
        seat = context.seat
        return f"{seat.seat_ref} now {asked_words(seat)}; {words}" if seat is not None else words

    return consequence


PEOPLE = Family(
    "Who is asked",
    (
        Action(
            "people.who_is_asked", ("p",), "who is asked",
            "Every seat with who is asked for it and why; seats that permit unasked come first.",
            lambda _: Show("who-is-asked"),
        ),
        Action(
            "people.ask_person", (), "ask a person for this seat…",
            "From the next request on, ask this person for the selected seat. Open asks stay.",
            lambda _: Fill("ask-person"), _why_not_override,
            _about_seat("from its next request on the chosen person is asked"), footer=False,
        ),
        Action(
            "people.refuse_all", (), "refuse all of this seat…",
            "Every request of the selected seat is refused at once, and the seat needs input "
            "until its next prompt. Open asks stay.",
            lambda _: Fill("refuse-all"), _why_not_override,
            _about_seat("from its next request on every one is refused"), footer=False,
        ),
        Action(
            "people.back_to_default", (), "back to the default person…",
            "Drop the selected seat's own choice: the default person is asked again, if any.",
            lambda _: Fill("back-to-default"), _why_not_default,
            _about_seat("from its next request on the default person is asked"), footer=False,
        ),
        Action(
            "people.register", (), "register a person…",
            "Register a person who can be asked. "
            "While nobody is registered every seat PERMITS without asking.",
            lambda _: Fill("register"), _why_not_people,
            lambda _: "nothing is sent before the seats that would change are listed",
            footer=False,
        ),
        Action(
            "people.remove", (), "remove a person…",
            "Remove a registered person, after the seats that would change are listed.",
            lambda _: Fill("remove-person"), _why_nobody,
            lambda _: "nothing is sent before the seats that would change are listed",
            footer=False,
        ),
        Action(
            "people.default", (), "choose the default person…",
            "Choose who is asked for every seat without a choice of its own.",
            lambda _: Fill("default-person"), _why_nobody,
            lambda _: "nothing is sent before the seats that would change are listed",
            footer=False,
        ),
    ),
)  # fmt: skip
