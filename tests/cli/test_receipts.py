"""`rig-tui receipts`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from rig_tui.cli.receipts import print_receipts
from rig_tui.client.receipts import Journal

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / "receipts.jsonl")
    journal.write(
        {"id": "k1", "askId": "q1", "seat": "builder@my-rig", "label": "Allow", "how": "key"}
    )
    journal.write({"id": "k2", "askId": "q2", "seat": "qa\x1b[2J@my-rig", "label": "Reject"})
    journal.write({"id": "k1", "verdict": "yours", "state": "answered"})
    return journal


def test_every_act_is_a_row(journal: Journal, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_receipts(journal, None, as_json=False) == 0
    out = capsys.readouterr().out
    assert [line for line in out.splitlines() if "builder@my-rig" in line and "yours" in line]
    assert "not known: the console ended before it was told" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("named", ["k1", "q1"])
def test_one_act_is_named_by_its_own_or_its_asks_id(
    journal: Journal, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert print_receipts(journal, named, as_json=True) == 0
    (receipt,) = json.loads(capsys.readouterr().out)
    assert (receipt["id"], receipt["verdict"]) == ("k1", "yours")
    assert print_receipts(journal, named, as_json=False) == 0
    assert "answered" in capsys.readouterr().out


def test_an_unknown_id_is_an_error(journal: Journal, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_receipts(journal, "q9", as_json=True) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "no receipt of q9" in captured.err


def test_damaged_lines_are_counted(journal: Journal, capsys: pytest.CaptureFixture[str]) -> None:
    with journal.path.open("a") as file:
        file.write("{\n")
    assert print_receipts(journal, None, as_json=True) == 0
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)) == 2
    assert "1 damaged line(s)" in captured.err


def test_nothing_sent_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert print_receipts(Journal(tmp_path / "none.jsonl"), None, as_json=False) == 0
    assert "nothing was sent yet" in capsys.readouterr().out
