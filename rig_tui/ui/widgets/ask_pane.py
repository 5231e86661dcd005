"""The pane that shows one ask whole, with every option it offers.

The tool call scrolls; the options never do. The pane says which ask and option a
click meant and leaves the rest to the board.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from rig_tui.actions.keys import Keymap
from rig_tui.actions.registry import ACTIONS
from rig_tui.domain import select
from rig_tui.domain.commands import AnswerAsk
from rig_tui.domain.model import KNOWN_KINDS, Ask, Fleet, HolderType, Option
from rig_tui.ui.present.again import again_lines
from rig_tui.ui.present.ask import banner_lines, fact_lines, frame_title, header_lines
from rig_tui.ui.present.changed import change_lines, what_changed
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.holding import chain_lines, held_briefly, held_lines
from rig_tui.ui.present.item import item_lines, verb_lines
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.look_closely import closely_lines
from rig_tui.ui.present.message import draft_lines
from rig_tui.ui.present.options import OptionRow, option_notes, option_rows
from rig_tui.ui.present.outcome import answering_line, outcome_lines, sent_lines
from rig_tui.ui.present.roles import ACCENT
from rig_tui.ui.present.tool_call import tool_call_lines
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.widgets.lines import Lines, ScrollingLines

if TYPE_CHECKING:
    from datetime import datetime

    from textual.app import ComposeResult

    from rig_tui.domain.commands import Command

ROOMY_WIDTH = 66
ROOMY_HEIGHT = 24
SQUEEZED_HEIGHT = 14
BY_LABEL_KEY = "⏎"


class AskPane(Vertical, can_focus=True, inherit_bindings=False):
    """One ask, from its title to what it came to."""

    class OptionClicked(Message):
        """The operator clicked an option's row."""

        def __init__(self, ask_id: str, row_id: str, option_id: str) -> None:
            super().__init__()
            self.ask_id = ask_id
            self.row_id = row_id
            self.option_id = option_id

    class Painted(Message):
        """This content has reached the screen."""

        def __init__(self, shown: object) -> None:
            super().__init__()
            self.shown = shown

    class Scrolled(Message):
        """More or less of the tool call lies below."""

    def __init__(
        self,
        *,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = Keymap(),  # noqa: B008 (a value)
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._glyphs = glyphs
        self._keymap = keymap
        self.dense = False
        """Whether to draw with less whitespace, however much room there is."""
        self._ask: Ask | None = None
        self._opened: Ask | None = None
        """The ask as it was when it was opened."""
        self.content: object = None
        """What an answer would be about; anything an operator decides by changes it."""
        self._fleet = Fleet()
        self._now: datetime | None = None
        self._expanded: set[str] = set()
        self._options: list[OptionRow] = []
        self._body_of: object = None
        self._call: object = None
        self._read: object = None
        self._answering: tuple[Command | None, str] = (None, "")
        self._head = Lines(id="ask-head")
        self._body = ScrollingLines(id="ask-body")
        self._more = Lines(id="ask-more")
        self._below = Lines(id="ask-facts")
        self._choices = Lines(id="ask-options")
        self._after = Lines(id="ask-after")

    def compose(self) -> ComposeResult:
        yield self._head
        yield self._body
        yield self._more
        yield self._below
        yield self._choices
        yield self._after

    def show(self, ask: Ask, fleet: Fleet, now: datetime) -> None:
        """Draw this ask as it stands."""
        if self._ask is None or self._ask.ask_id != ask.ask_id:
            self._expanded.clear()
            self._opened = ask
        if ask is not self._ask:
            self.content = _content(ask)
        self._ask, self._fleet, self._now = ask, fleet, now
        self._draw()
        content = self.content
        self.call_after_refresh(self._laid_out, content)

    def answer(self, command: Command | None, label: str = "") -> None:
        """Paint that this is about to be sent; None when it isn't, or has been."""
        self._answering = (command, label)
        self._draw()

    def tick(self, now: datetime) -> None:
        """Let the ages move on."""
        self._now = now
        if self._ask is not None:
            self._draw_facts(self._ask)
            if not self._ask.pending:
                self._draw_after(self._ask, self._width)

    def scroll(self, by: int) -> None:
        """Scroll the tool call by lines."""
        y = self._body.scroll_offset.y + by
        self._body.scroll_to(y=y, animate=False, immediate=True)

    def scroll_page(self, by: int) -> None:
        """Scroll the tool call by pages, one line kept."""
        height = self._body.scrollable_content_region.height
        self.scroll(by * max(1, height - 1))

    def shows_whole(self, option_id: str) -> bool:
        """Whether the option's whole name is on screen."""
        return any(row.whole for row in self._options if row.option_id == option_id)

    def show_whole(self, option_id: str) -> None:
        """Show an option's whole name, however many lines it takes."""
        self._expanded.add(option_id)
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def on_lines_clicked(self, message: Lines.Clicked) -> None:
        message.stop()
        if message.control is not self._choices or self._ask is None:
            return
        line = message.line
        for row in self._options:
            if line < len(row.lines):
                if row.option_id is not None:
                    self.post_message(
                        self.OptionClicked(self._ask.ask_id, self._ask.row_id, row.option_id)
                    )
                return
            line -= len(row.lines)

    def on_scrolling_lines_scrolled(self, message: ScrollingLines.Scrolled) -> None:
        message.stop()
        self._draw_more()
        self.call_after_refresh(self._note_end)
        self.post_message(self.Scrolled())

    @property
    def has_more(self) -> bool:
        """Whether the tool call goes on below."""
        return self._body.below > 0

    @property
    def text(self) -> str:
        """Everything the pane displays, also what is scrolled out of sight."""
        parts = (self._head, self._body, self._below, self._choices)
        return "\n".join(line.plain for part in parts for line in part.lines)

    def with_changes(self, told: str) -> str:
        """Say after this how the ask isn't as it was when it was opened, and what wasn't done."""
        opened, ask, now, fleet = self._opened, self._ask, self._now, self._fleet
        if opened is None or ask is None or now is None:
            return f"{told}. Nothing was sent."
        found = what_changed(opened, ask, now, fleet.people, fleet.operator)
        how = "; ".join(each.plain for each in found)
        return f"{told}{': ' * bool(how)}{how}. Nothing was sent."

    @property
    def lines_below(self) -> int:
        """How many lines of the tool call lie below."""
        return self._body.below

    @property
    def read_to_end(self) -> bool:
        """Whether the end of what is shown has been on screen."""
        return self._read == self.content

    @property
    def roomy(self) -> bool:
        """Whether there is room for whitespace and whole sentences."""
        wide, tall = self.size.width >= ROOMY_WIDTH, self.size.height >= ROOMY_HEIGHT
        return wide and tall and not self.dense

    @property
    def _squeezed(self) -> bool:
        """Whether even the facts must scroll with the tool call."""
        return self.size.height < SQUEEZED_HEIGHT

    @property
    def _room(self) -> int:
        """Rows left once title, options and one line of the tool call have theirs."""
        ask = self._ask
        options = 0
        if ask is not None and ask.pending:
            options = 1 if ask.item is not None else len(ask.options)
        return self.size.height - 4 - options

    @property
    def _width(self) -> int:
        return max(10, self._head.container_size.width - 2)

    def _draw(self) -> None:
        ask = self._ask
        if ask is None or self._now is None or not self.size.width:
            return
        roomy, width = self.roomy, self._width
        place, count = select.position(self._fleet, ask)
        self.border_title = Content(f"{frame_title(ask, place, count).plain}")
        self.set_class(roomy, "-roomy")
        head = header_lines(ask, width, narrow=not roomy, glyphs=self._glyphs)
        self._part(self._head, head, gap=roomy)
        self._draw_body(ask, width)
        self._draw_facts(ask)
        self._draw_options(ask)
        self._draw_after(ask, width)
        self._draw_more()

    def _draw_body(self, ask: Ask, width: int) -> None:
        assert self._now is not None
        roomy = self.roomy
        sent = self._fleet.sent.get(ask.ask_id)
        again = again_lines(ask, self._fleet, self._now) if ask.pending else []
        seen = "\n".join(each.text.plain for each in again)
        changed = self._change_lines(ask) if self._squeezed else []
        shown = (ask.ask_id, ask.version, ask.elided, width, roomy, self._squeezed, sent, seen)
        if shown == self._body_of:
            return
        call = (ask.ask_id, repr(ask.tool_call))
        same_call, self._call, self._body_of = call == self._call, call, shown
        lines: list[Line | Text] = [*changed, *banner_lines(ask), *again, *chain_lines(ask)]
        if self._squeezed and not ask.pending:
            lines = [*self._after_lines(ask), *lines]
        if ask.item is None:
            lines += option_notes(ask.options) if ask.pending else []
            lines += closely_lines(ask.tool_call, self._glyphs)
        if lines:
            lines.append(Text())
        if ask.item is None:
            lines += tool_call_lines(ask.tool_call, glyphs=self._glyphs)
        else:
            lines += item_lines(ask.item)
        if self._squeezed:
            held = ask.pending and ask.holder.type is not HolderType.PERSON
            lines += [Text(), *held_lines(ask)] if held else []
            absent = [row for row in self._rows(ask) if row.option_id is None]
            lines += [Text(), *self._facts(ask)[1:], *(t for row in absent for t in row.lines)]
        self._body.show(wrap(lines, width - (4 if roomy else 2)), keep_place=same_call)

    def _draw_more(self) -> None:
        self._more.display = self._room >= 2
        below = self._body.below
        more = f" more line{'' if below == 1 else 's'}"
        words = f"{self._glyphs.below} {below}{more}" if below else ""
        self._more.show([join("  ", (words, ACCENT))])

    def _laid_out(self, content: object) -> None:
        self._note_end()
        self.post_message(self.Painted(content))

    def _note_end(self) -> None:
        """Take note that the end is on screen; only the layout says how much fits."""
        if not self._body.below:
            self._read = self.content

    def _draw_facts(self, ask: Ask) -> None:
        assert self._now is not None
        facts = self._facts(ask)
        if self._squeezed:
            facts = facts[:1] if self._room >= 1 else []
        self._part(self._below, facts, gap=self.roomy)

    def _facts(self, ask: Ask) -> list[Text]:
        assert self._now is not None
        return fact_lines(
            ask,
            self._now,
            self._fleet.link.clock_offset,
            operator=self._fleet.operator,
            people=self._fleet.people,
            width=self._width,
            narrow=not self.roomy,
            glyphs=self._glyphs,
        )

    def _draw_options(self, ask: Ask) -> None:
        if ask.pending and ask.holder.type is not HolderType.PERSON:
            self._options = []
            held = held_briefly(ask) if self._squeezed else held_lines(ask)
            self._choices.show(wrap(held, self._width))
            return
        if ask.pending and ask.item is not None:
            self._options = []
            self._choices.show(self._verbs())
            return
        rows = self._rows(ask) if ask.pending else []
        self._options = [r for r in rows if r.option_id is not None or not self._squeezed]
        lines = [line for row in self._options for line in row.lines]
        self._choices.show(lines)

    def _verbs(self) -> list[Text]:
        """In place of an item's options; one line where there is hardly room."""
        lines = verb_lines(self._keymap.words(ACTIONS["item.act"]), self._width, self._glyphs)
        return lines[:1] if self._squeezed else lines

    def _rows(self, ask: Ask) -> list[OptionRow]:
        if ask.item is not None:
            return []
        return option_rows(
            ask.options,
            {option.option_id: self._key_of(option) for option in ask.options},
            self._width,
            narrow=not self.roomy,
            expanded=self._expanded,
            answering=self._answering_id,
            enabled=not select.sending(self._fleet, ask.ask_id) and self._fleet.link.open,
            glyphs=self._glyphs,
        )

    @property
    def _answering_id(self) -> str | None:
        command, _ = self._answering
        return command.option_id if isinstance(command, AnswerAsk) else None

    def _key_of(self, option: Option) -> str:
        """The key of an option's kind; one without a key is chosen by label."""
        action = ACTIONS.get(f"answer.{option.kind}") if option.kind in KNOWN_KINDS else None
        return (self._keymap.words(action) if action is not None else "") or BY_LABEL_KEY

    def _draw_after(self, ask: Ask, width: int) -> None:
        lines = wrap(self._after_lines(ask), width)
        if self._squeezed and not ask.pending:
            kept = wrap(draft_lines(self._fleet, ask, self._keymap), width)
            lines = (kept or lines)[:1]
        self._part(self._after, lines, gap=self.roomy and bool(lines))

    def _after_lines(self, ask: Ask) -> list[Line]:
        """What was sent, what the ask came to, and the words kept for later."""
        assert self._now is not None
        offset = self._fleet.link.clock_offset
        command, label = self._answering
        lines: list[Line] = [] if self._squeezed else self._change_lines(ask)
        lines += [answering_line(label)] if command is not None else []
        sent = self._fleet.sent.get(ask.ask_id)
        if sent is not None:
            lines += sent_lines(sent, ask, self._now)
        if not ask.pending:
            lines += outcome_lines(
                ask,
                self._now,
                offset,
                self._fleet.people,
                awaiting=not select.picked_up(self._fleet, ask),
                operator=self._fleet.operator,
            )
        return [*lines, *draft_lines(self._fleet, ask, self._keymap)]

    def _change_lines(self, ask: Ask) -> list[Line]:
        """How a waiting ask has changed under the operator; how it ended is told anyway."""
        assert self._now is not None
        fleet, opened = self._fleet, self._opened
        if opened is None or not ask.pending:
            return []
        return change_lines(opened, ask, self._now, fleet.people, fleet.operator)

    def _part(self, part: Lines, lines: list[Text], *, gap: bool) -> None:
        part.show([*lines, Text()] if gap else lines)


def _content(ask: Ask) -> object:
    return (ask.ask_id, ask.row_id, ask.options, ask.outcome.state, ask.holder, ask.elided,
            ask.notices, repr(ask.tool_call))  # fmt: skip
