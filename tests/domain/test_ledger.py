"""What was probably remembered: counted from the record, and no more claimed."""

from __future__ import annotations

from typing import Any

from rig_tui.domain.history import EndedAsk
from rig_tui.domain.ledger import ENTRIES_HELD, Ledger, fold
from rig_tui.domain.model import Ask, AskState, Outcome, Permit
from tests.builders import ALWAYS, NEVER, REJECT, a_permit, ago, an_ask, ended
from tests.rules import rule


def answered(ask: Ask, option_id: str, kind: str, **changes: Any) -> EndedAsk:
    outcome = Outcome(AskState.ANSWERED, option_id, kind, kind.endswith("always"))
    return EndedAsk("1", ended(ask, outcome=outcome, **changes))


def unchosen(number: int = 1, **changes: Any) -> Permit:
    given: dict[str, Any] = {
        "option_id": "always",
        "option_name": "Always allow",
        "option_kind": "allow_always",
        "remembered": True,
    }
    return a_permit(number, **{**given, **changes})


def test_what_was_given_once_is_counted_as_read_and_never_listed() -> None:
    ledger = fold(Ledger(), [a_permit(1)], [answered(an_ask(), "allow", "allow_once")])
    assert (ledger.read, dict(ledger.entries)) == (2, {})


@rule("T7-20", "D7-15")
def test_remembered_permits_nobody_chose_are_counted_per_seat() -> None:
    permits = [unchosen(1), unchosen(2), unchosen(3, session_name="qa@my-rig"), a_permit(4)]
    ledger = fold(Ledger(), permits, [])
    assert ledger.unchosen_by_seat() == [("impl@my-rig", 2), ("qa@my-rig", 1)]
    entry = ledger.of_seat("impl@my-rig")[0]
    assert (entry.since, entry.last) == (ago(599), ago(598))
    assert entry.causes == ("no_registered_person",)


def test_what_a_person_chose_for_good_is_listed_with_who_and_since_when() -> None:
    ask = an_ask(options=(ALWAYS, REJECT, NEVER))
    asks = [
        answered(ask, "always", "allow_always", decided_at=ago(9)),
        answered(ask, "always", "allow_always", decided_at=ago(60), decided_by="ben@external"),
        answered(ask, "never", "reject_always", decided_at=ago(5)),
    ]
    newest, other = fold(Ledger(), [], asks).newest_first
    assert (newest.key.kind, newest.key.name) == ("reject_always", "Reject always")
    assert (other.chosen, other.unchosen) == (2, 0)
    assert (other.since, other.last) == (ago(60), ago(9))
    assert other.by == ("ana@external", "ben@external")
    assert other.key.subject == "Edit src/app.ts"
    assert other.key.native_ref == "7f3a9c21"


def test_an_ask_permitted_by_default_is_counted_by_its_permit_alone() -> None:
    outcome = Outcome(AskState.PERMITTED, "always", "allow_always", True)
    closed = EndedAsk("1", ended(an_ask(options=(ALWAYS, REJECT)), outcome=outcome))
    permit = unchosen(1, session_name="builder@my-rig", ask_id="qitem-1")
    ledger = fold(Ledger(), [permit], [closed])
    assert ledger.unchosen_by_seat() == [("builder@my-rig", 1)]
    assert sum(entry.chosen for entry in ledger.entries.values()) == 0


def test_a_record_without_its_kind_is_not_called_remembered() -> None:
    old = a_permit(1, option_kind=None, remembered=None)
    assert fold(Ledger(), [old], []).newest_first == ()


def test_folding_page_by_page_is_folding_at_once() -> None:
    permits = [unchosen(n, session_name=f"s{n % 3}@r") for n in range(12)]
    at_once = fold(Ledger(), permits, [])
    paged = fold(fold(Ledger(), permits[:5], []), permits[5:], [])
    assert paged == at_once


def test_entries_are_bounded_and_it_says_when_some_are_missing() -> None:
    permits = [unchosen(1, native_ref=str(n)) for n in range(ENTRIES_HELD + 5)]
    ledger = fold(Ledger(), permits, [])
    assert len(ledger.entries) == ENTRIES_HELD
    assert not ledger.whole
