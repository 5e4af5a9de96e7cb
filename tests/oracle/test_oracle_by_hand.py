"""The oracle itself against figures worked out by hand, brute force and a linear program."""

import math
import random

import pytest

from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.oracle.first_rules import of_first_rules
from tests.oracle import brute_force, linear_program
from tests.oracle.offers import lost_share
from tests.oracle.policy import expected, levels, middle_path, solve_slice, step_chances
from tests.oracle.projects import MONTH_S, Case, random_case
from tests.oracle.simulator import simulate


def run(case):
    """Worlds of a few days by the first version's rules; those that came later have their worlds in the other file."""
    of_first_rules(case)
    return simulate(case.project, case.scenario, case.pools, case.classes, case.beyond)


def half(hours, gpus):
    """So many GPUs in the first half of the hours, none in the second."""
    return [gpus] * (hours // 2) + [0] * (hours // 2)


def orders_in(answer):
    """{(offer, term, start, reason): (GPUs, order_by)} of a world of one pool and model."""
    return {key[2:]: (row.gpus, row.order_by) for key, row in answer.orders.items()}


def layers_of(group):
    return [(layer.term_months, layer.offer_id, layer.gpus) for layer in group.layers]


def test_nothing_to_sign_costs_what_doing_nothing_costs():
    case = Case(200)
    case.workload("a", "run", "training", half(200, 10))
    case.contract("k", "a", 4, 2)
    case.offer("od", 0, 5)
    answer = run(case)
    assert layers_of(answer.groups[0]) == [(None, None, 2.0), (0, "od", 6)]
    assert answer.idle == {"H100": (2.0, 2920.0)}
    assert answer.plan == pytest.approx(730 * (2 * 4 + 3 * 5))
    assert answer.totals.do_nothing == pytest.approx(16_790)
    assert answer.totals.current == pytest.approx(16_790)
    assert answer.totals.effective_utilization_plan == pytest.approx(5 / 7)
    assert answer.totals.on_demand_equivalent == pytest.approx(730 * 5 * 5)


def test_two_months_by_hand():
    """r_flex 4, one-month 3, two-month 2: a slice busy 60% pays 730 x min(2.4, 3) or 730 x 2 for both months."""
    offers = {1: Rate(3.0, 1), 2: Rate(2.0, 2)}
    value, choice = solve_slice(lambda t, j: 0.6, lambda t: offers, 4.0, 1, 2, 0.0, 0.0, 0.0, 0.0)
    assert value[1][0] == pytest.approx(
        730 * 2.0
    )  # past the horizon the two-month term pays for one month only
    assert value[0][0] == pytest.approx(730 * 4.0)
    assert [step[0] for step in middle_path(choice, 2)] == [0, 0]


class Rate:
    """An offer of a rate and a term."""

    def __init__(self, rate, term_months):
        self.rate, self.term_months = rate, term_months


def test_the_expected_level_stays_one():
    steps = step_chances(0.1)
    level = {j: math.exp(j * 0.1 * math.sqrt(3)) for j in levels(0.1)}
    assert expected(level, steps, 10)[0] == pytest.approx(1.0, abs=1e-12)
    assert sum(chance for _, chance in steps[10]) == pytest.approx(1.0)


@pytest.mark.parametrize(("nodes", "lost"), [(1, 0.1146), (4, 0.3958), (16, 1.5208)])
def test_spot_loses_more_on_more_nodes(nodes, lost):
    assert lost_share(90_000, nodes, Case().assumptions) == pytest.approx(lost, abs=5e-5)


def test_unknown_demand_takes_the_model_that_serves_it_and_the_rest_that_of_the_largest_row():
    case = Case(200)
    case.workload("a", "mystery", "burst", 5, model=None)
    case.workload("a", "run", "training", 1, model="H100")
    case.contract("k1", "a", 2, 1, model="H100")
    case.contract("k2", "a", 1, 2, model="A100")
    case.contract("k3", "a", 9, 5, model="L40S", pricing_category=PricingCategory.STANDARD, ends=-1)
    case.offers_of("H100", 5, {})
    case.offers_of("A100", 5, {})
    case.offers_of("L40S", 5, {})
    answer = run(case)
    assert {(g.pool, g.model): g.mean_gpus for g in answer.groups} == {
        ("training", "H100"): 1.0,
        ("burst", "H100"): 1.0,
        ("burst", "A100"): 1.0,
        ("burst", "L40S"): 3.0,
    }


def test_a_contract_that_ends_is_renewed_by_the_first_commitment_of_its_month():
    case = Case(200, sigma=0, delta=0, **{"lambda": 0})
    case.workload("a", "chat", "inference", 4)
    case.contract("k", "a", 3, 2, ends=5.5, term_months=12, notice_days=45)
    case.offers_of("H100", 6, {6: 2.0})
    answer = run(case)
    end_s = case.project.window.end_s
    ends_s = end_s + round(5.5 * MONTH_S)
    assert orders_in(answer) == {
        ("c06-H100", 6, end_s, "now"): (1, end_s),
        ("c06-H100", 6, ends_s, "contract_end"): (3, ends_s - 45 * 86_400),
        ("c06-H100", 6, end_s + 6 * MONTH_S, "follows"): (1, end_s + 6 * MONTH_S),
        ("c06-H100", 6, end_s + 11 * MONTH_S, "follows"): (3, end_s + 11 * MONTH_S),
    }
    assert answer.verdicts["k"] == ("shorten", 6, 3, end_s + round(5.5 * MONTH_S) - 45 * 86_400)


def test_one_term_and_no_uncertainty_is_the_newsvendor():
    r = random.Random(5)
    hourly = [r.randrange(12) for _ in range(200)]
    case = Case(200, sigma=0, delta=0, wacc=0, **{"lambda": 0})
    case.workload("a", "chat", "inference", hourly)
    case.offers_of("H100", 5, {1: 3.1})
    (group,) = run(case).groups
    committed = sum(layer.gpus for layer in group.layers if layer.term_months)
    assert committed == brute_force.newsvendor_level(hourly, 1, 3.1, 5)


def test_month_0_of_the_comparison_is_the_plan():
    for seed in range(3):
        answer = run(random_case(seed, hours=170, horizon=12))
        month = answer.comparison[0]
        assert month.plan.usd == pytest.approx(answer.plan, abs=1e-6)
        assert month.do_nothing == pytest.approx(answer.totals.do_nothing, abs=1e-6)
        assert sum(answer.workload_usd.values()) == pytest.approx(sum(g.usd_per_month for g in answer.groups))


def test_separate_pools_without_contracts_pay_for_their_own_peaks():
    case = Case(200, sigma=0, delta=0, **{"lambda": 0})
    case.workload("a", "day", "inference", [2 * (h % 2) for h in range(200)])
    case.workload("a", "night", "training", [2 * (1 - h % 2) for h in range(200)])
    case.offers_of("H100", 5, {12: 2.6}, bare_metal=True)
    answer = run(case)
    assert answer.plan == pytest.approx(730 * 2 * 5)
    assert answer.cost_of_separation == pytest.approx(730 * 2 * (5 - 2.6))


@pytest.mark.parametrize(
    ("sigma", "horizon", "terms"), [(0, 6, (1, 2, 4)), (0, 5, (3,)), (0.2, 3, (1, 2)), (0.4, 3, (2,))]
)
def test_the_recursion_is_the_best_of_all_policies(sigma, horizon, terms):
    r = random.Random(horizon)
    for _ in range(2):
        busy = {(t, j): r.random() for t in range(horizon) for j in range(-10, 11)}
        rates = {term: r.uniform(1, 4) for term in terms}
        world = (r.choice([0.0, 0.1]), r.choice([0.0, 0.05, -0.1]), 0.1, sigma)
        offers = {term: Rate(rate, term) for term, rate in rates.items()}
        value, _ = solve_slice(lambda t, j, u=busy: u[t, j], lambda t, o=offers: o, 4.0, 2, horizon, *world)
        best = brute_force.least_cost(lambda t, j, u=busy: u[t, j], rates, 4.0, 2, horizon, *world)
        assert value[0][0] == pytest.approx(best, rel=1e-12)


def test_with_common_starts_the_recursion_is_the_linear_program():
    r = random.Random(11)
    for starts in ([0], [0, 6]):
        for lambda_, delta in ((0.0, 0.0), (0.02, 0.03)):
            demand = [[r.randrange(5) for _ in range(30)] for _ in range(12)]
            rates = {6: r.uniform(2, 3), 12: r.uniform(1.5, 2.5)}
            offers = {term: Rate(rate, term) for term, rate in rates.items()}
            total = 0.0
            for k in range(1, 5):
                busy = [sum(min(max(gpus - k + 1, 0), 1) for gpus in month) / 30 for month in demand]
                value, _ = solve_slice(
                    lambda t, j, u=busy: u[t],
                    lambda t, o=offers, s=starts: o if t in s else {},
                    4.0,
                    1,
                    12,
                    lambda_,
                    delta,
                    0.1,
                    0.0,
                )
                total += value[0][0]
            assert linear_program.least_cost(
                demand, rates, 4.0, starts, lambda_, delta, 0.1
            ) == pytest.approx(total)


def test_a_pinned_contract_leaves_other_pools_alone():
    case = Case(200)
    case.workload("a", "chat", "inference", 1)
    case.workload("a", "run", "training", 3)
    case.contract("free", "a", 1, 2)
    case.contract("pinned", "a", 5, 1, pool=Pool.INFERENCE)
    case.offers_of("H100", 5, {})
    answer = run(case)
    assert {g.pool: [layer.gpus for layer in g.layers] for g in answer.groups} == {
        "inference": [1.0],
        "training": [1.0, 2],
    }
    assert answer.idle["H100"][0] == 4.0
