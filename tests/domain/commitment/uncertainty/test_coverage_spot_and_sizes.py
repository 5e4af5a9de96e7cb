"""Coverage, spot, sizes beside the advice, and the year of the outlook, by hand."""

from dataclasses import replace
from math import exp
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand, Site, Stream
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.demand.volatility import Volatility
from gpuplanner.domain.commitment.outlook_result import Coverage, Separation, Uncertainty
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME
from gpuplanner.domain.commitment.recursion.rates import Barrier
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.commitment.uncertainty import levels, outlook
from gpuplanner.domain.commitment.uncertainty.levels import Band, Draws, level_values
from gpuplanner.domain.commitment.uncertainty.outlook import (
    Size,
    best_way,
    coverage_of,
    joint_demand,
    npv_usd,
    regrets_of,
    separation_of,
    sizes_beside,
    spot_advice,
    uncertainty_of,
)
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.plan_inputs import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

A = Scenario(name="A")
WEEK = 168
CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}
ROW = (Pool.INFERENCE, "H100")


def world(gpus: list[float], offers: Any, contracts: Any = (), scenario: Scenario = A, **values: Any) -> Any:
    """The ground of a plan, and the plan."""
    made = case([Load(pool=Pool.INFERENCE, gpus=gpus)], contracts, offers, scenario, **(CALM | values))
    ground = ground_of(made.project, scenario, made.pools, AdviceCache())
    return ground, plan_of(ground, AdviceCache())


# --- Coverage: what another share of GPU-hours would cost

OFFERS = [offer("od", 0, 4.0), offer("y1", 12, 3.0)]
STEPS = [1.0] * 100 + [3.0] * 60 + [4.0] * 40
"""In hours of 200: the first GPU always, the second and third half of them, the fourth a fifth. 2.2 on average."""


def test_a_target_above_the_plan_commits_what_costs_least_for_each_hour() -> None:
    """A year at $3 pays from 75% of the hours on: the first GPU, which is 1 / 2.2 of all.

    The second and third add half an hour each for $3 - $2, the fourth a fifth for $3 - $0.80.
    """
    found = coverage_of(*world(STEPS, OFFERS, target_coverage=0.8))
    assert (found.now, found.plan) == (0.0, pytest.approx(1 / 2.2))
    assert found.reached == pytest.approx(2 / 2.2) and found.extra_gpus == 2.0
    assert found.extra_usd_per_month == pytest.approx(730 * 2 * (3.0 - 2.0))
    half = coverage_of(*world(STEPS, OFFERS, target_coverage=0.6))
    assert (half.extra_gpus, half.reached) == (1.0, pytest.approx(1.5 / 2.2))
    all_of_it = coverage_of(*world(STEPS, OFFERS, target_coverage=1.0))
    assert (all_of_it.extra_gpus, all_of_it.reached) == (3.0, pytest.approx(1.0))
    assert all_of_it.extra_usd_per_month == pytest.approx(730 * (2 * 1.0 + 2.2))


def test_a_target_below_the_plan_lets_go_what_costs_least() -> None:
    """At $1.90 the plan commits three GPUs, 2 of 2.2. The second and third would cost $2 by use, the first $4."""
    offers = [offer("od", 0, 4.0), offer("y1", 12, 1.9)]
    found = coverage_of(*world(STEPS, offers, target_coverage=0.6))
    assert (found.plan, found.reached) == (pytest.approx(2 / 2.2), pytest.approx(1.5 / 2.2))
    assert (found.extra_gpus, found.extra_usd_per_month) == (-1.0, pytest.approx(730 * (2.0 - 1.9)))
    kept = coverage_of(*world(STEPS, offers, target_coverage=0.7))
    assert (kept.extra_gpus, kept.extra_usd_per_month) == (0.0, 0.0)
    first = coverage_of(*world(STEPS, offers, target_coverage=0.45))
    assert (first.extra_gpus, first.reached) == (-2.0, pytest.approx(1 / 2.2))


