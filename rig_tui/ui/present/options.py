"""The options of an ask: one row each, in offered order, with what each gives.

A name that isn't wholly visible says how much is missing, and its row isn't `whole`:
such an option can't be answered before it was expanded.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from rig_tui.domain.mapping import allow_of, contradicts, kind_in_words, meaning, reject_of
from rig_tui.domain.model import (
    ALLOW_ALWAYS,
    KNOWN_KINDS,
    REJECT_ALWAYS,
    REMEMBERED_KINDS,
    Option,
)
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert_words
from rig_tui.ui.present.lines import Line, clip, join, line, pad, paint
from rig_tui.ui.present.roles import ACCENT, DANGER, DANGER_STRONG, DIM, FAINT, KEY, NAME
from rig_tui.ui.present.who import option_label
from rig_tui.ui.present.wrap import wrap

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from rich.text import Text

_GAP: Final = 2
_NOT_OFFERED: Final = "not offered by this agent"
_MOST_NAME_LINES: Final = 2


@dataclass(frozen=True, slots=True)
class OptionRow:
    """What is drawn for one option, or for kinds the agent doesn't offer."""

    option_id: str | None
    """None for what isn't offered."""
    lines: tuple[Text, ...]
    whole: bool
    """Whether the option's whole name is visible."""


@dataclass(frozen=True, slots=True)
class _Columns:
    lead: int
    """Cells before the name: margin, key, gap."""
    name: int
    meaning: int


def option_rows(
    options: Sequence[Option],
    keys: Mapping[str, str],
    width: int,
    *,
    narrow: bool = False,
    expanded: Collection[str] = (),
    enabled: bool = True,
    answering: str | None = None,
    glyphs: Glyphs = UNICODE,
) -> list[OptionRow]:
    """Draw every option, then the kinds that aren't offered.

    Args:
        options: As offered; the order is kept.
        keys: The key to print for an option id.
        width: The cells there are.
        narrow: One line for an option, and one for all that isn't offered.
        expanded: Ids whose names are shown whole, however long.
        enabled: Whether the keys work now.
        answering: The id of the option that is about to be sent.
        glyphs: The set to draw with.
    """
    columns = _columns(options, keys, width, narrow)
    rows = [
        _row(option, keys.get(option.option_id, ""), columns, width, narrow,
             option.option_id in expanded, enabled, option.option_id == answering, glyphs)
        for option in options
    ]  # fmt: skip
    return rows + _absent(options, columns, width, narrow, glyphs)


def option_notes(options: Sequence[Option]) -> list[Line]:
    """What these options leave no choice about, in words."""
    notes: list[Line] = []
    allow, reject = allow_of(options), reject_of(options)
    if allow is not None and allow.kind == ALLOW_ALWAYS:
        words = "The only allow is remembered by the agent's harness; nobody here can undo it."
        notes.append(line((words, DANGER)))
    if allow is None:
        notes.append(line(("No allow is offered: closing without choosing refuses.", ACCENT)))
    if reject is not None and reject.kind == REJECT_ALWAYS:
        words = "The only reject is remembered by the agent's harness; nobody here can undo it."
        notes.append(line((words, DANGER)))
    if reject is None:
        notes.append(line(("No reject is offered: a deny cancels the request.", ACCENT)))
    counts = Counter(option.kind for option in options if option.kind in KNOWN_KINDS)
    for kind, count in counts.items():
        if count > 1:
            words = f"{count} options are “{kind_in_words(kind)}”: their key asks which."
            notes.append(line((words, ACCENT)))
    if any(option.kind not in KNOWN_KINDS for option in options):
        words = "An option has a kind nobody here knows: what it gives can't be told."
        notes.append(line((words, ACCENT)))
    return notes


