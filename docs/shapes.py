"""The JSON that commands print: every field, its type, and what it means.

A type is `text`, `number`, `yes/no`, `instant`, `anything` or the name of a shape;
`[type]` is an array of it, and `?` at its end says that it may be null.
"""

from __future__ import annotations

from typing import Final

SHAPES: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "seat": {
        "daemon": ("text", "the daemon's base URL"),
        "rig": ("text", "the rig's name"),
        "name": ("text", "the seat's name in its rig"),
        "seatRef": ("text", "`name@rig`"),
        "reading": ("text", "`working`, `idle`, `needs_input` or `unknown`"),
        "because": ("text", "the kind of evidence the reading rests on"),
        "at": ("instant?", "when that evidence came"),
        "until": ("instant?", "when it stops counting; null: not until the next post"),
        "asked": ("asked", "whom a request of it would reach now"),
        "pendingAsks": ("[text]", "ids of its asks that wait"),
    },
    "asked": {
        "mode": ("text", "`person`, `refuses` or `permits`"),
        "person": ("text?", "the entity id, with mode `person`"),
        "because": ("text", "why this person, or why nobody"),
    },
    "override": {
        "mode": ("text", "`none`, `to` or `deny`"),
        "person": ("text?", "the entity id, with mode `to`"),
        "reason": ("text?", "why, as it was given"),
        "by": ("text?", "who set it"),
        "at": ("instant?", "when"),
    },
    "who": {
        "daemon": ("text", "the daemon's base URL"),
        "seatRef": ("text", "`name@rig`"),
        "asked": ("asked", "whom a request of it would reach now"),
        "override": ("override", "what was set for this seat"),
    },
    "option": {
        "optionId": ("text", "the agent's own id"),
        "name": ("text", "the agent's own name for it"),
        "kind": ("text?", "`allow_once`, `allow_always`, `reject_once`, `reject_always`, or other"),
    },
    "holder": {
        "type": ("text", "`person`, `seat` or `host`"),
        "id": ("text", "the actor name of a person, the session name of a seat"),
        "name": ("text", "the name to show"),
    },
    "outcome": {
        "state": ("text", "`pending`, `answered`, `permitted`, `refused`, `withdrawn`, `stale`"),
        "optionId": ("text?", "the option the agent gets"),
        "kind": ("text?", "that option's kind"),
        "remembered": ("yes/no?", "whether the harness remembers it; null: not known"),
        "reason": ("text?", "why, where no option is given"),
        "said": ("text?", "words that were no answer"),
    },
    "ask": {
        "daemon": ("text", "the daemon's base URL"),
        "id": ("text", "the id of its first queue row; it never changes"),
        "kind": ("text", "`permission`, `decision`, `gate` or `blocked`"),
        "seatRef": ("text", "the seat that asks"),
        "holder": ("holder", "who holds it now"),
        "state": ("text", "as in `outcome`"),
        "title": ("text", "what the agent calls it; may be empty"),
        "options": ("[option]", "what the agent offers, in its order"),
        "openedAt": ("instant", "since when it waits"),
    },
    "origin": {
        "program": ("text", "`tui`, `cli` or what its sender said"),
        "pid": ("number?", "its process"),
        "tty": ("text?", "its terminal"),
    },
    "ended ask": {
        "outcome": ("outcome", "what the agent gets"),
        "decidedBy": ("text?", "the actor who decided"),
        "decidedHow": ("text?", "the act that decided"),
        "decidedAt": ("instant?", "when"),
        "readAt": ("instant?", "when its runner first read that"),
        "withdrawnAt": ("instant?", "when its runner withdrew it"),
        "origin": ("origin?", "where the deciding act came from"),
    },
    "act's effect": {
        "outcome": ("outcome", "what the ask would become"),
        "consequence": ("text", "that in words"),
    },
    "acts": {
        "deny": ("act's effect", "saying no"),
        "close": ("act's effect", "closing without choosing"),
        "handoff": ("act's effect", "handing it to an agent seat"),
    },
    "whole ask": {
        "rowId": ("text", "its current queue row"),
        "session": ("text", "the asking session's name"),
        "generation": ("text", "the asking occupant"),
        "nativeRef": ("text?", "the agent's conversation"),
        "turnId": ("text?", "the agent's turn"),
        "requestId": ("text", "the agent's request"),
        "toolCall": ("anything", "the whole tool call, as the agent sent it"),
        "askedBecause": ("text", "why this person was asked"),
        "acts": ("acts", "what each act that chooses no option would give the agent now"),
        "notices": ("[text]", "what the daemon remarks on it"),
    },
    "permitted option": {
        "optionId": ("text", "the agent's own id"),
        "name": ("text?", "null: not recorded"),
        "kind": ("text?", "null: not recorded"),
        "remembered": ("yes/no?", "null: not recorded, which isn't no"),
    },
    "closer": {
        "actor": ("text", "who closed it without choosing"),
        "rowId": ("text", "which row"),
        "how": ("text", "by which act"),
    },
    "permit": {
        "daemon": ("text", "the daemon's base URL"),
        "id": ("text", "the record's id"),
        "at": ("instant", "when it was permitted"),
        "session": ("text", "the session that was permitted"),
        "cause": ("text", "why nobody chose"),
        "askId": ("text?", "the ask, where one was opened"),
        "requestId": ("text?", "the agent's request"),
        "turnId": ("text?", "the agent's turn"),
        "nativeRef": ("text?", "the agent's conversation"),
        "generation": ("text?", "the seat's occupant"),
        "toolCall": ("anything", "what was permitted, as the agent sent it"),
        "toolCallElided": ("yes/no", "whether `toolCall` was cut"),
        "option": ("permitted option", "the option that was given"),
        "closedBy": ("closer?", "who closed the ask without choosing"),
    },
    "runner permit": {
        "daemon": ("text", "the daemon's base URL"),
        "at": ("instant", "when"),
        "session": ("text?", "the runner's session, where it is known"),
        "code": ("text", "the answer a runner takes for a permit"),
        "route": ("text", "where it was given"),
        "detail": ("text", "more"),
    },
    "entry": {
        "daemon": ("text", "the daemon's base URL"),
        "seatRef": ("text", "the seat"),
        "at": ("instant", "when"),
        "kind": ("text", "what it is about"),
        "what": ("text", "what happened"),
        "by": ("text?", "who did it"),
        "reason": ("text?", "why"),
        "askId": ("text?", "the ask it is about"),
    },
    "person": {
        "daemon": ("text", "the daemon's base URL"),
        "entityId": ("text", "the entity id"),
        "displayName": ("text", "the name to show"),
        "default": ("yes/no", "whether this is the default person"),
    },
    "action": {
        "id": ("text", "`family.verb`"),
        "keys": ("[text]", "its keys"),
        "label": ("text", "what the footer calls it"),
        "help": ("text", "what it does"),
        "command": ("text?", "the command that does it; null: only a console can"),
    },
    "act": {
        "daemon": ("text", "the daemon's base URL"),
        "command": ("text", "the command"),
        "as": ("text", "who acted"),
        "id": ("text?", "the ask"),
        "seatRef": ("text?", "the seat"),
        "label": ("text", "what was meant"),
        "consequence": ("text", "what the agent gets, in words, as said beforehand"),
        "dryRun": ("yes/no", "whether nothing was sent"),
        "outcome": ("outcome?", "what the ask became, or would"),
    },
    "finding": {
        "subject": ("text", "`terminal`, `files`, `account`, or a daemon's address"),
        "check": ("text", "what was looked at"),
        "level": ("text", "`ok`, `note` or `problem`"),
        "words": ("text", "what was found"),
        "fix": ("text?", "what mends it"),
    },
    "remembered": {
        "session": ("text", "the session"),
        "kind": ("text", "the option's kind"),
        "name": ("text", "the option's name"),
        "subject": ("text", "the tool call's title"),
        "times": ("number", "how often it was given though nobody chose it"),
        "last": ("instant", "when last"),
    },
    "change": {
        "seatRef": ("text", "the seat"),
        "at": ("instant", "when"),
        "kind": ("text", "what it is about"),
        "what": ("text", "what happened"),
        "by": ("text?", "who did it"),
        "reason": ("text?", "why"),
    },
    "handover": {
        "daemon": ("text", "the daemon's base URL"),
        "since": ("instant", "when the shift began"),
        "at": ("instant", "when this was written"),
        "whole": ("yes/no", "whether every row since then was read"),
        "waiting": ("[ask]", "asks that wait"),
        "permits": ("[permit]", "what was permitted by default"),
        "rememberedUnchosen": ("[remembered]", "what harnesses have probably remembered"),
        "ended": ("[ended ask]", "asks that ended"),
        "overrides": ("[who]", "seats with a choice of their own"),
        "permitting": ("[who]", "seats that permit without asking"),
        "changed": ("[change]", "what else changed"),
    },
}
EXTENDS: Final = {"ended ask": "ask", "whole ask": "ended ask"}
"""Shapes that have every field of another too."""
OPTIONAL: Final = {
    "act": {
        "receipt": ("text", "once sent: the receipt's id"),
        "queued": ("yes/no", "for a message: whether it waits for its runner"),
    }
}
"""Fields that are there only sometimes."""
PRINTED: Final = {
    "seats": "[seat]",
    "asks": "[ask]",
    "show": "whole ask",
    "permits": "[permit]",
    "timeline": "[entry]",
    "people": "[person]",
    "who-is-asked": "[who]",
    "actions": "[action]",
    "wait": "[ask]",
    "brief": "handover",
    "doctor": "[finding]",
    **dict.fromkeys(
        ("answer", "deny", "reply", "route", "handoff", "take-back", "close", "item",
         "clear-attention", "message", "stop-seat", "revoke-grant", "people add", "people remove",
         "people default"),
        "act",
    ),
}  # fmt: skip
"""What each command prints; `REMARKS` says where there is more to it."""
REMARKS: Final = {
    "asks": "With `--ended` each row is an *ended ask*.",
    "permits": "With `--runner` each row is a *runner permit*.",
    "who-is-asked": "Setting it prints an *act*.",
    "watch": (
        "Each line has `type`, `at` (an instant or null) and `daemon` (host:port). By type: `seat` "
        "has `seat`; `ask.opened`, `ask.changed` and `ask.closed` have `ask` (closed: an *ended "
        "ask*); `permit` has `permit`; `runner.permit` has `cause`; `people` has `registered` and "
        "`default`; `link` has `state` (`live`, `lost`, `refused`) and `cause`."
    ),
    "receipts": (
        "An array of what the journal holds: `id`, `sentAt`, `settledAt`, `daemon`, `as`, "
        "`command`, `label`, `askId`, `optionId`, `seat`, `how`, `verdict` and more, by kind."
    ),
    "config": "`file`, and `settings`: for each name its `value` and where it came `from`.",
}