def test_contracts_cover_what_they_serve() -> None:
    """One GPU of a contract is 1 of 2.2; nothing is on offer to reach more."""
    held = [contract("k", 1, 1.0, 40, 200)]
    found = coverage_of(*world(STEPS, OFFERS[:1], held, target_coverage=0.6))
    assert (found.now, found.plan) == (pytest.approx(1 / 2.2), pytest.approx(1 / 2.2))
    assert (found.reached, found.extra_gpus, found.extra_usd_per_month) == (None, 0.0, None)
    assert coverage_of(*world([0.0] * 200, OFFERS)) == Coverage(
        now=None,
        plan=None,
        target=Assumptions().target_coverage,
        reached=None,
        extra_gpus=0.0,
        extra_usd_per_month=None,
    )


def test_slices_beyond_the_plan_take_its_shortest_term() -> None:
    """The plan commits the first to a year; a month at $3.50 would be shorter, but is no term of the plan."""
    offers = [*OFFERS, offer("m1", 1, 3.5), offer("d", 1, 0.1, term_days=10, min_gpus=99)]
    found = coverage_of(*world(STEPS, offers, target_coverage=0.6))
    assert found.extra_usd_per_month == pytest.approx(730 * (3.0 - 2.0))
    flat = [0.5] * 200  # nothing is committed: the shortest that is on offer
    plain = coverage_of(*world(flat, offers, target_coverage=0.6))
    assert plain.extra_usd_per_month == pytest.approx(730 * (3.5 - 2.0))


# --- Spot


def test_the_best_way_on_spot_writes_checkpoints_where_they_pay() -> None:
    """6 min each, a node taken each 100 h, 30 min to restart: the best interval is sqrt(2 x 0.1 x 100) = 4.47 h.

    Written, 0.1 / 4.472 + (2.236 + 0.5) / 100 = 0.0497 are lost; without, of a job of 8 h (4 + 0.5) / 100.
    """
    assumed = replace(
        Assumptions(), spot_node_mtbf_hours=100.0, spot_checkpoint_minutes=6.0, spot_restart_minutes=30.0
    )
    lost, takes = best_way(assumed, 1, 10 * 3600)
    assert (lost, takes) == (pytest.approx(0.1 / 20**0.5 + (20**0.5 / 2 + 0.5) / 100), True)
    assert best_way(assumed, 1, 8 * 3600) == (pytest.approx(0.045), False)
    free = replace(assumed, spot_checkpoint_minutes=0.0)
    assert best_way(free, 1, 8 * 3600) == (pytest.approx(0.005), True)
    assert best_way(free, 4, 8 * 3600) == (pytest.approx(0.02), True)


@pytest.mark.parametrize(
    ("on_demand", "lost", "answer"),
    [
        (4.0, 0.2, (2.5, True)),
        (2.5, 0.2, (2.5, False)),  # no cheaper
        (2.4, 0.2, (2.4, False)),
        (4.0, 1.0, (4.0, False)),
        (None, 0.2, (2.5, True)),
        (None, 1.0, (None, False)),
    ],
)
def test_use_is_the_cheaper_of_both(on_demand: Any, lost: float, answer: Any) -> None:
    assert outlook.choose_cheaper_use(on_demand, 2.0, lost) == answer


def spots(*offers: Any, **values: Any) -> Any:
    """Two workloads in bursts: 3 GPUs whose jobs run 20 h, and 1 whose jobs run 2 h."""
    loads = [
        Load(pool=Pool.BURST, gpus=[3.0] * 400, longest_job_s=20 * 3600),
        Load(pool=Pool.BURST, gpus=[1.0] * 400, longest_job_s=2 * 3600),
    ]
    assumed = {
        "spot_node_mtbf_hours": 100.0,
        "spot_checkpoint_minutes": 6.0,
        "spot_restart_minutes": 30.0,
        "spot_interval_hours": 10.0,
    }
    made = case(loads, (), [offer("od", 0, 6.0), *offers], **(CALM | assumed | values))
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    return spot_advice(ground, advise(made.project, A, made.pools, audit()).pools)


SPOT = offer("spot", 0, 1.0, pricing_category=PricingCategory.DYNAMIC)


