"""The docs tell the truth: pages are as the code makes them, and their commands run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from docs.reference import DOCS, pages
from docs.shapes import EXTENDS, OPTIONAL, PRINTED, REMARKS, SHAPES
from rig_tui.cli.commands import BY_NAME, COMMANDS

ROOT = DOCS.parent
RUN = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NAMED = re.compile(r"rig-tui ([a-z][a-z-]*)(?: ([a-z]+))?")
WRITTEN = sorted(DOCS.glob("*.md"))


@pytest.mark.parametrize("name", pages())
def test_a_page_made_from_the_code_is_as_the_code_is(name: str) -> None:
    current = (DOCS / name).read_text(encoding="utf-8")
    assert current == pages()[name], "run python -m docs.reference and look at what changed"


def test_every_command_that_prints_json_has_a_documented_shape() -> None:
    with_json = {
        command.name
        for command in COMMANDS
        if any(parameter.name == "--json" for parameter in command.parameters)
    }
    assert with_json - {"daemon"} == PRINTED.keys() | (REMARKS.keys() - PRINTED.keys())
    assert {kind.strip("[]") for kind in PRINTED.values()} <= SHAPES.keys()
    assert EXTENDS.keys() | OPTIONAL.keys() <= SHAPES.keys()


@pytest.mark.parametrize("page", ["first-hour", "watching-a-rig", "runner-author"])
def test_the_commands_of_a_page_run_as_they_stand(page: str, tmp_path: Path) -> None:
    blocks = RUN.findall((DOCS / f"{page}.md").read_text(encoding="utf-8"))
    assert blocks
    environ = {
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "HOME": str(tmp_path),
        "LANG": "C.UTF-8",
    }
    end = "trap 'rig-tui daemon stop --force >&2 || true' EXIT\n"
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", end + "\n".join(blocks)],
        env=environ, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=100,
    )  # fmt: skip
    assert done.returncode == 0, (done.stdout, done.stderr)


@pytest.mark.parametrize("page", [*WRITTEN, ROOT / "README.md"], ids=lambda page: page.name)
def test_a_page_names_only_commands_there_are_and_links_that_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for first, second in NAMED.findall(text):
        assert first in BY_NAME or f"{first} {second}" in BY_NAME, (page.name, first)
    for target in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (page.parent / target).exists(), (page.name, target)
