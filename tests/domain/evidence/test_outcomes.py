"""Answers about an award and about plan vs. actual, worked out by hand on rows that are written here."""

from dataclasses import replace
from types import SimpleNamespace

import pytest

from gpuplanner.domain.award.award import Award, Awarded, Quote, Vendor
from gpuplanner.domain.award.deciding import line_key
from gpuplanner.domain.evidence.outcomes import (
    COSTS,
    OF_AWARD,
    OF_PAYMENTS,
    OF_TRACK,
    OF_VENDOR,
    OF_WAITS,
    Told,
)
from gpuplanner.domain.evidence.trace import Amount, figure
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.model.plan_inputs import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.queue.waiting import WindowWaits
from gpuplanner.domain.queue.waits import Waits
from gpuplanner.domain.reports import cash
from gpuplanner.domain.reports.waiting import WINDOWS
from gpuplanner.domain.track.track import WHAT, BurnDown, Track, TrackQuarter, TrackRow, WorkloadTrack
from tests.arrived import arrived
from tests.domain import worlds
from tests.domain.award.conftest import CONDITIONS, quote, row

# --- An award: two lines, two vendors of which one has no name, two quotes

A = Awarded(
    row("R1"), quote("a", 2.0), 1, 8, 8, 2.0, 100.0, 12, 1000.0, 3.0, 16_800.0, 800.0, 24_000.0, 7200.0
)
B = replace(A, row=row("R2"), offer=quote("b", 3.0), bought_gpus=4, rate=3.0, upfront_per_gpu=0.0)
QUOTES = (
    Quote(A.offer, (), (), (), 8, 2.0, 500.0, 800.0, 300.0, None, worth_rate=2.5,
          tried=((3.5, False), (2.0, True), (3.0, False), (2.5, True))),
    Quote(B.offer, (), (), (), 4, 3.0, 500.0, 400.0, -100.0, None),
)  # fmt: skip
AWARD = Award(
    rows=(),
    options=(),
    conditions=CONDITIONS,
    considered=(),
    awarded=(A, B),
    open=(),
    vendors=(Vendor("Vela", 300.0, 0.75, 500.0, 900.0), Vendor(None, 100.0, 0.25, 500.0, None)),
    shared=None,
    quotes=QUOTES,
)


@pytest.mark.parametrize(
    # 8 x (2 $ x 1000 h + 100 $) and 4 x 3 $ x 1000 h
    ("line", "usd"),
    [(A, 16_800.0), (B, 12_000.0)],
)
def test_a_line_costs_its_hours_at_its_rate_and_what_is_paid_upfront(line: Awarded, usd: float) -> None:
    answer = OF_AWARD.answer(AWARD, figure("award_cost", line_key(line)))
    assert answer.value == usd
    assert {line.row.name, line.offer.offer_id} <= set(str(answer.title).replace(",", "").split())


@pytest.mark.parametrize(
    ("scope", "subject", "saves"),
    [("", "a", 300.0), ("", "b", -100.0), (OF_VENDOR, "Vela", 400.0), (OF_VENDOR, "", None)],
)
def test_what_is_saved_is_the_award_without_it_less_the_award(
    scope: str, subject: str, saves: float | None
) -> None:
    answer = OF_AWARD.answer(AWARD, figure("award_saves", subject, scope))
    assert answer.value == saves
    assert ("provider" in str(answer.title)) is (scope == OF_VENDOR and not subject)


def test_a_share_is_of_all_that_vendors_are_awarded_or_of_what_limits_count_with() -> None:
    of_all = [OF_AWARD.answer(AWARD, figure("award_share", name)).value for name in ("Vela", "")]
    assert of_all == [0.75, 0.25]
    limited = replace(AWARD, shared=1000.0)
    assert OF_AWARD.answer(limited, figure("award_share", "Vela")).value == 0.3
    with pytest.raises(StopIteration):
        OF_AWARD.answer(AWARD, figure("award_share", "Lyra"))


