"""The one line at the top: the link, who waits for whom, and who answers here."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import cut, join, pad, paint
from rig_tui.ui.present.link import link_word
from rig_tui.ui.present.roles import ACCENT, ACCENT_STRONG, DANGER, DIM, NAME, VIOLET

if TYPE_CHECKING:
    from rich.text import Text

    from rig_tui.domain.model import Link


@dataclass(frozen=True, slots=True)
class HeaderFacts:
    """What the header tells."""

    link: Link
    operator: str
    mine: int
    """Asks that wait for the operator."""
    others: int
    """Asks that others hold."""
    seats: int
    rigs: int
    permitting: int
    """Seats whose requests are permitted without asking anyone."""
    demo: bool = False
    snoozed: int = 0
    """Asks that the operator lets wait."""


_SHORTENINGS = ("rigs", "address", "product", "actor", "permits", "seats", "word", "others")
"""What is shortened or left out, first to last. Who waits, the link's glyph, the demo
mark, permitting seats and the operator stay."""


def header_line(facts: HeaderFacts, width: int, glyphs: Glyphs = UNICODE) -> Text:
    """The header, exactly `width` cells wide."""
    for count in range(len(_SHORTENINGS)):
        left, right = _sides(facts, frozenset(_SHORTENINGS[:count]), glyphs)
        gap = width - cell_len(left.plain) - cell_len(right.plain)
        if gap >= 2:
            return join(left, " " * gap, right)
    left, right = _sides(facts, frozenset(_SHORTENINGS), glyphs)
    return pad(cut(join(left, "  ", right), width, glyphs), width)


def _sides(facts: HeaderFacts, gone: frozenset[str], glyphs: Glyphs) -> tuple[Text, Text]:
    return join(*_spaced(_left(facts, gone, glyphs))), _actor(facts, "actor" in gone)


def _spaced(parts: list[Text]) -> list[Text | str]:
    spaced: list[Text | str] = []
    for part in parts:
        spaced += ["  ", part] if spaced else [part]
    return spaced


def _left(facts: HeaderFacts, gone: frozenset[str], glyphs: Glyphs) -> list[Text]:
    parts: list[Text] = []
    if "product" not in gone:
        parts.append(join(("rig_tui", NAME)))
    if facts.demo:
        parts.append(join(("demo", VIOLET)))
    parts.append(_link(facts.link, gone, glyphs))
    parts.append(_need(facts, "others" in gone, glyphs))
    if facts.snoozed:
        parts.append(join((f"snoozed {facts.snoozed}", DIM)))
    if "seats" not in gone:
        seats = f"{facts.seats} seat{'' if facts.seats == 1 else 's'}"
        rigs = f" in {facts.rigs} rig{'' if facts.rigs == 1 else 's'}"
        parts.append(join((seats if "rigs" in gone else seats + rigs, DIM)))
    if facts.permitting:
        parts.append(join((_permitting(facts.permitting, "permits" in gone), DANGER)))
    return parts


def _link(link: Link, gone: frozenset[str], glyphs: Glyphs) -> Text:
    word, role = link_word(link)
    mark = glyphs.live if link.live else glyphs.down
    # A word that isn't "live" is the news, and stays however small the screen.
    shown = mark if "word" in gone and link.live else f"{mark} {word}"
    if "address" in gone or not link.address:
        return join((shown, role))
    return join((shown, role), " ", paint(inert(link.address), DIM))


def _need(facts: HeaderFacts, brief: bool, glyphs: Glyphs) -> Text:
    if facts.mine:
        words = f"{glyphs.needs_input} {facts.mine} need{'s' if facts.mine == 1 else ''} you"
        need = join((words, ACCENT_STRONG))
    else:
        need = join(("nothing needs you", DIM))
    if not facts.others:
        return need
    held = f" (+{facts.others})" if brief else f" (+{facts.others} held by others)"
    return join(need, (held, ACCENT))


def _permitting(count: int, brief: bool) -> str:
    if brief:
        return f"{count} permit{'s' if count == 1 else ''}"
    return f"{count} seat{' permits' if count == 1 else 's permit'} without asking"


def _actor(facts: HeaderFacts, brief: bool) -> Text:
    if brief:
        return join(("as ", DIM), paint(inert(facts.operator.partition("@")[0]), DIM))
    return join(("answering as ", DIM), paint(inert(facts.operator), DIM))
