"""Words of waits: what a size is, and where knees lie for pools that share a GPU model."""

from dataclasses import replace
from math import inf

import pytest

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.titles import NOT_STATED
from gpuplanner.domain.figures.waiting import WITH_ROOM
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.queue.frontier import AsToday, FrontierPoint, Gap, OfModel, TargetFound
from gpuplanner.domain.queue.ground import Fewest
from gpuplanner.domain.queue.rows import Fragment, QueueRow, WaitsBy
from gpuplanner.domain.queue.sentences import (
    OF_A_REPLAY,
    better_checks,
    by_log,
    by_standing,
    holds_words,
    idle_words,
    likely,
    longest_wait,
    marks_words,
    name_of,
    plan_words,
    replay_words,
    size_words,
    target_words,
    trust_words,
    wait_lines,
)
from gpuplanner.domain.queue.waiting import Calibrated, Waiting
from gpuplanner.domain.queue.waits import Range, Target, Waits

NOTHING = Waiting(
    submit_known=1.0,
    limit_known=1.0,
    measured=(),
    today=(),
    replayed=(),
    by_model=(),
    calibrated={},
    frontier=(),
    target=None,
    never_fit=(),
    is_planned=False,
    begins_cold=False,
    is_capacity_guessed=False,
)


def size(pool: Pool, gpus: int, p90_h: float, *marks: str, model: str = "H100") -> FrontierPoint:
    waits = Waits(jobs=100, share_over_1h=0.2, mean_h=p90_h / 2, p50_h=0.0, p90_h=p90_h, p99_h=2 * p90_h)
    return FrontierPoint(
        pool=pool,
        gpu_model=model,
        gpus=gpus,
        usd_per_month=None,
        waits=waits,
        never=0,
        likely=None,
        marks=marks,
        today=AsToday(128, True),
    )


SIZES = (
    size(Pool.INFERENCE, 22, 0.0),
    size(Pool.INFERENCE, 128, 0.0, "today"),
    size(Pool.TRAINING, 64, 85.1),
    size(Pool.TRAINING, 121, 4.7, "knee"),
    size(Pool.TRAINING, 128, 3.2, "today"),
    size(Pool.BURST, 6, 0.7, "knee"),
)


def said_of(*sizes: FrontierPoint) -> list[str]:
    """What is said of these sizes, and of rows of their pools and models."""
    names = dict.fromkeys((one.pool, one.gpu_model) for one in sizes)
    rows = tuple(
        QueueRow(
            pool=pool,
            gpu_model=model,
            waits=SIZES[0].waits,
            sent_out_jobs=0,
            sent_out_gpu_hours=0.0,
            sent_out_usd=0.0,
            utilization=0.2,
        )
        for pool, model in names
    )
    return [*map(str, size_words(replace(NOTHING, frontier=sizes, by_model=rows)))]


def test_the_knees_of_pools_on_gpus_that_all_share_stand_beside_what_today_has() -> None:
    together = [replace(one, is_together=True, usd_per_month=100.0 * one.gpus) for one in SIZES]
    other = size(
        Pool.TRAINING, 8, 1.0, "knee", model="A100"
    )  # of one pool alone, which has its model for itself
    said = said_of(*together, other)
    (sentence,) = said
    assert (
        "H100: Training 121 GPUs (P90 4.7 h, $12,100 per month), Burst 6 GPUs (P90 0.7 h, $600 per"
        in sentence
    )
    assert sentence.endswith(" 128.") and "A100" not in sentence
    assert str(trust_words(replace(NOTHING, frontier=tuple(together)))[0]) == said[0]  # before all else
    assert said_of(*together[:2]) == []  # nobody waits: no knee
    flat = [replace(one, bend=(96, 121) if "knee" in one.marks else None) for one in together]
    assert "$12,100 per month; 96 to 121 " in said_of(*flat)[0]


