"""What a console under test needn't do, since no terminal shows it and others did it before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual._compositor import Compositor
from textual.css.stylesheet import Stylesheet

if TYPE_CHECKING:
    import pytest

_parsed: dict[Any, Any] = {}


def draw_only_what_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave out every frame nobody reads."""
    render = Compositor.render_update

    def draw_whole(self: Compositor, full: bool = False, **more: Any) -> Any:
        if full:  # as an export asks for it
            return render(self, full, **more)
        self._dirty_regions.clear()
        return None

    monkeypatch.setattr(Compositor, "render_update", draw_whole)


def parse_styles_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse each stylesheet once a process."""
    parse = Stylesheet._parse_rules

    def parse_once(self: Stylesheet, *args: Any, **named: Any) -> Any:
        key = (frozenset(self._variables.items()), args, frozenset(named.items()))
        if key not in _parsed:
            _parsed[key] = parse(self, *args, **named)
        return _parsed[key]

    monkeypatch.setattr(Stylesheet, "_parse_rules", parse_once)
