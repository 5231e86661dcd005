"""What was permitted without anybody choosing it, newest first (T7-20, T7-28)."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen

from rig_tui.domain.model import Fleet, Permit, RunnerPermit, SeatId
from rig_tui.ui.present.inert import inert
from rig_tui.ui.present.lines import Line, join
from rig_tui.ui.present.permit import (
    log_note,
    permit_lines,
    permit_row,
    runner_permit_lines,
    runner_permit_row,
)
from rig_tui.ui.present.roles import DIM, KEY
from rig_tui.ui.present.wrap import wrap
from rig_tui.ui.widgets.lines import Lines, ScrollingLines
from rig_tui.ui.widgets.record_list import RecordList

if TYPE_CHECKING:
    from datetime import datetime

    from textual.app import ComposeResult

Record: TypeAlias = Permit | RunnerPermit


class PermitsScreen(Screen[None], inherit_bindings=False):
    """Default permits on record, and what made runners permit by themselves."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,H", "back", show=False),
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown,space", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "move(-1000000)", show=False),
        Binding("end", "move(1000000)", show=False),
        Binding("f", "only_seat", show=False),
    ]

    class OlderWanted(Message):
        """The operator has come to the oldest permit read so far."""

        def __init__(self, before: str) -> None:
            super().__init__()
            self.before = before

    def __init__(self, fleet: Fleet, now: datetime) -> None:
        super().__init__()
        self._fleet = fleet
        self._now = now
        self._older: tuple[Permit, ...] = ()
        self._only: str | None = None

    def compose(self) -> ComposeResult:
        with Vertical(id="permits"):
            yield RecordList[Record](self._row, _key, id="permit-list")
            yield ScrollingLines(id="permit-detail")
        yield Lines(id="permit-keys")

    def on_mount(self) -> None:
        self.query_one(RecordList).focus()
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def fleet_changed(self, fleet: Fleet, now: datetime, touched: set[SeatId] | None) -> None:
        changed = (
            fleet.permits is not self._fleet.permits
            or fleet.runner_permits is not self._fleet.runner_permits
        )
        self._fleet, self._now = fleet, now
        if changed:
            self._draw()

    def tick(self, now: datetime) -> None:
        self._now = now

    def add_older(self, permits: tuple[Permit, ...]) -> None:
        """Take a page of older permits."""
        self._older += permits
        self._draw()

    def on_record_list_moved(self) -> None:
        self._draw_detail()

    def on_record_list_end_reached(self) -> None:
        permits = [r for r in self._records() if isinstance(r, Permit)]
        if permits:
            self.post_message(self.OlderWanted(permits[-1].sort_key))

    def action_back(self) -> None:
        self.dismiss(None)

    def action_move(self, by: int) -> None:
        self.query_one(RecordList).move(by)

    def action_page(self, by: int) -> None:
        records = self.query_one(RecordList)
        records.move(by * records.page)

    def action_only_seat(self) -> None:
        """Show only the permits of this record's seat, or all again."""
        record: Record | None = self.query_one(RecordList).current
        self._only = None if self._only or record is None else record.session_name
        self._draw()

    def _records(self) -> list[Record]:
        held = {permit.sort_key: permit for permit in (*self._older, *self._fleet.permits)}
        records: list[Record] = [*held.values(), *self._fleet.runner_permits]
        if self._only is not None:
            records = [r for r in records if r.session_name == self._only]
        return sorted(records, key=lambda record: (record.at, record.sort_key), reverse=True)

    def _row(self, record: Record, width: int) -> Text:
        if isinstance(record, Permit):
            return permit_row(record, self._now, width)
        return runner_permit_row(record, self._now, width)

    def _draw(self) -> None:
        records = self._records()
        box = self.query_one("#permits", Vertical)
        only = f" · only {inert(self._only).plain}" if self._only else ""
        box.border_title = Content(f"Permitted by default · {len(records)}{only}")
        self.query_one(RecordList).show(records)
        hints = [
            ("↑↓", "move"),
            ("f", "all seats" if self._only else "only this seat"),
            ("esc", "back"),
        ]
        keys = Text("   ").join(join((key, KEY), " ", (label, DIM)) for key, label in hints)
        self.query_one("#permit-keys", Lines).show([Text(" ") + keys])
        self._draw_detail()

    def _draw_detail(self) -> None:
        detail = self.query_one("#permit-detail", ScrollingLines)
        width = max(20, detail.scrollable_content_region.width - 2)
        record: Record | None = self.query_one(RecordList).current
        lines: list[Line | Text]
        if record is None:
            lines = [join(("Nothing was permitted without a choice.", DIM)), log_note()]
        elif isinstance(record, Permit):
            lines = [*permit_lines(record, self._now), log_note()]
        else:
            lines = [*runner_permit_lines(record, self._now)]
        detail.show(wrap(lines, width))


def _key(record: Record) -> str:
    return f"{type(record).__name__}:{record.sort_key}"
