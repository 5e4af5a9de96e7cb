"""Runs that are bought apart: their hours, what contracts leave them, orders that serve them, by hand."""

from dataclasses import replace
from math import inf
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.busy import Parts
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import runs
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.plan.runs import (
    PlannedRun,
    left_with_nothing,
    logged_ways,
    use_edges,
    wanted_of,
    ways_of,
)
from gpuplanner.domain.commitment.recursion.allocation import PROVIDER
from gpuplanner.domain.commitment.result import PlannedRunFigures
from gpuplanner.domain.model.book.only import ModelMapping, Row
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_PER_MONTH, MONTH_S
from tests.domain.commitment.conftest import START_S, Load, audit, case, contract, offer

HOURS = 730
BEGIN_S = START_S + HOURS * HOUR_S
"""When plans begin."""
KEY = "c1/team/load-001"


def run_of(busy: list[float], edges_h: list[int], orders: list[Any], from_contracts: Any = ()) -> PlannedRun:
    """A layer of 4 GPUs, with how busy it is in spans of hours."""
    parts = Parts(np.array(edges_h) * HOUR_S, np.array(busy)[:, None])
    row: Any = SimpleNamespace(busy=SimpleNamespace(parts=parts), slicing=SimpleNamespace(block=4.0))
    signed: Any = None
    listed: Any = SimpleNamespace(orders=orders)
    return PlannedRun(
        row=row,
        signed=signed,
        listed=listed,
        key="r",
        place=0,
        hours=10.0,
        use_usd=None,
        idle_gpus=0.0,
        from_contracts=from_contracts,
    )


def span(from_h: float, to_h: float) -> tuple[int, int]:
    return round(from_h * HOUR_S), round(to_h * HOUR_S)


def test_mean_gpus_of_a_run_in_a_span() -> None:
    """Busy from hour 10 to 20 and from 30 to 35 on 4 GPUs; contracts have 2 more from hour 10 to 15."""
    held = ((10 * HOUR_S, 15 * HOUR_S, 2.0),)
    run = run_of([0.0, 1.0, 0.0, 1.0, 0.0], [0, 10, 20, 30, 35, 100], [], held)
    assert run.gpus == 4.0
    assert run.gpus_between(*span(10, 20)) == (5.0, 1.0)
    assert run.gpus_between(*span(0, 100)) == pytest.approx((0.7, 0.1))  # (60 + 10) / 100
    assert run.gpus_between(*span(12, 16)) == pytest.approx((5.5, 1.5))
    assert run.gpus_between(*span(16, 18)) == (4.0, 0.0)
    assert run.gpus_between(*span(20, 30)) == (0.0, 0.0)
    assert run.gpus_between(*span(18, 32)) == pytest.approx((16 / 14, 0.0))
    assert run.gpus_between(*span(90, 120)) == (0.0, 0.0)


def test_hours_of_a_run_that_its_orders_do_not_serve() -> None:
    """4 GPUs from hour 10 to 20; an order holds 3 from hour 12 to 15, so that 4 + 4 + 1 x 3 + 4 x 5 are left."""
    order = SimpleNamespace(start_s=12 * HOUR_S, end_s=15 * HOUR_S, gpus=3.0)
    run = run_of([0.0, 1.0, 0.0], [0, 10, 20, 100], [order])
    assert run.hours_by_use(*span(0, 100), 1.0) == 8 + 3 + 20
    assert run.hours_by_use(*span(13, 16), 1.0) == 1 * 2 + 4
    assert run.hours_by_use(*span(0, 100), 2.0) == 16 + 15 + 40
    assert run.hours_by_use(*span(0, 100), 0.5) == 4 + 0 + 10  # what is held and not used is no use
    held = replace(run, from_contracts=((10 * HOUR_S, 12 * HOUR_S, 1.0),))
    assert held.hours_by_use(*span(0, 100), 1.0) == 8 + 3 + 20  # what contracts serve is beside its own


def world(
    work: dict[str, Any], offers: Any = (), contracts: Any = (), gpus: float = 1.0, **values: Any
) -> Ground:
    """The ground of a plan with one run; the log wants so many H100 on the same cluster."""
    base = PlannedWork(
        name="load-001",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        team="team",
        length_hours=100,
    )
    scenario = Scenario(name="Plan A", planned=(replace(base, **work),))
    loads = [Load(pool=Pool.TRAINING, gpus=[gpus] * HOURS), Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    made = case(loads, contracts, [offer("od", 0, 6.0), *offers], scenario, sigma=0.0, **values)
    project = replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),))
    return ground_of(project, scenario, made.pools, AdviceCache())


