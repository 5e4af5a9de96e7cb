"""The headings of the board: three pools and idle contracts come to the spend as it is written."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.comparison import mean_usd
from gpuplanner.domain.edits.plans import set_assumption
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.evaluation import evaluate, evaluate_figures
from gpuplanner.domain.evidence.plan.plan_answers import answer
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.board.menu import BoardCards
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.card_dates import card_dates
from gpuplanner.ui.cards.column_rows import largest_hours
from gpuplanner.ui.state.view_state import idle_rows, lane_of_card, lane_sums, next_view_state
from gpuplanner.ui.why.plan_answers import plan_evidence
from gpuplanner.ui.words.lanes import LANES, Lane, lane_of
from gpuplanner.ui.words.numbers import date, short_date
from tests.arrived import arrived
from tests.golden.projects import PROJECTS
from tests.golden.readings import project_of
from tests.oracle.projects import random_case
from tests.some_of import some_of


def agrees(project: Project) -> None:
    """Columns and idle contracts are the spend, and Why of each card, column and tile gives the figure shown."""
    shown = next_view_state(None, evaluate(project, project.scenarios[0].name, tables=read_tables()))
    assert shown.advice is not None and shown.costs is not None
    sums = lane_sums(
        shown, {lane: [card for card in shown.cards if lane_of_card(card) is lane] for lane in LANES}
    )
    written = [sums[lane_of(pool)].whole_usd_per_month for pool in POOLS]
    idle, rows = idle_rows(shown, sums)
    months = [month.plan_usd for month in shown.advice.comparison]
    if (plan := known_sum(months)) is not None:
        assert shown.spend_usd == pytest.approx(plan / len(months))
        assert known_sum([*written, idle]) == round(plan / len(months))
        assert known_sum(usd for _, usd in rows) == idle
        exact = known_sum([*shown.usd.values(), *shown.idle_usd.values()])
        assert exact == pytest.approx(plan / len(months), abs=0.01)
        assert all(usd is None or usd > -0.01 for usd in shown.idle_usd.values())
    evidence = plan_evidence(shown, None)
    figures = {
        figure("column_idle"): known_sum(shown.idle_usd.values()),
        figure("mean_spend"): shown.spend_usd,
    }
    figures |= {figure("mean_idle"): mean_usd(shown.costs.unused_usd)}
    for pool in POOLS:
        figures[figure("column_usd", pool.value)] = sums[lane_of(pool)].usd_per_month
        figures[figure("column_hours", pool.value)] = sums[lane_of(pool)].gpu_hours_per_month
    for card in shown.cards:
        figures[figure("card_usd", card.key)] = shown.usd[card.key]
        figures[figure("card_hours", card.key)] = card.gpu_hours_per_month
    for figure_id, value in figures.items():
        trace = answer(evidence, figure_id)
        expected = None if value is None else pytest.approx(value, abs=1e-4)
        assert (trace.value, arrived(trace)) == (expected, expected), figure_id


@pytest.mark.parametrize("seed", some_of(range(20), quick=2))
def test_columns_and_idle_contracts_are_the_spend_and_why_agrees(seed: int) -> None:
    agrees(random_case(seed).project)


@pytest.mark.long
@pytest.mark.parametrize("name", [golden.name for golden in PROJECTS if golden.name != "log_alone"])
def test_columns_of_golden_projects_are_the_spend_and_why_agrees(name: str) -> None:
    agrees(project_of(name))


def test_an_ended_workload_says_its_last_day_and_costs_nothing() -> None:
    """Its last GPU-hour is 40 days before the end of the log: the plan expects none of it."""
    project = random_case(0).project
    shown = next_view_state(None, evaluate(project, project.scenarios[0].name, tables=read_tables()))
    assert shown.advice is not None and shown.costs is not None
    key, day_s = project.workloads[0].key, project.window.end_s - 40 * DAY_S
    costs = replace(shown.costs, gpu_hours={**shown.costs.gpu_hours, key: 0.0})
    ended = replace(
        project, workloads=(replace(project.workloads[0], last_end_s=day_s), *project.workloads[1:])
    )
    evaluation = replace(shown.evaluation, project=ended)
    gone = replace(shown, evaluation=evaluation, advice=replace(shown.advice, cards=costs))
    assert key not in card_dates(shown) and card_dates(gone)[key].is_over
    assert card_dates(gone)[key].texts == tuple(f"ended {on(day_s - 1)}" for on in (date, short_date))


def test_cards_are_the_same_whatever_was_shown_before() -> None:
    project = random_case(0).project
    plan, tables = project.scenarios[0].name, read_tables()
    shown = next_view_state(None, evaluate(project, plan, tables))
    key = project.workloads[0].key
    grown = set_assumption(move_workloads(project, plan, [key], POOLS[2]), plan, "growth", 0.05)
    for step in (move_workloads(project, plan, [key], POOLS[1]), grown):
        evaluation = evaluate(step, plan, tables)
        meanwhile = next_view_state(shown, replace(evaluation, advice=None))
        assert [card.pool for card in meanwhile.cards] == [card.pool for card in evaluation.figures.cards]
        shown = next_view_state(meanwhile, evaluation)
        assert shown.cards == next_view_state(None, evaluation).cards
    assert any(card.gpu_hours_per_month for card in shown.cards)


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
        # What left and came is taken away and added: sums but for their dust
        for lane, sums in after.sums.items():
            fresh = afresh[lane]
            added_up = ("usd_per_month", "gpu_hours_per_month")
            assert replace(sums, **{name: getattr(fresh, name) for name in added_up}) == fresh
            for name in added_up:
                assert getattr(sums, name) == pytest.approx(getattr(fresh, name), abs=1e-6)
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
