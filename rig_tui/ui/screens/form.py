"""What a dialog comes to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, Union

from rig_tui.actions.action import Confirm
from rig_tui.domain.commands import Command

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.screen import ModalScreen

Meaning: TypeAlias = Union[tuple[Command, str], Confirm, "Form", None]
"""A command and its label; a command that needs a second key; a further dialog; nothing."""


@dataclass(frozen=True, slots=True)
class Form:
    """A dialog, and what its result means."""

    screen: ModalScreen[Any]
    meant: Callable[[Any], Meaning]