def test_sizes_of_pools_alone_say_so_where_others_run_on_the_same_model() -> None:
    (sentence,) = said_of(*SIZES)
    assert "add --together" in sentence
    assert said_of(*SIZES[2:5]) == []  # one pool
    assert said_of(SIZES[0], replace(SIZES[3], gpu_model="A100")) == []


def test_sizes_stand_under_who_shares_them() -> None:
    together = [replace(one, is_together=True) for one in SIZES]
    found = by_standing([*SIZES, *together])
    assert [rows for _, rows in found] == [together, [*SIZES]]
    assert ["all pools" in str(title) for title, _ in found] == [True, False]
    assert by_standing([]) == []


def test_a_mark_of_today_says_whose_its_gpus_are() -> None:
    shared = str(marks_words(size(Pool.BURST, 8, 0.0, "today", "plan")))
    assert "all pools" in shared and shared.endswith(", the plan")
    assert "all pools" not in str(marks_words(replace(SIZES[1], today=AsToday(128))))


def test_waiting_with_room_is_not_said_to_have_no_end() -> None:
    """GPUs that a gang at the head of the queue is held for are free, and a larger fleet ends that wait."""
    row = QueueRow(
        pool=Pool.TRAINING,
        gpu_model=None,
        waits=SIZES[0].waits,
        sent_out_jobs=0,
        sent_out_gpu_hours=0.0,
        sent_out_usd=0.0,
        utilization=0.2,
        waited_with_room=0.25,
    )
    said = " ".join(map(str, trust_words(replace(NOTHING, measured=(row,)))))
    assert f": Training 25%. {WITH_ROOM}" in said and "no size" not in said


def test_waits_of_a_plan_are_said_to_be_of_its_first_month_and_without_growth() -> None:
    assert OF_A_REPLAY in trust_words(replace(NOTHING, is_planned=True))
    assert OF_A_REPLAY not in trust_words(NOTHING)


@pytest.mark.parametrize(
    ("alone_h", "said"),
    [
        (10.21, "Without node fragmentation, P90 would be the same."),
        (9.0, "Without node fragmentation, P90 would be: Training 9.0 h instead of 10.2 h."),
    ],
)
def test_nodes_that_change_a_wait_by_less_than_is_written_change_nothing(alone_h: float, said: str) -> None:
    rows = [
        QueueRow(
            pool=Pool.TRAINING,
            gpu_model=None,
            waits=size(Pool.TRAINING, 8, p90_h).waits,
            sent_out_jobs=0,
            sent_out_gpu_hours=0.0,
            sent_out_usd=0.0,
            utilization=0.2,
        )
        for p90_h in (10.2, alone_h)
    ]
    found = replace(NOTHING, replayed=(rows[0],), loose=(rows[1],))
    assert said in map(str, trust_words(found))


def test_what_a_replay_sends_out_is_said_to_be_in_no_total() -> None:
    row = QueueRow(
        pool=Pool.INFERENCE,
        gpu_model=None,
        waits=SIZES[0].waits,
        sent_out_jobs=1,
        sent_out_gpu_hours=3_366.0,
        sent_out_usd=10_065.0,
        utilization=0.2,
    )
    (words,) = [one for one in map(str, trust_words(replace(NOTHING, replayed=(row,)))) if "$10,065" in one]
    assert "in no total" in words
    assert "$" not in " ".join(map(str, trust_words(NOTHING)))


@pytest.mark.parametrize(("low_h", "is_missed"), [(10.9, True), (3.9, False)])
def test_a_target_that_the_log_says_is_missed_is_said_to_be(low_h: float, is_missed: bool) -> None:
    """The replay waits 0 h, and the log's own correction of it 10.9: the target of 4 h was marked as kept."""
    point = replace(size(Pool.TRAINING, 40, 0.0, "target"), likely=Range(low_h, 11.0), target_h=4.0)
    assert ("exceed" in str(marks_words(point))) is is_missed
    said = str(target_words(TargetFound(Target(Pool.TRAINING, 4.0), point, None), (point,)))
    assert (" 10.9 to 11.0 h." in said) is is_missed


