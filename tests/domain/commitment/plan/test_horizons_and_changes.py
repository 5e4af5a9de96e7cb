"""A plan held against today, doing nothing and another plan: steps, horizons, lines and changes, by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import SavingsStep
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.comparison import (
    COMMITTED,
    EXISTING,
    IDLE,
    LEAVES_DEMAND,
    NOTHING_LEAVES,
    NOTHING_NEEDS_RATE,
    ON_DEMAND,
    SPOT,
    STEPS,
    TODAY_NEEDS_RATE,
    UNDER_BUDGET,
    Change,
    Horizon,
    HorizonRow,
    busy_usd,
    changes_between,
    changes_of,
    compares_with_nothing,
    cost_lines,
    current_with_demand_of_month_0,
    from_today,
    horizons_of,
    is_priced_ahead,
    kinds_of,
    months_in,
    more_words,
    period_beside,
    savings_buy,
    savings_offered,
    savings_steps,
    step_usd,
    sum_in,
    worths,
)
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.result import Advice, ComparisonMonth, Layer
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS, IDLE_ENDED, Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from tests.domain.commitment.conftest import START_S, Case, Load, audit, case, contract, offer

HOURS = 800
BEGIN_S = START_S + HOURS * HOUR_S
A = Scenario(name="A")
CUTS = tuple(DEMAND_CUTS)
MIXED, DYNAMIC, STANDARD = PricingCategory.MIXED, PricingCategory.DYNAMIC, PricingCategory.STANDARD


def layer(usd: float | None, **values: Any) -> Layer:
    """What is paid by use, of 2 GPUs."""
    base = Layer(
        existing=False,
        pricing_category=STANDARD,
        term_months=0,
        offer_id="od",
        gpus=2.0,
        busy_gpus=2.0,
        rate=1.0,
        cost_per_month=usd,
        unused_per_month=0.0,
    )
    return replace(base, **values)


def advice_of(*layers: Layer, saved: float | None = 100.0, **values: Any) -> Any:
    row = SimpleNamespace(pool=Pool.TRAINING, layers=layers)
    totals = SimpleNamespace(savings_vs_do_nothing=saved)
    base = {"pools": (row,), "totals": totals, "idle_existing": (), "unserved": (), "comparison": ()}
    return SimpleNamespace(**(base | values))


# --- What the savings would buy


def test_savings_buy_gpu_hours_at_the_mean_rate_by_use() -> None:
    """$3,650 for 2 GPUs by use: $2.50 an hour, so that $100 buy 40 GPU-hours; existing and new layers do not count."""
    use = [layer(1460.0, busy_gpus=1.0), layer(2190.0, busy_gpus=1.0)]
    others = [layer(999.0, existing=True), layer(999.0, term_months=12), layer(999.0, busy_gpus=0.0)]
    buy = savings_buy(advice_of(*use, *others))
    assert (buy.by_use_per_month, buy.by_use_gpu_hours_per_month, buy.month_hours) == (3650.0, 1460.0, 730.0)
    assert (buy.marginal_rate, buy.bought_gpu_hours_per_month, buy.bought_gpus) == (
        2.5,
        40.0,
        pytest.approx(40 / 730),
    )
    assert buy.savings_vs_do_nothing == 100.0 and not buy.unknown


@pytest.mark.parametrize(
    ("layers", "saved", "is_known"),
    [
        ([layer(1460.0)], None, False),
        ([layer(1460.0)], 0.005, False),
        ([layer(1460.0)], 0.006, True),
        ([layer(1460.0)], -5.0, False),
        ([], 100.0, False),
        ([layer(None)], 100.0, False),
    ],
)
def test_why_savings_buy_nothing_that_is_known(
    layers: list[Layer], saved: float | None, is_known: bool
) -> None:
    buy = savings_buy(advice_of(*layers, saved=saved))
    assert (buy.bought_gpus is not None) is is_known is (not buy.unknown)


def test_each_reason_why_nothing_is_bought_is_its_own() -> None:
    given = [([layer(1.0)], None), ([layer(1.0)], 0.0), ([], 9.0), ([layer(None)], 9.0)]
    reasons = [savings_buy(advice_of(*layers, saved=saved)).unknown for layers, saved in given]
    assert len(set(map(str, reasons))) == 4


# --- Horizons


def months(*usd: tuple[float | None, float | None]) -> Any:
    """Of the plan and of doing nothing."""
    return [
        ComparisonMonth(
            month=at, start_s=0, do_nothing_usd=nothing, contracts_usd=plan, orders_usd=0.0, use_usd=0.0
        )
        for at, (plan, nothing) in enumerate(usd)
    ]


def ahead(*usd: tuple[float | None, float | None], **values: Any) -> Any:
    first = usd[0] if usd else (None, None)
    totals = SimpleNamespace(
        plan=first[0], do_nothing=first[1], savings_vs_do_nothing=values.pop("saved", 1.0)
    )
    return advice_of(totals=totals, comparison=months(*usd), **values)


def test_horizons_are_the_first_the_last_and_all_months() -> None:
    plan, before = ahead((10.0, 15.0), (20.0, 25.0), (40.0, 70.0)), ahead((9.0, 0.0), (9.0, 0.0), (50.0, 0.0))
    assert horizons_of(plan, before) == (
        HorizonRow(
            horizon=Horizon.NEXT_MONTH, do_nothing=15.0, plan=10.0, before=9.0, saved=5.0, changed=1.0
        ),
        HorizonRow(
            horizon=Horizon.MONTH_12, do_nothing=70.0, plan=40.0, before=50.0, saved=30.0, changed=-10.0
        ),
        HorizonRow(
            horizon=Horizon.TWELVE_MONTHS, do_nothing=110.0, plan=70.0, before=68.0, saved=40.0, changed=2.0
        ),
    )
    assert [row.changed for row in horizons_of(plan, None)] == [None] * 3
    unknown = horizons_of(ahead((10.0, None), (None, 25.0), (40.0, 70.0)), None)
    assert [(row.do_nothing, row.plan, row.saved) for row in unknown] == [
        (None, 10.0, None),
        (70.0, 40.0, 30.0),
        (None, None, None),
    ]


def test_a_change_is_the_later_spend_less_the_earlier_in_each_period() -> None:
    before, after = (
        ahead((569_744.90, 0.0), (1.0, 0.0), (9.4, 0.0)),
        ahead((574_757.77, 0.0), (1.0, 0.0), (5.6, 0.0)),
    )
    changes = changes_of(before, after)
    assert [row.changed for row in changes.values()] == pytest.approx([5012.87, -3.8, 5009.07])
    assert [row.whole_changed for row in changes.values()] == [5013, -3, 5009]  # 574,758 - 569,745; 6 - 9
    assert [row.whole_changed for row in changes_of(before, ahead()).values()] == [None] * 3


@pytest.mark.parametrize(
    ("shown", "first", "last", "beside"),
    [
        (Horizon.TWELVE_MONTHS, -350.0, 8767.0, Horizon.NEXT_MONTH),
        (Horizon.TWELVE_MONTHS, -350.0, 1.0, None),
        (Horizon.TWELVE_MONTHS, 0.4, 900.0, None),
        (Horizon.TWELVE_MONTHS, -5.0, 5.0, Horizon.NEXT_MONTH),
        (Horizon.MONTH_12, 5.0, -5.0, Horizon.NEXT_MONTH),
        (Horizon.NEXT_MONTH, 5.0, -9.0, Horizon.TWELVE_MONTHS),
        (Horizon.NEXT_MONTH, 0.0, 9.0, Horizon.TWELVE_MONTHS),
        (Horizon.NEXT_MONTH, 5.0, 9.0, None),
    ],
)
def test_another_period_is_shown_beside_only_where_the_signs_differ(
    shown: Horizon, first: float, last: float, beside: Horizon | None
) -> None:
    changes = changes_of(ahead((0.0, 0.0), (0.0, 0.0)), ahead((first, 0.0), (last, 0.0)))
    assert period_beside(shown, changes) is beside


def test_an_unknown_change_has_nothing_beside() -> None:
    changes = changes_of(ahead((0.0, 0.0), (None, 0.0)), ahead((5.0, 0.0), (5.0, 0.0)))
    assert [period_beside(shown, changes) for shown in Horizon] == [None] * 3


def test_savings_ahead_are_unknown_where_the_plan_serves_less() -> None:
    poorer = ahead((10.0, 15.0), saved=None, unserved=(1,))
    assert not compares_with_nothing(poorer)
    assert [(row.do_nothing, row.saved) for row in horizons_of(poorer, None)] == [(15.0, None)] * 3
    assert compares_with_nothing(ahead(saved=None)) and compares_with_nothing(ahead(unserved=(1,)))


def test_something_is_priced_ahead_where_one_of_both_is_known() -> None:
    assert is_priced_ahead(ahead((None, 5.0))) and is_priced_ahead(ahead((5.0, None)))
    assert not is_priced_ahead(ahead((None, None)))
    assert not is_priced_ahead(ahead())


def test_what_is_of_months_is_of_a_horizon() -> None:
    assert [months_in(horizon, [1, 2, 3]) for horizon in Horizon] == [[1], [3], [1, 2, 3]]
    sums = [PartSum(1.0, 1), PartSum(2.0, 2, ("B",)), PartSum(4.0, 1)]
    assert [sum_in(horizon, sums).known for horizon in Horizon] == [1.0, 4.0, 7.0]


@pytest.mark.parametrize(
    ("usd", "words"), [(0.49, None), (-0.49, None), (0.5, "$1 more"), (-1200.0, "$1,200 less")]
)
def test_more_or_less_or_nothing(usd: float, words: str | None) -> None:
    assert str(more_words(usd, worded("alike"))) == (words or "alike")


# --- Lines of a plan


@pytest.mark.parametrize(
    ("values", "kinds"),
    [
        ({"existing": True, "term_months": 12}, {EXISTING: 1.0}),
        ({"term_months": 12, "pricing_category": MIXED}, {COMMITTED: 1.0}),
        ({"pricing_category": MIXED, "spot_share": 0.25}, {ON_DEMAND: 0.75, SPOT: 0.25}),
        ({"pricing_category": DYNAMIC}, {SPOT: 1.0}),
        ({}, {ON_DEMAND: 1.0}),
    ],
)
def test_in_which_ways_a_layer_is_paid(values: dict[str, Any], kinds: dict[str, float]) -> None:
    assert kinds_of(layer(1.0, **values)) == kinds


def test_lines_of_a_plan_come_by_pool_and_way() -> None:
    mixed = layer(100.0, pricing_category=MIXED, spot_share=0.25)
    rows = (
        SimpleNamespace(pool=Pool.BURST, layers=(mixed, layer(10.0))),
        SimpleNamespace(pool=Pool.TRAINING, layers=(layer(None), layer(7.0, existing=True))),
    )
    idle = (SimpleNamespace(cost_per_month=4.0), SimpleNamespace(cost_per_month=5.0))
    lines = cost_lines(advice_of(pools=rows, idle_existing=idle))
    assert list(lines.items()) == [
        ((Pool.TRAINING, EXISTING), 7.0),
        ((Pool.TRAINING, ON_DEMAND), None),
        ((Pool.BURST, ON_DEMAND), 85.0),
        ((Pool.BURST, SPOT), 25.0),
        ((None, IDLE), 9.0),
    ]


def test_what_a_layer_costs_while_it_is_busy() -> None:
    assert busy_usd(layer(10.0, unused_per_month=3.0)) == 7.0
    assert busy_usd(layer(None)) is None and busy_usd(layer(10.0, unused_per_month=None)) is None


def test_steps_from_today_to_a_plan() -> None:
    """Today 100, of which 10 are unused; training from 50 to 45, bursts from 35 to 0, inference from 0 to 20, 4 unused

    in the plan of 80: 100 - 10 - 5 - 35 + 20 + 4 = 74, and 6 that are no workload's.
    """
    works = (
        SimpleNamespace(usd_per_month=20.0),
        SimpleNamespace(usd_per_month=30.0),
        SimpleNamespace(usd_per_month=35.0),
    )
    pools = (Pool.TRAINING, Pool.TRAINING, Pool.BURST)
    totals = SimpleNamespace(today=100.0, unused_now=10.0, unused_plan=4.0, plan=80.0)
    rows = (
        SimpleNamespace(pool=Pool.TRAINING, layers=(layer(40.0), layer(9.0, unused_per_month=4.0))),
        SimpleNamespace(pool=Pool.INFERENCE, layers=(layer(20.0),)),
    )
    today: Any = SimpleNamespace(workloads=works)
    steps = from_today(today, advice_of(pools=rows, totals=totals), pools)
    assert steps.pools == {Pool.TRAINING: -5.0, Pool.INFERENCE: 20.0, Pool.BURST: -35.0}
    assert (steps.today, steps.unused_now, steps.other, steps.unused_plan, steps.plan) == (100, 10, 6, 4, 80)
    for missing in ("today", "unused_now", "unused_plan", "plan"):
        partly = SimpleNamespace(**(vars(totals) | {missing: None}))
        assert from_today(today, advice_of(pools=rows, totals=partly), pools).other is None
    works[2].usd_per_month = None
    unknown = from_today(today, advice_of(pools=rows, totals=totals), pools)
    assert (
        unknown.pools[Pool.BURST] is None and unknown.pools[Pool.TRAINING] == -5.0 and unknown.other is None
    )


# --- Changes between two plans


def moved_world() -> Any:
    gpus = (1.0, 5.0, 3.0, 3.0)
    return case([Load(pool=Pool.TRAINING, gpus=[each] * 24) for each in gpus]).project


KEYS = [f"c1/team/load-00{number}" for number in range(4)]


@pytest.mark.parametrize(
    ("alone", "groups"),
    [
        (0, [[1, 2, 3, 0]]),
        (1, [[1], [2, 3, 0]]),
        (2, [[1], [2], [3, 0]]),
        (3, [[1], [2], [3], [0]]),  # never a single one together
        (6, [[1], [2], [3], [0]]),
    ],
)
def test_moves_come_largest_first_and_the_rest_together(alone: int, groups: list[list[int]]) -> None:
    """Of two alike by key."""
    before, after = (Pool.TRAINING,) * 4, (Pool.BURST,) * 4
    here = A
    changes = changes_between(moved_world(), (here, before), (Scenario(name="B"), after), alone)
    assert [[KEYS.index(key) for key in change.keys] for change in changes] == groups
    assert {(change.what, change.scenario.name) for change in changes} == {("move", "B")}
    assert changes[-1].pools == after
    first = [Pool.BURST if at in groups[0] else Pool.TRAINING for at in range(4)]
    assert changes[0].pools == tuple(first)


def test_changes_keep_those_before_them() -> None:
    pools = (Pool.TRAINING,) * 4
    goal = Scenario(name="B", assumptions={"growth": 0.1}, greenfield=True, notice_given=("k",))
    changes = changes_between(moved_world(), (A, pools), (goal, (Pool.BURST, *pools[1:])))
    assert [change.what for change in changes] == ["move", "assumptions", "contracts", "notices"]
    assert [change.scenario.greenfield for change in changes] == [False, False, True, True]
    assert all(change.pools[0] is Pool.BURST for change in changes)
    assert changes[-1].scenario.assumptions == {"growth": 0.1}


def test_worths_add_up_where_both_plans_are_known() -> None:
    changes = [Change(str(at), (), A, ()) for at in range(4)]
    usd = {"0": 12.0, "1": None, "2": 20.0, "3": 17.0}
    found = worths(10.0, changes, lambda change: usd[change.what])
    assert [(row.plan_before, row.plan_after, row.worth_per_month) for row in found] == [
        (10.0, 12.0, 2.0),
        (12.0, None, None),
        (None, 20.0, None),
        (20.0, 17.0, -3.0),
    ]


# --- Where savings come from


def kinds(*pools: Pool) -> tuple[Classification, ...]:
    return tuple(
        Classification(
            pool=pool, subtype="endpoint", confidence=0.9, reasons=(), runner_up=None, source="rule"
        )
        for pool in pools
    )


def steps_of(made: Case, advice: Advice, scenario: Scenario, classes: Any = (), offered: bool = False) -> Any:
    ground = ground_of(made.project, scenario, made.pools, AdviceCache(), classes)
    work_out = savings_offered if offered else savings_steps
    return work_out(made.project, ground, advice, AdviceCache())


def simple(scenario: Scenario = A, offers: Any = (), **values: Any) -> tuple[Case, Advice]:
    """4 H100 that train; $6 on demand, $3 for a year."""
    loads = values.pop("loads", None) or [Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)]
    rates = [offer("od", 0, 6.0), offer("y1", 12, 3.0), *offers]
    made = case(
        loads, values.pop("contracts", ()), rates, scenario, sigma=0.0, delta=0.0, lambda_=0.0, **values
    )
    return made, advise(made.project, scenario, made.pools, audit(4 * 6 * 730.0))


def test_steps_of_a_plan_that_signs_a_year_are_its_terms_alone() -> None:
    made, advice = simple()
    steps = steps_of(made, advice, A)
    assert tuple(step.step for step in steps) == STEPS
    assert [step.saved_per_month for step in steps] == pytest.approx([0.0, 0.0, 4 * 3 * 730, 0.0, 0.0])
    assert step_usd(steps, "terms") == pytest.approx(-4 * 3 * 730)
    assert step_usd(steps, "else") is None
    assert (
        step_usd([SavingsStep(step="terms", cost_before=1.0, cost_after=None, saved_per_month=None)], "terms")
        is None
    )


def test_spot_and_pools_are_steps_of_their_own() -> None:
    """Work that trains today is put in bursts, where spot at $1 serves it: without it $3 for the year."""
    spot = offer("spot", 0, 1.0, pricing_category=DYNAMIC)
    made, advice = simple(
        offers=[spot], loads=[Load(pool=Pool.BURST, gpus=[4.0] * HOURS, longest_job_s=3600)]
    )
    steps = steps_of(made, advice, A, kinds(Pool.TRAINING))
    assert step_usd(steps, "separation") == pytest.approx(0.0)
    assert step_usd(steps, "spot") == pytest.approx(advice.totals.plan - 4 * 3 * 730)
    assert step_usd(steps, "spot") < 0


def test_pools_that_are_apart_share_nothing() -> None:
    """4 GPUs in turn are 4 for a year at $2.50 today, in one pool of their cluster; apart 8, though half are busy."""
    loads = [
        Load(pool=Pool.TRAINING, gpus=[4.0, 0.0] * (HOURS // 2)),
        Load(pool=Pool.BURST, gpus=[0.0, 4.0] * (HOURS // 2), longest_job_s=3600),
    ]
    made, advice = simple(offers=[offer("y2", 12, 2.5)], loads=loads)
    steps = steps_of(made, advice, A, kinds(Pool.TRAINING, Pool.BURST))
    assert step_usd(steps, "separation") == pytest.approx(4 * 2.5 * 730) and step_usd(steps, "spot") == 0.0
    assert (
        step_usd(steps_of(made, advice, A), "separation") == 0.0
    )  # without classes nothing is known of today


def test_an_end_that_leaves_demand_or_lacks_a_rate_says_why() -> None:
    made, advice = simple(budget_usd_per_month=5000.0)
    whys = [step.unknown for step in steps_of(made, advice, A)]
    assert whys[2:] == [UNDER_BUDGET] * 3
    without = case([Load(pool=Pool.TRAINING, gpus=[4.0] * HOURS)], (), ())
    unpriced = advise(without.project, A, without.pools, audit(None))
    steps = steps_of(without, unpriced, A)
    assert [step.unknown for step in steps[:2]] == [TODAY_NEEDS_RATE] * 2
    assert steps[2].unknown == NOTHING_NEEDS_RATE
    only = Scenario(name="A", only={"c1/team/load-000": Only("Ada")})  # who sells nothing
    made, advice = simple(only)
    assert [step.unknown for step in steps_of(made, advice, only)][1] == NOTHING_LEAVES
    made, advice = simple(training_never_by_use=True, offers=[offer("y0", 12, 2.0, max_gpus=2)])
    two = [item for item in made.project.offers if item.offer_id != "y1"]
    made = replace(made, project=replace(made.project, offers=tuple(two)))
    advice = advise(made.project, A, made.pools, audit())
    assert steps_of(made, advice, A)[4].unknown == LEAVES_DEMAND


def test_what_a_cut_would_do_is_unknown_where_nobody_measured() -> None:
    """An endpoint that is held flat without activity: it is not cut, and three steps say so."""
    made, advice = simple(loads=[Load(pool=Pool.INFERENCE, gpus=[4.0] * HOURS)])
    steps = steps_of(made, advice, A, kinds(Pool.INFERENCE), offered=True)
    assert [step.step for step in steps] == list(DEMAND_CUTS)
    by_step = {step.step: step for step in steps}
    assert by_step[IDLE_ENDED].unmeasured == 0 and by_step[IDLE_ENDED].saved_per_month == 0.0
    others = [step for name, step in by_step.items() if name != IDLE_ENDED]
    for step in others:
        is_unknown = step.unmeasured > 0
        assert (step.saved_per_month is None) is is_unknown and bool(step.unknown) is is_unknown
        assert step.cost_before == advice.totals.plan
    accepted = steps_of(
        made, advice, Scenario(name="A", accepted=tuple(DEMAND_CUTS)), kinds(Pool.INFERENCE), offered=True
    )
    assert accepted == ()


def service(scenario: Scenario, contracts: Any = ()) -> tuple[Case, Any, Any]:
    """8 GPUs that serve at all hours, of which 40% is busy where 80% is the target: 4 would do. $6 on demand."""
    loads, offers = [Load(pool=Pool.INFERENCE, gpus=[8.0] * HOURS)], [offer("od", 0, 6.0)]
    made = case(loads, contracts, offers, scenario, sigma=0.0, delta=0.0)
    (work,) = made.project.workloads
    values = replace(made.project.assumptions, target_activity=0.8)
    project = replace(made.project, workloads=(replace(work, activity=0.4),), assumptions=values)
    made = replace(made, project=project)
    spent = audit(8 * 6 * 730.0)
    classes = kinds(Pool.INFERENCE)
    of = replace(
        spent, workloads=tuple(WorkloadToday(work.key, each, Pool.INFERENCE, None) for each in classes)
    )
    return made, advise(project, scenario, made.pools, of), classes


def test_a_saving_on_offer_is_what_the_plan_without_its_demand_saves() -> None:
    made, advice, classes = service(A)
    right, auto, idle = steps_of(made, advice, A, classes, offered=True)
    assert right.step == "right_size"
    assert (right.cost_before, right.cost_after) == pytest.approx((8 * 6 * 730, 4 * 6 * 730))
    assert right.saved_per_month == pytest.approx(4 * 6 * 730)
    # each hour needs as much, and there is no development
    assert [(step.saved_per_month, step.cost_before) for step in (auto, idle)] == [
        (0.0, pytest.approx(4 * 6 * 730))
    ] * 2
    assert [step.unmeasured for step in (right, auto, idle)] == [0, 0, 0]


def test_a_saving_under_a_contract_begins_when_the_contract_ends() -> None:
    """8 GPUs are paid for three months, whoever uses them; in the nine after them 4 are saved by use."""
    made, advice, classes = service(A, [contract("old", 8, 2.0, 3, HOURS)])
    right, auto, _ = steps_of(made, advice, A, classes, offered=True)
    assert (right.saved_per_month, right.usd_per_month) == (0.0, 0.0)
    assert right.saved_in_year == pytest.approx(9 * 4 * 6 * 730)
    assert auto.saved_in_year == 0.0


def test_a_saving_that_is_accepted_is_a_step_behind_the_others() -> None:
    """Who signs nothing has not accepted it: $35,040, and half of it in the plan."""
    accepted = replace(A, accepted=("right_size",))
    made, advice, classes = service(accepted)
    assert advice.totals.plan == pytest.approx(4 * 6 * 730) and advice.totals.do_nothing == pytest.approx(
        8 * 6 * 730
    )
    *steps, right = steps_of(made, advice, accepted, classes)
    assert [step.saved_per_month for step in steps] == pytest.approx([0.0] * 5)
    assert (right.step, right.saved_per_month) == ("right_size", pytest.approx(4 * 6 * 730))
    assert sum(step.saved_per_month for step in (*steps, right)) == pytest.approx(advice.totals.savings)
    ground = ground_of(made.project, accepted, made.pools, AdviceCache(), classes)
    means = [float(served.users[Pool.INFERENCE, "H100"].sum()) for served in (ground.plan, ground.nothing)]
    assert means[1] == 2 * means[0]


@pytest.mark.parametrize("has_last", [True, False])
@pytest.mark.parametrize(("unknown", "measured"), [(0, 0), (0, 1), (2, 1), (2, 0)])
def test_each_cut_begins_where_the_one_before_it_ends(
    has_last: bool, unknown: int, measured: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Right-sizing leaves 80 of 100 GPUs, autoscaling all of these, what is idle 50. A GPU costs $10; the plan with all
    of them is known to cost $499.
    """
    left = {(): 100, CUTS[:1]: 80, CUTS[:2]: 80, CUTS: 50}

    def gpus(_: Any, scenario: Scenario, *__: Any) -> Any:
        return SimpleNamespace(cube=SimpleNamespace(total=left[scenario.accepted]))

    def usd(_: Any, __: Any, of: Any, ___: Any) -> Any:
        return comparison.StepEnd(10.0 * left[of.scenario.accepted], "")

    monkeypatch.setattr(comparison, "with_accepted", gpus)
    monkeypatch.setattr(comparison, "_plan_usd", usd)
    monkeypatch.setattr(comparison, "flat_activities", lambda *_: [None] * unknown + [0.4] * measured)
    made, _ = simple()
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    last = comparison.StepEnd(499.0, "") if has_last else None
    found = list(
        comparison.make_cut_steps(
            made.project, ground, CUTS, comparison.StepEnd(1000.0, ""), last, AdviceCache()
        )
    )
    is_unknown, end = unknown > 0 == measured, 499.0 if has_last else 500.0
    before = 1000.0 if is_unknown else 800.0
    sized = (before, None, None) if is_unknown else (1000.0, 800.0, 200.0)
    scaled = (before, None, None) if is_unknown else (800.0, 800.0, 0.0)
    assert [(step.cost_before, step.cost_after, step.saved_per_month, step.unmeasured) for step in found] == [
        (*sized, unknown),
        (*scaled, unknown),
        (before, end, before - end, 0),
    ]
    assert [bool(step.unknown) for step in found] == [is_unknown, is_unknown, False]


