"""The whole texts that are a plain yes or a plain no, and the words that warn.

Rule of this file: the yeses are few and the noes are many. A reply wrongly taken
for a no rejects; one wrongly taken for anything else may permit.
"""

from __future__ import annotations

YES_TEXTS: tuple[str, ...] = (
    *("yes", "y", "yep", "yeah", "yup", "yes please", "please do"),
    *("ok", "okay", "o.k.", "ok yes", "yes ok", "ok thanks", "yes thanks", "yes thank you"),
    *("go ahead", "ok go ahead", "okay go ahead", "yes go ahead"),
    *("please go ahead", "go ahead please", "go for it", "do it", "yes do it"),
    *("allow", "allowed", "allow it", "yes allow", "yes allow it"),
    *("approve", "approved", "approve it", "yes approve"),
    *("accept", "accepted", "permit", "permitted", "permit it"),
    *("sure", "sure thing", "fine", "proceed", "please proceed"),
    *("confirm", "confirmed", "affirmative", "lgtm", "👍", "✅"),
)

_REFUSED_ACTS = (
    *("", " do it", " do that", " do this", " allow", " allow it", " approve", " approve it"),
    *(" permit", " permit it", " accept", " proceed", " run it", " go ahead"),
)

NO_TEXTS: tuple[str, ...] = (
    *("no", "n", "nope", "nah", "nay", "no thanks", "no thank you", "no way", "no stop"),
    *("no don't", "no please don't", "no do not", "no please do not"),
    *("absolutely not", "definitely not", "certainly not", "of course not"),
    *("not ok", "not okay", "not now", "not yet", "not allowed", "not approved"),
    *("not this", "not that"),
    *(
        f"{verb}{rest}"
        for verb in (
            *("deny", "reject", "refuse", "decline", "disallow", "forbid", "block"),
            *("cancel", "abort"),
        )
        for rest in ("", " it", " this", " that")
    ),
    *("denied", "rejected", "refused", "declined", "disallowed", "forbidden", "blocked"),
    *("canceled", "cancelled", "aborted"),
    *("stop", "stop it", "stop that", "stop this", "stop now"),
    *(f"{dont}{act}" for dont in ("don't", "do not") for act in _REFUSED_ACTS),
    *("never", "never mind", "nevermind", "veto", "negative"),
    *("👎", "❌", "🚫", "⛔", "🛑"),
    *("non", "nein", "nee", "nej", "nei", "ne", "nie", "nem", "não", "nao", "нет", "ні"),
    *("όχι", "οχι", "hayır", "hayir", "لا", "לא", "नहीं", "いいえ", "だめ"),
    *("不", "不行", "不要", "否", "아니", "아니요", "아니오", "không", "khong", "tidak"),
)
"""Without "please", which may stand before or after any of them."""

NO_EMOJI = "👎❌🚫⛔🛑"

WARNING_WORDS = """
no not n nope nah nay non never none nothing neither nor cannot without
wait hold hang pause stop later first before until till unless if when except only just
but instead rather however though although maybe perhaps unsure doubt think hmm hm um
why what which who how careful risky wrong bad
deny denied reject rejected refuse refused decline declined disallow disallowed
block blocked forbid forbidden cancel cancelled canceled abort aborted veto negative
dont doesnt didnt cant wont shouldnt wouldnt couldnt isnt arent wasnt mustnt
avoid skip remove undo revert against
"""
"""Any of these in other words makes the warning before a permit stronger."""