def test_what_contracts_leave_a_run_to_buy() -> None:
    """Of 3 GPUs the log takes 1 at its peak: 2 are idle until the contract ends after 40 of the 100 hours."""
    held = contract("k", 3, 1.0, 40 / HOURS_PER_MONTH, HOURS)
    ground = world({}, contracts=[held])
    (wanted,) = wanted_of(ground)
    assert [(a / HOUR_S, b / HOUR_S, gpus) for a, b, gpus in wanted.needed] == [
        (0.0, 40.0, 2.0),
        (40.0, 100.0, 4.0),
    ]
    assert wanted.edges == (0.0, 4.0) and wanted.flex.rate == 6.0
    spans = [(BEGIN_S, BEGIN_S + 50 * HOUR_S), (BEGIN_S + 50 * HOUR_S, BEGIN_S + MONTH_S)]
    assert left_with_nothing(ground, spans) == {KEY: (2 * 40 + 4 * 10, 4 * 50)}
    for other in ({"cluster": "c2"}, {"gpu_model": "A100"}, {"pool": Pool.BURST}):
        (wanted,) = wanted_of(world({}, contracts=[replace(held, **other)]))  # type: ignore[arg-type]
        assert {gpus for *_, gpus in wanted.needed} == {4.0}
    (wanted,) = wanted_of(world({}, contracts=[replace(held, pool=Pool.TRAINING)]))
    assert {gpus for *_, gpus in wanted.needed} == {2.0, 4.0}
    (wanted,) = wanted_of(world({}, contracts=[held], gpus=3.0))  # the log takes all of it
    assert {gpus for *_, gpus in wanted.needed} == {4.0}
    (wanted,) = wanted_of(world({"gpus": 1.0}, contracts=[held]))
    assert {gpus for *_, gpus in wanted.needed} == {0.0, 1.0}


def test_a_run_that_comes_back_has_a_piece_each_time() -> None:
    (wanted,) = wanted_of(world({"length_hours": 10, "every_hours": 100, "ends_s": BEGIN_S + 250 * HOUR_S}))
    assert [(a / HOUR_S, b / HOUR_S) for a, b, _ in wanted.needed] == [(0, 10), (100, 110), (200, 210)]


@pytest.mark.parametrize(
    ("limits", "edges"),
    [
        ([], (0.0, 8.0)),
        ([("b", 3.0, 2), ("a", 2.0, 3)], (0.0, 3.0, 5.0, 8.0)),
        ([("a", 2.0, 8)], (0.0, 8.0)),
        ([("b", 2.0, 2), ("a", 2.0, 3)], (0.0, 3.0, 5.0, 8.0)),  # of one rate by id
        ([("a", 2.0, None), ("b", 3.0, 2)], (0.0, 2.0, 8.0)),
        ([("a", None, 3)], (0.0, 8.0)),
    ],
)
def test_use_is_cut_where_offers_have_fewer(limits: list[Any], edges: tuple[float, ...]) -> None:
    offers = [offer(name, 0, rate, max_gpus=most) for name, rate, most in limits]
    assert use_edges(8.0, [*offers, offer("y1", 12, 1.0, max_gpus=1)]) == edges


# --- What a run is bought


def bought(
    work: dict[str, Any], *offers: Any, **values: Any
) -> tuple[list[tuple[Any, ...]], PlannedRunFigures]:
    """The orders of a run (offer, GPUs, and hours from its plan's first moment), and its figures."""
    base = PlannedWork(
        name="load-001",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        cluster="c1",
        team="team",
        length_hours=100,
    )
    scenario = Scenario(name="Plan A", planned=(replace(base, **work),))
    loads = [Load(pool=Pool.TRAINING, gpus=[0.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    made = case(
        loads, values.pop("contracts", ()), [offer("od", 0, 6.0), *offers], scenario, sigma=0.0, **values
    )
    project = replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),))
    advice = advise(project, scenario, made.pools, audit())
    (figures,) = advice.planned_runs
    orders = [
        (item.offer_id, item.gpus, (item.start_s - BEGIN_S) / HOUR_S, (item.end_s - BEGIN_S) / HOUR_S)
        for item in advice.orders
    ]
    assert figures.orders == tuple(range(len(orders)))
    return orders, figures


