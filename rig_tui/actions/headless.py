"""What an operator can do without the console: the commands, and which actions they do.

Rule of this file: every action of the registry is done by a command here, or is named as
something only a console has. The command line, its completion, its manual, `docs/cli.md`
and the line mode are made from this table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from rig_tui.domain.items import Verb
from rig_tui.domain.model import KNOWN_KINDS, AskState, HolderType
from rig_tui.domain.sentence import sentence
from rig_tui.domain.timeline import SeatEventKind

if TYPE_CHECKING:
    from collections.abc import Callable


class Names(StrEnum):
    """What a value names, for completion."""

    NOTHING = "nothing"
    ASK = "ask"
    OPTION = "option"
    SEAT = "seat"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A word or a flag of a command."""

    name: str
    """`--flag`, or the name of a word that stands by its place."""
    help: str
    metavar: str = ""
    """What stands for its value; a flag without one is a switch."""
    choices: tuple[str, ...] = ()
    optional: bool = False
    """Whether a word may be left out."""
    required: bool = False
    """Whether a flag must be given."""
    repeated: bool = False
    """Whether it takes several values."""
    convert: Callable[[str], object] | None = None
    default: object = None
    names: Names = Names.NOTHING

    @property
    def is_flag(self) -> bool:
        return self.name.startswith("--")


@dataclass(frozen=True, slots=True)
class Headless:
    """One command."""

    name: str
    """One word, or two where commands share the first."""
    help: str
    """One sentence without its full stop."""
    parameters: tuple[Parameter, ...] = ()
    does: tuple[str, ...] = ()
    """The actions of the registry it stands for."""
    acts: bool = False
    """Whether it changes something, which a seat may not."""
    more: str = ""
    """What else its reader must know."""
    hidden: bool = False
    """Whether it is for programs alone."""

    @property
    def about(self) -> str:
        """What it does, in sentences."""
        return f"{sentence(self.help)} {self.more}".strip()


PERSON_HELD: Final = ("approve", "drop")
"""Ways to close an ask without choosing while a person holds it."""
SEAT_HELD: Final = ("done", "failed", "denied", "canceled")
"""States in which an agent seat's row of an ask is closed."""
IF_STATES: Final = (*AskState, *(f"held_by_{holder}" for holder in HolderType))


def number(text: str) -> int:
    """A whole number from 1 on."""
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def seconds(text: str) -> float:
    """A time in seconds, `90`, `90s`, `5m` or `2h`."""
    units = {"s": 1, "m": 60, "h": 3600}
    value = float(text[:-1]) * units[text[-1]] if text[-1:] in units else float(text)
    if not 0 <= value <= 10_000_000:
        raise ValueError(text)
    return value


JSON: Final = Parameter("--json", "print JSON")
_ID: Final = Parameter(
    "id", "the ask's id, or the id of any of its rows", "ID", names=Names.ASK
)  # fmt: skip
_SEAT: Final = Parameter("seat", "the seat, as name@rig", "SEAT", names=Names.SEAT)
_LIMIT: Final = Parameter("--limit", "how many at most, newest first (100)", "N", convert=number,
                          default=100)  # fmt: skip
_FILTER: Final = Parameter(
    "--filter",
    "only what this finds: seat:X rig:X person:X cause:X kind:X since:2h until:14:05 and words",
    "WORDS", default="",
)  # fmt: skip
_REASON: Final = Parameter("--reason", "why; it goes on record as yours", "TEXT", default="")
_DRY: Final = Parameter("--dry-run", "say exactly what the agent would get, and send nothing")
_ACT: Final = (_REASON, _DRY, JSON)
_ASK_ACT: Final = (
    _REASON,
    Parameter(
        "--if-ask-state", "act only while the ask is this", "STATE", choices=IF_STATES
    ),
    _DRY,
    JSON,
)  # fmt: skip
_REMEMBERED: Final = Parameter("--remembered", "also when the agent's harness remembers it, or may")
_PERMIT: Final = Parameter("--permit", "yes, this PERMITS although nobody chose an option")
_CONFIRM: Final = Parameter("--confirm", "also when seats would then PERMIT without asking")
_PEOPLE_ACT: Final = (_CONFIRM, _DRY, JSON)

