"""Contracts that never ran in the window of the log are not said to be well used, nor to be missing."""

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain.evaluation import Evaluation, evaluate_audit
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.audit.contracts import ContractsCard
from gpuplanner.ui.audit.hours import HoursCard
from gpuplanner.ui.kit.theme import LIGHT
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.words.contracts_that_ran import none_under_40
from tests.ui.audit_world import audit_evaluation

YEARS_S = 20 * 365 * 86_400


@pytest.fixture(scope="module")
def evaluation(tmp_path_factory: pytest.TempPathFactory) -> Evaluation:
    return audit_evaluation(tmp_path_factory.mktemp("ran"))


def begun_later(evaluation: Evaluation, count: int) -> ViewState:
    """The same world with the first contracts begun long after the log."""
    contracts = tuple(
        replace(
            row,
            start_s=row.start_s + YEARS_S,
            end_s=None if row.end_s is None else row.end_s + YEARS_S,
        )
        if at < count
        else row
        for at, row in enumerate(evaluation.project.contracts)
    )
    project = replace(evaluation.project, contracts=contracts)
    return of_today(evaluate_audit(project, TODAY, read_tables()))


def of_today(evaluation: Evaluation) -> ViewState:
    return ViewState(evaluation, None, None, False, False, {}, ())


def test_no_contract_of_another_year_is_said_to_be_used(qapp: QApplication, evaluation: Evaluation) -> None:
    shown = begun_later(evaluation, 3)
    card = ContractsCard(LIGHT)
    card.show_state(shown)
    assert card.said.text().startswith("No contract ran in the window of the log")
    below = next(figure for figure in figures_of(shown) if figure.figure_id == "below_40")
    assert below.second == ("None ran in the window",)


def test_the_week_does_not_ask_for_contracts_that_are_there(
    qapp: QApplication, evaluation: Evaluation
) -> None:
    card = HoursCard(LIGHT)
    card.show_state(begun_later(evaluation, 3))
    assert "No contract ran in the window" in card.said.text()
    assert card.as_text() == card.said.text()
    nothing = replace(evaluation.project, contracts=())
    card.show_state(of_today(evaluate_audit(nothing, TODAY, read_tables())))
    assert card.said.text().startswith("No contracts yet")


def test_of_some_contracts_those_that_ran_are_spoken_of(evaluation: Evaluation) -> None:
    audit = begun_later(evaluation, 1).evaluation.audit
    used = replace(audit, contracts=tuple(replace(row, below_40_percent=False) for row in audit.contracts))
    assert none_under_40(used) == "All that ran: 40% and above"
