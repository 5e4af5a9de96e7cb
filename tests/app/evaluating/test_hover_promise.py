"""A hover promises the headline: what a move changes, in each period, to the cent, over random projects and moves."""

import random
from dataclasses import replace
from functools import cache, partial

import pytest

from gpuplanner.app.evaluating.evaluation_steps import (
    EvaluationSteps,
    MovePreview,
    completed_by,
    previewed_by,
)
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.comparison import Horizon, changes_of, plan_usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import (
    Evaluation,
    advise_costs,
    advise_plan,
    advise_soon,
    evaluate_figures,
    outlook_plan,
)
from gpuplanner.domain.model.tables import POOLS
from tests.domain.random_worlds import STATED, evaluation_of
from tests.shown import class_lines

CENT = 0.01
WORLDS = [
    f"{maker} {seed}{stated}"
    for maker in ("random", "edge", "new")
    for seed in (2, 3)
    for stated in ("", STATED)
]
"""Half of them have whole decisions to make: contracts that may renew, and minima."""


@cache
def settled(name: str) -> Evaluation:
    """Return a world with its settled advice."""
    evaluation = evaluation_of(name)
    return replace(evaluation, advice=advise_plan(evaluation.project, evaluation.figures))


def steps() -> EvaluationSteps:
    """Return the product's steps of a preview, with a cache of their own."""
    known = AdviceCache()

    def no_audit(*_: object) -> object:
        raise AssertionError("a preview needs no audit")

    return EvaluationSteps(
        audit=no_audit,  # type: ignore[arg-type]
        figures=evaluate_figures,
        advise=partial(advise_soon, cache=known),
        outlook=outlook_plan,
        advise_costs=partial(advise_costs, cache=known),
    )


def move_of(evaluation: Evaluation, seed: int) -> MovePreview:
    """Return a random move of one to three cards to a pool."""
    chance = random.Random(seed)
    cards = evaluation.figures.cards
    keys = [card.key for card in chance.sample(cards, min(len(cards), chance.choice((1, 1, 2, 3))))]
    return MovePreview(frozenset(keys), chance.choice(POOLS))


def headline(advice: Advice) -> list[float | None]:
    return [plan_usd_in(advice, horizon) for horizon in Horizon]


@pytest.mark.parametrize("name", WORLDS)
def test_a_hover_is_the_headline_after_the_drop_less_the_one_before(name: str) -> None:
    before = settled(name)
    for seed in (1, 2):
        request = move_of(before, seed)
        preview = previewed_by(steps(), before, request)
        assert preview.advice is not None and request.pool is not None
        hover = [row.changed for row in changes_of(before.advised, preview.advice).values()]
        dropped = move_workloads(before.project, before.scenario, request.keys, request.pool)
        figures = evaluate_figures(dropped, before.scenario, before.audit, before.figures)
        after = headline(advise_plan(dropped, figures))
        for change, then, now in zip(hover, headline(before.advised), after, strict=True):
            if then is None or now is None:
                assert change is None
            else:
                assert change == pytest.approx(now - then, abs=CENT)


def test_some_of_these_moves_change_each_period_otherwise() -> None:
    """Else the law could not fail: a hover of the next month alone would keep it."""
    changes = []
    for name in WORLDS:
        preview = previewed_by(steps(), settled(name), move_of(settled(name), 1))
        assert preview.advice is not None
        changes.append(
            [row.whole_changed for row in changes_of(settled(name).advised, preview.advice).values()]
        )
    assert sum(len(set(each)) == len(Horizon) for each in changes) >= 3


@pytest.mark.parametrize("name", WORLDS[:4])
def test_what_a_hover_shows_is_a_part_of_the_advice_to_the_bit(name: str) -> None:
    evaluation = settled(name)
    costs = advise_costs(evaluation.project, evaluation.figures)
    whole = advise_soon(evaluation.project, evaluation.figures)
    assert (costs.cards, costs.checks, costs.workload_usd) == (None, (), {})
    left_out = {"cards": None, "checks": (), "workload_usd": {}, "energy": costs.energy}
    assert class_lines(costs) == class_lines(replace(whole, **left_out))


def test_a_completed_preview_is_the_advice_after_the_drop() -> None:
    before = settled(WORLDS[1])
    preview = previewed_by(steps(), before, move_of(before, 1))
    advised = completed_by(steps(), preview)
    assert preview.advice is not None and advised.advice is not None
    assert preview.advice.cards is None and advised.advice.cards is not None
    assert advised.plan is preview.project.scenario(before.scenario)
    assert headline(advised.advice) == headline(preview.advice)