READS: Final = (
    Headless(
        "seats", "every seat and what it reads",
        (
            Parameter("--filter", "only rows that hold these words", "WORDS", default=""),
            Parameter("--state", "only seats that read this", "STATE",
                      choices=("needs", "working", "idle", "unknown")),
            JSON,
        ),
        does=("view.filter", "view.states", "view.flat", "view.needing"),
    ),
    Headless(
        "asks", "every permission request that waits for a person",
        (
            Parameter("--mine", "only those that wait for whoever acts here"),
            Parameter("--ended", "those that have ended instead, newest first"),
            _FILTER, _LIMIT, JSON,
        ),
        does=("view.mine", "view.next", "view.previous", "view.history", "view.copy_id"),
        more="--filter and --limit go with --ended.",
    ),
    Headless(
        "show", "one ask whole: its call, its options, and what each act gives the agent",
        (_ID, JSON), does=("view.copy", "view.open"),
    ),
    Headless(
        "permits", "what was permitted by default, though nobody chose it",
        (
            Parameter("--runner", "what will have made runners permit by themselves instead"),
            _FILTER, _LIMIT, JSON,
        ),
        does=("view.history",),
    ),
    Headless(
        "timeline", "what happened at one seat, newest first",
        (
            _SEAT,
            Parameter("--kind", "only entries of this kind; may be repeated", "KIND",
                      choices=tuple(SeatEventKind), repeated=True),
            _LIMIT, JSON,
        ),
        does=("view.seat",),
    ),
    Headless("people", "who is registered, and who is the default person", (JSON,)),
    Headless(
        "watch", "what happens, as it happens, through every reconnect",
        (Parameter("--json", "print one JSON object on each line"),),
        more="First comes what is, then what changes. Ctrl-C ends it.",
    ),
    Headless(
        "wait", "block until a person is needed",
        (
            Parameter("--ask", "wait for a permission request", required=True),
            Parameter("--seat", "only of this seat", "SEAT", names=Names.SEAT),
            Parameter("--timeout", "give up after this long: 90, 90s, 5m or 2h; exit code 8",
                      "T", convert=seconds),
            JSON,
        ),
    ),
    Headless(
        "brief", "a shift's handover, in Markdown",
        (
            Parameter("--since", "when the shift began: 8h, 2d, 14:05 or a date (8h)", "TIME",
                      default="8h"),
            JSON,
        ),
    ),
    Headless(
        "actions", "every action of the console, its keys, and the command that does it",
        (JSON,), does=("view.help", "view.palette"),
    ),
)  # fmt: skip

