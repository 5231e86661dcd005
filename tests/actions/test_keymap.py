"""Which keys an operator may give to which actions."""

from __future__ import annotations

import pytest
from textual.keys import _character_to_key

from rig_tui.actions.keymap import KeymapError, keymap
from rig_tui.actions.keys import Keymap, key_named, key_words
from rig_tui.actions.registry import ACTIONS
from tests.rules import rule

ACTING = [action.id for action in ACTIONS.values() if action.family != "view"]


def test_without_settings_every_action_has_its_own_keys() -> None:
    made = keymap({})
    assert made == Keymap()
    assert all(made.keys(action) == action.keys for action in ACTIONS.values())


def test_a_key_moves_and_the_rest_stays() -> None:
    made = keymap({"answer.allow_once": ["f"], "view.next": ["ctrl+n", "F5"]})
    assert made.keys(ACTIONS["answer.allow_once"]) == ("f",)
    assert made.words(ACTIONS["answer.allow_once"]) == "f"
    assert made.keys(ACTIONS["view.next"]) == ("ctrl+n", "f5")
    assert made.keys(ACTIONS["answer.deny"]) == ("d",)


def test_two_actions_may_change_keys() -> None:
    made = keymap({"answer.allow_once": ["r"], "answer.reject_once": ["a"]})
    assert made.keys(ACTIONS["answer.allow_once"]) == ("r",)
    assert made.keys(ACTIONS["answer.reject_once"]) == ("a",)


def test_an_action_may_be_left_to_the_palette() -> None:
    made = keymap({"answer.allow_always": []})
    assert made.keys(ACTIONS["answer.allow_always"]) == ()
    assert made.words(ACTIONS["answer.allow_always"]) == ""


@rule("T7-04", "T7-05")
@pytest.mark.parametrize("identifier", ACTING)
@pytest.mark.parametrize(
    "key",
    ["enter", "return", "esc", "escape", " ", "space", "tab", "Y", "0", "1", "9", "ctrl+1",
     "shift+enter", "ctrl+m", "ctrl+j", "ctrl+i", "ctrl+["],
)  # fmt: skip
def test_no_setting_makes_enter_esc_or_a_digit_act(identifier: str, key: str) -> None:
    with pytest.raises(KeymapError, match="may never act"):
        keymap({identifier: [key]})


@pytest.mark.parametrize(
    ("chosen", "culprit", "words"),
    [
        ({"answer.allow_once": ["d"]}, "answer.allow_once", "answer.deny already"),
        ({"answer.deny": ["!"], "view.link": ["!"]}, "view.link", "! is the key of answer.deny"),
        ({"answer.alow_once": ["f"]}, "answer.alow_once", "did you mean answer.allow_once?"),
        ({"zzz": ["f"]}, "zzz", "no such action"),
        ({"answer.deny": ["hyperdrive"]}, "answer.deny", "'hyperdrive' is no key"),
        ({"answer.deny": [""]}, "answer.deny", "'' is no key"),
        ({"answer.deny": ["ctrl+"]}, "answer.deny", "is no key"),
        ({"view.back": ["b"]}, "view.back", "esc must be one of its keys"),
        ({"view.interrupt": []}, "view.interrupt", "ctrl+c must be one of its keys"),
        ({"view.palette": []}, "view.palette", "must have a key"),
        ({"view.next": ["a"]}, "view.next", "answer.allow_once already"),
    ],
)
def test_a_key_that_cannot_be_given_is_refused_with_its_action(
    chosen: dict[str, list[str]], culprit: str, words: str
) -> None:
    with pytest.raises(KeymapError) as error:
        keymap(chosen)
    assert error.value.action_id == culprit
    assert words in error.value.words


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("?", "question_mark"),
        ("/", "slash"),
        ("+", "plus"),
        ("A", "A"),
        ("é", "é"),
        ("F5", "f5"),
        ("Esc", "escape"),
        ("Ctrl+F", "ctrl+f"),
        ("shift+ctrl+up", "ctrl+shift+up"),
        ("ctrl++", "ctrl+plus"),
        ("question_mark", "question_mark"),
        ("ctrl+ctrl+f", None),
        ("f25", None),
        ("\x1b", None),
    ],
)
def test_keys_are_written_as_people_write_them(written: str, name: str | None) -> None:
    assert key_named(written) == name


def test_printable_keys_have_textual_s_names() -> None:
    for code in range(0x21, 0x7F):
        assert key_named(chr(code)) == _character_to_key(chr(code))
        assert key_words(_character_to_key(chr(code))) == chr(code)
