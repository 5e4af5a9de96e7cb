"""Where savings come from: five steps that add up to the plan less today, the same as the oracle's."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.comparison.savings import STEPS, step_usd
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.model.pool import Pool
from tests.oracle.comparison import advice_of
from tests.oracle.crafted import CRAFTED
from tests.oracle.new_worlds import new_world, rules_the_engine_has
from tests.oracle.projects import Case, random_case
from tests.oracle.steps import savings_steps
from tests.some_of import some_of

CENT_USD = 0.005


def steps_of(case):  # type: ignore[no-untyped-def]
    advice = advice_of(case)
    project, pools, _ = case.on_board
    return advice, outlook(project, case.plan, pools, advice).savings_steps


@pytest.mark.parametrize("half_life_days", some_of([None, 3.0], quick=1))
@pytest.mark.parametrize("seed", some_of([0, *range(5, 12)], quick=1))
def test_steps_add_up_to_the_cent_and_are_those_of_the_oracle(
    seed: int, half_life_days: float | None
) -> None:
    case = random_case(seed, hours=170, horizon=8)
    case.assumptions = replace(case.assumptions, recency_half_life_days=half_life_days)
    advice, steps = steps_of(case)
    assert tuple(one.step for one in steps) == STEPS
    expected = savings_steps(case.project, case.scenario, case.pools, case.classes, case.beyond)
    for one in steps:
        assert one.usd_per_month == pytest.approx(expected[one.step], abs=0.01), one.step
    totals, amounts = advice.totals, [one.usd_per_month for one in steps]
    if None not in amounts:
        assert sum(amounts) == pytest.approx(-totals.savings, abs=CENT_USD)
        assert sum(amounts[2:]) == pytest.approx(-totals.savings_vs_do_nothing, abs=CENT_USD)


@pytest.mark.parametrize("name", some_of(["on_demand_rows", "moved"], quick=1))
def test_crafted_projects(name: str) -> None:
    case = CRAFTED[name]()
    _, steps = steps_of(case)
    expected = savings_steps(case.project, case.scenario, case.pools, case.classes, case.beyond)
    assert {one.step: one.usd_per_month for one in steps} == pytest.approx(expected, abs=0.01)


@pytest.mark.parametrize("seed", [9, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 4, 6))])
def test_worlds_with_limits(seed: int) -> None:
    """Limits hold in every plan of it; where the plan serves less than doing nothing, nothing is compared with it."""
    case = new_world(seed, rules_the_engine_has())
    advice, steps = steps_of(case)
    expected = savings_steps(case.project, case.scenario, case.pools, case.classes, case.beyond)
    is_comparable = advice.totals.savings_vs_do_nothing is not None
    for one in steps:
        if is_comparable or one.step in ("demand", "ending"):
            assert one.usd_per_month == pytest.approx(expected[one.step], abs=0.01), one.step
        else:
            assert one.usd_per_month is None


def case_of(seed: int, **settings: object) -> Case:
    """A log without contracts, of one cluster; 4 GPUs are on demand for 5 $, for less with a term."""
    # a few days of log stand for months
    still = {"slices_lived": False, "demand_fall_closes": False, "recency_half_life_days": None}
    case = Case(200, horizon_months=24, sigma=0.0, **still, **settings)
    for number, pool in enumerate(("training", "inference", "burst")):
        levels = [(seed * 7 + number * 5 + h // 20) % 6 for h in range(200)]
        case.workload("a", f"w{number}", pool, levels, longest_job_s=3600)
    case.offer("od", 0, 5)
    case.offer("c6", 6, 3.4)
    case.offer("c12", 12, 2.9)
    return case


@pytest.mark.parametrize("seed", range(4))
def test_terms_never_cost_where_nothing_limits_them(seed: int) -> None:
    _, steps = steps_of(case_of(seed, growth=0.0))
    terms = step_usd(steps, "terms")
    assert terms is not None
    assert terms <= CENT_USD
    assert step_usd(steps, "spot") == 0  # nobody offers any
    assert step_usd(steps, "demand") == 0


def test_what_fell_away_by_itself_is_the_demand_step() -> None:
    """Half of the log without demand since: today's log cost it, next month does not, and the plan did nothing."""
    case = Case(200, horizon_months=12, recency_half_life_days=0.5)
    case.workload("a", "gone", "burst", [10] * 100 + [0] * 100)
    case.workload("a", "stays", "burst", 2)
    case.offer("od", 0, 5)
    advice, steps = steps_of(case)
    assert step_usd(steps, "demand") == pytest.approx(-730 * 5 * 5, rel=0.02)
    assert advice.totals.savings_vs_do_nothing == pytest.approx(0, abs=CENT_USD)
    assert [one.usd_per_month for one in steps[2:]] == pytest.approx([0, 0, 0], abs=CENT_USD)


def test_demand_that_is_planned_as_a_multiple_is_in_the_demand_step() -> None:
    case = case_of(1, demand=2.0)
    advice, steps = steps_of(case)
    current = advice.totals.today
    assert step_usd(steps, "demand") == pytest.approx(current)
    assert step_usd(steps, "ending") == pytest.approx(0, abs=CENT_USD)


def test_spot_is_a_step_of_its_own() -> None:
    case = case_of(2)
    case.offer("spot", "spot", 1)
    _, steps = steps_of(case)
    spot = step_usd(steps, "spot")
    assert spot is not None
    assert spot < -1


def test_a_step_with_an_unknown_end_is_unknown() -> None:
    case = Case(200, horizon_months=12)
    case.workload("a", "w", "burst", 2)
    case.contract("k", "a", 1, None)
    case.offer("od", 0, 5)
    _, steps = steps_of(case)
    assert [one.usd_per_month for one in steps] == [None] * 5
    assert all(str(one.unknown) for one in steps)


def test_under_a_budget_the_steps_say_why_they_are_unknown() -> None:
    case = case_of(1)
    case.assumptions = replace(case.assumptions, budget_usd_per_month=1.0)
    steps = steps_of(case)[1]
    assert step_usd(steps, "demand") is not None
    assert "budget" in str(next(one for one in steps if one.step == "terms").unknown)


def test_where_nobody_said_what_work_is_it_stays_where_it_is() -> None:
    case = case_of(3)
    advice = replace(advice_of(case), classes=())
    found = outlook(case.project, case.scenario, tuple(Pool(p) for p in case.pool_of_each), advice)
    assert step_usd(found.savings_steps, "separation") == 0
