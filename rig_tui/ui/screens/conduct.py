"""From a key to a command: carrying out what an action plans.

Rule of this file: nothing leaves it that wasn't painted. A dialog counts only if the
ask hasn't changed while it was open, and an option only once its whole name was shown.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Protocol, TypeVar

from rig_tui.actions.action import Choose, Confirm, Context, Fill, Plan, Send, Show
from rig_tui.actions.answering import plan_option
from rig_tui.actions.registry import ACTIONS
from rig_tui.domain.commands import AnswerAsk, Command
from rig_tui.domain.model import REJECT_ALWAYS, REJECT_ONCE
from rig_tui.domain.sentence import sentence
from rig_tui.ui.screens import asking, dialogs
from rig_tui.ui.screens.form import Form, Meaning
from rig_tui.ui.screens.picker import Picker
from rig_tui.ui.screens.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import App
    from textual.screen import Screen

    from rig_tui.actions.action import Action
    from rig_tui.domain.model import Ask, Option, Seat
    from rig_tui.settings.values import ReadFirst
    from rig_tui.ui.arming import Arming
    from rig_tui.ui.screens.moving import Moving
    from rig_tui.ui.widgets.ask_pane import AskPane

Result = TypeVar("Result")
_OF_ASK = ("answer", "item")
"""Families about the shown ask, which therefore must be in sight."""
CHANGED = "The ask changed while you were deciding"


class Place(Protocol):
    """What a conduct needs of the screen it serves."""

    @property
    def app(self) -> App[object]: ...

    @property
    def context(self) -> Context: ...

    @property
    def pane(self) -> AskPane: ...

    @property
    def too_small(self) -> bool: ...

    @property
    def moving(self) -> Moving: ...

    def show_view(self, what: str) -> None: ...

    def wait_for_arming(self) -> None: ...

    def mean(self, command: Command, label: str) -> None: ...

    def hold(self, command: Command, label: str) -> None: ...


class Conduct:
    """Does what a registry action means now, or says why it can't be done."""

    def __init__(self, place: Place, arming: Arming, reads_first: ReadFirst = "allow") -> None:
        """Serve a screen.

        Args:
            place: The screen.
            arming: When answer keys are live.
            reads_first: Which answers page through a call that wasn't seen to its end.
        """
        self._place = place
        self._arming = arming
        self._reads_first = reads_first

    def operate(self, identifier: str) -> None:
        """Carry an action out for its key."""
        action = ACTIONS[identifier]
        if action.family in (*_OF_ASK, "seat") and self._place.too_small:
            self._say("Too small to answer safely: make the window at least 40×12.")
            return
        if action.family in _OF_ASK and not self._place.moving.ask_in_sight:
            self._place.moving.open_detail()
            return
        plan = self._plan(action, self._place.context)
        match plan:
            case None:
                pass
            case Send(command, label) if action.family == "answer":
                self._mean(command, label, then=self._place.hold)
            case _:
                self._carry_out(plan)

    def operate_by_name(self, identifier: str) -> None:
        """Carry an action out from the palette, where an answer always needs a second key.

        Enter picks in a palette, and Enter must never be an answer.
        """
        self._arming.key()
        action, context = ACTIONS[identifier], self._place.context
        plan = action.plan(context) if action.why_not(context) is None else None
        if isinstance(plan, Send) and self._place.moving.ask_in_sight:
            self._carry_out(Confirm(plan.command, plan.label, action.consequence(context)))
        else:
            self.operate(identifier)

    def choose(self, ask_id: str, row_id: str, option_id: str) -> None:
        """Carry out a click on an option's row."""
        context = self._place.context
        ask = context.ask
        if ask is None or (ask.ask_id, ask.row_id) != (ask_id, row_id):
            return
        option = ask.option(option_id)
        why = ACTIONS["answer.choose"].why_not(context)
        if why is not None or option is None:
            self._say(f"{why or 'That option is not offered'}.")
            return
        self._carry_out(plan_option(ask, option))

    def changed_under(self, screen: Screen[object]) -> None:
        """Close a dialog that was about an ask which has changed."""
        if isinstance(screen, asking.Confirm | asking.Chooser | Words | Picker):
            screen.dismiss(None)
            self._say(self._place.pane.with_changes(CHANGED))

    def _carry_out(self, plan: Plan) -> None:
        match plan:
            case Show(what):
                self._place.show_view(what)
            case Send(command, label):
                self._mean(command, label)
            case Confirm(command, label, consequence):
                if self._whole(command):
                    strip = asking.Confirm(label, consequence, self._arming)
                    self._then(strip, lambda yes: self._mean(command, label) if yes else None)
            case Choose(title, options):
                ask = self._place.context.ask
                if ask is not None:
                    self._choose_among(title, ask, options)
            case Fill(dialog):
                self._open(dialogs.form(dialog, self._place.context, self._arming))

    def operate_on(self, identifier: str, seat: Seat | None) -> None:
        """Carry out an action about a seat that is chosen elsewhere than on the board."""
        context = replace(self._place.context, seat=seat)
        plan = self._plan(ACTIONS[identifier], context)
        if isinstance(plan, Fill):
            self._open(dialogs.form(plan.dialog, context, self._arming))

    def _plan(self, action: Action, context: Context) -> Plan | None:
        """What an action means now; None where it can't be done, which is said."""
        why = action.why_not(context)
        if why is None:
            return action.plan(context)
        self._say(sentence(why))
        return None

    def _open(self, form: Form) -> None:
        self._then(form.screen, lambda result: self._filled(form.meant(result)))

    def _filled(self, meant: Meaning) -> None:
        match meant:
            case Confirm():
                self._carry_out(meant)
            case Form():
                self._open(meant)
            case (command, label):
                self._mean(command, label)
            case None:
                pass

    def _choose_among(self, title: str, ask: Ask, options: tuple[Option, ...]) -> None:
        """Let an option be chosen by label; the chooser shows every name whole."""

        def chosen(option: Option | None) -> None:
            if option is None:
                return
            self._place.pane.show_whole(option.option_id)
            self._carry_out(plan_option(ask, option))

        self._then(asking.Chooser(title, options, self._arming), chosen)

    def _then(self, screen: Screen[Result], then: Callable[[Result], None]) -> None:
        painted = self._place.pane.content

        def closed(result: Result | None) -> None:
            # A key that was meant for the dialog must not answer behind it.
            self._arming.disarm()
            self._place.wait_for_arming()
            if result is None:
                return
            if self._place.pane.content != painted:
                self._say(self._place.pane.with_changes(CHANGED))
                return
            then(result)

        self._place.app.push_screen(screen, closed)

    def _mean(
        self, command: Command, label: str, then: Callable[[Command, str], None] | None = None
    ) -> None:
        if self._whole(command):
            self._arming.disarm()
            (then or self._place.mean)(command, label)

    def _whole(self, command: Command) -> bool:
        """Whether what is chosen, and what it is about, was seen whole; if not, show more."""
        pane = self._place.pane
        if not isinstance(command, AnswerAsk):
            return True
        if not pane.shows_whole(command.option_id):
            pane.show_whole(command.option_id)
            self._say("Its whole name is shown now. Press the key again to choose it.")
            return False
        if pane.read_to_end or not self._must_read(command):
            return True
        pane.scroll_page(1)
        left = pane.lines_below
        more = f"{left} more line{'' if left == 1 else 's'} to read first"
        self._say(f"Not sent: {more if left else 'this is the end; press it again'}.")
        return False

    def _must_read(self, command: AnswerAsk) -> bool:
        ask = self._place.context.ask
        option = ask.option(command.option_id) if ask is not None else None
        rejects = option is not None and option.kind in (REJECT_ONCE, REJECT_ALWAYS)
        return self._reads_first == "all" or (self._reads_first == "allow" and not rejects)

    def _say(self, words: str) -> None:
        self._place.app.notify(words)
