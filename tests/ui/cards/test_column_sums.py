"""The headings of the board: three pools, and what stands idle beside them, come to the plan as it is written."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.layers import idle_dollars
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import evaluate, evaluate_figures
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.board.menu import BoardCards
from gpuplanner.ui.cards.board_view import BoardView, largest_hours
from gpuplanner.ui.state.view_state import lane_of_card, lane_sums, next_view_state
from gpuplanner.ui.words.glossary import LANES, Lane, lane_of
from tests.oracle.projects import random_case
from tests.some_of import some_of


@pytest.mark.parametrize("seed", some_of(range(8), quick=3))
def test_pools_and_idle_gpus_make_the_plan_in_whole_dollars(seed: int) -> None:
    project = random_case(seed).project
    shown = next_view_state(None, evaluate(project, project.scenarios[0].name, tables=read_tables()))
    assert shown.advice is not None
    lanes = {lane: [card for card in shown.cards if lane_of_card(card) is lane] for lane in LANES}
    sums = lane_sums(shown, lanes)
    written = [sums[lane_of(pool)].whole_usd_per_month for pool in POOLS]
    total = known_sum([*written, *idle_dollars(shown.advice)])
    plan = shown.advice.totals.plan
    if plan is not None:
        assert total == round(plan)
    for pool in POOLS:
        heading = sums[lane_of(pool)]
        if heading.usd_per_month is not None:
            assert abs(heading.whole_usd_per_month - heading.usd_per_month) <= 2


@pytest.mark.long
def test_sums_kept_of_columns_that_a_move_left_alone_are_those_added_up_afresh() -> None:
    project = random_case(3).project
    plan = project.scenarios[0].name
    kept = BoardCards()
    for number in range(9):
        shown = next_view_state(None, evaluate(project, plan, tables=read_tables()))
        made = kept.arrange(shown, BoardView())
        lanes = {lane: list(cards) for lane, cards in made.everything.items()}
        assert made.sums == lane_sums(shown, lanes)
        assert made.largest == {lane: largest_hours(cards) for lane, cards in lanes.items()}
        still = replace(shown, is_settling=True)  # the moment after the drop: cards moved, dollars as before
        moved = move_workloads(project, plan, (project.workloads[number % 3].key,), POOLS[number % 2])
        figures = evaluate_figures(moved, plan, shown.evaluation.audit, shown.evaluation.figures)
        still = replace(
            still, evaluation=replace(shown.evaluation, project=moved, figures=figures), cards=figures.cards
        )
        after = kept.arrange(still, BoardView())
        afresh = lane_sums(still, {lane: list(cards) for lane, cards in after.everything.items()})
        for (
            lane,
            sums,
        ) in after.sums.items():  # what left and came is taken away and added: dollars but for their dust
            exact = replace(sums, usd_per_month=afresh[lane].usd_per_month)
            assert exact == afresh[lane]
            assert sums.usd_per_month == pytest.approx(afresh[lane].usd_per_month, abs=1e-6)
        assert after.largest == {lane: largest_hours(cards) for lane, cards in after.everything.items()}
        project = moved


def test_review_knows_whether_its_cards_count_in_their_likely_pools() -> None:
    project = random_case(3).project
    shown = next_view_state(None, evaluate(project, project.scenarios[0].name, tables=read_tables()))
    likely = [replace(card, in_review=True, pool=card.classification.pool) for card in shown.cards]
    other = next(pool for pool in POOLS if pool is not likely[0].pool)
    empty = {lane: [] for lane in LANES}
    for cards, are_likely in ((likely, True), ([replace(likely[0], pool=other), *likely[1:]], False)):
        assert lane_sums(shown, {**empty, Lane.REVIEW: cards})[Lane.REVIEW].are_likely is are_likely
