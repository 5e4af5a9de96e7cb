"""A log month by month, what each way of buying holds and pays in one, and what hindsight reads, by hand."""

from dataclasses import replace
from math import ceil
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment import history as history_module
from gpuplanner.domain.commitment.history import (
    WHOLE_LOG,
    Held,
    History,
    LogAt,
    MonthPaid,
    Rule,
    Span,
    advised,
    advised_span,
    bought,
    has_fold,
    hindsight_of,
    history_of,
    in_order,
    knowing_all,
    mean,
    offers_at,
    pay,
    peak,
    running_in,
    span_of,
    topped_up,
    windows_of,
)
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.model.book.only import ModelMapping, Row
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S, Window
from tests.domain.commitment.conftest import START_S, Case, Load, case, offer

ROW = Row(Pool.TRAINING, "H100")
OTHER = Row(Pool.INFERENCE, "H100")
PLAN = Scenario(name="Plan A")


def held(gpus: float, from_h: float, until_h: float, rate: float = 2.0, **values: object) -> Held:
    """GPUs of one row, bought in month 0 for a year."""
    base = Held(
        row=ROW,
        offer_id="y1",
        term_months=12,
        gpus=gpus,
        rate_usd_per_gpu_hour=rate,
        month=0,
        from_h=from_h,
        until_h=until_h,
        offer_gpus=gpus,
    )
    return replace(base, **values)  # type: ignore[arg-type]


# --- What is looked at, and of which hours