def row_of(pool: Pool, p90_h: float | None, room: float | None = None, **more: float) -> QueueRow:
    waits = Waits(jobs=100, share_over_1h=0.2, mean_h=1.0, p50_h=0.0, p90_h=p90_h, p99_h=9.0)
    return replace(
        QueueRow(
            pool=pool,
            gpu_model=None,
            waits=waits,
            sent_out_jobs=0,
            sent_out_gpu_hours=0.0,
            sent_out_usd=0.0,
            utilization=0.2,
            waited_with_room=room,
        ),
        **more,
    )


def added(result: Waiting) -> int:
    """How many more sentences are said of it than of a replay with nothing to be said of."""
    return len(set(map(str, replay_words(result))) - set(map(str, replay_words(NOTHING))))


@pytest.mark.parametrize(
    ("changes", "sentences"),
    [
        ({}, 0),
        ({"submit_known": 0.0}, 1),
        ({"submit_known": 0.5}, 1),
        ({"limit_known": 0.5}, 1),
        ({"is_planned": True}, 1),
        ({"is_capacity_guessed": True}, 1),
        ({"begins_cold": True}, 1),
        ({"never_fit": ("a",)}, 1),
        ({"fewest": Fewest(0, 4, 8)}, 1),
        ({"frontier": (replace(SIZES[0], is_shared=True),)}, 1),
        ({"replayed": (row_of(Pool.BURST, 1.0, sent_out_usd=1.0),)}, 2),  # other jobs are in its pool, too
        ({"replayed": (row_of(Pool.BURST, 1.0),), "today": (row_of(Pool.BURST, 2.0),)}, 0),
        ({"replayed": (row_of(Pool.BURST, 1.0),), "loose": (row_of(Pool.BURST, 1.0),)}, 2),
        # what is measured: a remark that replays are short, or long where one is
        ({"measured": (row_of(Pool.BURST, 2.0),), "today": (row_of(Pool.BURST, 2.0),)}, 2),
        ({"measured": (row_of(Pool.BURST, 2.0),)}, 1),
        ({"measured": (row_of(Pool.BURST, 2.0, 0.94),)}, 2),
        ({"measured": (row_of(Pool.BURST, 2.0, 0.95),)}, 3),
        ({"measured": (row_of(Pool.BURST, 2.0, 0.95), row_of(Pool.TRAINING, 2.0, 0.5))}, 2),
        ({"measured": (row_of(Pool.BURST, 2.0, 0.95), row_of(Pool.TRAINING, 2.0))}, 3),
        ({"calibrated": {Pool.BURST: Calibrated(None, None, None, 1.5)}}, 1),
        ({"calibrated": {Pool.BURST: Calibrated(None, None, None, None)}}, 0),
    ],
)
def test_what_is_said_of_a_replay(changes: dict[str, object], sentences: int) -> None:
    assert added(replace(NOTHING, **changes)) == sentences  # type: ignore[arg-type]


def model_of(*gaps: Gap, **more: object) -> OfModel:
    return OfModel(gpu_model="H100", gaps=gaps, agreed=(), today_gpus=176, over_gpu_hours=0.0)._replace(
        **more
    )


LONG, SHORT = Gap(Pool.TRAINING, 3.2, 55.6, 0.0), Gap(Pool.BURST, 9.0, 0.5, 0.0)
OUT = Gap(Pool.INFERENCE, 0.0, 0.0, 0.066)


@pytest.mark.parametrize(
    ("of", "parts", "others"),
    [
        (model_of(LONG), ("176", "Training P90 55.6 h (log 3.2 h)", "another order"), ("nodes down",)),
        (
            model_of(LONG, over_gpu_hours=9_422.8),
            ("9,423 logged GPU-hours", "outside contracts"),
            ("another order",),
        ),
        (model_of(SHORT, over_gpu_hours=9.0), ("0.5 h (log 9.0 h)", "nodes down"), ("outside contracts",)),
        (model_of(OUT, over_gpu_hours=9.0), ("Inference moves 7% of", "outside contracts"), ("P90",)),
        (model_of(LONG, shared=(SIZES[4],)), ("Training P90 3.2 h.",), ("nodes down",)),
        (model_of(LONG, agreed=(SIZES[3],)), ("on 121 GPUs no pool waits longer",), ("On every size",)),
    ],
)
def test_a_replay_that_is_not_the_logs_queue_is_said_with_cause_and_capacity(
    of: OfModel, parts: tuple[str, ...], others: tuple[str, ...]
) -> None:
    (said,) = map(str, plan_words(replace(NOTHING, models=(of,))))
    assert all(part in said for part in parts) and not any(part in said for part in others)


