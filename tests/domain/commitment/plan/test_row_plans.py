"""Rows of a plan: minima of offers and quotes, falls and days lived, runs alone, and months in parts, by hand."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.history import knowing_all
from gpuplanner.domain.commitment.plan import row_plans
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, in_all, plan_of, plan_with
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed, allocate
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, Calendar
from gpuplanner.domain.commitment.recursion.slice_policy import NOBODY, no_orders
from gpuplanner.domain.commitment.result import Flex, MonthPart
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s, iso_day
from tests.domain.commitment.conftest import START_S, Load, case, contract, offer

HOURS = 200
BEGIN_S = START_S + HOURS * HOUR_S
A = Scenario(name="A")
KEY = Row(Pool.TRAINING, "H100")
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}


def plan(
    offers: Any,
    gpus: Any = 4.0,
    contracts: Any = (),
    scenario: Scenario = A,
    loads: Any = None,
    **values: Any,
) -> Planned:
    wanted = loads or [Load(pool=Pool.TRAINING, gpus=[gpus] * HOURS)]
    made = case(wanted, contracts, [offer("od", 0, 6.0), *offers], scenario, **(CALM | values))
    return plan_of(ground_of(made.project, scenario, made.pools, AdviceCache()), AdviceCache())


def signs(planned: Planned, place: int = 0) -> list[str | None]:
    row = planned.rows[place]
    return [None if at < 0 else row.row.offers[at].offer_id for at in row.signed.now.tolist()]


# --- Offers with a least


@pytest.mark.parametrize(("least", "taken"), [(4, ["many"] * 4), (5, ["y1"] * 4), (None, ["many"] * 4)])
def test_an_offer_is_open_where_its_least_is_wanted(least: int | None, taken: list[str]) -> None:
    planned = plan([offer("many", 12, 2.0, min_gpus=least), offer("y1", 12, 3.0)])
    assert signs(planned) == taken


def test_a_least_is_of_all_rows_together() -> None:
    """2 that train and 3 that serve are 5; a contract that serves one for three months leaves 4 until then."""
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS),
        Load(pool=Pool.INFERENCE, gpus=[3.0] * HOURS, cluster="c2"),
    ]
    many = [offer("many", 12, 2.0, min_gpus=5)]
    assert signs(plan(many, loads=loads)) + signs(plan(many, loads=loads), 1) == ["many"] * 5
    held = [contract("k", 1, 1.0, 3, HOURS)]
    assert set(signs(plan(many, loads=loads, contracts=held))) == {None}


def wanted_by(row: RowToPlan, months: int = 3) -> list[float]:
    return row_plans.count_wanted_gpus([row], "y1", months).tolist()  # type: ignore[no-any-return]


def test_gpus_that_would_pay_for_an_offer() -> None:
    """Two slices at all hours and one half of them: $2 pay all three by $6, $3.01 two, $6.01 none; all at no rate."""

    def row(rate: float, flex: float | None = 6.0, **values: Any) -> RowToPlan:
        hourly = [np.array([3.0, 2.0])] * 3
        made = knowing_all(KEY, hourly, [6.0] * 3, (offer("y1", 12, rate),), None, (), ANY_TIME)
        return replace(
            made,
            flex=Flex(rate=flex, category=PricingCategory.STANDARD, offer_id=None, spot_share=0.0),
            **values,
        )

    assert wanted_by(row(2.0)) == [3.0] * 3
    assert wanted_by(row(3.0)) == [3.0] * 3
    assert wanted_by(row(3.01)) == [2.0] * 3
    assert wanted_by(row(6.01)) == [0.0] * 3
    assert wanted_by(row(99.0, None)) == [3.0] * 3
    falling = row(4.0)
    assert wanted_by(falling.on_path((1.0, 0.5, 0.4))) == [2.0] * 3  # what is signed falls with it
    dated = replace(falling, market=replace(falling.market, use_prices=(1.0, 0.5, 2.0)))
    assert wanted_by(dated) == [2.0, 0.0, 3.0]
    assert row_plans.count_wanted_gpus([falling], "else", 2).tolist() == [0.0, 0.0]
    mapped = replace(falling, ratios={"y1": 2.0})
    assert wanted_by(mapped) == [1.0] * 3


def test_gpus_that_a_row_takes_of_an_offer() -> None:
    row = knowing_all(
        KEY, [np.array([2.0])] * 3, [6.0] * 3, (offer("y1", 12, 2.0), offer("m1", 1, 3.0)), None, (), ANY_TIME
    )
    orders = no_orders(3, 2)
    orders.offer[0], orders.offer[2] = [0, 1], [1, 0]
    signed = Signed(orders=orders, lasts=np.zeros((3, 2), np.bool_), value_usd=np.zeros(2))
    orders.start_s[2] = 2 * MONTH_S
    assert row_plans.count_signed_gpus(row, signed, "y1", 3).tolist() == [1.0, 0.0, 1.0]
    assert row_plans.count_signed_gpus(row, signed, "m1", 3).tolist() == [1.0, 0.0, 1.0]
    assert row_plans.count_signed_gpus(row, signed, "else", 3).tolist() == [0.0] * 3
    assert row_plans.count_signed_gpus(replace(row, hand=()), signed, "y1", 3).tolist() == [0.0] * 3
    half = replace(row, ratios={"y1": 2.0})
    assert row_plans.count_signed_gpus(half, signed, "y1", 3).tolist() == [0.5, 0.0, 0.5]


def test_two_terms_of_days_that_begin_in_one_month_count_in_that_month() -> None:
    """A slice buys four terms of 14 days: three begin in month 0 and the last in month 1."""
    row = knowing_all(KEY, [np.array([2.0])] * 3, [6.0] * 3, (offer("d14", 1, 3.0),), None, (), ANY_TIME)
    orders = no_orders(4, 2)
    for term in range(4):
        orders.put(0, place=0, start_s=term * 14 * DAY_S, end_s=(term + 1) * 14 * DAY_S)
    signed = Signed(orders=orders, lasts=np.zeros((4, 2), np.bool_), value_usd=np.zeros(2))
    assert orders.offer[:, 0].tolist() == [0, 0, 0, 0], "each has a line"
    assert row_plans.count_signed_gpus(row, signed, "d14", 4).tolist() == [1.0, 1.0, 0.0, 0.0]


def quoted(least: int | None, rate: float = 2.0, begin_s: int = BEGIN_S) -> Any:
    starts = iso_day(begin_s)[:10]
    return offer(
        "q", 12, rate, min_gpus=least, source=f"Quote RFQ-20260101-AAAA R1 for {starts}", starts=starts
    )


def quote_row(least: int | None) -> RowToPlan:
    calendar = Calendar(begin_s=instant_s("2026-10-01"))
    return knowing_all(
        KEY,
        [np.array([2.0])] * 3,
        [6.0] * 3,
        (quoted(least, begin_s=calendar.begin_s or 0),),
        None,
        (),
        calendar,
    )


def test_a_quote_is_taken_once_in_all_months_and_paid_up_to_its_least() -> None:
    """Two slices take it, one in a later month; of five that are its least three are idle."""
    row = quote_row(5)
    orders = no_orders(3, 2)
    orders.offer[0, 0] = orders.offer[1, 1] = 0
    signed = Signed(orders=orders, lasts=np.zeros((3, 2), np.bool_), value_usd=np.array([100.0, 50.0]))
    assert row_plans.count_signed_gpus(row, signed, "q", 3).tolist() == [2.0, 0.0, 0.0]
    assert row_plans.count_wanted_gpus([row], "q", 2).tolist() == [np.inf, np.inf]
    (idle,) = row_plans.add_idle_cost([row], [signed])
    assert idle.idle == {0: 3.0}
    assert row_plans.compute_expected_usd([row], [signed]) == pytest.approx(150.0 + 3 * 12 * 730 * 2.0)
    both = row_plans.add_idle_cost([row, row], [signed, signed])
    assert [each.idle for each in both] == [{0: 1.0}, {}]  # four are taken, and the first has what is idle
    for enough in (quote_row(2), quote_row(None)):
        assert row_plans.add_idle_cost([enough], [signed]) == [signed]
    assert row_plans.add_idle_cost([replace(row, hand=())], [signed]) == [signed]
    mapped = replace(row, ratios={"q": 2.0})
    assert row_plans.add_idle_cost([mapped], [signed])[0].idle == {
        0: pytest.approx(8.0)
    }  # one taken of five, four idle


@pytest.mark.parametrize(("least", "taken"), [(4, ["q"] * 4), (5, ["q"] * 4), (9, [None] * 4)])
def test_a_quote_is_paid_idle_where_that_costs_less(least: int, taken: list[str | None]) -> None:
    """A year of 4 at $6 by use is $24 an hour: five at $2 are $10, nine at $3 $27."""
    rate = 3.0 if least == 9 else 2.0
    planned = plan([quoted(least, rate)])
    assert signs(planned) == taken
    (row,) = planned.rows
    paid = [order.paid_gpus for order in row.listed.orders]
    assert paid == ([float(max(least, 4))] if taken[0] else [])


# --- Terms that are closed


@pytest.mark.parametrize(
    ("hours", "stated", "longest"), [(169, None, None), (168, None, 1), (168, 24, 1), (169, 24, 24)]
)
def test_the_longest_term_that_is_open(hours: int, stated: int | None, longest: int | None) -> None:
    assert row_plans.find_longest_term(hours, stated) == longest


def test_a_fall_closes_terms_over_three_months() -> None:
    """26 days at 8 and 14 at 2 GPUs; with a date of who went it is no fall."""
    hours = 24 * 40
    loads = [
        Load(pool=Pool.TRAINING, gpus=[2.0] * hours),
        Load(pool=Pool.TRAINING, gpus=[6.0] * (26 * 24) + [0.0] * (14 * 24)),
    ]
    offers = [offer("y1", 12, 1.0), offer("m3", 3, 2.0)]
    fallen = plan(offers, loads=loads, demand_fall_closes=True)
    assert fallen.rows[0].fall is not None and fallen.rows[0].row.lived.kept is not None
    assert {item.place for item in fallen.rows[0].listed.orders} == {1}
    plain = plan(offers, loads=loads)
    assert plain.rows[0].fall is None and {item.place for item in plain.rows[0].listed.orders} == {0}
    gone = replace(A, spells={"c1/team/load-001": Spell(None, START_S + hours * HOUR_S + MONTH_S)})
    assert plan(offers, loads=loads, scenario=gone, demand_fall_closes=True).rows[0].fall is None


def test_days_are_lived_without_the_largest_job() -> None:
    """50 days at 2 GPUs, the second of them one job: without it the second slice is too young for a year."""
    hours = 24 * 50
    offers = [offer("y1", 12, 1.0), offer("m1", 1, 2.0)]
    alone = [Load(pool=Pool.TRAINING, gpus=[2.0] * hours)]
    job = [replace(alone[0], job=("j", 1.0, 0, hours))]
    assert signs(plan(offers, loads=alone, slices_lived=True)) == ["y1", "y1"]
    assert signs(plan(offers, loads=job, slices_lived=True)) == ["y1", "m1"]
    assert signs(plan(offers, loads=job)) == ["y1", "y1"]
    beside = [*job, Load(pool=Pool.BURST, gpus=[1.0] * hours)]  # another row of the model
    both = plan(offers, loads=beside, slices_lived=True)
    assert {row.row.pool: signs(both, at) for at, row in enumerate(both.rows)} == {
        Pool.TRAINING: ["y1", "m1"],
        Pool.BURST: ["y1"],
    }
    back = replace(A, spells={"c1/team/load-000": Spell(START_S + hours * HOUR_S, None)})
    assert signs(plan(offers, loads=job, scenario=back, slices_lived=True)) == ["y1", "y1"]


# --- Rows


def test_terms_of_slices_are_those_of_their_offers_and_of_levels_by_hand() -> None:
    held = replace(A, hand_layers={KEY: (HandLayer(24, 1), HandLayer(12, 2))})
    (row,) = plan([offer("y1", 12, 2.0)], scenario=held).rows
    assert row.signed.now.tolist() == [NOBODY, 0, 0, -1] and row.term_now.tolist() == [24, 12, 12, 0]


def test_levels_by_hand_cut_slices_as_fine_as_they_are() -> None:
    held = replace(A, hand_layers={KEY: (HandLayer(12, 6),)})
    (row,) = plan([offer("y1", 12, 2.0)], scenario=held, block=4).rows
    assert (row.row.slicing.block, row.row.slicing.even) == (2, 3)
    (plain,) = plan([offer("y1", 12, 2.0)], block=4).rows
    assert (plain.row.slicing.block, plain.row.slicing.even) == (4, 1)


def test_a_row_of_runs_alone_has_no_slices() -> None:
    work = PlannedWork(
        name="load-000",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        team="team",
        length_hours=73,
    )
    held = [contract("k", 1, 1.0, 0.25, HOURS)]
    planned = plan([], contracts=held, scenario=replace(A, planned=(work,)))
    (row,) = planned.rows
    assert (row.row.slices, row.row.pool, row.row.gpu_model) == (0, *KEY)
    assert [part.share for part in row.month_parts] == [0.25, 0.75]
    assert row.demand_gpus.tolist() == [0.0] * HOURS and row.listed.orders == ()
    assert row.row.busy.parts.edges_s[-1] == 12 * MONTH_S and row.row.busy.parts.busy.shape == (13, 0)
    assert len(planned.runs) == 1 and len(planned.bought) == 2
    assert row.row.busy.today(0).tolist() == [] and row.term_now.tolist() == []
    (layer,) = planned.runs
    assert layer.row.slices == 1


def test_a_budget_is_kept_by_rows_and_runs() -> None:
    """4 GPUs at $6 are $17,520 a month; of $10,000 two are left. One pool of all gives way by slices alone."""
    planned = plan([], budget_usd_per_month=10_000.0)
    (row,) = planned.rows
    assert row.denied_h is not None and row.denied_h[0].tolist() == [0.0, 0.0, 730.0, 730.0]
    loads = [Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS), Load(pool=Pool.BURST, gpus=[1.0] * HOURS)]
    burst, training = plan([], loads=loads, budget_usd_per_month=5000.0).rows
    lost = {
        each.row.pool: float(each.denied_h[0].sum())
        for each in (burst, training)
        if each.denied_h is not None
    }
    assert lost == {Pool.BURST: 730.0, Pool.TRAINING: 0.0}


def test_a_plan_with_other_assumptions_is_that_of_its_scenario() -> None:
    made = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], (), [offer("od", 0, 6.0)], **CALM)
    twice = plan_with(made.project, A, made.pools, (), {"demand": 2.0}, AdviceCache())
    assert float(twice.rows[0].demand_gpus.mean()) == 8.0


def test_months_in_parts_are_their_mean_by_length() -> None:
    parts = [
        MonthPart(0.25, np.array([4.0, 8.0]), np.array([0.0, 4.0])),
        MonthPart(0.75, np.array([8.0, 0.0]), np.array([4.0, 0.0])),
    ]
    demand, residual = in_all(parts)
    assert (demand.tolist(), residual.tolist()) == ([7.0, 2.0], [3.0, 1.0])
    # a contract of 3 GPUs for half of the month
    (row,) = plan([], contracts=[contract("k", 3, 1.0, 0.5, HOURS)]).rows
    assert [(part.share, part.demand_gpus[0], part.residual_gpus[0]) for part in row.month_parts] == [
        (0.5, 4.0, 1.0),
        (0.5, 4.0, 4.0),
    ]
    assert (float(row.demand_gpus[0]), float(row.residual_gpus[0])) == (4.0, 2.5)


def test_limited_use_goes_to_rows_by_turn() -> None:
    """3 on demand for 2 that serve and 2 that train: the second that trains has nobody."""
    loads = [Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS), Load(pool=Pool.INFERENCE, gpus=[2.0] * HOURS)]
    made = case(loads, (), [offer("od", 0, 6.0, max_gpus=3)], **CALM)
    planned = plan_of(ground_of(made.project, A, made.pools, AdviceCache()), AdviceCache())
    serving, training = planned.rows
    assert [each.row.pool for each in planned.rows] == [Pool.INFERENCE, Pool.TRAINING]
    rates = [each.row.use.rate[0].tolist() for each in (serving, training) if each.row.use is not None]
    assert rates[0] == [6.0, 6.0] and np.isnan(rates[1][0]) and rates[1][1] == 6.0
    assert training.listed.unserved_in(0) == 730.0


def test_what_is_allocated_alone_is_what_the_plan_signs() -> None:
    planned = plan([offer("y1", 12, 2.0)])
    (signed,), *_ = allocate([planned.rows[0].row], 12, AdviceCache())
    assert signed.now.tolist() == planned.rows[0].signed.now.tolist() == [0] * 4
