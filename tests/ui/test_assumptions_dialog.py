"""The assumptions: shown with unit, range, default and source; each change told once."""

from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gpuplanner.domain.edits import set_assumption
from gpuplanner.domain.model.assumptions import ASSUMPTIONS, parse_assumption
from gpuplanner.ui.assumptions_dialog import AssumptionsDialog, shown_value
from gpuplanner.ui.theme import LIGHT
from tests.ui.sample_world import sample_project

PROJECT = sample_project()
PLAN = PROJECT.scenarios[0].name


def opened(qtbot: QtBot) -> AssumptionsDialog:
    dialog = AssumptionsDialog(PROJECT, PLAN, LIGHT)
    qtbot.addWidget(dialog)
    return dialog


def type_into(dialog: AssumptionsDialog, name: str, text: str) -> None:
    field = dialog.fields[name]
    field.clear()
    QTest.keyClicks(field, text)
    field.editingFinished.emit()


def test_every_assumption_has_a_row_with_its_name(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    assert dialog.table.model().rowCount() == len(ASSUMPTIONS) == len(dialog.fields)
    assert all(field.accessibleName() for field in dialog.fields.values())


def test_what_is_shown_can_be_typed_back() -> None:
    for spec in ASSUMPTIONS:
        assert parse_assumption(spec.name, shown_value(spec, spec.default)) == spec.default


def test_a_change_is_told_as_a_value(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    with qtbot.waitSignal(dialog.assumption_changed) as seen:
        type_into(dialog, "lambda", "3%")
    assert seen.args == ["lambda", 0.03]


def test_a_value_out_of_range_is_refused_with_its_range(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    with qtbot.assertNotEmitted(dialog.assumption_changed):
        type_into(dialog, "lambda", "300%")
    assert "Churn" in dialog.error.text() and "Enter 0 to 1" in dialog.error.text()


def test_values_of_the_plan_are_shown_and_marked(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    dialog.show_project(set_assumption(PROJECT, PLAN, "growth", 0.05))
    assert dialog.fields["growth"].text() == "5%"
    at = next(number for number, spec in enumerate(ASSUMPTIONS) if spec.name == "growth")
    assert dialog.table.row_at(at).cells[0].is_strong
