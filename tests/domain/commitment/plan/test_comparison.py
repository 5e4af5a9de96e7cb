"""Where savings come from: five steps that add up to the plan less today, the same as the oracle's."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.cli.documents.plan import plan_document
from gpuplanner.domain.commitment.plan import comparison
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.comparison import (
    STEPS,
    Horizon,
    changes_between,
    cost_lines,
    differing_assumptions,
    from_today,
    horizons_of,
    saved_share,
    step_usd,
    worths,
)
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.edits.plans import asked_apart, set_assumption
from gpuplanner.domain.evaluation import Evaluation, audit_project, evaluate
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.state.view_state import next_view_state
from gpuplanner.ui.why.plan_answers import plan_evidence
from tests.oracle.comparison import advice_of
from tests.oracle.projects import Case, random_case
from tests.some_of import one_in, some_of
from tests.ui.plans_world import plans_project

# --- Where savings come from: five steps that add up to the plan less today

CENT_USD = 0.005


def steps_of(case):  # type: ignore[no-untyped-def]
    advice = advice_of(case)
    project, pools, _ = case.on_board
    return advice, outlook(project, case.plan, pools, advice).savings_steps


@pytest.mark.parametrize("half_life_days", some_of([None, 3.0], quick=1))
@pytest.mark.parametrize("seed", some_of([0, *range(5, 12)], quick=1))
def test_steps_add_up_to_the_cent(seed: int, half_life_days: float | None) -> None:
    case = random_case(seed, hours=170, horizon=8)
    case.assumptions = replace(case.assumptions, recency_half_life_days=half_life_days)
    advice, steps = steps_of(case)
    assert tuple(one.step for one in steps) == STEPS
    totals, amounts = advice.totals, [one.usd_per_month for one in steps]
    if None not in amounts:
        assert sum(amounts) == pytest.approx(-totals.savings, abs=CENT_USD)
        assert sum(amounts[2:]) == pytest.approx(-totals.savings_vs_do_nothing, abs=CENT_USD)


def case_of(seed: int, **settings: object) -> Case:
    """A log without contracts, of one cluster; 4 GPUs are on demand for 5 $, for less with a term."""
    # a few days of log stand for months
    still = {"slices_lived": False, "demand_fall_closes": False, "recency_half_life_days": None}
    case = Case(200, horizon_months=24, sigma=0.0, **still, **settings)
    for number, pool in enumerate(("training", "inference", "burst")):
        levels = [(seed * 7 + number * 5 + h // 20) % 6 for h in range(200)]
        levels[0] = max(levels[0], 1)  # none began inside the window
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
    case = Case(400, horizon_months=12, recency_half_life_days=0.5)
    case.workload("a", "gone", "burst", [10] * 200 + [0] * 200)
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


# --- Horizons: twelve months add up, the question's change is the plan less the plan before it, the same
# in all media

ASKED = "Plan A \u00b7 what if"


@pytest.fixture(scope="module")
def question() -> Evaluation:
    project = plans_project()
    project = asked_apart(project, set_assumption(project, "Plan A", "growth", 0.1), "Plan A")
    return evaluate(project, ASKED, read_tables())


def test_growth_costs_more_over_twelve_months_whatever_next_month_does(question: Evaluation) -> None:
    assert question.advice is not None
    rows = {row.horizon: row for row in horizons_of(question.advice, question.before)}
    assert (rows[Horizon.TWELVE_MONTHS].changed or 0) > 0
    assert (rows[Horizon.MONTH_12].changed or 0) > 0
    alone = evaluate(question.project, "Plan A", read_tables())
    assert alone.before is None
    assert alone.advice is not None
    for row in horizons_of(alone.advice, None):
        assert (row.before, row.changed) == (None, None)
        assert row.plan == rows[row.horizon].before


def test_a_document_reconciles_with_the_months_of_its_comparison(question: Evaluation) -> None:
    document = plan_document(question)
    months, totals = document["comparison"], document["totals"]
    next_month, last, twelve = document["horizons"]
    assert [row["horizon"] for row in document["horizons"]] == ["next_month", "month_12", "twelve_months"]
    assert next_month["plan_usd"] == totals["plan_usd_per_month"]
    assert next_month["savings_vs_do_nothing_usd"] == totals["savings_vs_do_nothing_usd_per_month"]
    assert last["plan_usd"] == months[11]["plan_usd"]
    for name in ("plan_usd", "do_nothing_usd"):
        assert twelve[name] == pytest.approx(sum(month[name] for month in months), abs=1e-6)
    for row in document["horizons"]:
        assert row["change_usd"] == row["plan_usd"] - row["before_usd"]
        assert row["savings_vs_do_nothing_usd"] == row["do_nothing_usd"] - row["plan_usd"]


@pytest.mark.parametrize(
    ("saved", "nothing", "share"),
    [
        (5.0, 20.0, 0.25),
        (0.0, 20.0, 0.0),
        (None, 20.0, None),
        (5.0, None, None),
        (0.0, 0.0, None),
        (-5.0, 5.0, -1.0),
        (-9.0, 0.01, None),
    ],
)
def test_what_is_saved_is_a_share_of_doing_nothing(
    saved: float | None, nothing: float | None, share: float | None
) -> None:
    assert saved_share(saved, nothing) == share


def test_savings_are_unknown_where_the_plan_serves_less_than_doing_nothing(question: Evaluation) -> None:
    advice = question.advice
    assert advice is not None
    poorer = replace(advice, totals=replace(advice.totals, savings_vs_do_nothing=None), unserved=(object(),))  # type: ignore[arg-type]
    assert all(row.saved is None and row.do_nothing for row in horizons_of(poorer, None))


def test_why_says_what_is_shown_and_rows_arrive_at_it(question: Evaluation) -> None:
    evidence = plan_evidence(next_view_state(None, question), None)
    assert question.advice is not None
    for row in horizons_of(question.advice, question.before):
        shown = {"plan": row.plan, "nothing": row.do_nothing, "before": row.before, "saved": row.saved}
        for kind, value in {**shown, "change": row.whole_changed}.items():
            trace = answer(evidence, f"ahead_{kind}::{row.horizon.value}")
            assert trace.value == pytest.approx(value, abs=0.5)
            assert trace.figure_id == f"ahead_{kind}::{row.horizon.value}"


def test_rows_of_the_gpus_paid_for_add_up_where_a_layer_begins_within_the_month(question: Evaluation) -> None:
    advice = question.advice
    assert advice is not None
    layer = next(
        layer for row in advice.pools for layer in row.layers if not layer.existing and layer.mean_gpus
    )
    late = replace(layer, paid_hours=layer.paid_hours / 2)
    pools = tuple(
        replace(row, layers=tuple(late if one is layer else one for one in row.layers))
        for row in advice.pools
    )
    later = replace(question, advice=replace(advice, pools=pools))
    trace = answer(plan_evidence(next_view_state(None, later), None), "plan_gpus::")
    assert trace.value == pytest.approx(sum(row.values[0] for row in trace.rows))


# --- Two plans held against each other: lines, steps from today and changes add up to what they explain

HOURS = 24 * 14
A = Scenario(name="A")
B = Scenario(
    name="B",
    assumptions={"lambda": 0.04, "demand_inference": 1.5},
    hand_layers={(Pool.TRAINING, "H100"): (HandLayer(36, 3),)},
    price_case=PriceCase.MID,
)


@pytest.fixture
def world(make_case, make_load, make_contract, make_offer):  # type: ignore[no-untyped-def]
    hour = np.arange(HOURS)
    loads = [
        make_load(Pool.TRAINING, 6.0 * (hour % 24 < 14)),
        make_load(Pool.INFERENCE, 5.0 + hour % 7),
        make_load(Pool.INFERENCE, 2.0 + hour % 3, None),
        make_load(Pool.BURST, 3.0 * (hour % 5 == 0), "A100", cluster="c2", longest_job_s=3600),
        make_load(Pool.BURST, 2.0 * (hour % 3 == 0), longest_job_s=3600),
    ]
    rows = [
        make_contract("k1", 7, 3.0, 9, HOURS),
        make_contract("k2", 2, 1.5, 4, HOURS, gpu_model="A100", cluster="c2"),
    ]
    offers = [
        make_offer("t12", 12, 3.6, max_gpus=5),
        make_offer("t36", 36, 2.9),
        make_offer("od", 0, 6.88),
        make_offer("od-a", 0, 3.0, gpu_model="A100"),
        make_offer("spot", 0, 2.2, pricing_category=PricingCategory.DYNAMIC),
    ]
    return make_case(loads, rows, offers)


MOVED = (Pool.TRAINING, Pool.BURST, Pool.INFERENCE, Pool.BURST, Pool.INFERENCE)


def test_lines_add_up_to_the_plan_and_their_differences_to_the_difference(world, make_audit) -> None:  # type: ignore[no-untyped-def]
    plans = [
        advise(world.project, plan, pools, make_audit()) for plan, pools in ((A, world.pools), (B, MOVED))
    ]
    lines = [cost_lines(plan) for plan in plans]
    for plan, line in zip(plans, lines, strict=True):
        assert sum(line.values()) == pytest.approx(plan.totals.plan)
    keys = {*lines[0], *lines[1]}
    assert sum(lines[1].get(key, 0.0) - lines[0].get(key, 0.0) for key in keys) == pytest.approx(
        plans[1].totals.plan - plans[0].totals.plan
    )
    assert {kind for line in lines for _, kind in line} >= {"existing", "committed", "on demand", "spot"}


def test_steps_from_today_arrive_at_the_plan(world) -> None:  # type: ignore[no-untyped-def]
    audit = audit_project(world.project, read_tables())
    steps = from_today(audit, advise(world.project, B, MOVED, audit), MOVED)
    assert steps.today - steps.unused_now + sum(steps.pools.values()) + steps.other + steps.unused_plan == (
        pytest.approx(steps.plan)
    )
    assert steps.other == pytest.approx(0.0, abs=0.01)  # every dollar of today is a workload's, or unused


@pytest.mark.parametrize("alone", one_in(4, [0, 1, 6]))
def test_changes_lead_from_one_plan_to_the_other_and_are_worth_the_difference(
    world, make_audit, alone
) -> None:  # type: ignore[no-untyped-def]
    def usd(plan: Scenario, pools: tuple[Pool, ...]) -> float:
        return advise(world.project, plan, pools, make_audit()).totals.plan

    changes = changes_between(world.project, (A, world.pools), (B, MOVED), alone)
    assert (changes[-1].pools, replace(changes[-1].scenario, start=B.start)) == (MOVED, B)
    moved = [key for change in changes for key in change.keys]
    assert sorted(moved) == sorted(
        workload.key
        for workload, one, other in zip(world.project.workloads, world.pools, MOVED, strict=True)
        if one is not other
    )
    assert [change.what for change in changes if not change.keys] == ["assumptions", "levels"]
    begin = usd(A, world.pools)
    found = worths(begin, changes, lambda change: usd(change.scenario, change.pools))
    assert sum(one.worth_per_month for one in found) == pytest.approx(usd(B, MOVED) - begin)
    assert changes_between(world.project, (A, world.pools), (replace(A, name="x"), world.pools)) == ()


def test_what_is_unknown_stays_unknown(world) -> None:  # type: ignore[no-untyped-def]
    changes = changes_between(world.project, (A, world.pools), (B, MOVED))
    found = worths(10.0, changes, lambda change: None if change is changes[1] else 5.0)
    assert [one.worth_per_month for one in found[:4]] == [-5.0, None, None, 0.0]


def test_only_assumptions_that_differ_are_named(world) -> None:  # type: ignore[no-untyped-def]
    assert differing_assumptions(world.project, (A, B)) == (
        ("lambda", (None, 0.04)),
        ("demand_inference", (1.0, 1.5)),
    )
    assert differing_assumptions(world.project, (A, A)) == ()


def test_a_limit_that_two_plans_do_not_share_is_a_step_of_its_own(world) -> None:  # type: ignore[no-untyped-def]
    plan = Scenario(name="Plan B")
    limited = replace(plan, name="Plan C", only={world.project.workloads[0].key: Only("one")})
    (step,) = changes_between(world.project, (plan, world.pools), (limited, world.pools))
    assert str(step.what) == "only" and step.scenario.plans_as(limited)


def test_steps_from_today_say_what_is_unknown_and_no_more(world) -> None:  # type: ignore[no-untyped-def]
    audit = audit_project(world.project, read_tables())
    advice = advise(world.project, B, MOVED, audit)
    training = next(one for one in audit.workloads if MOVED[0] is Pool.TRAINING and one.usd_per_month)
    some = tuple(replace(one, usd_per_month=None) if one is training else one for one in audit.workloads)
    known, steps = from_today(audit, advice, MOVED), from_today(replace(audit, workloads=some), advice, MOVED)
    assert (steps.pools[Pool.TRAINING], steps.other) == (None, None)
    assert {pool: usd for pool, usd in steps.pools.items() if pool is not Pool.TRAINING} == {
        pool: usd for pool, usd in known.pools.items() if pool is not Pool.TRAINING
    }


@given(st.lists(st.none() | st.floats(0, 1e6), min_size=6, max_size=6))
def test_a_step_is_unknown_where_either_of_its_ends_is(ends: list[float | None]) -> None:
    steps = comparison.make_steps(
        *(comparison.StepEnd(usd, "" if usd is not None else "no rate") for usd in ends)
    )
    for before, after, step in zip(ends[:-1], ends[1:], steps, strict=True):
        if before is None or after is None:
            assert step.usd_per_month is None and step.unknown
        else:
            assert step.usd_per_month == pytest.approx(after - before)