def test_spot_saves_what_the_rate_of_a_workload_falls() -> None:
    """Every 10 h 0.01 + 5.5 / 100 = 0.065 is lost, at best 0.0497; the short one writes none: 1.5 / 100 both ways."""
    first, second = spots(SPOT)
    best = 0.1 / 20**0.5 + (20**0.5 / 2 + 0.5) / 100
    assert (first.key, first.pool, first.gpu_model, first.nodes) == (
        "c1/team/load-000",
        Pool.BURST,
        "H100",
        1,
    )
    assert (first.lost_share, first.best_lost_share) == (pytest.approx(0.065), pytest.approx(best))
    assert (first.interval_hours, first.best_interval_hours) == (10.0, pytest.approx(20**0.5))
    assert (first.longest_job_hours, first.node_hours) == (20.0, 100.0)
    assert first.saves_usd_per_month == pytest.approx(730 * 3 * (1 / 0.935 - 1 / (1 - best)))
    assert (second.best_interval_hours, second.saves_usd_per_month) == (None, pytest.approx(0.0))
    assert (first.on_spot, first.on_spot_at_best) == (True, True)


def test_spot_that_only_pays_at_its_best_interval() -> None:
    """At $5.65 it costs $6.04 for the work as assumed, $5.95 at its best, beside $6 on demand."""
    best = 0.1 / 20**0.5 + (20**0.5 / 2 + 0.5) / 100
    dear = spots(replace(SPOT, rate_usd_per_gpu_hour=5.65))[0]
    assert (dear.on_spot, dear.on_spot_at_best) == (False, True)
    assert dear.saves_usd_per_month == pytest.approx(730 * 3 * (6.0 - 5.65 / (1 - best)))
    assert spots() == () and spots(SPOT, spot=False) == ()


def test_long_training_that_is_kept_off_has_what_spot_would_make_of_it() -> None:
    """40 h on 2 nodes of 8: M is 12 h, every sqrt(2 x 5 min x 12 h) = 1.41 h 13.9% is lost, so 46.4 h."""
    work = Workload(
        key="a", name="a", cluster="c", owner="t", max_nodes=2, max_milli_gpus=16_000, longest_job_s=40 * 3600
    )
    row = (Pool.TRAINING, "H100")
    kept_off = outlook.advise_spot(Assumptions(), work, row, (6.0, 2.0), 10.0, Barrier.TOO_LONG)
    lost = 5 / 60 / 2**0.5 + (2**0.5 / 2 + 0.25) / 12
    assert kept_off.best_lost_share == pytest.approx(lost) == pytest.approx(0.1387, abs=1e-4)
    assert kept_off.run_hours == pytest.approx(40 / (1 - lost)) == pytest.approx(46.44, abs=0.01)
    assert kept_off.run_usd == pytest.approx(16 * 2 * 40 / (1 - lost))
    assert kept_off.run_usd_on_demand == 16 * 40 * 6
    assert (kept_off.barrier, kept_off.on_spot, kept_off.on_spot_at_best) == ("too_long", False, True)
    assert kept_off.saves_usd_per_month == pytest.approx(730 * 10 * (6 - 2 / (1 - lost)))
    may = outlook.advise_spot(Assumptions(), work, row, (None, 2.0), 10.0)
    assert (may.barrier, may.on_spot, may.run_usd_on_demand) == (None, True, None)
    many = outlook.advise_spot(Assumptions(), replace(work, max_nodes=99), row, (6.0, 2.0), 10.0)
    assert many.run_hours is many.run_usd is None


# --- Separate pools


def test_joint_rows_have_the_streams_of_all_their_pools() -> None:
    rows = ((Pool.INFERENCE, "H100"), (Pool.TRAINING, "H100"), (Pool.BURST, "H100 @ Ada"))
    streams = tuple(Stream(row=at, grows_with=pool, demand=np.ones(2)) for at, (pool, _) in enumerate(rows))
    model = ModelDemand("H100", rows, (Site("c1", streams),))
    joint = joint_demand(model, (rows[1], rows[2]))
    assert joint.rows == (rows[1], rows[2])
    assert [stream.row for stream in joint.sites[0].streams] == [0, 0, 1]
    assert [stream.grows_with for stream in joint.sites[0].streams] == [pool for pool, _ in rows]


