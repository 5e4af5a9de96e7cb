"""Energy of a plan hour by hour, by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.energy import DRAWN_IDLE, RatedPower, WindowEnergy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.energy import (
    GpuPower,
    compute_row_kw,
    count_contract_gpus,
    find_held_offers,
    find_peak_hour,
    find_unserved_shares,
    power_check,
)
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.result import Flex, Layer, MonthPart
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.domain.commitment.conftest import Load, audit, case, contract, offer
from tests.domain.commitment.plan.small_plan import BEGIN_S, CALM, COMMITTED, HOURS, STANDARD, A

POWERS = {"H100": RatedPower(1.0, False), "H200": RatedPower(2.0, False)}


def taken(offers: Any = (), contracts: Any = (), powers: Any = POWERS, **values: Any) -> Any:
    """What GPUs take, of two workloads that draw 80% where nobody knows their activity; the building 50% more."""
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS), Load(pool=Pool.BURST, gpus=[1.0] * HOURS)], contracts, offers,
        pue=1.5, power_share=0.8, **(CALM | values),
    )  # fmt: skip
    cache = AdviceCache()
    return GpuPower(ground_of(made.project, A, made.pools, cache), powers, cache)


OWN = offer("own", 0, None, pricing_category=PricingCategory.OWNED, kw_per_gpu=0.5, pue=1.2)


def test_kw_of_gpus_are_rated_or_what_is_owned_states() -> None:
    of = taken()
    assert (of.rated("H100"), of.rated("H100 @ Ada"), of.rated("B200"), of.rated(None)) == (
        1.0,
        1.0,
        None,
        None,
    )
    assert (of.rated("H100", OWN), of.pue_of(OWN)) == (0.5, 1.2)
    assert (of.rated("H100", replace(OWN, kw_per_gpu=None)), of.pue_of(replace(OWN, pue=None))) == (1.0, 1.5)
    rented = offer("od", 0, 6.0, kw_per_gpu=0.5, pue=1.2)  # its owner's
    assert (of.rated("H100", rented), of.pue_of(rented), of.pue_of(None)) == (1.0, 1.5, 1.5)
    assert of.kw("H200", None, 1.6) == pytest.approx(2.0 * 1.5 / 1.6)
    assert np.isnan(of.kw("B200"))


def test_what_workloads_draw_is_weighted_by_their_gpu_time() -> None:
    of = taken()
    of.workload_shares = np.array([0.9, 0.5])

    def pool(spent: Any) -> Any:
        return SimpleNamespace(demand=SimpleNamespace(gpu_time=spent))

    assert of.drawn(pool(np.array([3.0, 1.0]))) == pytest.approx(0.8)
    assert of.drawn(pool(None)) == 0.8 == of.drawn(pool(np.zeros(2)))
    assert of.drawn(pool(np.array([0.0, 2.0]))) == 0.5


def layer(**values: Any) -> Layer:
    return replace(
        Layer(
            existing=False,
            pricing_category=COMMITTED,
            term_months=12,
            offer_id="y1",
            gpus=8.0,
            busy_gpus=6.0,
            rate=2.0,
            paid_hours=365.0,
        ),
        **values,
    )


def inputs(of: Any, item: Layer, **ratios: float) -> dict[str, Any]:
    pool: Any = SimpleNamespace(gpu_model="H100", supply=SimpleNamespace(ratios=ratios))
    return of.of_layer(pool, item, 0.9)  # type: ignore[no-any-return]


def test_a_layer_takes_energy_in_use_and_idle() -> None:
    """8 GPUs for a year, 6 in use: 2 are idle; by use nothing is. Of 8 H100 that 5 H200 do the work of 3.75 are."""
    of = taken([offer("y1", 12, 2.0), offer("big", 12, 2.0, gpu_model="H200")])
    year = inputs(of, layer())
    assert (year["in_use_gpu_hours"], year["idle_gpu_hours"]) == (6 * 365.0, 2 * 365.0)
    assert (year["rated_kw"], year["drawn_share"], year["idle_share"], year["pue"]) == (
        1.0,
        0.9,
        DRAWN_IDLE,
        1.5,
    )
    use = inputs(of, layer(term_months=0))
    assert use["idle_gpu_hours"] == 0.0
    big = inputs(of, layer(offer_id="big", offer_gpu_model="H200", offer_gpus=5.0), big=1.6)
    assert (big["in_use_gpu_hours"], big["idle_gpu_hours"], big["rated_kw"]) == (3.75 * 365, 1.25 * 365, 2.0)
    plain = inputs(of, layer(offer_id="big", offer_gpu_model="H200"), big=1.6)
    assert plain["idle_gpu_hours"] == pytest.approx(1.25 * 365)
    full = inputs(of, layer(busy_gpus=9.0))
    assert full["idle_gpu_hours"] == 0.0


def test_grids_are_stated_or_of_contracts_and_offers() -> None:
    """Two contracts of 0.2 and 0.5 kg with 1 and 2 GPUs: 0.4; of one nobody says it."""
    held = [
        contract("a", 1, 1.0, None, HOURS, grid_kg_co2_per_kwh=0.2, region="eu"),
        contract("b", 2, 1.0, None, HOURS, grid_kg_co2_per_kwh=0.5, region="us"),
        contract("c", 2, 1.0, None, HOURS, gpu_model="A100"),
    ]
    offers = [
        offer("eu", 12, 2.0, region="eu"),
        offer("eu2", 0, 2.0, region="eu"),
        offer("us", 0, 2.0, region="us"),
        offer("no", 0, 2.0),
    ]
    of = taken(offers, held)
    assert of.grids == {"H100": pytest.approx(0.4), "A100": None}
    assert inputs(of, layer(existing=True))["grid_kg_per_kwh"] == pytest.approx(0.4)
    grids = [
        of.find_grid(layer(offer_id=name, blended=blended))
        for name, blended in (
            ("eu", ()),
            ("us", ()),
            ("no", ()),
            (None, ("eu", "eu2")),
            (None, ("eu", "us")),
            (None, ()),
        )
    ]
    assert grids == [0.2, 0.5, None, 0.2, None, None]
    stated = taken(offers, held, grid_kg_co2_per_kwh=0.1)
    assert stated.grids == {"H100": 0.1, "A100": 0.1} and stated.find_grid(layer(offer_id="no")) == 0.1


def row_world(offers: Any = (), **values: Any) -> Any:
    """Two slices of 2 GPUs, one of them held."""
    row = SimpleNamespace(slices=2, slicing=Slicing(2, 2), offers=offers, ratios={"big": 2.0})
    base = {
        "row": row,
        "denied_h": None,
        "listed": SimpleNamespace(orders=(), order_h=np.zeros((0, 3)), edges_s=None),
    }
    return SimpleNamespace(**(base | values))


def test_kw_of_a_row_hour_by_hour() -> None:
    """6 and 1 GPUs are wanted, of which contracts serve 1 and none: 5 and 1 are left.

    The first two are of an offer: full, then half; the rest, 3 and 0, is used: at 0.9 of 1.5 kW.
    """
    of = taken([offer("y1", 12, 2.0), offer("big", 12, 2.0, gpu_model="H200"), offer("od", 0, 6.0)])
    pool: Any = SimpleNamespace(
        gpu_model="H100",
        flex=Flex(rate=6.0, category=STANDARD, offer_id="od", spot_share=0.0, gpu_model="H100"),
        demand=SimpleNamespace(gpu_time=None),
    )
    of.power_share = 0.9
    part = MonthPart(1.0, np.array([6.0, 1.0]), np.array([5.0, 1.0]))
    planned = row_world((offer("y1", 12, 2.0), offer("big", 12, 2.0, gpu_model="H200")))

    def kw(place: list[int], denied: list[float]) -> list[float]:
        found = compute_row_kw(planned, pool, part, np.array(place), np.array(denied), of)
        return found.tolist()  # type: ignore[no-any-return]

    use, held = 0.9 * 1.5, 1.5
    served = [1 * use, 0.0]
    assert kw([0, -1], [0.0, 0.0]) == pytest.approx(
        [served[0] + 2 * 0.9 * held + 3 * use, (0.9 + DRAWN_IDLE) * held]
    )
    # two H100 of an H200 with 2 kW: 1.5 kW a H100, too
    assert kw([1, -1], [0.0, 0.0]) == pytest.approx(kw([0, -1], [0.0, 0.0]))
    assert kw([-1, -1], [0.0, 0.0]) == pytest.approx([served[0] + 5 * use, use])
    # nobody serves the upper slice: 2 of its GPUs less
    assert kw([-1, -1], [0.0, 1.0]) == pytest.approx([served[0] + 3 * use, use])
    assert kw([-1, -1], [1.0, 0.0]) == pytest.approx([served[0] + 3 * use, 0.0])
    assert kw([-1, -1], [0.99, 0.0]) == pytest.approx([served[0] + 5 * use, use])
    assert kw([0, 0], [1.0, 1.0]) == pytest.approx(
        [served[0] + 4 * 0.9 * held + use, (0.9 + 3 * DRAWN_IDLE) * held]
    )
    none = row_world()
    none.row.slices, none.row.slicing = 0, Slicing(2, 0)
    alone = compute_row_kw(none, pool, part, np.zeros(0, np.int64), np.zeros(0), of)
    assert alone.tolist() == pytest.approx([served[0] + 5 * use, use])


def test_slices_hold_the_offer_of_an_order_in_its_parts() -> None:
    orders = (
        SimpleNamespace(slices=np.array([1]), place=3),
        SimpleNamespace(slices=np.array([0, 1]), place=1),
    )
    listed = SimpleNamespace(
        orders=orders, order_h=np.array([[0.0, 5.0], [7.0, 0.0]]), edges_s=np.array([0, 10, 30]) * HOUR_S
    )
    row = row_world(listed=listed)
    assert find_held_offers(row, 0).tolist() == [1, 1] and find_held_offers(row, 1).tolist() == [-1, 3]
    assert find_unserved_shares(row, 1).tolist() == [0.0, 0.0]
    row.denied_h = np.array([[0.0, 5.0], [0.0, 5.0]])
    assert [find_unserved_shares(row, part).tolist() for part in (0, 1)] == [[0.0, 0.5], [0.0, 0.25]]


def test_the_peak_hour_is_the_largest_of_all() -> None:
    kw: Any = {
        Pool.TRAINING: np.array([1.0, 5.0, 2.0]),
        Pool.BURST: np.array([1.0, 0.0, 9.0]),
        None: np.array([4.0, 6.0, 12.0]),
    }
    found = find_peak_hour(3, kw)
    assert (found.month, found.hour, found.kw) == (3, 2, {Pool.TRAINING: 2.0, Pool.BURST: 9.0, None: 1.0})
    nothing = find_peak_hour(3, {None: np.zeros(0)})
    assert (nothing.hour, nothing.kw) == (0, {})


@pytest.mark.parametrize(
    ("limit", "peak", "is_over"),
    [(10.0, 10.1, True), (10.0, 10.0, False), (None, 99.0, False), (10.0, None, False)],
)
def test_a_power_limit_is_told_where_the_peak_is_over_it(limit: Any, peak: Any, is_over: bool) -> None:
    ground: Any = SimpleNamespace(assumptions=SimpleNamespace(power_limit_kw=limit))
    found = list(power_check(ground, SimpleNamespace(peak_kw=peak)))  # type: ignore[arg-type]
    assert [(check.code, check.severity) for check in found] == [("over_power_limit", "red")] * is_over


def test_contracts_that_run_at_a_moment_are_summed_by_model() -> None:
    held = (
        contract("a", 1, 1.0, 1, HOURS),
        contract("b", 2, 1.0, None, HOURS),
        contract("c", 4, 1.0, None, HOURS, gpu_model="A100"),
    )
    ground: Any = SimpleNamespace(plan=SimpleNamespace(contracts=held))
    assert count_contract_gpus(ground, BEGIN_S) == {"H100": 3.0, "A100": 4.0}
    assert count_contract_gpus(ground, BEGIN_S + MONTH_S) == {"H100": 2.0, "A100": 4.0}


@pytest.mark.parametrize(
    ("contracts", "growth", "peak", "month"),
    [
        ((), 0.0, 0.5 * 0.9 * 1.5, 0),
        ((), 0.1, 0.5 * 0.9 * 1.5 * 1.1**11, 11),
        # a second GPU stands idle, of another model a third, until month 3
        ((("A100", 2, None),), 0.0, 0.5 * 1.5 * (0.9 + DRAWN_IDLE), 0),
        ((("A100", 2, None), ("H100", 1, 3)), 0.0, 1.5 * (0.5 * 0.9 + 1.5 * DRAWN_IDLE), 0),
    ],
)
def test_the_largest_hour_of_a_small_plan(contracts: Any, growth: float, peak: float, month: int) -> None:
    """One A100 of half a kW, which draws 90% of it; the building takes half as much again."""
    held = [
        contract(f"k{at}", gpus, 1.0, ends, HOURS, gpu_model=model)
        for at, (model, gpus, ends) in enumerate(contracts)
    ]
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS, model="A100")], held, [offer("od", 0, 3.0, gpu_model="A100")],
        pue=1.5, power_share=0.9, growth=growth, growth_fade=1.0, **CALM,
    )  # fmt: skip
    powers = {"A100": RatedPower(0.5, False), "H100": RatedPower(1.0, False)}
    spent = replace(audit(), energy=WindowEnergy(powers=powers))
    energy = advise(made.project, A, made.pools, spent).energy
    assert energy.peak_kw == pytest.approx(peak) and energy.peak is not None
    assert (energy.peak.month, energy.peak.hour) == (month, 0)
    assert sum(energy.peak.kw.values()) == pytest.approx(peak)
    pool = next(row for row in energy.by_pool if row.pool is Pool.TRAINING)
    assert pool.peak_kw == pytest.approx(0.5 * 0.9 * 1.5 * (1 + growth) ** 11)
    if not contracts:
        assert pool.kwh_per_month == energy.kwh_per_month == pytest.approx(0.5 * 0.9 * 1.5 * 730)


@pytest.mark.parametrize(("begins", "peak"), [(0, 3.0), (1, 3.0), (13, 1.0)])
def test_a_run_takes_its_power_while_it_runs(begins: int, peak: float) -> None:
    """Two more A100 of half a kW for 73 h, within the twelve months or after them."""
    work = PlannedWork(
        name="load-001",
        pool=Pool.BURST,
        gpu_model="A100",
        gpus=2.0,
        cluster="c1",
        team="team",
        begins_s=BEGIN_S + begins * MONTH_S,
        length_hours=73,
    )
    scenario = replace(A, planned=(work,))
    loads = [
        Load(pool=Pool.TRAINING, gpus=[1.0] * HOURS, model="A100"),
        Load(pool=Pool.BURST, gpus=[0.0] * HOURS, model="A100"),
    ]
    made = case(
        loads, (), [offer("od", 0, 3.0, gpu_model="A100")], scenario, pue=1.5, power_share=0.9,
        **(CALM | {"horizon_months": 24}),
    )  # fmt: skip
    spent = replace(audit(), energy=WindowEnergy(powers={"A100": RatedPower(0.5, False)}))
    energy = advise(made.project, scenario, made.pools, spent).energy
    assert energy.peak_kw == pytest.approx(peak * 0.5 * 0.9 * 1.5) and energy.peak is not None
    assert energy.peak.month == (begins if begins < 12 else 0)
    in_bursts = energy.peak.kw.get(Pool.BURST, 0.0)
    assert in_bursts == pytest.approx((peak - 1) * 0.5 * 0.9 * 1.5)
