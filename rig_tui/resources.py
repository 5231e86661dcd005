"""Where the files that ship beside the code live."""

from __future__ import annotations

from pathlib import Path, PurePath

_PACKAGE = Path(__file__).resolve().parent


def stylesheets(*names: str) -> list[str | PurePath]:
    """Absolute paths of stylesheets, from a wheel or from a checkout."""
    installed = _PACKAGE / "styles"
    root = installed if installed.is_dir() else _PACKAGE.parent / "styles"
    return [root / f"{name}.tcss" for name in names]