def test_a_run_is_paid_by_use_where_that_is_cheapest() -> None:
    """A month at $4 for 730 h is more than 100 h at $6."""
    orders, figures = bought({}, offer("m1", 1, 4.0))
    assert orders == []
    assert (figures.use_usd, figures.usd, figures.hours, figures.gpus) == (2400.0, 2400.0, 100.0, 4.0)
    assert (figures.gpu_hours, figures.of_contracts_gpu_hours, figures.idle_contract_gpus) == (
        400.0,
        0.0,
        0.0,
    )
    assert (sum(figures.by_use_gpu_hours), figures.by_use_usd[0], sum(figures.by_use_usd[1:])) == (
        400.0,
        2400.0,
        0.0,
    )
    assert sum(figures.nothing_gpu_hours) == 400.0 and figures.use_rate == 6.0


def test_a_run_signs_whole_terms_where_they_are_cheaper() -> None:
    """700 h at $6 are $4,200 a GPU, a month at $4 $2,920; ten days at $5 would be $1,200 for 240 h."""
    month, days = offer("m1", 1, 4.0), offer("d10", 1, 5.0, term_days=10)
    orders, figures = bought({"length_hours": 700}, month, days)
    assert orders == [("m1", 4.0, 0.0, 730.0)]
    assert (figures.use_usd, figures.usd) == (16_800.0, pytest.approx(11_680.0))
    # 480 h: two terms of ten days are $2,400, a month $2,920, use $2,880
    orders, figures = bought({"length_hours": 480}, month, days)
    assert orders == [("d10", 4.0, 0.0, 240.0), ("d10", 4.0, 240.0, 480.0)]
    assert figures.usd == pytest.approx(9600.0)
    # 500 h: the twenty hours beyond two terms are used at $6
    orders, figures = bought({"length_hours": 500}, month, days)
    assert len(orders) == 2 and figures.usd == pytest.approx(4 * (2400.0 + 120.0))


def test_an_order_of_a_run_begins_once_its_lead_has_passed() -> None:
    """24 h by use at $6, then a month from then on."""
    orders, figures = bought({"length_hours": 740}, offer("m1", 1, 4.0, lead_time_hours=24.0))
    assert orders == [("m1", 4.0, 24.0, 754.0)]
    assert figures.usd == pytest.approx(4 * (24 * 6 + 730 * 4))


def test_what_an_offer_has_too_few_of_is_bought_of_the_next_best() -> None:
    """Three of four at $3 for the month, the fourth at $4; a least of five is too much for all of them."""
    few, rest = offer("few", 1, 3.0, max_gpus=3), offer("m1", 1, 4.0)
    orders, figures = bought({"length_hours": 720}, few, rest)
    assert sorted(orders) == [("few", 3.0, 0.0, 730.0), ("m1", 1.0, 0.0, 730.0)]
    assert figures.usd == pytest.approx(730 * (3 * 3 + 4))
    orders, _ = bought({"length_hours": 720}, offer("many", 1, 3.0, min_gpus=5), rest)
    assert [item[0] for item in orders] == ["m1"]
    orders, _ = bought({"length_hours": 720}, offer("many", 1, 3.0, min_gpus=4), rest)
    assert [item[0] for item in orders] == ["many"]


def test_a_run_beside_idle_contracts_buys_the_rest() -> None:
    """One GPU of a contract is idle for all of it: three are bought, and a quarter of its hours is on the contract."""
    orders, figures = bought(
        {"length_hours": 720}, offer("m1", 1, 4.0), contracts=[contract("k", 1, 1.0, 40, HOURS)]
    )
    assert [(name, gpus) for name, gpus, *_ in orders] == [("m1", 3.0)]
    assert (figures.idle_contract_gpus, figures.of_contracts_gpu_hours, figures.gpu_hours) == (
        1.0,
        720.0,
        2880.0,
    )


def test_upfront_and_whole_units_count_in_what_a_run_costs() -> None:
    """Nodes of 8 at $2.50: 8 paid for 4 are $5 a GPU, and $365 upfront half a dollar more for each paid."""
    node = offer("node", 1, 2.5, unit_gpus=8)
    _, figures = bought({"length_hours": 720}, node, block=1)
    assert figures.usd == pytest.approx(730 * 8 * 2.5)
    _, figures = bought({"length_hours": 720}, offer("m1", 1, 4.0, upfront_usd=365))
    assert figures.usd == pytest.approx(4 * (730 * 4 + 365))