@pytest.mark.parametrize(
    ("hours", "begins_and_hours"),
    [
        (730, []),
        (1459, []),
        (1460, [(0, 730), (0, 1460)]),
        # 2,160 h before the end of months 3 to 5: hours 30, 760 and 1,490
        (3700, [(0, 730), (0, 1460), (30, 2160), (760, 2160), (1490, 2160)]),
    ],
)
def test_each_month_looks_back_over_ninety_days(hours: int, begins_and_hours: list[tuple[int, int]]) -> None:
    windows = windows_of(Window(START_S, hours, "Europe/Berlin"))
    assert [((each.start_s - START_S) // HOUR_S, each.hours) for each in windows] == begins_and_hours
    assert {each.timezone for each in windows} <= {"Europe/Berlin"}


@pytest.mark.parametrize(("first", "last", "has"), [(0, 1459, True), (3, 1462, True), (1, 1459, False)])
def test_a_fold_counts_from_the_first_to_the_last_job(first: int, last: int, has: bool) -> None:
    gpus = np.zeros(1500)
    gpus[[first, last]] = 1.0
    assert has_fold(case([Load(pool=Pool.TRAINING, gpus=gpus.tolist())]).project) is has
    assert not has_fold(case([Load(pool=Pool.TRAINING, gpus=[0.0] * 1500)]).project)


def test_hours_before_a_month_are_read_month_by_month() -> None:
    months = tuple(
        SimpleNamespace(gpus=lambda _, first=730 * month: np.arange(first, first + 730)) for month in range(3)
    )
    history = History(project=None, assumptions=None, logs=(), came=months)  # type: ignore[arg-type]
    assert history.gpus_before(1, ROW).tolist() == list(range(730))
    assert history.gpus_before(3, ROW).tolist() == list(range(2190))
    assert history.months == 0


def test_rows_come_by_pool_then_by_model() -> None:
    rows = [Row(Pool.BURST, "A100"), ROW, Row(Pool.TRAINING, None), OTHER, Row(Pool.TRAINING, "A100")]
    names = [pool for pool, _ in in_order(rows)]
    assert in_order(rows)[:3] == (Row(Pool.TRAINING, None), Row(Pool.TRAINING, "A100"), ROW)
    assert names == sorted(names, key=[Pool.TRAINING, Pool.INFERENCE, Pool.BURST].index)


def test_a_span_has_the_last_hours_of_a_log() -> None:
    hourly = {ROW: np.array([1, 2, 3]) * 3_600_000, OTHER: np.array([0, 5, 0]) * 3_600_000}
    log = LogAt(None, None, hourly, {})  # type: ignore[arg-type]
    span = Span(log=log, hours=2, users={}, several_nodes={}, eligible={}, prices={})
    assert span.gpus(ROW).tolist() == [2.0, 3.0]
    assert span.milli(ROW).tolist() == [7_200_000.0, 10_800_000.0]
    assert span.gpus(Row(Pool.BURST, "H100")).tolist() == [0.0, 0.0]
    assert span.pool_gpus(Pool.INFERENCE).tolist() == [5.0, 0.0]
    assert span.pool_gpus(Pool.BURST).tolist() == [0.0, 0.0]


def three_months() -> Case:
    """Training on 4 H100, on 8 in the last month, endpoints on 2 of the same until that month begins."""
    loads = (
        Load(pool=Pool.TRAINING, gpus=[4.0] * 1460 + [8.0] * 730),
        Load(pool=Pool.INFERENCE, gpus=[2.0] * 1460 + [0.0] * 730, cluster="c2"),
    )
    offers = (
        offer("od", 0, 6.0),
        offer("m1", 1, 4.0, lead_time_hours=100.0),
        offer("late", 1, 3.0, lead_time_hours=730.5),
    )
    return case(loads, offers=offers, sigma=0.0)


def test_a_log_is_known_as_it_was_at_the_end_of_each_month() -> None:
    made = three_months()
    history = history_of(made.project, PLAN, made.pools)
    assert (history.months, history.knows_rows) == (3, False)
    assert [log.window.hours for log in history.logs] == [730, 1460, 2160]
    assert {item.offer_id: item.lead_time_hours for item in history.project.offers} == {"od": 0.0, "m1": 0.0}
    assert [float(span.gpus(ROW).mean()) for span in history.came] == [4.0, 4.0, 8.0]
    assert [set(span.users) for span in history.came] == [{ROW, OTHER}, {ROW, OTHER}, {ROW}]
    span = advised_span(history, 2, history.project.offers)
    assert (span.hours, span.end_s) == (1460, START_S + 2 * MONTH_S)
    assert {row: amount.tolist() for row, amount in span.users.items()} == {
        ROW: [4_000.0 * 1460 * 3600, 0.0],
        OTHER: [0.0, 2_000.0 * 1460 * 3600],
    }
    last = history.came[2]
    assert last.users[ROW].tolist() == [8_000.0 * 730 * 3600, 0.0]
    assert last.flex(ROW).rate == pytest.approx(6.0)


def test_a_log_without_a_fold_has_no_months() -> None:
    made = case([Load(pool=Pool.TRAINING, gpus=[1.0] * 1459)])
    assert history_of(made.project, PLAN, made.pools).months == 0


def test_what_is_seen_at_the_end_of_a_long_log_is_cut_from_it() -> None:
    """In month m every hour has m + 1 GPUs: 2,160 h before the end of month 3 begin in hour 760 of month 1.

    Of the last 730 of them all have 4 GPUs; H100 of unknown model are a row of their own.
    """
    steps = [float(month + 1) for month in range(4) for _ in range(730)]
    loads = (
        Load(pool=Pool.TRAINING, gpus=steps),
        Load(pool=Pool.TRAINING, gpus=steps, model=None),
        Load(pool=Pool.BURST, gpus=[0.0] * 2920),
    )
    made = case(loads, offers=[offer("od", 0, 6.0)], wait_months=5, sigma=0.0)
    project = replace(made.project, plan_from_s=made.end_s + 9 * HOUR_S)
    history = history_of(project, PLAN, made.pools)
    assert (history.assumptions.wait_months, history.project.plan_from_s) == (0, None)
    log = history.logs[3]
    assert (log.window.start_s - START_S) // HOUR_S == 760
    hours = [2.0] * 700 + [3.0] * 730 + [4.0] * 730
    assert (log.hourly[ROW] / 3_600_000).tolist() == hours
    assert list(log.hourly) == [Row(Pool.TRAINING, None), ROW]
    milli = 3_600_000
    assert log.users[2160][ROW].tolist() == [sum(hours) * milli, 0.0, 0.0]
    assert log.users[730][Pool.TRAINING, None].tolist() == [0.0, 4 * 730.0 * milli, 0.0]
    with pytest.raises(KeyError):
        span_of(history, log, 1460, ())


def test_what_was_seen_knows_who_runs_on_several_nodes() -> None:
    """Of two workloads of training the one on two nodes is there in month 0 alone; a lead of a month is none."""
    loads = (
        Load(pool=Pool.TRAINING, gpus=[4.0] * 730 + [0.0] * 730, nodes=2),
        Load(pool=Pool.TRAINING, gpus=[1.0] * 1460, nodes=1),
    )
    offers = [offer("od", 0, 6.0, bare_metal=False), offer("near", 1, 4.0, lead_time_hours=730.0)]
    made = case(loads, offers=offers, sigma=0.0)
    history = history_of(made.project, PLAN, made.pools)
    assert [span.several_nodes[ROW] for span in history.came] == [True, False]
    assert [len(span.eligible[ROW]) for span in history.came] == [1, 2]
    assert [item.lead_time_hours for item in history.project.offers] == [0.0, 0.0]


# --- An advice of the walk: what it stands on, and what of it is bought


def carried_at(holds: list[Held], month: int, **values: Any) -> Ground:
    """The ground of the advice at the beginning of a month, with what runs then carried over."""
    made = three_months()
    mappings = (ModelMapping("H100", "B200", 2.0),)
    sold = (*made.project.offers, offer("y1", 12, 2.0, provider="Ada", region="eu"))
    history = history_of(replace(made.project, offers=sold, mappings=mappings), PLAN, made.pools)
    span = advised_span(history, month, history.project.offers)
    assumptions = history.assumptions.with_values(values)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(history_module, "plan_of", lambda ground, _: ground)
        return advised(history, span, holds, month, assumptions)  # type: ignore[return-value]


def test_what_runs_is_carried_into_an_advice_as_contracts_of_its_pool() -> None:
    """Month 2 begins at hour 1,460: one holding began 60 h before and ends 40.5 h after that, one is still to begin."""
    held_now = held(2.5, 1400.0, 1500.5, 1.25)
    late = held(4, 1470.0, 9000.0, row=OTHER, offer_id="gone")
    of = carried_at([held_now, late], 2)
    first, second = of.plan.contracts
    now_s = START_S + 2 * MONTH_S
    assert (first.contract_id, second.contract_id) == ("0000", "0001")
    assert (first.cluster, second.cluster) == (WHOLE_LOG, WHOLE_LOG)
    assert (first.start_s - now_s, first.end_s) == (-60 * HOUR_S, now_s + 40 * HOUR_S + HOUR_S // 2)
    assert (second.start_s - now_s, second.end_s) == (10 * HOUR_S, START_S + 9000 * HOUR_S)
    assert (first.milli_gpus, first.rate, first.gpu_model, first.pool) == (2500, 1.25, *reversed(ROW))
    assert (second.milli_gpus, second.pool) == (4000, Pool.INFERENCE)
    assert (first.provider, first.region) == ("Ada", "eu")
    assert (second.provider, second.region) == (None, None)
    assert of.nothing is of.plan and of.project.contracts == (first, second)
    # what begins and ends within the months that are compared cuts them
    assert {now_s + 10 * HOUR_S, first.end_s} <= set(of.outlined.moments)


def test_what_ends_within_the_months_that_an_advice_looks_at_cuts_them() -> None:
    """Twelve months, or the horizon where it is longer: the holding ends 18 months, or 9, after month 1 begins."""
    for horizon, months, is_cut in ((60, 18, True), (6, 18, False), (6, 9, True), (18, 20, False)):
        of = carried_at([held(4, 0.0, 730.0 * (1 + months))], 1, horizon_months=horizon)
        assert (START_S + (1 + months) * MONTH_S in of.outlined.moments) is is_cut


def test_an_advice_stands_on_the_log_so_far() -> None:
    """At the beginning of month 1: 4 GPUs that train and 2 that serve, on one cluster, in serving order."""
    of = carried_at([], 1, recency_half_life_days=7.0, growth_burst=0.5)
    assert (of.window.hours, of.window.end_s) == (730, START_S + MONTH_S)
    (model,) = of.plan.models
    (site,) = model.sites
    assert (model.rows, site.cluster) == ((OTHER, ROW), WHOLE_LOG)
    assert [(stream.row, stream.grows_with, stream.demand.tolist()) for stream in site.streams] == [
        (0, Pool.INFERENCE, [2 * 3_600_000.0] * 730),
        (1, Pool.TRAINING, [4 * 3_600_000.0] * 730),
    ]
    assert (of.growth[Pool.BURST], of.outlined.growth) == (0.5, of.growth)
    assert of.weights is not None and of.weights[-169] / of.weights[-168] == pytest.approx(0.5)
    assert of.plan.users[ROW].tolist() == [4 * 730 * 3_600_000.0, 0.0]
    assert of.missing is None


def test_of_a_plan_what_begins_in_its_first_month_and_has_a_rate_is_bought() -> None:
    """4 H100 at $2 from hour 12 for 700 h; what begins a month later or that nobody sells is not bought."""
    orders = [
        SimpleNamespace(place=0, gpus=4.0, usd_per_hour=8.0, rate=2.0, start_s=12 * HOUR_S, hours=700.0),
        SimpleNamespace(place=0, gpus=4.0, usd_per_hour=8.0, rate=2.0, start_s=MONTH_S, hours=700.0),
        SimpleNamespace(place=0, gpus=4.0, usd_per_hour=None, rate=None, start_s=0, hours=700.0),
        SimpleNamespace(place=1, gpus=5.0, usd_per_hour=6.0, rate=1.2, start_s=MONTH_S - 1, hours=9.0),
        SimpleNamespace(place=2, gpus=5.0, usd_per_hour=6.0, rate=1.2, start_s=0, hours=9.0),
    ]
    sold = (
        offer("y1", 12, 2.0),
        offer("b1", 3, 3.0, gpu_model="B200", unit_gpus=2),
        offer("u1", 6, 2.0, unit_gpus=8),
    )
    row = SimpleNamespace(pool=Pool.TRAINING, gpu_model="H100", offers=sold, ratios={"b1": 2.0})
    planned = SimpleNamespace(rows=[SimpleNamespace(row=row, listed=SimpleNamespace(orders=orders))])
    plain, mapped, in_units = bought(planned, 3)  # type: ignore[arg-type]
    assert plain == Held(
        row=ROW,
        offer_id="y1",
        term_months=12,
        gpus=4.0,
        rate_usd_per_gpu_hour=2.0,
        month=3,
        from_h=2190.0 + 12,
        until_h=2190.0 + 712,
        offer_gpus=4.0,
    )
    # a B200 does the work of two, and they come in pairs: 5 H100 are 2.5, so 4 of them
    assert (mapped.offer_gpus, mapped.gpus, mapped.term_months) == (4.0, 5.0, 3)
    assert mapped.rate_usd_per_gpu_hour == pytest.approx(1.2)
    assert (mapped.from_h, mapped.until_h) == pytest.approx((2190 + 730 - 1 / 3600, 2190 + 739 - 1 / 3600))
    assert (in_units.offer_gpus, in_units.gpus) == (8.0, 5.0)


# --- Rules of thumb


def test_a_rule_takes_whole_blocks_of_the_days_that_it_looks_at() -> None:
    hourly = np.array([9.0] * 24 + [3.0] * 12 + [4.0] * 12)
    assert (peak(hourly / 2, 0.5), mean(hourly / 2, 0.5)) == (5, 4)  # 9 / 2 -> 5; mean 6.25 / 2 -> 4
    assert (peak(np.array([2.0 + 1e-12]), 0.5), mean(np.array([2.0 + 1e-12]), 0.5)) == (2, 2)
    assert Rule(peak).gpus(hourly, 2, 0.5) == 10
    assert Rule(peak, 1).gpus(hourly, 1, 0.5) == 4
    once = np.array([9.0, *[1.0] * 47])
    assert (
        Rule(peak).gpus(once, 1, 0.5),
        Rule(peak, 2).gpus(once, 1, 0.5),
        Rule(peak, 7).gpus(once, 1, 0.5),
    ) == (9, 9, 9)
    assert Rule(mean, 1).gpus(hourly, 1, 0.5) == 4  # 3.5
    assert Rule(lambda _, ratio: 10 * ratio).gpus(hourly, 3, 0.2) == pytest.approx(6.0)


# --- What is held and paid in a month


@pytest.mark.parametrize(
    ("from_h", "until_h", "within"),
    [
        (0.0, 8760.0, (0.0, 730.0)),
        (800.0, 1000.0, (70.0, 270.0)),
        (730.0, 1460.0, (0.0, 730.0)),
        (100.0, 731.5, (0.0, 1.5)),
        (1459.0, 3000.0, (729.0, 730.0)),
        (0.0, 730.0, (0.0, 0.0)),  # over as the month begins
        (1460.0, 2000.0, (730.0, 730.0)),  # from the next month on
    ],
)
def test_what_is_held_is_there_for_its_hours_of_a_month(
    from_h: float, until_h: float, within: tuple[float, float]
) -> None:
    holding = held(4, from_h, until_h)
    assert holding.within(1) == within
    assert holding.hours_in(1) == within[1] - within[0]
    assert (running_in([holding], 1) == (holding,)) is (within[1] > within[0])


def month(gpus: Floats, rate: float | None = 5.0) -> Span:
    """A month that has so many GPUs of the row in each hour, with a rate by use."""
    return SimpleNamespace(  # type: ignore[return-value]
        hours=len(gpus),
        gpus=lambda _: np.asarray(gpus, dtype=np.float64),
        flex=lambda _: Flex(rate=rate, category=PricingCategory.STANDARD, offer_id="od", spot_share=0.0),
    )


def test_a_month_pays_what_is_held_in_full_and_the_rest_by_use() -> None:
    """4 GPUs are there from hour 1 to hour 2.5: 1.5 h at $2. Of 6, 6, 6 and 1 wanted are left 6, 2, 4 and 1."""
    wanted = np.array([6.0, 6.0, 6.0, 1.0])
    assert pay(month(wanted), 0, [held(4, 1.0, 2.5)], ROW) == MonthPaid(12.0 + 13 * 5.0, 12.0, 0.0, 13.0)
    assert pay(month(wanted, None), 0, [held(4, 1.0, 2.5)], ROW) == MonthPaid(None, 12.0, 0.0, 13.0)
    # 9 held for all of it: 3 + 3 + 3 + 8 unused, and nobody need sell by use
    assert pay(month(wanted, None), 0, [held(9, 0.0, 4.0, 1.0)], ROW) == MonthPaid(36.0, 36.0, 17.0, 0.0)
    # two holdings add up; 5 of them in all hours leave 1 + 1 + 1 to use and 4 unused
    both = [held(4, 0.0, 4.0), held(1, 0.0, 4.0, 3.0)]
    assert pay(month(wanted), 0, both, ROW) == MonthPaid(32.0 + 12.0 + 15.0, 44.0, 4.0, 3.0)


def test_what_can_be_bought_ends_with_the_log_and_leaves_what_is_held() -> None:
    few = offer("y1", 12, 2.0, max_gpus=6)
    offers = (offer("od", 0, 5.0), few, offer("y3", 36, 1.0), offer("m1", 1, 3.0, max_gpus=2))
    assert offers_at(offers, [], 12) == (offers[0], few, offers[3])
    assert offers_at(offers, [], 11.9) == (offers[0], offers[3])
    left = offers_at(offers, [held(4, 0, 1), held(1, 0, 1)], 36)
    assert [item.max_gpus for item in left] == [None, 1, None, 2]
    assert left[0] is offers[0] and left[3] is offers[3]
    assert offers_at(offers, [held(9, 0, 1)], 36)[1].max_gpus == 0


def topped(rule: Rule, holds: list[Held], *offers: object, **values: object) -> list[tuple[object, ...]]:
    """What a rule buys at the beginning of month 1 for a row of 5 H100, beside $8 on demand."""
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[5.0] * 1460)],
        offers=(offer("od", 0, 8.0), *offers),  # type: ignore[arg-type]
        sigma=0.0,
        **values,  # type: ignore[arg-type]
    )
    mappings = (ModelMapping("H100", "B200", 2.0),)
    history = history_of(replace(made.project, mappings=mappings), PLAN, made.pools)
    span = advised_span(history, 1, history.project.offers)
    return [
        (
            item.offer_id,
            item.gpus,
            item.offer_gpus,
            item.rate_usd_per_gpu_hour,
            item.month,
            item.from_h,
            item.until_h,
        )
        for item in topped_up(history, rule, span, holds, 1)
    ]


