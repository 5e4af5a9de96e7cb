"""Until a plan's outlook is there once, the window shows no savings, 12 months or decisions of it as final."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.result import WholeDecisions
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.ui.decisions.page_rows import page_rows
from gpuplanner.ui.present.presenter import presented
from gpuplanner.ui.state.headline_figures import HeadlineFigure, figures_of
from gpuplanner.ui.state.headline_horizons import in_horizon
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from tests.ui.sample_world import evaluation_of, sample_project

PROJECT = sample_project()
PLAN = PROJECT.scenarios[0].name


def undecided() -> Evaluation:
    """A plan whose whole decisions have never been tried."""
    evaluation = evaluation_of(PROJECT, PLAN, 2)
    assert evaluation.advice is not None
    return replace(evaluation, advice=replace(evaluation.advice, is_settling=True, whole_decisions=None))


def after_an_edit() -> Evaluation:
    """The plan after an edit, with the whole decisions of before it: its spend is another one."""
    advice = undecided().advice
    assert advice is not None and advice.totals.plan is not None
    totals = replace(advice.totals, plan=advice.totals.plan + 1_000.0)
    return replace(undecided(), advice=replace(advice, totals=totals, whole_decisions=WholeDecisions()))


def headline(shown: ViewState, horizon: Horizon) -> tuple[HeadlineFigure, ...]:
    return in_horizon(figures_of(shown), shown, horizon)


def plans(shown: ViewState, horizon: Horizon) -> list[str]:
    return [figure.plan for figure in headline(shown, horizon)]


@pytest.mark.parametrize("horizon", Horizon)
def test_a_plan_that_was_never_decided_shows_no_figure_of_its_own(horizon: Horizon) -> None:
    shown = next_view_state(None, undecided())
    assert shown.advice is None and shown.evaluation.advice is None and not shown.usd
    figures = headline(shown, horizon)
    assert {figure.plan for figure in figures} == {"Calculating…"}
    assert all(figure.is_calculating and not figure.is_good for figure in figures)
    settled = headline(next_view_state(shown, evaluation_of(PROJECT, PLAN)), horizon)
    assert [figure.now for figure in figures] == [figure.now for figure in settled]
    assert [figure.unit for figure in figures] == [figure.unit for figure in settled]
    assert "Calculating…" not in [figure.plan for figure in settled]


@pytest.mark.parametrize(
    ("horizon", "is_known"),
    [
        (Horizon.NEXT_MONTH, [True, False, True, True, True]),
        (Horizon.MONTH_12, [False, False, True, True, True]),
        (Horizon.TWELVE_MONTHS, [False, False, False, True, True]),
    ],
)
def test_before_its_outlook_only_the_first_month_of_a_decided_plan_is_known(
    horizon: Horizon, is_known: list[bool]
) -> None:
    shown = next_view_state(None, evaluation_of(PROJECT, PLAN, 2))
    assert shown.advice is not None and shown.is_calculating
    assert [plan != "Calculating…" for plan in plans(shown, horizon)] == is_known


def test_decisions_and_pages_wait_for_the_outlook() -> None:
    shown = next_view_state(None, evaluation_of(PROJECT, PLAN, 2))
    assert not page_rows(shown, ()) and presented(shown).advice is None
    settled = next_view_state(shown, evaluation_of(PROJECT, PLAN))
    assert page_rows(settled, ()) and presented(settled).advice is not None


def test_after_an_edit_the_earlier_figures_stay_muted_until_the_plan_is_decided() -> None:
    """Contracts were imported: the plan's whole decisions start anew."""
    settled = next_view_state(None, evaluation_of(PROJECT, PLAN))
    shown = next_view_state(settled, undecided())
    assert shown.advice is settled.advice and shown.outlook is settled.outlook
    for horizon in Horizon:
        figures = headline(shown, horizon)
        assert [figure.plan for figure in figures] == plans(settled, horizon)
        assert all(figure.is_settling for figure in figures)


def test_after_an_edit_figures_with_the_decisions_of_before_are_muted() -> None:
    settled = next_view_state(None, evaluation_of(PROJECT, PLAN))
    shown = next_view_state(settled, after_an_edit())
    spend, *others = headline(shown, Horizon.NEXT_MONTH)
    assert spend.plan != plans(settled, Horizon.NEXT_MONTH)[0]
    assert all(figure.is_settling and not figure.is_calculating for figure in (spend, *others))


def test_what_no_outlook_will_tell_is_said_at_once() -> None:
    """Without a rate the plan's dollars stay unknown: nobody waits for them."""
    evaluation = evaluation_of(PROJECT, PLAN, 2)
    assert evaluation.advice is not None
    totals = replace(evaluation.advice.totals, plan=None, savings_vs_do_nothing=None)
    shown = next_view_state(None, replace(evaluation, advice=replace(evaluation.advice, totals=totals)))
    assert not any(figure.is_calculating for figure in headline(shown, Horizon.NEXT_MONTH))


def test_today_waits_for_no_plan() -> None:
    shown = next_view_state(None, evaluation_of(PROJECT, TODAY, 1))
    assert not shown.is_calculating
    assert not any(figure.is_calculating for figure in figures_of(shown))
