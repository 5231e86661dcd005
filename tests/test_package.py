"""What a user installs: the wheel, and what a start imports."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from rig_tui import __version__
from rig_tui.resources import stylesheets
from rig_tui.ui.app import RigApp

ROOT = Path(__file__).resolve().parent.parent
DEV_ONLY = ("pytest", "hypothesis", "pyte", "syrupy", "mypy", "ruff", "hatchling", "build")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
    )
    return next(folder.glob("*.whl"))


def test_the_wheel_holds_every_stylesheet_and_the_type_marker(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {f"rig_tui/styles/{path.name}" for path in (ROOT / "styles").glob("*.tcss")} <= names
    assert "rig_tui/py.typed" in names
    assert not any(name.startswith(("tests", "docs", "snapshots")) for name in names)


def test_the_wheel_has_the_package_s_version(wheel: Path) -> None:
    assert wheel.name.startswith(f"rig_tui-{__version__}-")


def test_the_installed_wheel_runs_without_what_only_developers_need(
    wheel: Path, tmp_path: Path
) -> None:
    """Its declared dependencies are taken from here: all it may use, and nothing else."""
    place = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(place)
    code = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "class Barred:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] in {DEV_ONLY!r}:\n"
        "            raise ImportError(name)\n"
        "sys.meta_path.insert(0, Barred())\n"
        "import rig_tui.ui.run, rig_tui.daemon.process, rig_tui.demo.run, rig_tui.cli.headless\n"
        "import rig_tui.__main__ as main\n"
        "assert main.__file__.startswith(sys.argv[1]), main.__file__\n"
        "sys.exit(main.main(['--version']))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", code, place], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout) == (0, f"rig-tui {__version__}\n"), done.stderr


def test_it_runs_as_a_module_too() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "rig_tui", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == f"rig-tui {__version__}\n"


def test_every_stylesheet_is_loaded_by_the_app() -> None:
    stored = {path.name for path in (ROOT / "styles").glob("*.tcss")}
    assert {Path(path).name for path in RigApp.CSS_PATH} == stored


def test_stylesheets_are_found_in_a_checkout() -> None:
    assert all(Path(path).is_file() for path in stylesheets("base", "board", "dialogs"))


def test_the_first_frame_needs_neither_the_client_nor_the_models() -> None:
    """What draws the board is imported; what talks to a daemon comes after it."""
    code = (
        "import sys; import rig_tui.ui.run;"
        "print([m for m in ('httpx', 'pydantic', 'starlette', 'uvicorn', 'argparse', 'sqlite3',"
        " 'rig_tui.client.openrig', 'rig_tui.wire.openrig') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