def test_a_rule_tops_up_to_its_level() -> None:
    year, month_1 = offer("y1", 12, 2.0), offer("m1", 1, 4.0)
    assert topped(Rule(peak), [], year, month_1) == [("m1", 5.0, 5.0, 4.0, 1, 730.0, 1460.0)]
    cheapest = Rule(peak, is_cheapest=True)
    assert topped(cheapest, [], year, month_1) == [("y1", 5.0, 5.0, 2.0, 1, 730.0, 730.0 + 8760)]
    assert topped(Rule(peak), [held(3, 0, 9000)], year, month_1) == [("m1", 2.0, 2.0, 4.0, 1, 730.0, 1460.0)]
    assert topped(Rule(peak), [held(3, 0, 9000, row=OTHER)], month_1) == [
        ("m1", 5.0, 5.0, 4.0, 1, 730.0, 1460.0)
    ]
    assert topped(Rule(peak), [held(5, 0, 9000)], year, month_1) == []
    assert topped(Rule(peak), [], year, month_1, block=4) == [("m1", 8.0, 8.0, 4.0, 1, 730.0, 1460.0)]


def test_a_rule_looks_at_the_rate_of_a_term_beside_use() -> None:
    """The level of a term at half of the rate by use is 10 x 0.5."""
    rule = Rule(lambda _, ratio: round(10 * ratio))
    assert topped(rule, [], offer("m1", 1, 4.0)) == [("m1", 5, 5, 4.0, 1, 730.0, 1460.0)]


