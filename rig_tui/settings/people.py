"""Who acts, as a person types it."""

from __future__ import annotations

import re

from rig_tui.settings.values import SettingsError

_PRIMARY_USER = "human@host"
_ENTITY = re.compile(r"[^\s@]+")


def actor(text: str, where: str) -> str:
    """The actor name for a person as typed: `ana`, `ana@external` or `human@host`.

    Raises:
        SettingsError: It names no person; a seat can't answer here.
    """
    if text == _PRIMARY_USER:
        return text
    entity = text.removesuffix("@external")
    if not _ENTITY.fullmatch(entity):
        raise SettingsError(
            f"{where}: {text!r} names no person; give an entity id such as ana, or {_PRIMARY_USER}"
        )
    return f"{entity}@external"
