"""Part 2.3 of the rules: what a typed reply is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain.mapping import Act, Choose, Words, outcome, usable
from rig_tui.domain.model import (
    ALLOW_ALWAYS,
    ALLOW_ONCE,
    REJECT_ONCE,
    AskState,
    Option,
)
from rig_tui.domain.replies import (
    Reply,
    ReplyClass,
    action_of,
    classify,
    looks_negative,
    normalise,
)
from tests.domain.test_mapping import option_lists
from tests.rules import rule

OPTIONS = [
    Option("opt-1", "Go on", ALLOW_ONCE),
    Option("opt-2", "Go on for ever", ALLOW_ALWAYS),
    Option("opt-3", "Leave it", REJECT_ONCE),
]

YESES = """
yes|y|yep|yeah|yup|yes please|please do|ok|okay|o.k.|ok go ahead|okay go ahead|yes go ahead
go ahead|please go ahead|go ahead please|go for it|do it|yes do it|allow|allowed|allow it
yes allow|yes allow it|approve|approved|approve it|yes approve|accept|accepted|permit|permitted
permit it|sure|sure thing|fine|proceed|please proceed|confirm|confirmed|affirmative|lgtm
ok yes|yes ok|ok thanks|yes thanks|yes thank you|👍|✅
"""

NOES = """
no|n|nope|nah|nay|no thanks|no thank you|no don't|no please don't|no do not|no stop|no way
absolutely not|definitely not|certainly not|of course not|not ok|not okay|not now|not yet
not allowed|not approved|not this|not that|deny|denied|deny it|deny this|deny that
reject|rejected|reject it|reject this|reject that|refuse|refused|refuse it|refuse this|refuse that
decline|declined|decline it|decline this|decline that|disallow|disallowed|forbid|forbidden
block|blocked|block it|stop|stop it|stop that|stop now|please stop|don't|do not|don't do it
don't do that|do not do it|do not do that|don't allow|don't allow it|do not allow
do not allow it|please don't|please do not|please don't do it|please don't allow it
never|never mind|cancel|canceled|cancelled|cancel it|cancel that|abort|abort it|veto|negative
👎|❌|🚫|⛔|🛑|noo|nooooo|no no|no no no|noo no
non|nein|nee|nej|nei|ne|nie|nem|não|нет|ні|όχι|hayır|لا|לא|नहीं|いいえ|だめ|不|不行|不要|否
아니|아니요|không|tidak
"""

DELIBERATELY_WORDS = """
no problem, go ahead|no problem|no worries|no objection|why not|don't stop|do not deny
stop asking and do it|yes?|ok?|yes but only once|yes no|k|1|allow once|always|wait|hold on
not sure|no, use the staging file|I said no
"""

NEGATIVE = """
no problem, go ahead|no problem|no worries|no objection|why not|don't stop|do not deny
stop asking and do it|yes?|ok?|yes but only once|yes no|wait|hold on|not sure
no, use the staging file|I said no|isn't that wrong|use staging instead|if it is safe|go on, ok?
usa el otro fichero, por favor, señora|ja, aber vorsichtig ä|👎 use staging|noooo use staging
unless it deletes|only the first|DONT TOUCH PROD|Don’t touch prod
"""


def texts(corpus: str) -> list[str]:
    return [text for line in corpus.strip().splitlines() for text in line.split("|")]


def cls(text: str) -> ReplyClass:
    return classify(text, OPTIONS).cls


@rule("D7-23")
@pytest.mark.parametrize("text", texts(YESES))
def test_a_plain_yes_is_a_yes(text: str) -> None:
    assert cls(text) is cls(f"  {text.upper()}!\n") is cls(f"“*{text}*”.") is ReplyClass.YES


@rule("D7-24", "T7-24")
@pytest.mark.parametrize("text", texts(NOES))
def test_a_plain_no_is_a_no(text: str) -> None:
    assert cls(text) is cls(f"\n {text.upper()}!") is cls(f"({text}).") is ReplyClass.NO
    assert cls(f"{text}?") is cls(f"{text}?!") is cls(f"{text} ...?") is ReplyClass.NO


@rule("D7-26", "A-34")
@pytest.mark.parametrize("text", texts(DELIBERATELY_WORDS))
def test_what_is_more_than_a_yes_or_a_no_is_other_words(text: str) -> None:
    assert cls(text) is ReplyClass.WORDS


@pytest.mark.parametrize(
    "text",
    [
        *("don’t", "don‘t", "donʼt", "don′t", "don´t", "don`t", "dont", "DON'T DO IT"),
        *(
            "ｎｏ",
            "𝐍𝐎",
            "n\u200bo",
            "\u202eno\u202c",
            "n\u00ado",
            "no\ufe0f",
            "\u2060no\ufeff",
            "no\x07",
            "no\u3164",
            "\u2800no",
            "no\U000e0100",
        ),
        *("👎🏿", "👎👎", "⛔\ufe0f", "no 👎", "❌ ❌"),
        *("no, thanks", "no ,thanks", "no. stop.", "no... stop", "no, no; no!", "no…", "no,thanks"),
        *("no。", "不要。", "不要！", "नहीं।", "لا؟", "¿no?", "¡no!", "no?!?", "(no)?", "no? stop"),
        *("`no`", "**no**", "~no~", "_no_", "```\nno\n```", "- no", "— no —", "> no", "[no]"),
        *(
            "«no»",
            "「不」",
            "„nein“",
            "'no'",
            '"no"',
            "NO PLEASE",
            "please, no",
            "no\n\n",
            "no\n.\n",
        ),
        *("no\n\u200b", "no" + " " * 300, "НЕТ", "ΟΧΙ", "HAYIR", "não", "na\u0303o", "아니오"),
    ],
)
def test_a_no_is_known_however_it_is_typed(text: str) -> None:
    assert cls(text) is ReplyClass.NO


@pytest.mark.parametrize(
    "text",
    [
        *("Yes!", "y\u200be\u200bs", "ｙｅｓ", "O.K.", "ok, go ahead", "yes, please"),
        *("👍🏽", "✅\ufe0f", "OK...", "“Go ahead”", "*yes*", "yes\n\n", "\u2014 yes"),
    ],
)
def test_a_yes_may_be_dressed_but_not_changed(text: str) -> None:
    assert cls(text) is ReplyClass.YES


@pytest.mark.parametrize(
    "text",
    [
        *("yes!?", "yes ?", "yes yes", "yess", "ye", "yesno", "sí", "oui", "ja", "da", "yes\nno"),
        *("yes,please", "ok.go ahead"),
        *("ok do it now", "👍👍", "yes, allow it please do", "ok ok", "okey", "yes\nplease"),
        *("nope yes", "on", "noon", "not", "nobody", "know", "no one", "n o", "n/a"),
    ],
)
def test_nothing_is_guessed_from_a_part_or_a_spelling(text: str) -> None:
    assert cls(text) is ReplyClass.WORDS


@rule("T7-11")
@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\n\n",
        "…",
        "...",
        "?",
        "???",
        "?!",
        "¿?",
        "--",
        "“”",
        "()",
        "`",
        "***",
        "。",
        "/",
        "\u200b",
    ],
)
def test_nothing_and_mere_punctuation_do_nothing(text: str) -> None:
    reply = classify(text, OPTIONS)
    assert reply.cls is ReplyClass.EMPTY
    assert outcome(OPTIONS, action_of(reply)).state is AskState.PENDING


def test_two_lines_or_too_long_a_text_are_other_words() -> None:
    assert cls("no\nno") is cls("yes\nyes") is cls("no\r\nstop") is ReplyClass.WORDS
    assert cls("no\u2028please") is ReplyClass.WORDS
    assert cls("no" + "o" * 198) is ReplyClass.NO
    assert cls("no" + "o" * 199) is ReplyClass.WORDS


@rule("A-31")
def test_the_exact_name_or_id_of_one_option_is_a_choice() -> None:
    for text in ("Go on", "go on", " “GO ON”. ", "opt-1", "Opt-1"):
        assert classify(text, OPTIONS) == Reply(text, ReplyClass.CHOICE, "opt-1")
    assert cls("go") is cls("go on then") is cls("opt") is cls("go on?") is ReplyClass.WORDS


def test_names_compare_without_their_case_in_any_script() -> None:
    options = [Option("a", "Straße", ALLOW_ONCE), Option("b", "ΣΊΣΥΦΟΣ", REJECT_ONCE)]
    assert classify("STRASSE", options).option_id == "a"
    assert classify("σίσυφος", options).option_id == "b"


def test_what_names_two_options_is_other_words() -> None:
    twins = [Option("a", "Do so", ALLOW_ONCE), Option("b", "do so!", REJECT_ONCE)]
    assert classify("do so", twins).cls is ReplyClass.WORDS
    crossed = [Option("a", "b", ALLOW_ONCE), Option("b", "Leave", REJECT_ONCE)]
    assert classify("b", crossed).cls is ReplyClass.WORDS


@rule("A-31")
def test_a_plain_no_beats_an_option_of_that_name() -> None:
    options = [Option("a", "No", ALLOW_ONCE), Option("r", "Reject", REJECT_ONCE)]
    reply = classify("no", options)
    assert reply.cls is ReplyClass.NO
    assert outcome(options, action_of(reply)).option_id == "r"


@rule("A-31")
def test_a_plain_yes_loses_to_an_option_of_that_name_that_isnt_an_allow() -> None:
    allow = Option("a", "OK", ALLOW_ONCE)
    reject = Option("r", "Ok", REJECT_ONCE)
    other = Option("u", "ok", "sandboxed")
    assert classify("ok", [allow]).cls is ReplyClass.YES
    assert classify("ok", [allow, reject]) == Reply("ok", ReplyClass.CHOICE, "r")
    assert classify("ok", [allow, other]) == Reply("ok", ReplyClass.CHOICE, "u")
    assert classify("ok", [allow, reject, other]).cls is ReplyClass.WORDS


def test_a_yes_named_like_the_remembered_allow_still_allows_once() -> None:
    options = [Option("aa", "Allow", ALLOW_ALWAYS), Option("ao", "Allow once", ALLOW_ONCE)]
    assert outcome(options, action_of(classify("allow", options))).option_id == "ao"


def test_an_option_without_name_is_never_what_was_typed() -> None:
    options = [Option("", "", ALLOW_ONCE), Option(" ", "…", ALLOW_ALWAYS)]
    assert classify("", options).cls is ReplyClass.EMPTY
    assert classify("word", options).cls is ReplyClass.WORDS


def test_each_class_becomes_its_act() -> None:
    assert action_of(classify("…", OPTIONS)) is Act.EMPTY_REPLY
    assert action_of(classify("no", OPTIONS)) is Act.NO
    assert action_of(classify("yes", OPTIONS)) is Act.YES
    assert action_of(classify("Leave it", OPTIONS)) == Choose("opt-3")
    assert action_of(classify(" Use\tstaging… ", OPTIONS)) == Words(" Use\tstaging… ")


@pytest.mark.parametrize("text", texts(NEGATIVE))
def test_negation_and_hesitation_are_heard(text: str) -> None:
    assert looks_negative(text)


@pytest.mark.parametrize("text", ["use staging", "go on with the second file", "k", "1", "LGTM 🎉"])
def test_plain_words_arent_taken_for_a_no(text: str) -> None:
    assert not looks_negative(text)


def test_normalising_goes_in_the_order_fixed() -> None:
    # A full-width letter folds only after it is composed; a mark counts as before a space
    # only once unseen characters are gone.
    assert normalise("ＤＯＮ’Ｔ") == "don't"
    assert normalise("no,\u200b thanks") == "no thanks"
    assert normalise("  a \n b\t") == "a b"
    assert normalise("İ") == normalise("i\u0307")
    assert normalise("Yes?") == "yes?"


quick = settings(max_examples=100, deadline=None)
anything = st.text(max_size=40) | st.sampled_from([*texts(NOES), *texts(YESES)])


@quick
@given(anything, option_lists)
def test_every_text_has_a_class_and_keeps_its_words(text: str, options: list[Option]) -> None:
    reply = classify(text, options)
    assert reply.text == text
    assert (reply.option_id is not None) is (reply.cls is ReplyClass.CHOICE)
    if reply.cls is ReplyClass.WORDS:
        assert action_of(reply) == Words(text)


@rule("D7-24")
@quick
@given(
    st.sampled_from(texts(NOES)), option_lists, st.sampled_from(["", "!", "?", " ", "...", "\n"])
)
def test_no_options_turn_a_plain_no_into_anything_else(
    text: str, options: list[Option], after: str
) -> None:
    named = [*options, Option("n", text, ALLOW_ONCE)]
    reply = classify(text + after, named)
    assert reply.cls is ReplyClass.NO
    assert outcome(named, action_of(reply)).kind not in {ALLOW_ONCE, ALLOW_ALWAYS}


@quick
@given(st.text(max_size=40))
def test_a_text_and_its_composed_form_are_one(text: str) -> None:
    assert cls(text) is cls(unicodedata.normalize("NFC", text))


@quick
@given(option_lists)
def test_a_typed_choice_gives_an_option_of_that_name_or_id(options: list[Option]) -> None:
    options = usable(options)
    for option in options:
        reply = classify(option.name, options)
        if reply.cls is ReplyClass.CHOICE:
            chosen = next(o for o in options if o.option_id == reply.option_id)
            assert normalise(option.name) in map(normalise, (chosen.name, chosen.option_id))