def test_a_rule_keeps_to_the_least_and_the_most_of_an_offer() -> None:
    few = offer("few", 1, 3.0, max_gpus=3)
    rest = offer("m1", 1, 4.0)
    assert topped(Rule(peak), [], few, rest) == [("few", 3, 3, 3.0, 1, 730.0, 1460.0)]
    for least, name in ((5, "many"), (6, "m1")):
        many = offer("many", 1, 3.0, min_gpus=least)
        assert [item[0] for item in topped(Rule(peak), [], many, rest)] == [name]
    days = offer("d10", 1, 3.0, term_days=10)
    assert topped(Rule(peak), [], days) == [("d10", 5, 5, 3.0, 1, 730.0, 1460.0)]  # renewed for the month


def test_a_rule_asks_the_next_offer_only_where_the_first_is_limited() -> None:
    """Its level of a term is 10 GPUs less what it costs of use: 5 of m1 at a half, 8 of y1 at a quarter, rounded up.

    5 are held. Of a first offer that has no least and no most nothing is missing, and that is all.
    """
    rule = Rule(lambda _, ratio: ceil(10 * (1 - ratio)))
    year = offer("y1", 12, 2.0)
    for limits, expected in (
        ({}, []),
        ({"max_gpus": 9}, ["y1"]),
        ({"min_gpus": 1}, ["y1"]),
        ({"min_gpus": 0}, []),
    ):
        found = topped(rule, [held(5, 0, 9000)], year, offer("m1", 1, 4.0, **limits))
        assert [(item[0], item[1]) for item in found] == [(name, 3) for name in expected]


