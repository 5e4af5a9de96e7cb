"""What settling adds to a promised change, and the whole decisions that explain it."""

from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.plan.settled_change import SettledChange, decided_otherwise, settled_change
from gpuplanner.domain.commitment.result import ComparisonMonth
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import (
    advise_plan,
    advise_soon,
    evaluate_figures,
    settle_plan,
    with_decisions,
)
from gpuplanner.domain.model.plan.scenario import WholeDecisions, WholeDollars, WholeMinimum
from gpuplanner.domain.model.tables import POOLS, Pool
from tests.domain.random_worlds import evaluation_of

YEAR, NEXT_MONTH = Horizon.TWELVE_MONTHS, Horizon.NEXT_MONTH
ENDS = WholeDecisions(ends=(("held", 86_400),))


def plan_of(usd: float | None, decisions: WholeDecisions | None = None) -> Any:
    """Return a plan that costs so much next month, and in all its months, $."""
    month = ComparisonMonth(
        month=0, start_s=0, do_nothing_usd=0.0, contracts_usd=usd, orders_usd=0.0, use_usd=0.0
    )
    totals = SimpleNamespace(plan=usd, do_nothing=0.0, savings_vs_do_nothing=1.0)
    return SimpleNamespace(totals=totals, comparison=[month], unserved=(), whole_decisions=decisions)


def test_a_plan_that_settles_otherwise_says_by_how_much_and_why() -> None:
    found = settled_change(YEAR, plan_of(1000.0), plan_of(9417.0), plan_of(9000.0, ENDS))
    assert found is not None
    assert (found.promised.whole_changed, found.added.whole_changed) == (8417, -417)
    assert [str(reason) for reason in found.reasons] == ["held then ends"]
    assert found.promised.horizon is YEAR


@pytest.mark.parametrize(
    ("promised", "added", "is_said"),
    [
        (8_000.0, 100.0, False),  # no more than $100
        (8_000.0, -100.5, True),
        (20_000.0, 199.0, False),  # no more than 1% of the change
        (-20_000.0, 201.0, True),
        (0.0, 101.0, True),
        (None, 500.0, False),
    ],
)
def test_only_over_one_percent_and_a_hundred_dollars_is_said(
    promised: float | None, added: float, is_said: bool
) -> None:
    after = None if promised is None else 50_000.0 + promised
    now = plan_of(None if after is None else after + added, ENDS)
    assert (settled_change(NEXT_MONTH, plan_of(50_000.0), plan_of(after), now) is not None) is is_said


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (WholeDecisions(), WholeDecisions(), []),
        (WholeDecisions(), ENDS, ["held then ends"]),
        (ENDS, WholeDecisions(), ["held then runs on"]),
        (ENDS, WholeDecisions(ends=(("held", 2 * 86_400),)), ["held then ends on 3 Jan 1970"]),
        (
            WholeDecisions(),
            WholeDecisions(
                minima=(WholeMinimum(0, "o", Pool.BURST, 2), WholeMinimum(0, "o", Pool.TRAINING, 6))
            ),
            ["8 GPUs of o are then ordered"],
        ),
        (
            WholeDecisions(minima=(WholeMinimum(0, "o", Pool.BURST, 2),)),
            WholeDecisions(),
            ["o is then not ordered"],
        ),
        (
            WholeDecisions(minima=(WholeMinimum(0, "o", Pool.BURST, 2),)),
            WholeDecisions(minima=(WholeMinimum(9, "o", Pool.BURST, 2),)),
            ["o is then ordered for other pools or days"],
        ),
        (WholeDecisions(), WholeDecisions(dollars=(WholeDollars(0, "d", 1250),)), ["d is then $13 per hour"]),
        (WholeDecisions(dollars=(WholeDollars(0, "d", 1250),)), WholeDecisions(), ["d is then not ordered"]),
    ],
)
def test_each_whole_decision_that_differs_is_named(
    before: WholeDecisions, after: WholeDecisions, words: list[str]
) -> None:
    assert [str(reason) for reason in decided_otherwise(before, after)] == words


def test_a_move_of_a_random_project_that_settles_otherwise_is_explained() -> None:
    """A move makes the order of an offer's minimum not worth its cost, which only settling finds."""
    evaluation = evaluation_of("random 0 stated")
    project, name = evaluation.project, evaluation.scenario
    before = advise_plan(project, evaluation.figures)
    figures = with_decisions(evaluation.figures, before.whole_decisions)

    def change_by(key: str, pool: Pool) -> SettledChange | None:
        moved = move_workloads(project, name, [key], pool)
        after = evaluate_figures(moved, name, evaluation.audit, figures)
        promised = advise_soon(moved, after)
        return settled_change(YEAR, before, promised, settle_plan(moved, after, promised))

    moves = ((card.key, pool) for card in figures.cards for pool in POOLS)
    change = next(filter(None, (change_by(*move) for move in moves)))
    assert change.reasons
    assert change.promised.changed is not None and change.added.changed is not None
    both = change.promised.changed + change.added.changed
    assert both == pytest.approx(change.added.plan - change.promised.before, abs=0.01)
