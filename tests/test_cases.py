"""docs/cases.md tells the truth about the tests it names."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SECTIONS = dict(
    re.findall(
        r"^## ([A-Z])\. (.*?)(?=^## |\Z)",
        (ROOT / "docs" / "cases.md").read_text(encoding="utf-8"),
        re.MULTILINE | re.DOTALL,
    )
)
NAMED = sorted(set(re.findall(r"`(tests/\S+\.py)::(\w+)`", "\n".join(SECTIONS.values()))))


@cache
def defined_in(path: str) -> set[str]:
    text = (ROOT / path).read_text(encoding="utf-8")
    return set(re.findall(r"^(?:async )?def (test_\w+)", text, re.MULTILINE))


def test_every_section_is_there_and_every_kind_has_reports_and_tests() -> None:
    assert "".join(SECTIONS) == "ABCDEFGHIJKLM"
    for letter, section in SECTIONS.items():
        kinds = section.split("**")[1::2]
        for kind, body in zip(kinds, section.split("**")[2::2], strict=True):
            assert re.search(r"https://github\.com/\S+/(issues|pull)/\d+\)", body), (letter, kind)
            assert "`tests/" in body, (letter, kind)


@pytest.mark.parametrize("path", sorted({path for path, _ in NAMED}))
def test_every_test_that_is_named_exists(path: str) -> None:
    assert {name for where, name in NAMED if where == path} <= defined_in(path)
