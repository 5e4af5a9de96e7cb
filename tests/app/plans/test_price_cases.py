"""Price cases in a thread: the plans of the engine, kept while only the case of the plan moves, made anew otherwise."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.app.plans.price_cases import PriceCases
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.edits.plans import set_greenfield, set_price_case
from gpuplanner.domain.evaluation import Evaluation, evaluate_figures
from gpuplanner.domain.model.book.offer import PRICE_CASES, PriceCase
from tests.files.workbook.evaluations import evaluation_of, two_clusters_with_layers


@pytest.fixture(scope="module")
def evaluation():
    case = two_clusters_with_layers()
    case.offers = [replace(one, rate_low=one.rate_usd_per_gpu_hour * Decimal("0.8")) for one in case.offers]
    return evaluation_of(case)


@pytest.fixture
def service():
    made = PriceCases()
    yield made
    made.close()


def after(evaluation: Evaluation, edit) -> Evaluation:
    """The evaluation after an edit of its plan, as far as figures."""
    project = edit(evaluation.project)
    figures = evaluate_figures(project, evaluation.scenario, evaluation.audit)
    return Evaluation(project=project, scenario=evaluation.scenario, audit=evaluation.audit, figures=figures)


def answer(qtbot, service, evaluation):
    with qtbot.waitSignal(service.answered) as told:
        service.ask(evaluation)
    return told.args[0]


def test_the_answer_is_the_engines_plan_in_each_case(qtbot, service, evaluation):
    cases = answer(qtbot, service, evaluation)
    plan, pools = evaluation.figures.basis.plan, evaluation.figures.workload_pools
    for case, found in zip(PRICE_CASES, cases, strict=True):
        told = advise(evaluation.project, replace(plan, price_case=case), pools, evaluation.audit)
        assert (found.case, found.plan_usd_per_month) == (case, told.totals.plan)


def test_choosing_a_case_asks_for_nothing_new(qtbot, service, evaluation):
    first = answer(qtbot, service, evaluation)
    low = after(evaluation, lambda project: set_price_case(project, project.scenarios[0].name, PriceCase.LOW))
    assert answer(qtbot, service, low) is first
    assert not service.is_busy


def test_another_plan_is_worked_out_anew(qtbot, service, evaluation):
    first = answer(qtbot, service, evaluation)
    green = after(evaluation, lambda project: set_greenfield(project, project.scenarios[0].name, True))
    other = answer(qtbot, service, green)
    assert other is not first
    assert [one.plan_usd_per_month for one in other] != [one.plan_usd_per_month for one in first]
