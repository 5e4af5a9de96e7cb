"""Coverage: which slices another target commits or lets go, by hand."""

import pytest

from gpuplanner.domain.commitment.outlook_result import Coverage
from gpuplanner.domain.commitment.uncertainty.coverage import coverage_of
from gpuplanner.domain.model.assumptions import Assumptions
from tests.domain.commitment.conftest import contract, offer
from tests.domain.commitment.uncertainty.calm_world import OFFERS, world

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
