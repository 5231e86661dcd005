"""What holds for a seat's reading over any sequence of posts and acts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from rig_tui.domain import activity as act
from rig_tui.domain.activity import Activity, Post
from rig_tui.domain.model import EvidenceKind, Reading
from tests.domain.occupant import GENERATION, second
from tests.rules import rule

BEAT = ("active", "liveness")
WORKING_EVENTS = {"UserPromptSubmit", "active", "PreToolUse"}
KINDS = (
    BEAT,
    ("UserPromptSubmit", "accepted"),
    ("active", "agent_message"),
    ("active", "permission_resolved"),
    ("PreToolUse", "edit"),
    ("Notification", "permission_prompt"),
    ("Notification", "runtime_error"),
    ("Stop", "end_turn"),
    ("Stop", "idle_heartbeat"),
    ("Stop", "dsh_exited"),
)


@dataclass(frozen=True)
class Step:
    """One thing that happens to a seat, `after` seconds after the last."""

    what: str
    after: int
    post: Post | None = None


def posts(kinds: tuple[tuple[str, str], ...] = KINDS) -> st.SearchStrategy[Post]:
    return st.builds(
        lambda kind, skew, sequence, turn, live, generation: Post(
            *(kind[0], kind[1], second(0), generation),
            sequence=sequence,
            occurred_at=None if skew is None else second(skew),
            turn_id=turn,
            liveness_seconds=live,
        ),
        st.sampled_from(kinds),
        st.sampled_from([0, 0, 0, -3, 2, None]),
        st.none() | st.integers(0, 30),
        st.sampled_from(["7", "7", "8", None]),
        st.sampled_from([None, 1, 10, 100]),
        st.sampled_from([GENERATION, GENERATION, GENERATION, None, "gen-1"]),
    )


steps = st.lists(
    st.one_of(
        st.builds(Step, st.just("post"), st.integers(0, 20), posts()),
        st.builds(
            Step,
            st.sampled_from(["ask", "settle", "clear", "restart", "relaunch", "launch"]),
            st.integers(0, 20),
        ),
    ),
    max_size=30,
)
quick = settings(max_examples=80, deadline=None)


def moved(post: Post, at: float) -> Post:
    """The same post, arriving at `at` and dated as far off as it was from the start."""
    skew = None if post.occurred_at is None else post.occurred_at - second(0)
    return Post(
        *(post.hook_event, post.subtype, second(at), post.generation),
        sequence=post.sequence,
        occurred_at=None if skew is None else second(at) + skew,
        turn_id=post.turn_id,
        liveness_seconds=post.liveness_seconds,
    )


def acted(activity: Activity, what: str, at: float) -> Activity:
    match what:
        case "ask":
            return act.ask_opened(activity, second(at))
        case "clear":
            return act.clear_attention(activity)
        case "restart":
            return act.restarted(activity)
        case "relaunch":
            return act.relaunched(activity)
        case "launch":
            return act.set_launch_attention(activity, second(at))
        case _:
            return activity


@rule("D4-22", "D4-31", "D4-27", "D4-11")
@quick
@given(steps)
def test_what_holds_over_any_sequence(trace: list[Step]) -> None:
    activity, at, asks = Activity(), 0, 0
    for step in trace:
        at += step.after
        before = activity
        if step.post is None:
            asks = {"ask": asks + 1, "settle": 0, "relaunch": 0}.get(step.what, asks)
            activity = acted(before, step.what, at)
            cleared = step.what in {"clear", "relaunch"}
        else:
            post = moved(step.post, at)
            result = act.intake(before, post, GENERATION, asks > 0)
            activity = result.activity
            if not result.counted:
                assert result.why
                assert activity is before
            cleared = result.counted and (post.hook_event, post.subtype) != BEAT
            cleared = cleared and post.hook_event != "Notification"
            if result.counted:
                check_counted(before, activity, post)
        if before.attention is not None and not cleared:
            assert activity.attention == before.attention
        if step.what != "relaunch" and before.ordered_at is not None:
            assert activity.ordered_at is not None
            assert activity.ordered_at >= before.ordered_at
        check_readings(activity, at)


def check_counted(before: Activity, after: Activity, post: Post) -> None:
    assert post.generation in {None, GENERATION}
    assert after.ordered_at == post.dated
    now = post.arrived_at
    reading, evidence = act.reading(after, now)
    if post.is_exit:
        assert reading in {Reading.UNKNOWN, Reading.NEEDS_INPUT}
    elif post.is_beat:
        assert before.attention is None
        assert before.turn is not None
        assert (before.turn.turn_id, before.turn.ended) == (post.turn_id, False)
        assert reading is Reading.WORKING
    elif post.hook_event in WORKING_EVENTS:
        assert reading in {Reading.WORKING, Reading.NEEDS_INPUT}
    elif post.hook_event == "Stop":
        assert reading in {Reading.IDLE, Reading.NEEDS_INPUT}
    if reading is Reading.NEEDS_INPUT and post.hook_event != "Notification":
        assert evidence == before.attention


def check_readings(activity: Activity, at: float) -> None:
    """Nothing but time passes: never towards idle, and only at the expiries named."""
    now = second(at)
    for _ in range(4):
        reading, evidence = act.reading(activity, now)
        if activity.exited:
            assert reading is not Reading.IDLE
        if reading is Reading.IDLE:
            assert evidence.kind in {EvidenceKind.STOP, EvidenceKind.HEARTBEAT}
        expiry = act.next_expiry(activity, now)
        if expiry is None:
            assert act.reading(activity, now + timedelta(days=30))[0] is reading
            return
        just_before = expiry - timedelta(milliseconds=1)
        assert act.reading(activity, max(now, just_before)) == (reading, evidence)
        after = act.reading(activity, expiry)
        assert after != (reading, evidence)
        assert after[0] is not Reading.IDLE
        now = expiry
    raise AssertionError("there is always another expiry")


@rule("D4-22")
@quick
@given(st.lists(st.tuples(posts(), st.integers(0, 20)), max_size=30))
def test_posts_that_didnt_count_could_as_well_not_have_been_sent(
    trace: list[tuple[Post, int]],
) -> None:
    every, counted, at = Activity(), Activity(), 0
    for post, after in trace:
        at += after
        arrived = moved(post, at)
        result = act.intake(every, arrived, GENERATION, has_pending_ask=False)
        every = result.activity
        if result.counted:
            counted = act.intake(counted, arrived, GENERATION, has_pending_ask=False).activity
    assert every == counted


BEATLESS = tuple(kind for kind in KINDS if kind not in {BEAT, ("Notification", "runtime_error")})


def reading_without_beats(last: Post, arrived: float, now: float) -> Reading:
    """The rules before there were beats: the newest post decides, for as long as it lasts."""
    if last.hook_event == "Notification":
        return Reading.NEEDS_INPUT
    if last.hook_event in WORKING_EVENTS:
        return Reading.WORKING if now < arrived + 15 else Reading.UNKNOWN
    if last.subtype.endswith("_exited"):
        return Reading.UNKNOWN
    lasts = 2 * last.liveness_seconds if last.liveness_seconds else float("inf")
    return Reading.IDLE if now < arrived + lasts else Reading.UNKNOWN


@rule("D4-24b", "D4-05", "D4-11")
@quick
@given(
    st.lists(
        st.tuples(posts(BEATLESS), st.integers(0, 20), st.integers(0, 60)),
        min_size=1,
        max_size=20,
        unique_by=lambda item: item[2],
    ),
    st.integers(0, 300),
    st.booleans(),
)
def test_a_runner_without_beats_reads_as_before_there_were_any(
    trace: list[tuple[Post, int, int]], later: int, restarts: bool
) -> None:
    activity, at = Activity(), 0
    arrivals: dict[int, tuple[Post, int]] = {}
    for number, (post, after, dated) in enumerate(trace):
        at += after
        arrived = Post(
            *(post.hook_event, post.subtype, second(at), GENERATION),
            sequence=number,
            occurred_at=second(dated),
            turn_id=post.turn_id,
            liveness_seconds=post.liveness_seconds,
        )
        arrivals[dated] = (arrived, at)
        activity = act.intake(activity, arrived, GENERATION, has_pending_ask=False).activity
        if restarts:
            activity = act.restarted(activity)
    newest, arrived_at = arrivals[max(arrivals)]
    assert act.reading(activity, second(at + later))[0] is reading_without_beats(
        newest, arrived_at, at + later
    )