def test_a_replay_that_is_the_logs_queue_needs_no_word() -> None:
    assert plan_words(replace(NOTHING, models=(model_of(),))) == ()


def test_a_size_that_is_better_than_the_plan_is_named_with_the_order_to_drop() -> None:
    plan, better = (replace(size(Pool.BURST, gpus, h), usd_per_month=usd) for gpus, h, usd in (
        (147, 20.9, 399_648.0), (176, 2.5, 377_293.0)
    ))  # fmt: skip
    of = model_of(plan=(plan,), better=(better,))
    (said,) = map(str, plan_words(replace(NOTHING, models=(of,))))
    for part in (
        "176 shared GPUs",
        "147",
        "$377,293 instead of $399,648",
        "Burst P90 2.5 h instead of 20.9 h",
    ):
        assert part in said
    order = Order(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        offer_id="vela-36m",
        term_months=36,
        gpus=24.0,
        start_s=0,
        end_s=1,
        order_by_s=0,
        reason="now",
        cost_per_month=39_420.0,
    )
    waiting = replace(NOTHING, models=(model_of(), of), drop={"H100": order})
    (check,) = better_checks(waiting)
    assert (check.code, check.severity, check.subject, check.usd_per_month) == (
        "better_size", "amber", "H100", 399_648.0 - 377_293.0,
    )  # fmt: skip
    assert "drop order vela-36m (24 GPUs for Inference alone, $39,420 per month)" in str(check.message)
    assert [f"H100: {check.message}"] == [*map(str, plan_words(waiting))]


@pytest.mark.parametrize(("moved", "sentences"), [(122_450.0, 1), (80_000.0, 0), (72_602.0, 0)])
def test_plan_and_replay_that_differ_by_a_tenth_of_the_cost_are_told_apart(
    moved: float, sentences: int
) -> None:
    """The plan costs $400,000 with $72,602 on demand: up to $112,602 the replay differs by no more than a tenth."""
    usd = 400_000.0 - 72_602.0 + moved
    plan = replace(size(Pool.BURST, 147, 1.0), usd_per_month=usd, sent_out_usd=moved, hours=730)
    said = plan_words(replace(NOTHING, models=(model_of(plan=(plan,)),), on_demand={"H100": 72_602.0}))
    assert len(said) == sentences
    if said:
        assert "$72,602 per month on demand, its replay $122,450 (+49,848)" in str(said[0])


def test_the_dollars_of_a_size_are_told_apart() -> None:
    point = replace(SIZES[0], usd_per_month=100.0, sent_out_usd=90.0, hours=2190)
    assert "22 GPUs $70, jobs the replay moves to on demand $30." in str(holds_words(point))
    assert "orders for 22 GPUs in separate pools $70" in str(holds_words(replace(point, is_shared=True)))
    apart = holds_words(replace(point, is_shared=True, apart_usd=20.0))
    assert str(apart).endswith("Separate pools cost +20 compared with as many shared GPUs.")
    assert holds_words(SIZES[0]) == ""