def test_separate_pools_cost_their_unshared_peaks() -> None:
    """Two pools of 4 GPUs in turn: apart each is paid by use half of the time; together 4 for a year."""
    hours = 400
    loads = [
        Load(pool=Pool.TRAINING, gpus=[4.0, 0.0] * (hours // 2)),
        Load(pool=Pool.INFERENCE, gpus=[0.0, 4.0] * (hours // 2)),
    ]
    made = case(loads, (), [offer("od", 0, 4.0), offer("y1", 12, 3.0)], **CALM)
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    found = separation_of(ground, AdviceCache())
    assert found.apart_usd == pytest.approx([2 * 4 * 0.5 * 4.0 * 730] * 12)
    assert found.joint_usd == pytest.approx([4 * 3.0 * 730] * 12)
    assert found.cost_usd() == pytest.approx(4 * 730) and found.cost_usd(12) == pytest.approx(12 * 4 * 730)
    (row,) = found.joint
    assert row.gpu_model == "H100" and row.demand.mean_gpus == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("apart", "joint", "is_said"),
    [
        ((10.0,) * 12, (9.0,) * 12, True),
        ((10.0,) * 12, (10.0,) * 12, False),
        ((10.0, *(20.0,) * 11), (10.0, *(19.0,) * 11), True),
        ((11.0, *(10.0,) * 11), (10.0, *(20.0,) * 11), True),
        ((10.004, *(0.0,) * 11), (10.0, *(0.0,) * 11), False),
        ((None,) * 12, (9.0,) * 12, False),
        ((10.0, None, *(0.0,) * 10), (9.0,) * 12, False),
    ],
)
def test_what_separation_costs_is_told_from_half_a_cent_on(apart: Any, joint: Any, is_said: bool) -> None:
    checks = outlook.check_separation(Separation(apart, joint))
    assert [(check.code, check.severity) for check in checks] == [("separation_costs", "info")] * is_said
    for check in checks:
        values = check.message.values  # type: ignore[union-attr]
        assert (str(values["cost_usd"]), check.usd_per_month) == (
            more_or_less(apart[0] - joint[0]),
            apart[0] - joint[0],
        )
        assert str(values["year_usd"]) == more_or_less(sum(apart) - sum(joint))


def more_or_less(usd: float) -> str:
    return f"${abs(usd):.0f} {'more' if usd > 0 else 'less'}" if abs(usd) >= 0.5 else "nothing more"


# --- Net present value


def test_signing_is_worth_what_it_saves_against_use() -> None:
    """5 GPUs for 24 months at $3 in place of $4."""
    gpus = [5.0] * 400
    _, planned = world(gpus, OFFERS, horizon_months=24)
    assert npv_usd(planned) == pytest.approx(5 * 24 * 730 * (4.0 - 3.0))
    held = Scenario(name="A", hand_layers={ROW: (HandLayer(12, 2),)})
    assert npv_usd(world(gpus, OFFERS, scenario=held)[1]) is None
    assert npv_usd(world(gpus, OFFERS[1:])[1]) is None
    assert npv_usd(world(gpus, [offer("od", 0, 4.0, max_gpus=3), *OFFERS[1:]])[1]) is None
    forever = [contract("k", 5, 1.0, None, 400)]
    assert npv_usd(world(gpus, OFFERS, forever)[1]) == 0.0  # nothing is left to sign


# --- Sizes beside the advice


def sizes(gpus: list[float], offers: Any, **values: Any) -> list[tuple[Any, ...]]:
    _, planned = world(gpus, offers, **values)
    found = sizes_beside(planned.rows, level_values(planned, len(gpus), AdviceCache()))
    return [(item.name, item.sign, item.share.tolist(), item.term_months, item.month_usd) for item in found]


def test_sizes_are_a_unit_and_a_quarter_of_the_shortest_term_beside_it() -> None:
    """Eight GPUs at all hours and two half of them, for a year at $3: seven or six of them, nine or ten."""
    gpus = [8.0, 10.0] * 200
    found = sizes(gpus, OFFERS)
    year = 730 * 3.0
    assert found == [
        ("one_less", -1, [0.0] * 7 + [1.0, 0.0, 0.0], 12, year),
        ("quarter_less", -1, [0.0] * 6 + [1.0, 1.0, 0.0, 0.0], 12, 2 * year),
        ("one_more", 1, [0.0] * 8 + [1.0, 0.0], 12, year),
        ("quarter_more", 1, [0.0] * 8 + [1.0, 1.0], 12, 2 * year),
    ]
    nodes = [offer("od", 0, 4.0), offer("y1", 12, 3.0, unit_gpus=2)]
    assert [item[:2] for item in sizes(gpus, nodes, block=1)] == [
        ("one_less", -1),
        ("one_more", 1),
    ]  # both are two
    few = sizes([2.0, 3.0] * 200, OFFERS)
    assert [(item[0], sum(item[2])) for item in few] == [("one_less", 1.0), ("one_more", 1.0)]


def test_sizes_where_nothing_is_signed_or_on_offer() -> None:
    """One GPU by use; a month that can begin now is the shortest, and its layer is none."""
    offers = [*OFFERS, offer("m1", 1, 3.9), offer("late", 1, 0.1, lead_time_hours=800.0)]
    found = sizes([0.0, 1.0] * 200, offers)
    assert [(item[0], item[3], item[4]) for item in found] == [("one_more", 1, pytest.approx(730 * 3.9))]
    assert sizes([0.0, 1.0] * 200, OFFERS[:1]) == []
    assert sizes([5.0] * 400, [offer("od", 0, 4.0), offer("d", 1, 1.0, term_days=10)]) != []
    assert sizes([0.0] * 400, OFFERS) == []


def test_sizes_are_expected_to_cost_what_the_horizon_says() -> None:
    """A year less of one GPU of 24 months costs a month by use more, and a month of its own if never used."""
    gpus = [8.0, 10.0] * 200
    _, planned = world(gpus, OFFERS, horizon_months=24)
    values = level_values(planned, 400, AdviceCache())
    by_name = {item.name: item.expected_usd for item in sizes_beside(planned.rows, values)}
    assert by_name["one_less"] == pytest.approx(730 * (4.0 - 3.0))  # signed a month later
    # half busy for a year: $3 where $2 would do
    assert by_name["one_more"] == pytest.approx(12 * 730 * (3.0 - 2.0))
    assert by_name["quarter_more"] == pytest.approx(2 * by_name["one_more"])
    alone = {item.name: item.expected_usd for item in sizes_beside(planned.rows, ())}
    assert alone["one_less"] == pytest.approx(730.0) and alone["one_more"] == pytest.approx(730.0)


def regrets(
    sign: int, month_usd: float, use: float, churn: float = 0.0, term: int = 2
) -> tuple[float, float]:
    """Of one size whose slices cost so much by use in every draw; no level moves."""
    row = SimpleNamespace(row=SimpleNamespace(market=SimpleNamespace(churn=churn)))
    size: Any = Size(
        name="one",
        row=row,
        sign=sign,
        share=np.ones(1),
        term_months=term,
        month_usd=month_usd,
        expected_usd=0.0,
    )  # type: ignore[arg-type]
    cost = SimpleNamespace(at=lambda level, weeks: np.full(len(level), use))
    costs: Any = SimpleNamespace(of_slices=lambda *_: cost)
    drawn = Draws(np.zeros((360, 1, 5), np.int64), np.zeros(360))
    return regrets_of([size], costs, drawn, 0.0, Assumptions(wacc=0.0))


def test_regret_is_what_a_size_saves_on_each_path_and_churn() -> None:
    """Use of 100 beside 80 signed for one month: letting it go saves nothing, signing it 20 a month."""
    assert regrets(1, 80.0, 100.0, term=1) == (20.0, 20.0)
    assert regrets(-1, 80.0, 100.0, term=1) == (0.0, 0.0)
    assert regrets(-1, 100.0, 80.0, term=1) == (20.0, 20.0)
    # over two months prices by use are 0.988 or 1 or 1.029 of what they were, 0.994, 1 and 1.0145 on average
    middle, high = regrets(1, 80.0, 100.0)
    assert (middle, high) == (pytest.approx(20.0), pytest.approx(101.45 - 80))
    # a churn of 10% leaves 1, 0.9 or 0.8 of the second month
    _, worst = regrets(-1, 100.0, 100.0, churn=0.1)
    assert worst == pytest.approx(100 - 100 * (1 + 0.8) / 2)


@pytest.mark.parametrize(
    ("draw", "factor"),
    [
        (0, 1 + 0.988 * 10 / 11),  # half of the volatility, prices that fall, nobody leaves
        (4, exp(-1) * (1 + 10 / 11)),  # cut, but not in the second month
        (13, exp(-1) * (1 + 0.988 * 0.9 * 10 / 11)),  # 10% leave
        (29, exp(-6) * (1 + 0.8 * 10 / 11)),  # twice the volatility, 20% leave
        (33, 1 + 1.029 * 0.8 * 10 / 11),  # prices that rise
    ],
)
def test_regret_of_a_draw_is_by_its_own_volatility_path_and_churn(draw: int, factor: float) -> None:
    """Of 37 draws 18 use nothing and 18 very much, so that the middle is the one that is asked about.

    Its level is e^(s - 2 s^2) for the variance 4 and 0.5 standard deviations: 1, e^-1 and e^-6. A month is discounted
    by 10 / 11 (interest of 1.1^12 a year), and what is signed is paid for 1 + 10 / 11 of them.
    """
    use = np.full(36, 1e9)
    use[:18] = 0.0
    use = np.insert(use, draw, 1000.0)
    row = SimpleNamespace(row=SimpleNamespace(market=SimpleNamespace(churn=0.1)))
    size: Any = Size(
        name="one", row=row, sign=1, share=np.ones(1), term_months=2, month_usd=1.0, expected_usd=0.0
    )  # type: ignore[arg-type]
    costs: Any = SimpleNamespace(of_slices=lambda *_: SimpleNamespace(at=lambda level, weeks: use * level))
    drawn = Draws(np.zeros((37, 1, 5), np.int64), np.full(37, 0.5))
    middle, _ = regrets_of([size], costs, drawn, 4.0, Assumptions(wacc=1.1**12 - 1))
    assert middle == pytest.approx(1000 * factor / (1 + 10 / 11) - 1.0)


# --- Month and year


def test_the_band_of_a_flat_log_is_its_plan() -> None:
    """5 GPUs for a year at $3, whatever week comes again; under two weeks nothing is known."""
    for hours, is_known in ((2 * WEEK, True), (2 * WEEK - 1, False)):
        made = case([Load(pool=Pool.INFERENCE, gpus=[5.0] * hours)], (), OFFERS, **CALM)
        ground = ground_of(made.project, A, made.pools, AdviceCache())
        advice = advise(made.project, A, made.pools, audit())
        band = uncertainty_of(ground, plan_of(ground, AdviceCache()), advice)
        if not is_known:
            assert band == Uncertainty(resamples=500)
            continue
        month = 5 * 3 * 730.0
        assert (band.p10_usd_per_month, band.p50_usd_per_month, band.p90_usd_per_month) == pytest.approx(
            (month,) * 3
        )
        assert (band.year_p10_usd, band.year_p90_usd) == pytest.approx((12 * month,) * 2)
        assert (band.coverage, band.coverage_folds, band.resamples, band.seed) == (None, 0, 500, 0)
        assert [item.size for item in band.sizes] == ["advice", "one_less", "quarter_less"]
        unpriced = replace(advice, totals=replace(advice.totals, plan=None))
        assert uncertainty_of(ground, plan_of(ground, AdviceCache()), unpriced) == Uncertainty(resamples=500)


@pytest.mark.parametrize(
    ("sign", "use", "factor", "band"),
    [
        (1, 40.0, 1.0, (120.0, 160.0, 200.0)),
        (1, 40.0, 2.0, (100.0, 160.0, 220.0)),  # 90 to 250, but no further than 10 above 90 and 210
        (-1, 40.0, 1.0, (120.0, 160.0, 200.0)),
        (1, None, 1.0, (160.0, 160.0, 160.0)),
        (-1, None, 1.0, (80.0, 160.0, 240.0)),
    ],
)
def test_the_band_of_a_size_lies_as_far_apart_as_it_is_expected_to(
    sign: int, use: float | None, factor: float, band: tuple[float, float, float]
) -> None:
    """The month is 100 to 200, evenly. A size that is expected to cost $10 more takes its use off, or adds it: so much
    in every draw, or (None) what the month is over 100.
    """
    month = np.arange(101.0) + 100
    size: Any = Size(
        name="one_more",
        row=None,
        sign=sign,
        share=np.ones(1),
        term_months=12,
        month_usd=1.0,
        expected_usd=10.0,
    )  # type: ignore[arg-type]
    as_drawn = Band(low=110.0, middle=150.0, high=190.0, least=90.0, most=210.0)
    _, beside = outlook.compute_size_bands(
        month, as_drawn, [size], lambda _: month - 100 if use is None else np.full(101, use), factor
    )
    assert beside.size == "one_more"
    assert (beside.p10_usd_per_month, beside.p50_usd_per_month, beside.p90_usd_per_month) == pytest.approx(
        band
    )
    assert outlook.compute_size_bands(month, as_drawn, [], lambda _: month, factor) == ()


@pytest.mark.parametrize(
    ("busy", "terms", "share"),
    [
        ([0.0, 0.5], [0, 0], [0.0, 1.0]),  # nobody wants the lower now
        ([0.5, 0.5], [12, 0], [0.0, 1.0]),
        ([0.5, 0.5], [0, 0], [1.0, 0.0]),
        ([0.0, 0.0], [0, 0], None),
        ([0.5, 0.5], [12, 12], None),
    ],
)
def test_more_is_signed_of_slices_that_are_busy_and_have_no_term(
    busy: list[float], terms: list[int], share: list[float] | None
) -> None:
    row = SimpleNamespace(
        busy=SimpleNamespace(today=lambda _: np.array(busy)),
        offers=(offer("y1", 12, 3.0),),
        calendar=ANY_TIME,
        slicing=Slicing(1, 2),
        slices=2,
        flex=Flex(rate=4.0, category=PricingCategory.STANDARD, offer_id="od", spot_share=0.0),
        hand=(),
        gpus=lambda chosen: float(np.count_nonzero(chosen)),
    )
    planned: Any = SimpleNamespace(row=row, term_now=np.array(terms))
    found = outlook.list_waiting_sizes(planned, None)
    assert [size.share.tolist() for size in found] == ([] if share is None else [share])
    row.offers = (offer("d", 0, 3.0, term_days=30), offer("late", 12, 3.0, lead_time_hours=900.0))
    assert outlook.list_waiting_sizes(planned, None) == []


def test_demand_is_there_until_its_workloads_end() -> None:
    """Half of them end in a month and are gone for half of it: a quarter of month 0, then 1 - 0.5^m x 0.75.

    One of 3 GPUs and one of 1; the third wants nothing, and a draw of it changes nothing.
    """
    loads = [Load(pool=Pool.INFERENCE, gpus=[gpus] * 200) for gpus in (3.0, 1.0, 0.0)]
    made = case(loads, (), OFFERS, **(CALM | {"lambda_": 0.5}))
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    (row,) = plan_of(ground, AdviceCache()).rows
    (present,) = outlook.compute_present_shares(ground, [row])
    drawn = np.random.default_rng(levels.SEED + 1).random((levels.RESAMPLES, 3))
    for month, chance in enumerate((0.25, 0.625, 0.8125, 0.90625)):
        stays = drawn[:, :2] >= chance
        assert present[month].tolist() == pytest.approx((stays @ np.array([0.75, 0.25])).tolist())
    assert present.shape == (12, levels.RESAMPLES)
    calm = case(loads, (), OFFERS, **CALM)
    ground = ground_of(calm.project, A, calm.pools, AdviceCache())
    (all_there,) = outlook.compute_present_shares(ground, plan_of(ground, AdviceCache()).rows)
    assert (all_there == 1).all()


def test_volatility_that_is_set_everywhere_is_a_mean_by_dollars() -> None:
    """$3 of 1,000 and $1 of 1,000 hours: three quarters of the first."""

    def row(sigma: float, gpus: float, rate: float | None, is_set: bool = True) -> Any:
        flex = SimpleNamespace(rate=rate)
        volatility = Volatility(sigma=sigma, noise=2 * sigma, changes=5, is_set=is_set)
        return SimpleNamespace(
            demand_gpus=np.full(10, gpus), row=SimpleNamespace(flex=flex), volatility=volatility
        )

    found = outlook.average_set_volatility([row(0.4, 1.0, 3.0), row(0.2, 1.0, 1.0)])
    assert found == Volatility(sigma=pytest.approx(0.35), noise=pytest.approx(0.7), changes=0, is_set=True)
    assert outlook.average_set_volatility([row(0.4, 1.0, 3.0), row(0.2, 1.0, 1.0, False)]) is None
    assert outlook.average_set_volatility([]) is None
    free = outlook.average_set_volatility([row(0.4, 0.0, 3.0), row(0.2, 1.0, None)])
    assert free is not None and free.sigma == pytest.approx(0.3)


def test_workloads_that_end_leave_their_share() -> None:
    """Of two alike each ends with 10% a month, and is absent for half of the month in which it does."""
    users = {ROW: np.array([1.0, 1.0, 0.0]), (Pool.BURST, "H100"): np.array([0.0, 0.0, 1.0])}
    ground: Any = SimpleNamespace(
        project=SimpleNamespace(workloads=(1, 2, 3)), plan=SimpleNamespace(users=users)
    )
    churn = {Pool.INFERENCE: 0.1, Pool.BURST: 0.0}
    rows = [
        SimpleNamespace(
            row=SimpleNamespace(pool=pool, gpu_model=model, market=SimpleNamespace(churn=churn[pool]))
        )
        for pool, model in users
    ]
    present, stays = outlook.compute_present_shares(ground, rows)  # type: ignore[arg-type]
    assert present.shape == (12, 500) and set(np.unique(present)) == {0.0, 0.5, 1.0}
    means = present.mean(axis=1)
    # 1 - 0.05, and 0.9^m x 0.95 after m months
    assert means[0] == pytest.approx(0.95, abs=0.03) and means[6] == pytest.approx(0.9**6 * 0.95, abs=0.05)
    assert (np.diff(present, axis=0) <= 0).all()
    assert (stays == 1.0).all()


def test_bands_of_sizes_lie_as_far_apart_as_the_advice_expects() -> None:
    """Month of 0 to 100; a size that lets go 10 by use is expected to cost 7 more: its middle is 57."""
    month, band = np.arange(101.0), Band(low=10.0, middle=50.0, high=90.0)
    row: Any = None
    size = Size(
        name="one_less", row=row, sign=-1, share=np.ones(1), term_months=12, month_usd=5.0, expected_usd=7.0
    )
    advice, less = outlook.compute_size_bands(month, band, [size], lambda _: np.full(101, 10.0), 1.0)
    assert (advice.size, advice.p10_usd_per_month, advice.p90_usd_per_month) == ("advice", 10.0, 90.0)
    assert (less.p10_usd_per_month, less.p50_usd_per_month, less.p90_usd_per_month) == (17.0, 57.0, 97.0)
    assert outlook.compute_size_bands(month, band, [], lambda _: month, 1.0) == ()
    wide = outlook.compute_size_bands(month, replace(band, most=1000.0), [size], lambda _: month, 2.0)
    assert wide[0].p90_usd_per_month == pytest.approx(50 * (90 / 50) ** 2)


@pytest.mark.parametrize("block", [2, 4, 8])
def test_sizes_of_wide_slices_are_blocks(block: int) -> None:
    """Four blocks at all hours and two half of them: one less or one more of them costs $1 an hour."""
    gpus = [4.0 * block, 6.0 * block] * 200
    sold = [offer("od", 0, 4.0), offer("y1", 12, 3.0, unit_gpus=block)]
    _, planned = world(gpus, sold, block=block, horizon_months=24)
    found = {item.name: item for item in sizes_beside(planned.rows, ())}
    assert {name: item.share.tolist() for name, item in found.items()} == {
        "one_less": [0.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        "one_more": [0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
    }
    assert [item.month_usd for item in found.values()] == [730 * 3.0 * block] * 2
    assert [item.expected_usd for item in found.values()] == pytest.approx([730.0 * block] * 2)
    values = level_values(planned, 400, AdviceCache())
    over = {item.name: item.expected_usd for item in sizes_beside(planned.rows, values)}
    assert over == {"one_less": pytest.approx(730.0 * block), "one_more": pytest.approx(12 * 730.0 * block)}


@pytest.mark.parametrize("block", [2, 4, 8])
def test_the_outlook_of_wide_slices(block: int) -> None:
    """Four blocks signed for a year at $3, two half of the hours by use at $4: alike in all weeks."""
    gpus = [4.0 * block, 6.0 * block] * WEEK
    sold = [offer("od", 0, 4.0), offer("y1", 12, 3.0, unit_gpus=block)]
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=gpus)], (), sold, **(CALM | {"block": block, "horizon_months": 24})
    )
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    advice = advise(made.project, A, made.pools, audit())
    band = uncertainty_of(ground, planned, advice)
    month = 730.0 * block * (4 * 3 + 4)
    assert (band.p10_usd_per_month, band.p90_usd_per_month) == pytest.approx((month, month))
    assert (band.year_p10_usd, band.year_p90_usd) == pytest.approx((12 * month, 12 * month))
    whole = coverage_of(ground, planned)
    assert whole.plan == pytest.approx(4 / 5)
    # three more years follow the first month that waits: $4 - $3 of four blocks, 24 months
    assert npv_usd(planned) == pytest.approx(24 * 730.0 * block * 4 * (4 - 3))
