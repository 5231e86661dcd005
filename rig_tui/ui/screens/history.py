"""What was permitted, answered and remembered, newest first (T7-20, T7-28).

Rule of this file: rows come from the daemon a page at a time, and the cursor stays on
its row whatever comes above it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen

from rig_tui.actions.keys import Keymap
from rig_tui.actions.spots import SPOTS
from rig_tui.domain.history import ANY, Filters, parse, write
from rig_tui.ui.listing import PageWanted
from rig_tui.ui.present.footer import Hint, footer_line
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.ledger import counts_line, ledger_line
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.permit import log_note
from rig_tui.ui.present.record import (
    Look,
    Record,
    narrowed_words,
    newer_words,
    record_lines,
    record_row,
    session_of,
    stale_words,
    tabs_line,
    trouble_words,
    untaken_words,
)
from rig_tui.ui.present.roles import DIM
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.record_reader import RecordReader
from rig_tui.ui.screens.narrowing import narrowing
from rig_tui.ui.screens.record_views import LEDGER, REMEMBERED, VIEWS
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.lines import Lines, ScrollingLines
from rig_tui.ui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from datetime import datetime

    from rich.text import Text
    from textual import events
    from textual.app import ComposeResult

    from rig_tui.domain.commands import Query
    from rig_tui.domain.model import Fleet, SeatId
    from rig_tui.ui.arming import Arming
    from rig_tui.ui.listing import Deliver

_SHORT = 20


class HistoryScreen(Screen[None], inherit_bindings=False):
    """The record, in views that keys switch between."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        bound("record.close", "back"),
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "newest", show=False),
        Binding("end", "move(1000000)", show=False),
        bound("record.next_view", "view(1)"),
        bound("record.previous_view", "view(-1)"),
        Binding("enter", "whole", show=False),
        bound("record.filter", "narrow"),
        bound("record.only_seat", "only_seat"),
    ]

    def __init__(
        self,
        fleet: Fleet,
        now: datetime,
        arming: Arming,
        *,
        filters: Filters = ANY,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = Keymap(),  # noqa: B008 (a value)
    ) -> None:
        super().__init__()
        self._keymap = keymap
        self._look = Look(fleet, now, glyphs)
        self._arming = arming
        self.reader = RecordReader(self._fetch, self._changed, filters)

    def compose(self) -> ComposeResult:
        yield Lines(id="history-views")
        with Vertical(id="history"):
            yield Lines(id="history-head")
            yield RecordList[Record](self._row, _key, id="history-list")
            yield ScrollingLines(id="history-detail")
        yield Lines(id="history-keys")

    def on_mount(self) -> None:
        self.query_one(RecordList).focus()
        self._begin()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < _SHORT, "-short")
        self._draw()

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        before, self._look = self._look.fleet, replace(self._look, fleet=fleet, now=now)
        source = self.reader.view.source
        again = fleet.link.live and not before.link.live
        if fleet.link.epoch != before.link.epoch:
            self._begin()
        elif again or source(fleet) != source(before):
            self.reader.refresh()
        elif fleet.link is not before.link:
            self._draw()

    def tick(self, now: datetime) -> None:
        self._look = replace(self._look, now=now)

    def action_back(self) -> None:
        if self.has_class("-whole"):
            self.action_whole()
        else:
            self.dismiss(None)

    def action_move(self, by: int) -> None:
        if self.has_class("-whole"):
            detail = self.query_one("#history-detail", ScrollingLines)
            detail.scroll_to(y=detail.scroll_offset.y + by, animate=False, immediate=True)
        else:
            self.query_one(RecordList).move(by)

    def action_page(self, by: int) -> None:
        whole = self.has_class("-whole")
        height = self.query_one("#history-detail", ScrollingLines).size.height
        self.action_move(by * (height if whole else self.query_one(RecordList).page))

    def action_newest(self) -> None:
        """To the newest row; read anew where the window has moved below it."""
        if self.reader.below_newest and not self.has_class("-whole"):
            self._begin()
        else:
            self.action_move(-1_000_000)

    def action_view(self, by: int) -> None:
        """Show another view, narrowed by the same filters."""
        self.set_class(False, "-whole")
        self.reader.go(by)
        self._draw()

    def action_whole(self) -> None:
        """Give the row under the cursor the whole screen, or the list again."""
        self.toggle_class("-whole")
        self._draw()
        self.call_after_refresh(self._draw_detail)

    def action_only_seat(self) -> None:
        """Only this row's seat, or every seat again."""
        record: Record | None = self.query_one(RecordList).current
        seat = session_of(record) if record is not None else None
        filters = self.reader.filters
        self._narrow(replace(filters, seat=None if filters.seat else seat))

    def action_narrow(self) -> None:
        """Ask what to narrow the record by."""
        now = self._look.now

        def typed(text: str | None) -> None:
            if text is not None:
                self._narrow(parse(text, now))

        self.app.push_screen(narrowing(write(self.reader.filters), now, self._arming), typed)

    def _narrow(self, filters: Filters) -> None:
        if filters != self.reader.filters:
            self.reader.filters = filters
            self._begin()

    def _begin(self) -> None:
        """Read the current view from its newest rows."""
        self.set_class(False, "-whole")
        self.reader.begin()
        self._draw()

    def _fetch(self, query: Query, deliver: Deliver) -> None:
        self.post_message(PageWanted(query, deliver))

    def _changed(self) -> None:
        if self.is_attached:
            self._draw()

    def on_record_list_moved(self) -> None:
        self._draw_detail()

    def on_record_list_end_reached(self) -> None:
        self.reader.older()

    def on_record_list_start_reached(self) -> None:
        self.reader.newer()

    def _row(self, record: Record, width: int) -> Text:
        return record_row(record, self._look, width)

    def _draw(self) -> None:
        width = self.size.width
        if not width:
            return
        names = [view.name for view in VIEWS]
        tabs = tabs_line(names, self.reader.place, width - 2)
        self.query_one("#history-views", Lines).show([join(" ", tabs)])
        box = self.query_one("#history", Vertical)
        box.border_title = Content(self.reader.view.title)
        head = wrap(self._head(), max(20, width - 6))[: 2 if self.has_class("-short") else 6]
        self.query_one("#history-head", Lines).show(head)
        self.query_one(RecordList).show(self.reader.rows)
        self.query_one("#history-keys", Lines).show([self._keys()])
        self._draw_detail()

    def _head(self) -> list[Line | Text]:
        """What must be known of the rows below, before them."""
        lines: list[Line | Text] = []
        reader, look = self.reader, self._look
        if reader.filters != ANY:
            lines.append(narrowed_words(write(reader.filters)))
        if reader.untaken:
            return [*lines, untaken_words(reader.untaken)]
        if reader.trouble:
            lines.append(trouble_words(reader.trouble))
        if not look.fleet.link.live:
            lines.append(stale_words())
        if reader.place == REMEMBERED:
            lines.append(counts_line(reader.ledger, look.now))
        elif reader.place == LEDGER:
            lines.append(ledger_line(reader.ledger, look.now))
        if reader.behind or reader.below_newest:
            lines.append(newer_words(arrived=reader.behind))
        return lines

    def _keys(self) -> Text:
        whole = self.has_class("-whole")
        hints = [
            ("enter", "list" if whole else "whole"),
            (self._spot("next_view"), "view"),
            (self._spot("filter"), "filter"),
            (
                self._spot("only_seat"),
                "all seats" if self.reader.filters.seat else "only this seat",
            ),
            ("↑↓", "scroll" if whole else "move"),
            ("esc", "back"),
        ]
        return footer_line([Hint(key, label) for key, label in hints], self.size.width)

    def _spot(self, verb: str) -> str:
        return self._keymap.words(SPOTS[f"record.{verb}"])

    def _draw_detail(self) -> None:
        detail = self.query_one("#history-detail", ScrollingLines)
        width = max(20, detail.scrollable_content_region.width - 2)
        record: Record | None = self.query_one(RecordList).current
        detail.show(wrap(self._detail(record), width))

    def _detail(self, record: Record | None) -> list[Line | Text]:
        if record is not None:
            return [*record_lines(record, self._look)]
        if self.reader.reading:
            return [join(("Reading…", DIM))]
        narrowed = self.reader.filters != ANY
        found = "Nothing here matches the filter." if narrowed else self.reader.view.nothing
        return [join((found, DIM)), log_note()]


def _key(record: Record) -> str:
    return f"{type(record).__name__}:{record.sort_key}"