def test_a_rule_buys_nothing_that_nobody_sells_by_use_or_that_is_not_open() -> None:
    """Without a rate by use no level is known; what begins in month 2, or closed before month 1, is not there."""
    made = case([Load(pool=Pool.TRAINING, gpus=[5.0] * 1460)], offers=[offer("m1", 1, 4.0)], sigma=0.0)
    history = history_of(made.project, PLAN, made.pools)
    span = advised_span(history, 1, history.project.offers)
    assert topped_up(history, Rule(peak), span, [], 1) == ()
    later = offer("m1", 1, 3.0, starts="2026-04-01")
    over = offer("m2", 1, 2.0, valid_until="2026-01-05")
    month_1 = offer("z1", 1, 4.0)
    assert [item[0] for item in topped(Rule(peak), [], later, over, month_1)] == ["z1"]


def test_a_rule_buys_whole_units_and_mapped_gpus() -> None:
    """Units of 4: 8 are paid for 5. A B200 at $6 does the work of two H100: 3 of them, $18 an hour for 5."""
    units = offer("u4", 1, 3.0, unit_gpus=4)
    assert topped(Rule(peak), [], units, block=1) == [("u4", 5.0, 8.0, pytest.approx(4.8), 1, 730.0, 1460.0)]
    big = offer("b1", 1, 6.0, gpu_model="B200")
    assert topped(Rule(peak), [], big) == [("b1", 5.0, 3.0, pytest.approx(3.6), 1, 730.0, 1460.0)]
    one = replace(big, max_gpus=1)
    assert topped(Rule(peak), [], one) == [("b1", 2, 1.0, pytest.approx(3.0), 1, 730.0, 1460.0)]
    three = replace(big, min_gpus=3)  # six H100
    assert topped(Rule(peak), [], three) == []


