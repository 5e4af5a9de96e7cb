"""Laws of the whole advice: nothing lost, money that adds up, the same answer by every way to it."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.reports.plan_layers import totals_entry
from tests.some_of import some_of

HOURS = 24 * 30
PLAN = Scenario(name="Plan A")
Make = Callable[..., object]


@pytest.fixture
def busy_month(make_case, make_load, make_contract, make_offer):  # type: ignore[no-untyped-def]
    """Three clusters, two models and an unknown one, contracts of every kind, every sort of offer."""
    random = np.random.default_rng(11)
    hour = np.arange(HOURS)

    def build(contracts: bool = True, offers: bool = True, **values: object):  # type: ignore[no-untyped-def]
        loads = [
            make_load(Pool.TRAINING, 8 * (random.random(HOURS) < 0.7)),
            make_load(Pool.TRAINING, 4.5 * (random.random(HOURS) < 0.5), None, nodes=2),
            make_load(Pool.INFERENCE, 9 + 5 * np.sin(hour / 24 * 2 * np.pi), cluster="c2"),
            make_load(Pool.INFERENCE, 3 + 2 * np.sin(hour / 24 * 2 * np.pi), None),
            make_load(
                Pool.BURST, 12 * random.random(HOURS) * (random.random(HOURS) < 0.2), None, longest_job_s=3600
            ),
            make_load(Pool.BURST, 2 * random.random(HOURS), "A100", cluster="c2", longest_job_s=7200),
            make_load(Pool.BURST, 2.0 * (hour % 24 < 8), None, cluster="c3", nodes=30),
        ]
        rows = [
            make_contract("k1", 7.5, 3.0, 4.4, HOURS, term_months=12, notice_days=30),
            make_contract("k2", 4, 2.5, None, HOURS, pool=Pool.TRAINING, notice_days=90),
            make_contract("k3", 6, 4.0, 2.2, HOURS, cluster="c2", term_months=12),
            make_contract("k4", 1, 1.5, 30, HOURS, gpu_model="A100", cluster="c2"),
            make_contract("k5", 2, 3.5, 11, HOURS, gpu_model="A100"),
        ]
        listed = [
            make_offer("t01", 1, 5.2),
            make_offer("t06", 6, 4.4, lead_time_hours=1500),
            make_offer("t12", 12, 3.6, max_gpus=5),
            make_offer("t12b", 12, 3.9),
            make_offer("t36", 36, 2.9, lead_time_hours=48),
            make_offer("a12", 12, 1.2, gpu_model="A100"),
        ]
        usage = [
            make_offer("od", 0, 6.88),
            make_offer("od-a", 0, 3.0, gpu_model="A100"),
            make_offer("spot", 0, 2.2, pricing_category=PricingCategory.DYNAMIC),
        ]
        return make_case(loads, rows if contracts else [], [*(listed if offers else []), *usage], **values)

    return build


def close(left: float | None, right: float | None) -> bool:
    return left == right if left is None or right is None else left == pytest.approx(right, abs=0.005)


def same_bits(left: object, right: object) -> bool:
    """Equal to the last bit, arrays and all."""
    if isinstance(left, np.ndarray):
        return bool((left == right).all())  # type: ignore[union-attr]
    if is_dataclass(left):
        return all(same_bits(getattr(left, f.name), getattr(right, f.name)) for f in fields(left))
    if isinstance(left, tuple):
        return len(left) == len(right) and all(map(same_bits, left, right))  # type: ignore[arg-type]
    return left == right


VARIANTS = [
    {},
    {"growth": 0.02, "growth_burst": -0.01},
    {"sigma": 0.0},
    {"sigma_training": 0.0, "lambda_burst": 0.2},
    {"block": 4},
    {"recency_half_life_days": 10.0},
    {"contracts": False},
    {"offers": False},
    {"scenario": Scenario(name="Plan A", greenfield=True)},
]


@pytest.mark.parametrize("variant", some_of(VARIANTS, quick=3))
def test_nothing_is_lost_and_all_money_adds_up(busy_month, make_audit, variant) -> None:  # type: ignore[no-untyped-def]
    made = busy_month(**variant)
    scenario = made.project.scenarios[0]
    advice = advise(made.project, scenario, made.pools, make_audit())
    weighted = made.project.assumptions.recency_half_life_days is not None
    assert sum(plan.demand.gpu_hours for plan in advice.pools) == pytest.approx(
        made.project.cube.total / 3_600_000, rel=1e-12
    )
    for plan in advice.pools:
        covered = sum(layer.gpus * layer.utilization for layer in plan.layers)
        assert weighted or covered == pytest.approx(plan.demand.mean_gpus, rel=1e-9)
        terms = [layer.term_months for layer in plan.layers if not layer.existing]
        assert terms == sorted(terms, reverse=True)
        assert [run.first_slice for run in plan.runs] == [1, *(run.last_slice + 1 for run in plan.runs)][
            : len(plan.runs)
        ]
        by_term: dict[int, float] = {}
        for layer in plan.layers:
            if layer.term_months:
                by_term[layer.term_months] = by_term.get(layer.term_months, 0.0) + layer.gpus
        of_runs: dict[int, float] = {}
        for run in plan.runs:
            if run.term_months:
                size = plan.block * (run.last_slice - run.first_slice + 1)
                of_runs[run.term_months] = of_runs.get(run.term_months, 0.0) + size
        assert by_term == of_runs
    totals = advice.totals
    idle = sum(row.cost_per_month for row in advice.idle_existing)
    assert close(sum(plan.cost_per_month for plan in advice.pools) + idle, totals.plan)
    assert close(sum(advice.workload_usd.values()) + idle, totals.plan)
    assert close(advice.comparison[0].plan_usd, totals.plan)
    assert close(advice.comparison[0].do_nothing_usd, totals.do_nothing)
    assert len(advice.comparison) == 12
    existing = {c.contract_id: c for c in made.project.contracts}
    if existing and not scenario.greenfield:
        paid = sum(c.gpus * c.rate * 730 for c in existing.values())
        used = sum(layer.cost_per_month for plan in advice.pools for layer in plan.layers if layer.existing)
        assert close(paid, used + idle)
        assert [verdict.contract_id for verdict in advice.verdicts] == sorted(existing)
    elif scenario.greenfield:
        assert not advice.verdicts and not idle
        assert not any(layer.existing for plan in advice.pools for layer in plan.layers)


@pytest.mark.parametrize("growth", [0.0, 0.03])
def test_signing_nothing_costs_what_doing_nothing_costs(busy_month, make_audit, growth) -> None:  # type: ignore[no-untyped-def]
    made = busy_month(offers=False, growth=growth)
    project = replace(made.project, offers=tuple(o for o in made.project.offers if o.offer_id != "spot"))
    advice = advise(project, PLAN, made.pools, make_audit())
    assert not advice.orders
    assert all(close(month.plan_usd, month.do_nothing_usd) for month in advice.comparison)
    assert close(advice.totals.savings_vs_do_nothing, 0.0)


def test_doing_nothing_and_today_do_not_depend_on_greenfield(busy_month, make_audit) -> None:  # type: ignore[no-untyped-def]
    made = busy_month()
    with_contracts = advise(made.project, PLAN, made.pools, make_audit())
    greenfield = advise(made.project, replace(PLAN, greenfield=True), made.pools, make_audit())
    assert with_contracts.totals.do_nothing == greenfield.totals.do_nothing
    assert [m.do_nothing_usd for m in with_contracts.comparison] == [
        m.do_nothing_usd for m in greenfield.comparison
    ]


@pytest.mark.long
def test_a_cache_changes_no_bit(busy_month, make_audit) -> None:  # type: ignore[no-untyped-def]
    made = busy_month(growth=0.01)
    cache, pools = AdviceCache(), made.pools
    random = np.random.default_rng(2)
    for _ in range(6):
        place = int(random.integers(len(pools)))
        pools = (*pools[:place], random.choice(list(Pool)), *pools[place + 1 :])
        pools = tuple(Pool(pool) for pool in pools)
        kept = advise(made.project, PLAN, pools, make_audit(), cache)
        assert same_bits(kept, advise(made.project, PLAN, pools, make_audit()))
    assert same_bits(advise(made.project, PLAN, pools, make_audit(), cache), kept)


def layers_by_hand(advice: Advice) -> Scenario:
    by_hand: dict[tuple[Pool, str | None], tuple[HandLayer, ...]] = {}
    for plan in advice.pools:
        sizes: dict[int, int] = {}
        for layer in plan.layers:
            if layer.term_months:
                sizes[layer.term_months] = sizes.get(layer.term_months, 0) + int(layer.gpus)
        by_hand[plan.pool, plan.gpu_model] = tuple(HandLayer(term, gpus) for term, gpus in sizes.items())
    return Scenario(name="By hand", hand_layers=by_hand)


@pytest.mark.parametrize("variant", [{}, {"contracts": False}, {"block": 4, "contracts": False}])
def test_the_advice_set_by_hand_gives_the_same_layers_and_money(busy_month, make_audit, variant) -> None:  # type: ignore[no-untyped-def]
    made = busy_month(**variant)
    advice = advise(made.project, PLAN, made.pools, make_audit())
    assert any(layer.term_months for plan in advice.pools for layer in plan.layers)
    by_hand = advise(made.project, layers_by_hand(advice), made.pools, make_audit())
    for mine, theirs in zip(advice.pools, by_hand.pools, strict=True):
        assert theirs.by_hand.is_set
        assert [(x.term_months, x.offer_id, x.gpus) for x in mine.layers] == [
            (x.term_months, x.offer_id, x.gpus) for x in theirs.layers
        ]
        assert close(mine.cost_per_month, theirs.cost_per_month)
    assert close(advice.totals.plan, by_hand.totals.plan)
    assert {order.reason for order in by_hand.orders} == {"now"}


@pytest.mark.parametrize("is_rest_advised", [False, True])
def test_a_level_above_what_its_offer_has_keeps_its_dollars(
    make_case, make_load, make_offer, make_audit, is_rest_advised
) -> None:  # type: ignore[no-untyped-def]
    """40 GPUs for a year, of which the offer has 24 at $2.25: 16 are by half-year orders at $3."""
    key = (Pool.TRAINING, "H100")
    around = frozenset({key}) if is_rest_advised else frozenset()
    scenario = Scenario(name="By hand", hand_layers={key: (HandLayer(12, 40),)}, advised_around=around)
    offers = [make_offer("od", 0, 6.0), make_offer("y1", 12, 2.25, max_gpus=24), make_offer("m6", 6, 3.0)]
    made = make_case([make_load(Pool.TRAINING, [40.0] * 400)], [], offers, scenario, sigma=0.0)
    advice = advise(made.project, scenario, made.pools, make_audit())
    (plan,) = advice.pools
    assert [(layer.offer_id, layer.gpus, layer.rate) for layer in plan.layers] == [
        ("y1", 24.0, 2.25),
        ("m6", 16.0, 3.0),
    ]
    assert advice.totals.plan == pytest.approx(730 * (24 * 2.25 + 16 * 3))
    assert None not in [month.plan_usd for month in advice.comparison]
    assert advice.totals.savings_vs_do_nothing is not None
    (beyond,) = plan.by_hand.beyond
    assert (beyond.term_months, beyond.gpus, beyond.offered_gpus) == (12, 40, 24)
    assert "40 GPUs" in str(plan.note) and "24" in str(plan.note)
    assert "y1" not in str(plan.note)


def test_layers_by_hand_that_are_no_whole_blocks_keep_their_size(busy_month, make_audit) -> None:  # type: ignore[no-untyped-def]
    made = busy_month(block=4, contracts=False)
    key = (Pool.INFERENCE, "H100")
    scenario = Scenario(name="By hand", hand_layers={key: (HandLayer(36, 5), HandLayer(12, 30))})
    advice = advise(made.project, scenario, made.pools, make_audit())
    plan = next(plan for plan in advice.pools if (plan.pool, plan.gpu_model) == key)
    assert [(x.term_months, x.offer_id, x.gpus) for x in plan.layers] == [
        (36, "t36", 5.0),
        (12, "t12", 5.0),
        (12, "t12b", 25.0),
    ]
    assert plan.layers[0].utilization == pytest.approx(np.minimum(plan.demand.residual_gpus, 5).mean() / 5)
    assert close(advice.comparison[0].plan_usd, advice.totals.plan)


def test_a_hand_layer_of_a_term_that_nobody_offers_has_no_price(busy_month, make_audit) -> None:  # type: ignore[no-untyped-def]
    made = busy_month(contracts=False)
    scenario = Scenario(name="By hand", hand_layers={(Pool.INFERENCE, "H100"): (HandLayer(24, 2),)})
    advice = advise(made.project, scenario, made.pools, make_audit())
    plan = next(plan for plan in advice.pools if plan.by_hand.is_set)
    assert (plan.layers[0].term_months, plan.layers[0].rate, plan.cost_per_month) == (24, None, None)
    assert advice.totals.plan is None
    assert advice.comparison[0].plan_usd is None


@pytest.mark.parametrize("seed", range(3))
def test_in_a_still_market_with_one_term_it_is_the_newsvendor(
    make_case, make_load, make_offer, make_audit, seed
) -> None:  # type: ignore[no-untyped-def]
    demand = np.random.default_rng(seed).integers(0, 20, HOURS).astype(float)
    committed, flex = 2.5, 6.0
    made = make_case(
        [make_load(Pool.INFERENCE, demand)],
        offers=[make_offer("c", 12, committed), make_offer("od", 0, flex)],
        lambda_=0.0,
        delta=0.0,
        wacc=0.0,
        sigma=0.0,
    )
    advice = advise(made.project, PLAN, made.pools, make_audit())
    level = advice.pools[0].layers[0].gpus
    cost = {k: committed * k + flex * np.maximum(demand - k, 0).mean() for k in range(21)}
    assert advice.totals.plan == pytest.approx(730 * min(cost.values()), rel=1e-12)
    assert level == next(k for k in range(21) if (demand <= k).mean() >= 1 - committed / flex)


def test_a_window_of_a_week_leaves_only_terms_of_a_month(
    make_case, make_load, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 6.88), make_offer("t1", 1, 4.0), make_offer("t36", 36, 1.0)]
    made = make_case([make_load(Pool.TRAINING, [4.0] * 168)], offers=offers)
    advice = advise(made.project, PLAN, made.pools, make_audit())
    assert [layer.term_months for layer in advice.pools[0].layers] == [1]
    assert "no_long_terms" in {check.code for check in advice.checks}
    assert "a month" in str(advice.pools[0].note)


def test_an_unknown_rate_leaves_every_total_with_it_unknown(
    make_case, make_load, make_contract, make_audit
) -> None:  # type: ignore[no-untyped-def]
    made = make_case([make_load(Pool.TRAINING, [4.0] * 400)], [make_contract("k", 2, None, 30, 400)])
    advice = advise(made.project, PLAN, made.pools, make_audit(None))
    known = {
        name: usd for name, usd in totals_entry(advice.totals).items() if "usd" in name and usd is not None
    }
    assert known == {
        "unused_now_usd_per_month": 10.0
    }  # as the audit of this test has it; no price: nothing to sign
    assert advice.pools[0].cost_per_month is None and advice.workload_usd == {"c1/team/load-000": None}
    assert advice.pools[0].demand.mean_gpus == 4.0 and advice.pools[0].layers[0].gpus == 2.0
    assert "no advice" in str(advice.pools[0].note)


def test_no_jobs_and_no_contracts_is_an_answer_too(make_case, make_load, make_contract, make_audit) -> None:  # type: ignore[no-untyped-def]
    idle = make_case([make_load(Pool.TRAINING, [0.0] * 200)], [make_contract("k", 2, 3.0, 30, 200)])
    advice = advise(idle.project, PLAN, idle.pools, make_audit())
    assert advice.pools == () and advice.workload_usd == {"c1/team/load-000": 0.0}
    assert advice.totals.plan == pytest.approx(2 * 3 * 730)
    assert advice.idle_existing[0].gpus == 2.0
    assert advice.totals.effective_savings_rate is None


def test_unknown_demand_of_several_models_is_shared_by_the_hour(
    make_case, make_load, make_contract, make_offer, make_audit
) -> None:  # type: ignore[no-untyped-def]
    day, night = [2.0, 0.0] * 200, [0.0, 6.0] * 200
    made = make_case(
        [make_load(Pool.BURST, day, None), make_load(Pool.BURST, night, None)],
        [make_contract("a", 4, 1.0, None, 400, gpu_model="A100"), make_contract("h", 4, 2.0, None, 400)],
        [make_offer("od", 0, 6.0)],
    )
    advice = advise(made.project, PLAN, made.pools, make_audit())
    assert {plan.gpu_model: plan.demand.mean_gpus for plan in advice.pools} == {"A100": 3.0, "H100": 1.0}
    # by day all is A100; at night two of six GPUs are H100
    assert advice.workload_usd["c1/team/load-000"] == pytest.approx(730 * 1 * 1.0)
    assert advice.workload_usd["c1/team/load-001"] == pytest.approx(730 * (2 * 1.0 + 1 * 2.0))
    assert {c.subject for c in advice.checks if c.code == "unknown_model_planned"} == {"A100", "H100"}


def test_a_row_whose_offer_has_no_more_gpus_says_so(make_case, make_load, make_offer, make_audit):  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 7.0), make_offer("a", 12, 2.0, max_gpus=3), make_offer("b", 12, 2.5)]
    made = make_case([make_load(Pool.INFERENCE, [8.0] * 700)], (), offers)
    (row,) = advise(made.project, made.project.scenarios[0], made.pools, make_audit()).pools
    assert {layer.offer_id: layer.gpus for layer in row.layers} == {"a": 3.0, "b": 5.0}
    assert str(row.note).startswith("a: ") and "3 GPUs" in str(row.note)


@pytest.mark.parametrize(("nodes", "usd"), [(None, 730 * 12.0), (1, 730 * 12.0), (2, None)])
def test_doing_nothing_rents_for_jobs_of_one_node_where_a_network_is_missing(
    make_case, make_load, make_offer, make_audit, nodes, usd
) -> None:  # type: ignore[no-untyped-def]
    made = make_case(
        [make_load(Pool.TRAINING, [2.0] * 200, nodes=nodes)],
        (),
        [make_offer("od", 0, 6.0, interconnect="roce")],
    )
    totals = advise(made.project, made.project.scenarios[0], made.pools, make_audit()).totals
    assert totals.do_nothing == (None if usd is None else pytest.approx(usd))
