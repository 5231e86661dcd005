"""One seat in full: why it reads what it reads, how it was launched, what happened at it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from rig_tui.actions.keys import Keymap
from rig_tui.actions.spots import SPOTS
from rig_tui.domain.commands import Page, Query, SeatEvents
from rig_tui.domain.timeline import SeatEvent, SeatEventKind
from rig_tui.domain.window import PAGE, Wanted
from rig_tui.ui.listing import Listing, PageWanted
from rig_tui.ui.present.footer import Hint, footer_line
from rig_tui.ui.present.glyphs import UNICODE, Glyphs
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.record import newer_words, stale_words, trouble_words
from rig_tui.ui.present.roles import DIM
from rig_tui.ui.present.seat_detail import seat_lines
from rig_tui.ui.present.timeline import no_timeline, timeline_lines, timeline_row
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.spot_keys import bound
from rig_tui.ui.widgets.lines import Lines, ScrollingLines
from rig_tui.ui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from datetime import datetime

    from rich.text import Text
    from textual import events
    from textual.app import ComposeResult

    from rig_tui.domain.model import Fleet, Seat, SeatId
    from rig_tui.ui.listing import Deliver

_WIDE: Final = 110
_SHORT: Final = 20
_KINDS: Final = SeatEventKind
_CHOICES: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("everything", ()),
    ("asks and permits", (_KINDS.ASK, _KINDS.HANDOFF, _KINDS.ENDED, _KINDS.PERMIT)),
    ("activity", (_KINDS.POST, _KINDS.REFUSED, _KINDS.EXIT, _KINDS.CLEARED)),
    ("errors", (_KINDS.ERROR, _KINDS.EXIT)),
    ("who is asked", (_KINDS.OVERRIDE,)),
    ("launches", (_KINDS.LAUNCH, _KINDS.STOPPED)),
)


class SeatScreen(Screen[None], inherit_bindings=False):
    """A seat's story: about it, and its timeline; side by side where there is room."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "back", show=False),
        bound("story.close", "back"),
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "newest", show=False),
        Binding("end", "move(1000000)", show=False),
        bound("story.other", "other"),
        Binding("enter", "whole", show=False),
        bound("story.kinds", "kinds"),
        bound("story.history", "history"),
        bound("story.revoke", "revoke"),
    ]
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (_WIDE, "-wide")]  # noqa: RUF012 (as declared)

    class HistoryWanted(Message):
        """The operator wants the seat's permits and ended asks."""

        def __init__(self, seat: str) -> None:
            super().__init__()
            self.seat = seat

    class RevokeWanted(Message):
        """The operator wants the seat's grant revoked; the board's action asks them first."""

    def __init__(
        self,
        seat: Seat,
        fleet: Fleet,
        now: datetime,
        *,
        glyphs: Glyphs = UNICODE,
        keymap: Keymap = Keymap(),  # noqa: B008 (a value)
    ) -> None:
        super().__init__()
        self._keymap = keymap
        self._seat = seat
        self._fleet = fleet
        self._now = now
        self._glyphs = glyphs
        self._choice = 0
        self._listing = Listing(self._query, _rows, self._fetch, self._changed)

    def compose(self) -> ComposeResult:
        with Horizontal(id="story"):
            yield ScrollingLines(id="story-about")
            with Vertical(id="story-timeline"):
                yield Lines(id="story-head")
                yield RecordList[SeatEvent](self._row, lambda e: e.sort_key, id="story-list")
                yield ScrollingLines(id="story-entry")
        yield Lines(id="story-keys")

    def on_mount(self) -> None:
        name = inert(self._seat.seat_ref).plain
        self.query_one("#story-about", ScrollingLines).border_title = Content(name)
        self.query_one(RecordList).focus()
        if self._has_timeline:
            self._listing.begin()
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.height < _SHORT, "-short")
        self.call_after_refresh(self._draw)

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        before, self._fleet, self._now = self._fleet, fleet, now
        seat = fleet.seats.get(self._seat.seat_id, self._seat)
        again = fleet.link.live and not before.link.live
        happened = (
            seat is not self._seat
            or fleet.asks is not before.asks
            or fleet.permits is not before.permits
        )
        self._seat = seat
        if self._has_timeline and fleet.link.epoch != before.link.epoch:
            self._listing.begin()
        elif self._has_timeline and (again or happened):
            self._listing.refresh()
        if happened or fleet.link is not before.link:
            self._draw()

    def tick(self, now: datetime) -> None:
        """Let the ages move on."""
        self._now = now
        self._draw_about()

    @property
    def _has_timeline(self) -> bool:
        return "timeline" in self._fleet.link.capabilities

    @property
    def _in_timeline(self) -> bool:
        return self.has_class("-timeline")

    def action_back(self) -> None:
        if self.has_class("-whole"):
            self.action_whole()
        else:
            self.dismiss(None)

    def action_other(self) -> None:
        """Move about in the other half; in a narrow window, show it."""
        self.toggle_class("-timeline")
        self.set_class(False, "-whole")
        self.call_after_refresh(self._draw)

    def action_move(self, by: int) -> None:
        if self._in_timeline and not self.has_class("-whole"):
            self.query_one(RecordList).move(by)
            return
        name = "#story-entry" if self._in_timeline else "#story-about"
        body = self.query_one(name, ScrollingLines)
        body.scroll_to(y=body.scroll_offset.y + by, animate=False, immediate=True)

    def action_newest(self) -> None:
        """To the newest entry; read anew where the window has moved below it."""
        if not self._in_timeline or self.has_class("-whole") or self._listing.window.at_top:
            self.action_move(-1_000_000)
        else:
            self._listing.begin()

    def action_page(self, by: int) -> None:
        name = "#story-list" if self._in_timeline else "#story-about"
        self.action_move(by * max(1, self.query_one(name).size.height - 1))

    def action_whole(self) -> None:
        """Give the entry under the cursor the timeline's whole place, or the list again."""
        if self._in_timeline:
            self.toggle_class("-whole")
            self.call_after_refresh(self._draw)
        else:
            self.action_other()

    def action_kinds(self) -> None:
        """Show only the next kind of entries, and everything again after the last."""
        self._choice = (self._choice + 1) % len(_CHOICES)
        if self._has_timeline:
            self._listing.begin()
        self._draw()

    def action_history(self) -> None:
        self.post_message(self.HistoryWanted(self._seat.session_name))

    def action_revoke(self) -> None:
        self.post_message(self.RevokeWanted())

    def on_record_list_moved(self) -> None:
        self._draw_entry()

    def on_record_list_end_reached(self) -> None:
        self._listing.older()

    def on_record_list_start_reached(self) -> None:
        self._listing.newer()

    def _query(self, wanted: Wanted) -> Query:
        kinds = _CHOICES[self._choice][1]
        return SeatEvents(self._seat.seat_ref, tuple(kinds), wanted.before, PAGE)

    def _fetch(self, query: Query, deliver: Deliver) -> None:
        self.post_message(PageWanted(query, deliver))

    def _changed(self) -> None:
        if self.is_attached:
            self._draw()

    def _row(self, event: SeatEvent, width: int) -> Text:
        return timeline_row(event, self._now, width, self._fleet.people, self._glyphs)

    def _draw(self) -> None:
        if not self.size.width:
            return
        self._draw_about()
        box = self.query_one("#story-timeline", Vertical)
        box.border_title = Content(f"Timeline · {_CHOICES[self._choice][0]}")
        head = self._head()
        width = max(20, box.size.width - 4)
        self.query_one("#story-head", Lines).show(wrap(head, width))
        self.query_one(RecordList).show(self._listing.window.rows)
        self._draw_entry()
        self.query_one("#story-keys", Lines).show([self._keys()])

    def _draw_about(self) -> None:
        about = self.query_one("#story-about", ScrollingLines)
        width = about.scrollable_content_region.width
        if width:
            offset = self._fleet.link.clock_offset
            lines = seat_lines(self._seat, self._now, offset, self._fleet.people)
            about.show(wrap(lines, width - 1), keep_place=True)

    def _head(self) -> list[Line | Text]:
        if not self._has_timeline:
            return [*no_timeline()]
        lines: list[Line | Text] = []
        if self._listing.trouble:
            lines.append(trouble_words(self._listing.trouble))
        if not self._fleet.link.live:
            lines.append(stale_words())
        if self._listing.behind or self._listing.window.above:
            lines.append(newer_words(arrived=self._listing.behind))
        return lines

    def _draw_entry(self) -> None:
        entry = self.query_one("#story-entry", ScrollingLines)
        width = max(20, entry.scrollable_content_region.width - 1)
        event: SeatEvent | None = self.query_one(RecordList).current
        lines: list[Line | Text] = []
        if event is not None:
            lines = [*timeline_lines(event, self._now, self._fleet.people)]
        elif self._has_timeline and not self._listing.trouble:
            lines = [join(("Nothing happened yet." if self._listing.begun else "Reading…", DIM))]
        entry.show(wrap(lines, width))

    def _keys(self) -> Text:
        other = "seat" if self._in_timeline else "timeline"
        hints = [("tab", other)]
        if self._in_timeline:
            hints += [
                ("enter", "list" if self.has_class("-whole") else "whole"),
                (self._spot("kinds"), "kinds"),
            ]
        if self._seat.grant.mode == "grant" and self._seat.grant.revoked_at is None:
            hints.append((self._spot("revoke"), "revoke its grant…"))
        moves = "move" if self._in_timeline and not self.has_class("-whole") else "scroll"
        hints += [(self._spot("history"), "its history"), ("↑↓", moves), ("esc", "back")]
        return footer_line([Hint(key, label) for key, label in hints], self.size.width)

    def _spot(self, verb: str) -> str:
        return self._keymap.words(SPOTS[f"story.{verb}"])


def _rows(page: Page) -> tuple[SeatEvent, ...]:
    return page.seat_events
