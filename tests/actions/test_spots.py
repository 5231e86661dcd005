"""Keys of one place: given by the operator, told apart, and never an answer by accident."""

from __future__ import annotations

import pytest
from textual.binding import Binding
from textual.widgets import Input, TextArea

from rig_tui.actions.keymap import KeymapError, keymap
from rig_tui.actions.registry import ACTIONS
from rig_tui.actions.spots import EDITING, FIXED, SPOTS
from tests.rules import rule


def test_a_key_of_one_place_moves_and_may_mean_something_else_elsewhere() -> None:
    made = keymap({"words.send": ["ctrl+g"], "record.filter": ["F3", "a"]})
    assert made.words(SPOTS["words.send"]) == "ctrl+g"
    assert made.keys(SPOTS["record.filter"]) == ("f3", "a")
    assert made.keys(SPOTS["story.kinds"]) == ("f",)
    assert made.keys(ACTIONS["answer.allow_once"]) == ("a",)


def test_no_name_means_an_action_and_a_place() -> None:
    assert not SPOTS.keys() & ACTIONS.keys()
    for spot in SPOTS.values():
        assert spot.help.endswith(".")
        assert not set(spot.keys) & FIXED


def test_what_edits_is_what_the_field_itself_takes() -> None:
    fields = {key for widget in (TextArea, Input) for each in widget.BINDINGS
              if isinstance(each, Binding) for key in each.key.split(",")}  # fmt: skip
    assert fields - FIXED <= EDITING


@rule("T7-04", "T7-05")
@pytest.mark.parametrize("identifier", [spot.id for spot in SPOTS.values() if spot.acts])
@pytest.mark.parametrize(
    "key", ["enter", "esc", "space", "tab", "Y", "1", "ctrl+m", "ctrl+j", "shift+enter"]
)
def test_no_setting_makes_enter_esc_or_y_send_from_a_dialog(identifier: str, key: str) -> None:
    with pytest.raises(KeymapError, match="means something else there"):
        keymap({identifier: [key]})


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({"words.send": ["s"]}, "types or edits there"),
        ({"words.copy": ["?"]}, "types or edits there"),
        ({"words.send": ["ctrl+x"]}, "types or edits there"),
        ({"words.send": ["ctrl+r"]}, "ctrl\\+r is the key of words.reject already"),
        ({"record.filter": ["f"]}, "f is the key of record.only_seat already"),
        ({"record.filter": ["j"]}, "means something else there"),
        ({"record.filter": ["H"]}, "H is the key of record.close already"),
        ({"map.remove": ["+"]}, "\\+ is the key of map.register already"),
        ({"link.retry": []}, "must have a key"),
        ({"link.retry": ["nokey"]}, "is no key"),
        ({"words.sned": ["ctrl+g"]}, "did you mean words.send"),
    ],
)
def test_a_key_that_cant_be_given_says_why(chosen: dict[str, list[str]], words: str) -> None:
    with pytest.raises(KeymapError, match=words):
        keymap(chosen)