def test_a_run_that_nobody_sells_has_no_cost() -> None:
    scenario = Scenario(
        name="Plan A",
        planned=(
            PlannedWork(
                name="load-001",
                pool=Pool.TRAINING,
                gpu_model="H100",
                gpus=4.0,
                cluster="c1",
                team="team",
                length_hours=100,
            ),
        ),
    )
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[0.0] * HOURS), Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)],
        scenario=scenario,
    )
    advice = advise(made.project, scenario, made.pools, audit())
    (figures,) = advice.planned_runs
    assert (figures.use_usd, figures.usd, figures.use_rate) == (None, None, None)


def test_what_lies_above_a_contract_is_bought_from_its_end_on() -> None:
    """Two of four GPUs are on a contract for 73 h and then bought too: the lower two from then on, as the upper two are
    from the first moment.
    """
    held = [contract("k", 2, 1.0, 0.1, HOURS)]
    orders, figures = bought({"length_hours": 803}, offer("m1", 1, 4.0), contracts=held, delta=0.0)
    assert sorted(orders, key=lambda item: item[2]) == [("m1", 2.0, 0.0, 730.0), ("m1", 2.0, 73.0, 803.0)]
    assert figures.usd == pytest.approx(2 * (4 * 730 + 6 * 73) + 2 * 4 * 730)


@pytest.mark.parametrize(("hours", "is_signed"), [(510, True), (480, False)])
def test_an_order_of_a_later_month_is_at_the_price_of_that_month(hours: int, is_signed: bool) -> None:
    """By month 2 prices are at 81%: a month is 0.81 x $2,920 = $2,365, use 0.81 x $6 an hour.

    510 h of it are $2,479 and 480 h $2,333; at the prices of month 1 the order would be $2,628.
    """
    work = {"length_hours": hours, "begins_s": BEGIN_S + 2 * MONTH_S}
    orders, figures = bought(work, offer("m1", 1, 4.0), delta=0.1)
    assert orders == [("m1", 4.0, 1460.0, 2190.0)] * is_signed
    assert figures.usd == pytest.approx(4 * 0.81 * (2920.0 if is_signed else 6.0 * hours))


def test_part_of_a_gpu_is_bought_where_an_offer_has_no_least() -> None:
    orders, _ = bought({"length_hours": 720, "gpus": 0.5}, offer("m1", 1, 4.0))
    assert orders == [("m1", 0.5, 0.0, 730.0)]
    assert bought({"length_hours": 720, "gpus": 0.5}, offer("m1", 1, 4.0, min_gpus=1))[0] == []


@pytest.mark.parametrize(
    ("left", "is_open"),
    [
        ({}, True),
        ({"m1": 4.0}, True),
        ({"m1": 3.9}, False),
        ({f"{PROVIDER}Ada": -inf}, False),
        ({f"{PROVIDER}Ada": 5.0}, True),
        ({f"{PROVIDER}Bo": -inf}, True),
        ({"m1": 4.0, f"{PROVIDER}Bo": 5.0, f"{PROVIDER}Ada": -inf}, False),
        ({"other": -inf}, True),
    ],
)
def test_an_offer_is_open_to_a_layer_until_its_provider_is_closed(left: Any, is_open: bool) -> None:
    sold = offer("m1", 1, 4.0, provider="Ada")
    assert runs.has_room(sold, left, {}, 4.0) is is_open
    assert runs.has_room(sold, left, {"m1": 2.0}, 8.0) is is_open  # four of another model, each worth two


def test_a_share_closes_a_provider_to_the_layers_above() -> None:
    """Ada may have 40% of the first month's $: of four GPUs one layer would be all of it, so none is hers."""
    sold = offer("m1", 1, 2.0, provider="Ada"), offer("m2", 1, 3.0, provider="Bo")
    scenario_of = {"length_hours": 720}
    free, _ = bought(scenario_of, *sold)
    limited, _ = bought(scenario_of, *sold, max_provider_share=0.4)
    assert [item[0] for item in free] == ["m1"] and [item[0] for item in limited] == []


# --- Ways to hold a run that comes back


