"""What every test shares: where snapshots live, and frames that stand still."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import pytest_textual_snapshot  # type: ignore[import-untyped]
import textual.constants
from pytest_textual_snapshot import SVGImageExtension
from syrupy.data import SnapshotCollections
from textual.widgets import Input

if TYPE_CHECKING:
    from syrupy.assertion import SnapshotAssertion
    from syrupy.location import PyTestLocation

# Two workers and a hundred processes of the tests import the same modules: compile them once,
# also where the environment says not to, as in many containers.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

SNAPSHOTS = Path(__file__).resolve().parent.parent / "snapshots"


class RootSnapshots(SVGImageExtension):  # type: ignore[misc]
    """SVG snapshots in the top-level folder, one folder per test module."""

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(SNAPSHOTS / test_location.basename)

    def discover_snapshots(self, *, test_location: PyTestLocation) -> SnapshotCollections:
        """List what is stored, unless single tests were named.

        What is discovered and not used is reported, and pruned on an update; a run
        narrowed to a node id would prune its neighbours.
        """
        if any("::" in argument for argument in test_location.item.config.args):
            return SnapshotCollections()
        found: SnapshotCollections = super().discover_snapshots(test_location=test_location)
        return found


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--interleavings",
        type=int,
        default=200,
        help="how many interleavings of keys and events the whole console lives through",
    )


@pytest.fixture
def snapshot(snapshot: SnapshotAssertion, monkeypatch: pytest.MonkeyPatch) -> SnapshotAssertion:
    """Point `snap_compare` at the top-level folder."""
    monkeypatch.setattr(pytest_textual_snapshot, "SVGImageExtension", RootSnapshots)
    return snapshot


@pytest.fixture(autouse=True)
def still_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a frame a function of state alone: no animation, no blinking cursor."""
    monkeypatch.setattr(textual.constants, "TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setattr(Input.cursor_blink, "_default", False)
