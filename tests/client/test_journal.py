"""The journal of what was sent."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from rig_tui.client import receipts
from rig_tui.client.receipts import Journal

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "state" / "receipts.jsonl")


def test_what_was_sent_and_what_became_of_it_are_one_receipt(journal: Journal) -> None:
    journal.write({"id": "1", "label": "Allow"})
    journal.write({"id": "2", "label": "Reject"})
    journal.write({"id": "1", "verdict": "yours"})
    found, damaged = journal.read()
    assert [(each["id"], each.get("verdict")) for each in found] == [("1", "yours"), ("2", None)]
    assert damaged == 0


def test_only_its_owner_can_read_it(journal: Journal) -> None:
    journal.write({"id": "1"})
    assert journal.path.stat().st_mode & 0o777 == 0o600
    assert journal.path.parent.stat().st_mode & 0o777 == 0o700


def test_no_journal_is_an_empty_one(journal: Journal) -> None:
    assert journal.read() == ([], 0)


def test_a_damaged_line_costs_only_itself(journal: Journal) -> None:
    journal.write({"id": "1"})
    with journal.path.open("ab") as file:
        file.write(b'{"id": "2", "lab\n[]\n3\n\n')
    journal.write({"id": "4", "label": "any \u202e bytes \ud800"})
    found, damaged = journal.read()
    assert [each["id"] for each in found] == ["1", "4"]
    assert damaged == 3
    assert all(line.isascii() for line in journal.path.read_bytes().splitlines())


def test_a_line_that_did_not_fit_does_not_take_the_next_one_with_it(journal: Journal) -> None:
    journal.write({"id": "1"})
    with journal.path.open("ab") as file:
        file.write(b'{"v":1,"id":"2","la')
    journal.write({"id": "3"})
    found, damaged = journal.read()
    assert [each["id"] for each in found] == ["1", "3"]
    assert damaged == 1


def test_two_that_find_it_too_long_move_it_away_once(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "MOST_BYTES", 20_000)
    for number in range(3):
        journal.write({"id": f"old-{number}", "shown": "x" * 9000})
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: journal.write({"id": str(n)}), range(50)))
    found, damaged = journal.read()
    assert {f"old-{number}" for number in range(3)} <= {str(each["id"]) for each in found}
    assert len(found) == 53
    assert damaged == 0


def test_consoles_that_share_it_never_mix_their_lines(journal: Journal) -> None:
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: journal.write({"id": str(n), "shown": "x" * 9000}), range(200)))
    found, damaged = journal.read()
    assert sorted(int(str(each["id"])) for each in found) == list(range(200))
    assert damaged == 0


def test_a_long_journal_becomes_the_old_one_and_both_are_read(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receipts, "MOST_BYTES", 100)
    for number in range(6):
        journal.write({"id": str(number), "label": "x" * 60})
    found, _ = journal.read()
    assert [each["id"] for each in found][-2:] == ["4", "5"]
    assert len(found) < 6
    assert len(list(journal.path.parent.iterdir())) == 2


def test_a_link_in_its_place_is_not_followed(journal: Journal, tmp_path: Path) -> None:
    journal.path.parent.mkdir()
    other = tmp_path / "other"
    journal.path.symlink_to(other)
    with pytest.raises(OSError, match="symbolic"):
        journal.write({"id": "1"})
    assert not other.exists()


def test_a_line_is_one_json_object_with_its_version(journal: Journal) -> None:
    journal.write({"id": "1"})
    (line,) = journal.path.read_text().splitlines()
    assert json.loads(line) == {"v": 1, "id": "1"}
    assert os.fspath(journal.path).endswith(".jsonl")