def test_ways_to_hold_a_run_that_comes_back_are_the_cheapest_of_each_term() -> None:
    """73 h each 365 h are two starts a month. By use 4 x 6 x 146; a month through is $2,920 a GPU, cheaper than twice;

    ten days twice are 480 h at $5, or through 730.
    """
    offers = [
        offer("m1", 1, 4.0),
        offer("m1b", 1, 4.5),
        offer("d10", 1, 5.0, term_days=10),
        offer("big", 0, 9.0, gpu_model="H200"),
        offer("spot", 0, 1.0, pricing_category=PricingCategory.DYNAMIC),
        offer("few", 3, 1.0, max_gpus=3),
    ]
    work = {"length_hours": 73, "every_hours": 365}
    ground = world(work, offers)
    planned = ground.scenario.planned[0]
    found = [
        (way.offer.offer_id, way.cost_per_month)
        for way in ways_of(ground, Row(Pool.TRAINING, "H100"), planned)
    ]
    assert found == [
        # 2.5 H200 are 3 at $9, which is more than 4 x $6
        ("od", pytest.approx(4 * 6 * 146)),
        ("d10", pytest.approx(4 * 5 * 480)),
        ("m1", pytest.approx(4 * 730 * 4)),
    ]
    cheaper = [replace(item, rate_usd_per_gpu_hour=7) if item.offer_id == "big" else item for item in offers]
    first, *_ = ways_of(world(work, cheaper), Row(Pool.TRAINING, "H100"), planned)
    assert (first.offer.offer_id, first.cost_per_month) == ("big", pytest.approx(3 * 7 * 146))
    for once in ({"every_hours": None}, {"length_hours": None}):
        assert list(ways_of(ground, Row(Pool.TRAINING, "H100"), replace(planned, **once))) == []


def logged(ground: Ground, starts_h: list[float], hours: float = 73, gpus: tuple[int, ...] = (4,)) -> Ground:
    """The same with runs of load-000 in its log."""
    own = tuple(
        LoggedRun(
            key="c1/team/load-000", gpu_model="H100", job_id=str(at), milli_gpus=1000 * gpus[at % len(gpus)],
            start_s=round(start * HOUR_S), end_s=round((start + hours) * HOUR_S), state="COMPLETED",
        )
        for at, start in enumerate(starts_h)
    )  # fmt: skip
    return replace(ground, project=replace(ground.project, jobs=replace(ground.project.jobs, runs=own)))


def test_training_of_the_log_that_comes_back_is_held_as_planned_work_is() -> None:
    """Three starts of 73 h, 365 h apart, one of them 80 h late: the same ways and $ as of such a planned run."""
    offers = [offer("m1", 1, 4.0), offer("d10", 1, 5.0, term_days=10)]
    ground = world({"length_hours": 73, "every_hours": 365}, offers)
    row, planned = Row(Pool.TRAINING, "H100"), ground.scenario.planned[0]
    usd = [(way.offer.offer_id, way.cost_per_month) for way in ways_of(ground, row, planned)]
    found = list(logged_ways(logged(ground, [0, 365, 730])))
    assert [(way.offer.offer_id, way.cost_per_month) for way in found] == usd and len(usd) == 3
    assert {way.work.key for way in found} == {"c1/team/load-000"}
    assert (found[0].work.length_hours, found[0].work.every_hours, found[0].work.gpus) == (73, 365, 4.0)
    assert list(logged_ways(logged(ground, [0, 365, 730 + 80, 1095]))) != []
    for other in (
        logged(ground, [0, 365]),  # twice is no rhythm
        logged(ground, [0, 365, 730 + 100, 1095]),  # over a quarter late
        logged(ground, [0, 365, 730], gpus=(4, 8)),
        logged(ground, [0, 365, 730], hours=366),  # not done before the next
    ):
        assert list(logged_ways(other)) == []


def test_a_run_on_the_list_is_part_of_the_plan() -> None:
    ground = world({"length_hours": 720}, [offer("m1", 1, 4.0)])
    planned = plan_of(ground, AdviceCache())
    (layer,) = planned.runs
    assert (layer.key, layer.place, layer.hours, layer.gpus) == (KEY, 1, 720.0, 4.0)
    assert layer.use_usd == pytest.approx(4 * 720 * 6.0)
    assert layer.from_contracts == ()
    assert layer.hours_by_use(0, 30 * DAY_S, 1.0) == 0.0


def test_a_run_by_use_takes_the_dearer_offer_for_what_the_cheaper_has_too_few_of() -> None:
    """Of 4 GPUs for 100 hours 2 at $3, 1 at $4, 1 at $6."""
    few, next_best = offer("few", 0, 3.0, max_gpus=2), offer("mid", 0, 4.0, max_gpus=1)
    orders, figures = bought({}, few, next_best)
    assert orders == [] and figures.use_usd == pytest.approx(100 * (2 * 3 + 4 + 6))