# --- Hindsight


def known(came: list[list[float]], rates: list[float | None], *offers: object, **values: object):  # type: ignore[no-untyped-def]
    return knowing_all(
        ROW,
        [np.array(gpus) for gpus in came],
        rates,
        offers,  # type: ignore[arg-type]
        values.pop("block", None),  # type: ignore[arg-type]
        (),
        ANY_TIME,
        **values,  # type: ignore[arg-type]
    )


def test_hindsight_puts_a_months_own_rate_into_how_busy_its_slices_are() -> None:
    """Month 0 has 3 and 1 GPUs at $4, month 1 has 2 and 2 at $8: of the larger rate month 0 pays half."""
    row = known([[3.0, 1.0], [2.0, 2.0]], [4.0, 8.0])
    assert (row.flex.rate, row.slices, row.slicing.block, row.ends_by_month) == (8.0, 3, 1, 2)
    assert row.busy.shares[:, 0].tolist() == [[0.5, 0.25, 0.25], [1.0, 1.0, 0.0]]
    assert row.busy.parts.edges_s.tolist() == [0, MONTH_S, 2 * MONTH_S]
    assert row.busy.parts.busy.tolist() == row.busy.shares[:, 0].tolist()
    market = row.market
    assert (market.horizon_months, market.churn, market.wacc, market.use_prices) == (2, 0.0, 0.0, (1.0,))