def test_a_quote_is_worth_the_highest_rate_that_is_signed_below_the_lowest_that_is_not() -> None:
    answer = OF_AWARD.answer(AWARD, figure("award_worth", "a"))
    assert answer.value == 2.5
    unit = answer.unit
    amounts = [part for part in answer.symbols if isinstance(part, Amount)]
    assert amounts == [Amount(2.5, unit), Amount(3.0, unit), Amount(2.5, unit)]
    rows = [(str(row.name), row.values[0]) for row in answer.rows]
    assert rows == [
        ("as quoted", Amount(2.0, unit)),
        ("tried", Amount(2.5, unit)),
        ("tried", Amount(3.0, unit)),
        ("tried", Amount(3.5, unit)),
    ]
    assert ["not" in str(row.values[1]) for row in answer.rows] == [False, False, True, True]
    untried = OF_AWARD.answer(AWARD, figure("award_worth", "b"))
    assert untried.value is None and not untried.rows


# --- A plan of $1,000 of which $1,150 came, in two places; its contract of 2 GPUs over 100 h has 40 h left

CAUSE = WHAT[1]
ROWS = (
    TrackRow(WHAT[0], Pool.TRAINING, "H100", 20.0, 700.0, 720.0),
    TrackRow(WHAT[0], None, None, -10.0, 300.0, 290.0),
    TrackRow(CAUSE, Pool.TRAINING, "H100", 100.0, 720.0, 820.0),
    TrackRow(WHAT[-1], Pool.TRAINING, "H100", 40.0, 820.0, 860.0),
    TrackRow(WHAT[-1], None, None, 0.0, 290.0, 290.0),
)
QUARTERS = tuple(
    TrackQuarter(start_s, start_s + 10, dict.fromkeys(("planned", *WHAT), usd) | {"actual": 6 * usd})
    for start_s, usd in ((0, 10.0), (10, 20.0))
)
BURN = {"gpus": 2.0, "rate": 3.0, "life_hours": 100.0, "left_hours": 40.0, "used_gpu_hours": 90.0}
TRACK = Track(
    "Plan A",
    Window(0, 86_400),
    1000.0,
    1150.0,
    ROWS,
    None,
    None,
    (
        BurnDown("other", BURN | {"gpus": 5.0, "used_gpu_hours": 1.0}, None, ((0, 1.0),)),
        BurnDown("k1", BURN, None, ((0, 60.0), (1, 30.0))),
    ),
    QUARTERS,
    (),
    (
        WorkloadTrack("c/t/other", {"more": 1.0}, {}),
        WorkloadTrack(
            "c/t/sft",
            {"more": 25.0},
            {
                "H100": {
                    "planned_gpu_hours": 10.0,
                    "came_gpu_hours": 20.0,
                    "planned_rate": 3.0,
                    "more": 30.0,
                },
                None: {"planned_gpu_hours": 10.0, "came_gpu_hours": 5.0, "planned_rate": 1.0, "more": -5.0},
            },
        ),
    ),
)


def test_a_cause_moved_what_its_place_costs_with_it_less_before_it() -> None:
    answer = OF_TRACK.answer(TRACK, figure("track_moved", ROWS[2].key))
    assert answer.value == 100.0
    assert [str(row.name) for row in answer.rows] == [str(COSTS[2]), str(COSTS[1])]
    assert "Training H100" in str(answer.title)
    nowhere = OF_TRACK.answer(TRACK, figure("track_moved", ROWS[1].key))
    assert (
        nowhere.value == -10.0 and "unknown model" in str(nowhere.title) and "all pools" in str(nowhere.title)
    )


@pytest.mark.parametrize(
    ("key", "value", "usd", "opens"),
    [
        ("planned", 1000.0, [700.0, 300.0], False),
        ("actual", 1150.0, [860.0, 290.0], False),
        (WHAT[0], 10.0, [20.0, -10.0], True),
        (CAUSE, 100.0, [100.0], True),
    ],
)
def test_a_step_lists_the_places_of_its_cause_and_these_lead_on(
    key: str, value: float, usd: list[float], opens: bool
) -> None:
    answer = OF_TRACK.answer(TRACK, figure("track_step", key))
    assert answer.value == value
    assert [row.values for row in answer.rows] == [(amount,) for amount in usd]
    own = [row for row in ROWS if row.what == {"planned": WHAT[0], "actual": WHAT[-1]}.get(key, key)]
    assert [row.opens for row in answer.rows] == [
        figure("track_moved", row.key) if opens else "" for row in own
    ]