def test_the_pool_that_waits_longest_is_named() -> None:
    """A pool of which no job ever starts waits longest of all."""
    rows = (row_of(Pool.INFERENCE, 9.0), row_of(Pool.TRAINING, None), row_of(Pool.BURST, 10.0))
    assert [longest_wait(row) for row in rows] == [9.0, inf, 10.0]
    assert wait_lines(NOTHING) == ()
    first, _, short = map(str, wait_lines(replace(NOTHING, measured=rows[::2])))
    assert "Burst" in first and "10.0" in short
    planned = replace(NOTHING, measured=rows[:1], replayed=rows[:1], today=(row_of(Pool.INFERENCE, 7.0),))
    assert "9.0" in str(wait_lines(planned)[2]) and "7.0" not in str(wait_lines(planned)[2])
    both = str(wait_lines(replace(planned, is_planned=True))[2])
    assert both.index("7.0") < both.index("9.0")


@pytest.mark.parametrize(
    ("low_h", "p90_h", "marks", "is_said"),
    [
        (4.06, 4.0, ("knee",), True),
        (4.05, 4.0, ("knee",), False),
        (9.0, 4.0, ("plan",), False),
        (0.1, None, ("knee",), True),
    ],
)
def test_a_knee_on_which_the_log_expects_more_than_three_minutes_longer_says_so(
    low_h: float, p90_h: float | None, marks: tuple[str, ...], *, is_said: bool
) -> None:
    point = replace(
        size(Pool.BURST, 8, 0.0, *marks), likely=Range(low_h, 99.0), today=AsToday(8, False, p90_h)
    )
    assert bool(by_log(point)) is is_said
    assert by_log(replace(point, likely=None)) == () and likely(replace(point, likely=None)) == ""
    assert str(likely(point)).endswith("99.0")


@pytest.mark.parametrize(
    ("by", "name", "words"),
    [
        ("hour_of_week", "0", "Mon 00:00"),
        ("hour_of_week", "73", "Thu 01:00"),
        ("hour_of_week", "167", "Sun 23:00"),
        ("pool", "burst", "Burst"),
        ("team", "x", "x"),
        ("team", "", str(NOT_STATED)),
    ],
)
def test_a_row_is_called_by_its_day_and_hour_or_name(by: str, name: str, words: str) -> None:
    assert (
        str(
            name_of(
                WaitsBy(
                    by=by,
                    name=name,
                    waits=SIZES[0].waits,
                    waited_gpu_hours=0.0,
                    waited_gpus_most=0.0,
                    contended_hours=0,
                    waited_with_room=None,
                )
            )
        )
        == words
    )


def test_a_target_stands_beside_the_plan() -> None:
    result = replace(size(Pool.TRAINING, 40, 3.0), usd_per_month=900.0, rate=1.25)
    plan = replace(size(Pool.TRAINING, 30, 7.0), usd_per_month=600.0)
    asked = Target(Pool.TRAINING, 4.0)
    whole = str(target_words(TargetFound(asked, result, plan)))
    for part in ("40 H100", "4.0 h", "3.0 h", "$900", "$1.25", "30", "7.0 h", "+300"):
        assert part in whole
    shared = str(target_words(TargetFound(asked, result, plan, is_plan_shared=True)))
    assert "7.0 h" in shared and "+300" not in shared
    alone = str(target_words(TargetFound(asked, result, None)))
    assert whole.startswith(alone) and "7.0" not in alone
    for_all = str(target_words(TargetFound(replace(asked, is_of_all=True), result, None)))
    assert "40 H100" in for_all and "3.0 h" not in for_all
    none, none_of_all = (
        str(target_words(TargetFound(replace(asked, is_of_all=of_all), None, plan)))
        for of_all in (False, True)
    )
    assert "4.0 h" in none and "4.0" not in none_of_all


def test_pieces_that_stood_free_are_named_with_their_set() -> None:
    pieces = (
        Fragment(cluster="atlas", gpu_model="H100", pool=Pool.BURST, gpu_hours=900.4, usd=2700.0),
        Fragment(cluster="", gpu_model=None, pool=None, gpu_hours=10.0, usd=None),
    )
    (text,) = map(str, idle_words(replace(NOTHING, fragments=pieces)))
    assert "atlas H100 Burst 900 GPU-h, $2,700" in text and " 10 GPU-h" in text
    assert idle_words(NOTHING) == ()