def test_hindsight_without_a_rate_knows_none_and_a_last_month_may_be_short() -> None:
    row = known([[1.0], [1.0]], [4.0, None], last_month=0.5)
    assert row.flex.rate is None
    assert row.busy.shares[:, 0].tolist() == [[1.0], [1.0]]
    assert row.busy.parts.edges_s.tolist() == [0, MONTH_S, MONTH_S + MONTH_S // 2]
    idle = known([[1.0], [0.0]], [0.0, 0.0])
    assert (idle.flex.rate, idle.busy.shares[:, 0].tolist()) == (0.0, [[1.0], [0.0]])


def test_hindsight_cuts_slices_as_they_are_sold() -> None:
    assert known([[5.0]], [4.0], block=2).slices == 3
    sold = known([[5.0]], [4.0], offer("y1", 12, 1.0, unit_gpus=4), offer("od", 0, 4.0))
    assert (sold.slices, sold.slicing.block, [item.offer_id for item in sold.offers]) == (2, 4, ["y1"])
    tall = known([[2.0 + 1e-12]], [4.0])
    assert tall.slices == 2  # a rounding is no slice of its own


def test_hindsight_signs_what_is_cheaper_than_use_and_ends_with_the_log() -> None:
    """$4 for a month beside $6 by use: 4 GPUs all through, 4 more in month 2, where hours are full."""
    made = three_months()
    history = history_of(made.project, PLAN, made.pools)
    items = hindsight_of(history, 1, history.project.offers)
    spells = [(item.row, item.offer_id, item.gpus, item.from_h, item.until_h, item.month) for item in items]
    assert sorted(spells) == sorted(
        [
            (OTHER, "m1", 2.0, 730.0, 1460.0, 1),
            (ROW, "m1", 4.0, 730.0, 1460.0, 1),
            (ROW, "m1", 8.0, 1460.0, 2190.0, 2),
        ]
    )


def test_hindsight_reads_a_row_that_is_away_for_a_month_and_needs_nodes_in_another() -> None:
    """Training is on two nodes in month 1, idle in month 2 and on one node in month 3: over all it needs several."""
    loads = (
        Load(pool=Pool.TRAINING, gpus=[4.0] * 1460 + [0.0] * 1460, nodes=2),
        Load(pool=Pool.TRAINING, gpus=[0.0] * 2190 + [2.0] * 730, nodes=1),
        Load(pool=Pool.INFERENCE, gpus=[1.0] * 2920),
    )
    offers = [offer("od", 0, 6.0), offer("m1", 1, 4.0), offer("apart", 1, 1.0, bare_metal=False)]
    made = case(loads, offers=offers, sigma=0.0)
    history = history_of(made.project, PLAN, made.pools)
    items = hindsight_of(history, 1, history.project.offers)
    spells = [(item.row, item.offer_id, item.gpus, item.from_h, item.until_h) for item in items]
    assert sorted(spell for spell in spells if spell[0] == ROW) == [
        (ROW, "m1", 2.0, 2190.0, 2920.0),
        (ROW, "m1", 4.0, 730.0, 1460.0),
    ]
    assert {spell[1] for spell in spells if spell[0] == OTHER} == {"apart"}
