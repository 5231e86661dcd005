"""Who a seat's permission request reaches, and why, or why nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.domain.model import Asked, AskedBecause, AskedMode, Cause, OverrideMode

if TYPE_CHECKING:
    from rig_tui.domain.model import Override, People

_IN_WORDS: dict[str, str] = {
    AskedBecause.DEFAULT_PERSON: "default person",
    AskedBecause.ONLY_PERSON: "only registered person",
    AskedBecause.CHOSEN_FOR_SEAT: "chosen for this seat",
    AskedBecause.HANDED_OVER: "handed over",
    AskedBecause.DENIED_BY_SEAT: "this seat refuses every request",
    Cause.NO_REGISTERED_PERSON: "nobody is registered",
    Cause.SEVERAL_AND_NO_DEFAULT: "several people are registered and none is the default",
    Cause.CHOSEN_PERSON_NOT_REGISTERED: "the person chosen for this seat is no longer registered",
    Cause.PEOPLE_UNREADABLE: "the register of people can't be read",
    Cause.OPTIONS_NOT_SHOWABLE: "its options can't be shown to a person",
    Cause.CLOSED_WITHOUT_CHOICE: "closed without choosing an option",
}


def who_is_asked(people: People, override: Override | None) -> Asked:
    """Decide whom a request of a seat would reach now, its options set aside (D7-12, D7-14).

    Args:
        people: Everyone registered, and the default.
        override: The seat's override; None when it couldn't be read, which refuses,
            since the seat may have been set to refuse (A-27).
    """
    if override is None or override.mode is OverrideMode.DENY:
        return Asked(AskedMode.REFUSES, because=AskedBecause.DENIED_BY_SEAT)
    if not people.readable:
        return _nobody(Cause.PEOPLE_UNREADABLE)
    if override.mode is OverrideMode.TO:
        if override.person is None or people.find(override.person) is None:
            return _nobody(Cause.CHOSEN_PERSON_NOT_REGISTERED)
        return Asked(AskedMode.PERSON, override.person, AskedBecause.CHOSEN_FOR_SEAT)
    if not people.registered:
        return _nobody(Cause.NO_REGISTERED_PERSON)
    if people.default is not None and people.find(people.default):
        return Asked(AskedMode.PERSON, people.default, AskedBecause.DEFAULT_PERSON)
    if len(people.registered) == 1:
        return Asked(AskedMode.PERSON, people.registered[0].entity_id, AskedBecause.ONLY_PERSON)
    return _nobody(Cause.SEVERAL_AND_NO_DEFAULT)


def cause_in_words(because: str) -> str:
    """Say why a person, or nobody, is asked; a cause of a later daemon stays as it came."""
    return _IN_WORDS.get(because, because)


def _nobody(cause: Cause) -> Asked:
    return Asked(AskedMode.PERMITS, because=cause)
