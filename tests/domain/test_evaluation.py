"""Figures of a plan after an edit are those that are worked out afresh, to the bit."""

import numpy as np
import pytest

from gpuplanner.domain.edits import workloads
from gpuplanner.domain.evaluation import evaluate_figures
from gpuplanner.domain.model.tables import POOLS, Pool
from tests.domain.random_worlds import evaluation_of

WORLD = "two_clusters"
PRETRAIN, CHAT = "alpha/team/pretrain", "alpha/team/chat"
EDITS = {
    "nothing": lambda project, plan: project,
    "a move": lambda project, plan: workloads.move_workloads(project, plan, (PRETRAIN,), Pool.BURST),
    "two moves": lambda project, plan: workloads.move_workloads(
        project, plan, (PRETRAIN, CHAT), Pool.INFERENCE
    ),
    "a pin": lambda project, plan: workloads.pin_workloads(project, plan, (CHAT,)),
}


@pytest.mark.parametrize("name", EDITS)
def test_figures_after_an_edit_are_those_made_afresh(name: str) -> None:
    before = evaluation_of(WORLD)
    after = EDITS[name](before.project, before.scenario)
    derived = evaluate_figures(after, before.scenario, before.audit, before.figures)
    afresh = evaluate_figures(after, before.scenario, before.audit)
    assert derived.cards == afresh.cards
    assert derived.pools == afresh.pools
    assert all(np.array_equal(derived.hourly[pool], afresh.hourly[pool]) for pool in POOLS)


def test_a_move_takes_the_card_along() -> None:
    before = evaluation_of(WORLD)
    after = EDITS["a move"](before.project, before.scenario)
    derived = evaluate_figures(after, before.scenario, before.audit, before.figures)
    pools = {card.key: card.pool for card in derived.cards}
    assert (pools[PRETRAIN], pools[CHAT]) == (Pool.BURST, Pool.INFERENCE)