def _columns(
    options: Sequence[Option], keys: Mapping[str, str], width: int, narrow: bool
) -> _Columns:
    key = max((cell_len(each) for each in keys.values()), default=1)
    lead = (1 if narrow else 2) + max(1, key) + _GAP
    names = [cell_len(option_label(option).plain) for option in options]
    absent = [] if narrow else [cell_len(kind_in_words(kind)) for kind in _missing(options)]
    meant = [cell_len(_meaning(option, narrow, width).plain) for option in options]
    room = max(8, width - lead - _GAP)
    if narrow:
        words = min(max(meant, default=0), max(12, room // 2))
        return _Columns(lead, max(1, min(room - words, max(names, default=1))), words)
    name = min(max([*names, *absent], default=1), max(8, room * 9 // 20))
    return _Columns(lead, name, room - name)


def _row(
    option: Option,
    key: str,
    columns: _Columns,
    width: int,
    narrow: bool,
    expanded: bool,
    enabled: bool,
    answering: bool,
    glyphs: Glyphs,
) -> OptionRow:
    label = paint(option_label(option), NAME)
    risky = option.kind in REMEMBERED_KINDS
    key_role = FAINT if not enabled else DANGER_STRONG if risky else KEY
    margin = " " * (1 if narrow else 2)
    start = pad(join(margin, (key, key_role)), columns.lead)
    meant = join(("answering…", ACCENT)) if answering else _meaning(option, narrow, width)
    indent = " " * columns.lead
    most = 1 if narrow else _MOST_NAME_LINES
    if cell_len(label.plain) <= columns.name:
        names, whole = [label], True
    elif narrow and not expanded:
        names, whole = [clip(label, columns.name, glyphs)], False
    else:
        names = wrap([label], max(1, width - columns.lead))
        whole = expanded or len(names) <= most
        if not whole:
            names = wrap([clip(label, (width - columns.lead) * most - most, glyphs)],
                         max(1, width - columns.lead))  # fmt: skip
    if cell_len(names[0].plain) <= columns.name and len(names) == 1:
        words = wrap([meant], columns.meaning) if not narrow else [clip(meant, columns.meaning)]
        gap = pad(names[0], columns.name)
        lines = [join(start, gap, " " * _GAP, words[0])]
        beside = " " * (columns.lead + columns.name + _GAP)
        lines += [join(beside, each) for each in words[1:]]
    else:
        lines = [join(start, names[0]), *(join(indent, each) for each in names[1:])]
        lines += [join(indent, each) for each in wrap([meant], max(1, width - columns.lead))]
    flag = contradicts(option)
    if flag:
        words = wrap([join((flag, DANGER))], max(1, width - columns.lead))
        lines += [join(indent, each) for each in words]
    return OptionRow(option.option_id, tuple(lines), whole)


def _meaning(option: Option, narrow: bool, width: int) -> Text:
    if narrow and option.kind in REMEMBERED_KINDS and width >= 60:
        return join((f"{kind_in_words(option.kind)}, remembered", DANGER))
    words = kind_in_words(option.kind) if narrow else meaning(option.kind)
    return paint(inert_words(words), DANGER if narrow and option.kind in REMEMBERED_KINDS else DIM)


def _missing(options: Sequence[Option]) -> list[str]:
    offered = {option.kind for option in options}
    return [kind for kind in KNOWN_KINDS if kind not in offered]


def _absent(
    options: Sequence[Option], columns: _Columns, width: int, narrow: bool, glyphs: Glyphs
) -> list[OptionRow]:
    missing = [kind_in_words(kind) for kind in _missing(options)]
    if not missing:
        return []
    indent = " " * columns.lead
    if narrow:
        words = join(indent, ("not offered: " + ", ".join(missing), FAINT))
        return [OptionRow(None, (clip(words, width, glyphs),), True)]
    return [
        OptionRow(
            None,
            tuple(
                wrap([line(indent, (kind.ljust(columns.name + _GAP) + _NOT_OFFERED, FAINT))], width)
            ),
            True,
        )
        for kind in missing
    ]
