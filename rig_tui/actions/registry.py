"""Every operator action, once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rig_tui.actions.answering import ANSWERING
from rig_tui.actions.finding import FINDING
from rig_tui.actions.grants import GRANTS
from rig_tui.actions.history import HISTORY
from rig_tui.actions.items import ITEMS
from rig_tui.actions.keys import key_words as key_words
from rig_tui.actions.messaging import MESSAGING
from rig_tui.actions.people import PEOPLE
from rig_tui.actions.replying import REPLYING
from rig_tui.actions.routing import ROUTING
from rig_tui.actions.seats import SEATS
from rig_tui.actions.view import LOOKING, MOVING

if TYPE_CHECKING:
    from rig_tui.actions.action import Action, Family

FAMILIES: tuple[Family, ...] = (
    ANSWERING, REPLYING, ROUTING, ITEMS, SEATS, GRANTS, MESSAGING, PEOPLE, MOVING, FINDING, HISTORY,
    LOOKING,
)  # fmt: skip
ACTIONS: dict[str, Action] = {action.id: action for family in FAMILIES for action in family.actions}
