"""The dialogs behind the acts on an item: which, with what words, and a last key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from rig_tui.actions.items import command_of, why_not_verb
from rig_tui.domain import items
from rig_tui.domain.items import NEEDS, Needs, Verb
from rig_tui.domain.model import PRIMARY_USER
from rig_tui.domain.sentence import sentence
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.roles import ACCENT, DIM, PLAIN
from rig_tui.ui.screens.form import Form, Meaning
from rig_tui.ui.screens.picker import Pick, Picker
from rig_tui.ui.screens.words import Words

if TYPE_CHECKING:
    from rig_tui.actions.action import Context
    from rig_tui.domain.items import Item
    from rig_tui.domain.model import Ask
    from rig_tui.ui.arming import Arming


def act_on_item(context: Context, arming: Arming) -> Form:
    """Pick what to do about the shown item; what can't be done here says why."""
    ask, item = _shown(context)
    link = context.fleet.link
    picks = []
    for verb in Verb:
        why = why_not_verb(verb, item, link)
        about = items.consequence(verb, item) if why is None else f"can't be done: {why}"
        picks.append(Pick(verb.value, "act" if why is None else "–", verb.value, about))

    def meant(pick: Pick) -> Meaning:
        verb = Verb(pick.value)
        why = why_not_verb(verb, item, link)
        if why is not None:
            told: list[Line | Text] = [Line(join((sentence(why), PLAIN)))]
            screen = Words(f"Can't {verb}", told, wordless=True, arming=arming)
            return Form(screen, lambda _: None)
        if NEEDS[verb] is Needs.DESTINATION:
            return _whom(context, ask, verb, arming)
        return _words(ask, item, verb, arming)

    return Form(Picker("What to do about it", picks, arming, empty="Nothing can be done"), meant)


def _whom(context: Context, ask: Ask, verb: Verb, arming: Arming) -> Form:
    item = ask.item
    assert item is not None
    people = [PRIMARY_USER] if item.destination != PRIMARY_USER else []
    picks = [Pick(each, "person", each, items.consequence(verb, item)) for each in people]
    picks += [
        Pick(seat.session_name, "seat", seat.seat_ref, items.consequence(verb, item))
        for seat in sorted(context.fleet.seats.values(), key=lambda seat: seat.seat_ref)
        if seat.session_name and seat.session_name != item.destination and seat.generation
    ]

    def meant(pick: Pick) -> Meaning:
        return _words(ask, item, verb, arming, to=pick)

    return Form(Picker(f"{verb.title()} it to", picks, arming, empty="There is nobody"), meant)


def _words(ask: Ask, item: Item, verb: Verb, arming: Arming, to: Pick | None = None) -> Form:
    """What it comes to, the words it needs, and the last key."""
    needs = NEEDS[verb]
    label = f"{verb.title()}{f' to {to.name}' if to else ''}: {_title(ask)}"
    comes_to = items.consequence(verb, item)
    explain: list[Line | Text] = [
        Line(join((inert(_title(ask)).plain, PLAIN))),
        Text(),
        Line(join((f"{verb}: ", ACCENT), (inert(comes_to).plain, PLAIN)), 2),
        Line(join(("It is no permission request: no agent is given an option by this.", DIM))),
    ]
    silent = needs in (Needs.NOTHING, Needs.DESTINATION)
    accept = (lambda _: None) if needs is Needs.REASON_OR_NOT else _not_blank
    screen = Words(
        f"{verb.title()} it{f' to {inert(to.name).plain}' if to else ''}",
        explain,
        placeholder=needs.value,
        final=f"{verb} it",
        wordless=silent,
        accept=accept,
        arming=arming,
    )

    def meant(text: str) -> Meaning:
        return (command_of(ask, verb, "" if silent else text, to.value if to else ""), label)

    return Form(screen, meant)


def _not_blank(text: str) -> str | None:
    return None if text.strip() else "can't be blank"


def _title(ask: Ask) -> str:
    item = ask.item
    return (item.summary or item.body.partition("\n")[0] if item else "") or ask.ask_id


def _shown(context: Context) -> tuple[Ask, Item]:
    ask = context.ask
    if ask is None or ask.item is None:
        raise ValueError("acting on an item needs one that is shown")
    return ask, ask.item
