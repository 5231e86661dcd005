"""What the console does outside its frames, and how it looks: calls, copies, mouse, theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from rig_tui.domain.notify import Sight
from rig_tui.ui import themes
from rig_tui.ui.copying import Copier
from rig_tui.ui.notifier import Notifier, run_hook
from rig_tui.ui.terminal import Terminal

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from textual.app import App

    from rig_tui.domain.model import Fleet
    from rig_tui.domain.notify import Notice
    from rig_tui.ui.screens.board import Board
    from rig_tui.ui.setup import Setup


class Host(Protocol):
    """What this needs of the app."""

    @property
    def board(self) -> Board: ...

    @property
    def fleet(self) -> Fleet: ...


class Outside:
    """The terminal, and what the operator asked of it."""

    def __init__(self, app: App[int], host: Host, setup: Setup) -> None:
        self._app = app
        self._host = host
        self._setup = setup
        self.terminal = Terminal(app, setup.tmux_depth)
        """What is written beside frames."""
        self._copier = Copier(self.terminal, setup.copy, setup.state_folder, setup.now)
        self._notifier = (
            Notifier(setup.policy, setup.means, self.terminal, self._run_hook)
            if setup.means is not None
            else None
        )
        self.focused: bool | None = None
        """Whether the terminal has the focus; None until it says."""
        self._hook_trouble = ""

    @property
    def places(self) -> dict[str, Callable[[], object]]:
        """What each action that ends here does, by what it shows."""
        return {
            "copy": lambda: self._copy(self._copier.tool_call),
            "copy_id": lambda: self._copy(self._copier.ask_id),
            "mouse": self._mouse,
            "density": self._density,
            "theme": self._theme,
        }

    def look(self) -> None:
        """Call the operator, if there is something to call for."""
        if self._notifier is None:
            return
        board = self._host.board
        sight = Sight(
            self._setup.now(),
            board.ask.ask_id if board.ask is not None else None,
            self.focused,
            board.finding.view.snoozed,
        )
        self._notifier.look(self._host.fleet, sight)

    def copy_words(self, text: str) -> None:
        """Copy words that were kept, and say where they are."""
        self._app.notify(self._copier.words(text), timeout=10)

    def _copy(self, copy: Callable[..., str]) -> None:
        ask = self._host.board.ask
        if ask is not None:
            self._app.notify(copy(ask), timeout=10)

    def _mouse(self) -> None:
        board = self._host.board
        board.mouse = not board.mouse
        self.terminal.take_mouse(board.mouse)
        board.refresh_edges()
        words = "The console has the mouse." if board.mouse else (
            "The mouse is the terminal's: select text with it. The same key takes it back."
        )  # fmt: skip
        self._app.notify(words)

    def _density(self) -> None:
        board = self._host.board
        board.dense = not board.dense

    def _theme(self) -> None:
        names = [theme.name for theme in themes.THEMES]
        at = names.index(self._app.theme) if self._app.theme in names else -1
        self._app.theme = names[(at + 1) % len(names)]

    def _run_hook(self, notice: Notice) -> None:
        means = self._setup.means
        if means is not None:
            self._app.run_worker(
                self._hook(means.command, notice), group="hook", exit_on_error=False
            )

    def _hook(self, command: tuple[str, ...], notice: Notice) -> Coroutine[None, None, None]:
        async def run() -> None:
            trouble = await run_hook(command, notice)
            if trouble and trouble != self._hook_trouble:
                self._app.notify(trouble, severity="warning")
            self._hook_trouble = trouble

        return run()