ACTS: Final = (
    Headless(
        "answer", "give the agent one of its own options",
        (
            _ID,
            Parameter("option", "the exact optionId", "OPTION", optional=True,
                      names=Names.OPTION),
            Parameter("--kind", "the only option of this kind instead", "KIND",
                      choices=KNOWN_KINDS),
            Parameter("--name", "the only option of this name instead", "NAME"),
            _REMEMBERED, *_ASK_ACT,
        ),
        does=("answer.allow_once", "answer.allow_always", "answer.reject_once",
              "answer.reject_always", "answer.choose"),
        acts=True,
        more="An option whose kind is remembered by the agent's harness, or unknown, needs "
        "--remembered. The reason is kept in your receipt only: an option carries none.",
    ),
    Headless(
        "deny", "say no: the agent's reject option, or cancelled where it offers none",
        (_ID, _REMEMBERED, *_ASK_ACT), does=("answer.deny",), acts=True,
        more="A no is never a grant. Where only a remembered reject is offered it needs "
        "--remembered.",
    ),
    Headless(
        "reply", "reply in words: a plain yes, a plain no, an option's name, or other words",
        (
            _ID, Parameter("text", "the words", "TEXT"), _PERMIT, _REMEMBERED, *_ASK_ACT,
        ),
        does=("answer.reply",), acts=True,
        more="Other words are no answer: they PERMIT, and need --permit.",
    ),
    Headless(
        "route", "hand the ask to a person, who gets the same options",
        (_ID, Parameter("person", "an entity id, or human@host", "PERSON", names=Names.PERSON),
         *_ASK_ACT),
        does=("route.person",), acts=True,
    ),
    Headless(
        "handoff", "hand the ask to an agent seat, which sees no options",
        (_ID, _SEAT, *_ASK_ACT), does=("route.seat",), acts=True,
        more="Closed there as done, dropped or failed, the ask PERMITS.",
    ),
    Headless(
        "take-back", "take the ask back from the agent seat that holds it",
        (_ID, *_ASK_ACT), does=("route.take_back",), acts=True,
    ),
    Headless(
        "close", "close the ask without choosing an option",
        (
            _ID,
            Parameter("--how", "approve, drop: while a person holds it; the others while an "
                      "agent seat does", "HOW", choices=(*PERSON_HELD, *SEAT_HELD),
                      required=True),
            _PERMIT, _REMEMBERED, *_ASK_ACT,
        ),
        does=("answer.close", "answer.approve", "route.deny_row", "route.cancel_row"),
        acts=True,
        more="approve, drop, done and failed PERMIT wherever an allow is offered, and need "
        "--permit. denied is a no; canceled cancels the request.",
    ),
    Headless(
        "item", "act on work that waits for a person and is no permission request",
        (
            _ID,
            Parameter("--do", "what to do about it", "VERB", choices=tuple(Verb), required=True),
            Parameter("--text", "the reason, the decision or the note it needs", "WORDS",
                      default=""),
            Parameter("--to", "whom it goes to: human@host, or a seat", "WHOM",
                      names=Names.SEAT),
            *_ASK_ACT[1:],
        ),
        does=("item.act",), acts=True,
        more="A daemon without permission requests has such items. Nothing is permitted by it.",
    ),
    Headless(
        "clear-attention", "clear a seat's attention; answers nothing and cancels nothing",
        (_SEAT, *_ACT), does=("seat.clear_attention",), acts=True,
        more="--reason is required.",
    ),
    Headless(
        "who-is-asked", "who a seat's requests reach, and why; with a flag, set that",
        (
            Parameter("seat", "the seat, as name@rig; without one, every seat", "SEAT",
                      optional=True, names=Names.SEAT),
            Parameter("--to", "ask this person for the seat", "PERSON", names=Names.PERSON),
            Parameter("--deny", "refuse every request of the seat"),
            Parameter("--default", "back to the default person"),
            _PERMIT, *_ACT,
        ),
        does=("people.who_is_asked", "people.ask_person", "people.refuse_all",
              "people.back_to_default"),
        more="Setting it needs a --reason, and --permit where the seat then PERMITS. It counts "
        "from the next request on.",
    ),
    Headless(
        "people add", "register a person who can be asked",
        (
            Parameter("entity", "the entity id, such as ana", "ENTITY"),
            Parameter("--name", "the name to show", "NAME"),
            Parameter("--default", "ask this person by default"),
            *_PEOPLE_ACT,
        ),
        does=("people.register",), acts=True,
    ),
    Headless(
        "people remove", "take a person off the register",
        (Parameter("entity", "the entity id", "ENTITY", names=Names.PERSON), *_PEOPLE_ACT),
        does=("people.remove",), acts=True,
    ),
    Headless(
        "people default", "choose the default person",
        (
            Parameter("entity", "the entity id; none leaves nobody", "ENTITY",
                      names=Names.PERSON),
            *_PEOPLE_ACT,
        ),
        does=("people.default",), acts=True,
    ),
    Headless(
        "message", "write to a seat: a prompt of its own, never an answer",
        (_SEAT, Parameter("text", "the words", "TEXT"), *_ACT),
        does=("seat.message", "seat.kept_words"), acts=True,
    ),
    Headless(
        "cancel-turn", "how a seat's turn is cancelled: in its own pane, never from here",
        (_SEAT,), does=("seat.cancel_turn",),
    ),
    Headless(
        "stop-seat", "end a seat's session at once; its waiting asks go stale",
        (_SEAT, Parameter("--force", "also while asks of it wait"), *_ACT),
        does=("seat.stop",), acts=True,
    ),
    Headless(
        "revoke-grant", "revoke what a seat's runner posts by, which then PERMITS",
        (_SEAT, _PERMIT, *_ACT), does=("seat.revoke_grant",), acts=True,
        more="It needs --permit: the runner permits what waits and all that follows.",
    ),
)  # fmt: skip

CONSOLE_ONLY: Final = frozenset(
    f"view.{name}"
    for name in (
        *("down", "up", "page_down", "page_up", "first", "last", "left", "right", "back"),
        *("quit", "interrupt", "suspend", "mouse", "density", "theme", "snooze"),
    )
)
"""Actions that move about in a console, or change how it looks, and nothing else."""
OPERATOR_COMMANDS: Final = (*READS, *ACTS)


def command_for(action_id: str) -> Headless | None:
    """The first command that does an action; None where only a console can."""
    return next((each for each in OPERATOR_COMMANDS if action_id in each.does), None)