def test_a_workload_took_more_by_gpu_model() -> None:
    # (20 - 10) x 3 $ and (5 - 10) x 1 $
    answer = OF_TRACK.answer(TRACK, figure("track_more", "c/t/sft"))
    assert answer.value == 25.0
    assert [(str(row.name), row.values) for row in answer.rows] == [
        ("H100", (10.0, 20.0, 3.0, 30.0)),
        ("unknown model", (10.0, 5.0, 1.0, -5.0)),
    ]


def test_what_came_of_a_quarter_is_its_plan_and_what_every_cause_moved() -> None:
    # what was planned and five causes of $10, or of $20, each
    values = [OF_TRACK.answer(TRACK, figure("track_quarter", quarter.key)).value for quarter in QUARTERS]
    assert values == [60.0, 120.0]


def test_a_contract_has_committed_its_gpus_over_its_life() -> None:
    # 2 x 100 h; of them 2 x 40 h x 3 $ are still to be paid
    assert OF_TRACK.answer(TRACK, figure("burn_committed_hours", "k1")).value == 200.0
    assert OF_TRACK.answer(TRACK, figure("burn_left", "k1")).value == 240.0
    used = OF_TRACK.answer(TRACK, figure("burn_used_hours", "k1"))
    assert used.value == 90.0 and [row.values for row in used.rows] == [(60.0,), (30.0,)]
    assert used.rows[0].name != used.rows[1].name


# --- Waits


def test_waits_that_are_not_replayed_yet_are_no_answer() -> None:
    with pytest.raises(StopIteration):
        OF_WAITS.answer(Told(None, ()), figure("wait_jobs", "training\tH100", "plan"))


def test_a_window_of_a_run_is_found_by_its_own_key() -> None:
    works = [
        PlannedWork(name, Pool.TRAINING, "H100", 8.0, "", length_hours=73) for name in ("first", "second")
    ]
    waits = [Waits(jobs, None, None, None, None, None) for jobs in (3, 7)]
    windows = tuple(
        WindowWaits(work, own, never, None, usd)
        for work, own, never, usd in zip(works, waits, (1, 2), (100.0, 200.0), strict=True)
    )
    known = Told(replace(worlds.waiting(), windows=windows), ())
    for kind, values in (("jobs", [3, 7]), ("never", [1, 2]), ("window_usd_per_month", [100.0, 200.0])):
        ids = [figure(WAITING[kind].why, work.key, WINDOWS.scope) for work in works]
        assert [OF_WAITS.answer(known, figure_id).value for figure_id in ids] == values


# --- Lines of a plan beside its rates


def test_each_line_of_the_extras_and_their_sum_are_what_the_plan_has() -> None:
    of = SimpleNamespace(
        advice=SimpleNamespace(totals=SimpleNamespace(extras=(("storage", 30.0), ("egress", 12.5))))
    )
    found = [OF_PAYMENTS.answer(of, figure("extra_usd", key)) for key in ("storage", "egress", "")]
    assert [answer.value for answer in found] == [arrived(answer) for answer in found] == [30.0, 12.5, 42.5]


def test_a_run_of_the_log_answers_with_its_gpus_its_hours_and_its_cost() -> None:
    work = SimpleNamespace(key="w", name="eval", gpus=8.0, mean_gpu_hours=400.0)
    way = SimpleNamespace(work=work, offer=SimpleNamespace(offer_id="o"), cost_per_month=900.0)
    of = SimpleNamespace(advice=SimpleNamespace(all_ways=(way,)))
    found = [OF_PAYMENTS.answer(of, figure(kind, "w\to")) for kind in ("way_gpus", "way_hours", "way_usd")]
    assert [answer.value for answer in found] == [8.0, 400.0, 900.0]


def test_a_requeued_job_answers_with_its_wait_and_what_that_loses_on_spot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    delays = SimpleNamespace(lost=0.1, lost_p50=0.2, lost_p90=0.3, p50_h=1.5, p90_h=4.0)
    monkeypatch.setattr(cash, "restart_delays", lambda of: delays)
    of = [OF_PAYMENTS.answer(None, figure(kind, "1.5")) for kind in ("restart_delay", "restart_lost")]
    assert [answer.value for answer in of] == [1.5, 0.2]