# --- The log's hours as they count in the plan


def counted(gpus: list[float], scenario: Scenario = A, current: float | None = 7.0, **values: Any) -> Any:
    made = case(
        [Load(pool=Pool.TRAINING, gpus=gpus), *values.pop("loads", [])],
        (),
        [offer("od", 0, 6.0)],
        scenario,
        **values,
    )
    ground = ground_of(made.project, scenario, made.pools, AdviceCache())
    return current_with_demand_of_month_0(made.project, ground, current, AdviceCache())


def test_hours_of_the_log_count_as_in_the_plan() -> None:
    """4 GPUs at $6 an hour; 8 in the second half, which weighs more the fewer days a half life has."""
    flat, rising = [4.0] * HOURS, [4.0] * (HOURS // 2) + [8.0] * (HOURS // 2)
    assert counted(flat) == 7.0  # nothing changes it
    assert counted(flat, demand_training=1.5) == pytest.approx(1.5 * 4 * 6 * 730)
    assert 6 * 6 * 730 < counted(rising, recency_half_life_days=5.0) < 8 * 6 * 730
    assert counted(flat, recency_half_life_days=5.0) == pytest.approx(4 * 6 * 730)
    unpriced = case([Load(pool=Pool.TRAINING, gpus=flat)], (), (), demand=2.0)
    ground = ground_of(unpriced.project, A, unpriced.pools, AdviceCache())
    assert current_with_demand_of_month_0(unpriced.project, ground, 7.0, AdviceCache()) is None


def test_workloads_that_come_or_go_count_for_their_days() -> None:
    """Gone from the middle of the month on; a step that doubles it from a quarter on."""
    flat, key = [4.0] * HOURS, "c1/team/load-000"
    half = Scenario(name="A", spells={key: Spell(None, BEGIN_S + MONTH_S // 2)})
    assert counted(flat, half) == pytest.approx(0.5 * 4 * 6 * 730)
    doubled = Scenario(
        name="A", changes=(DemandChange(target=key, keys=(key,), factor=2.0, from_s=BEGIN_S + MONTH_S // 4),)
    )
    assert counted(flat, doubled) == pytest.approx((0.25 + 2 * 0.75) * 4 * 6 * 730)
    within = replace(doubled.changes[0], from_s=BEGIN_S + 2 * MONTH_S, by=True)
    assert counted(flat, Scenario(name="A", changes=(within,))) == pytest.approx(
        4 * 6 * 730
    )  # not yet in month 0


def test_planned_work_counts_beside_the_log_as_it_was_planned() -> None:
    """A run of 2 GPUs for 73 h is a tenth of the month; the demand of the log is doubled, that of the run is not."""
    work = PlannedWork(
        name="load-001",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=2.0,
        cluster="c1",
        team="team",
        length_hours=73,
    )
    scenario = Scenario(name="A", planned=(work,))
    # 20 h of it are in the cube of the log: all GPUs count around the clock while it runs
    loads = [Load(pool=Pool.TRAINING, gpus=[2.0] * 20 + [0.0] * (HOURS - 20))]
    assert counted([4.0] * HOURS, scenario, loads=loads) == pytest.approx(6 * 730 * (4 + 0.2))
    twice = counted([4.0] * HOURS, scenario, loads=loads, demand_training=2.0)
    assert twice == pytest.approx(6 * 730 * (8 + 0.2))
    for_good = Scenario(name="A", planned=(replace(work, length_hours=None),))
    whole = [Load(pool=Pool.TRAINING, gpus=[2.0] * HOURS)]
    assert counted([4.0] * HOURS, for_good, loads=whole) == pytest.approx(6 * 730 * 6)
    again = Scenario(name="A", planned=(replace(work, every_hours=365),))
    assert counted([4.0] * HOURS, again, loads=loads) == pytest.approx(6 * 730 * (4 + 0.4))


def test_a_contract_that_ends_is_a_step_beside_doing_nothing() -> None:
    """Half of the month 4 GPUs at $1; from then on all of it by use."""
    held = [contract("k", 4, 1.0, 0.5, HOURS)]
    made, advice = simple(contracts=held)
    assert advice.totals.do_nothing == pytest.approx(730 * (4 * 1 + 4 * 6) / 2)
    steps = steps_of(made, advice, A)
    assert step_usd(steps, "ending") == pytest.approx(advice.totals.do_nothing - advice.totals.today)
