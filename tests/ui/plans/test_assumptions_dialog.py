"""The assumptions: shown with unit, range, default and source; each change told once."""

from decimal import Decimal

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain.edits.money import report_in, with_exchange
from gpuplanner.domain.edits.plans import set_assumption
from gpuplanner.domain.model.assumptions import ASKED_FOR, SPEC_BY_NAME
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.plans.assumptions_dialog import GROUPS, USUAL, AssumptionsDialog
from gpuplanner.ui.words.typed_assumptions import range_words, typed_value, value_words
from tests.ui.pseudo import Pseudo
from tests.ui.sample_world import sample_project

PROJECT = sample_project()
PLAN = PROJECT.scenarios[0].name


def opened(qtbot: QtBot) -> AssumptionsDialog:
    dialog = AssumptionsDialog(PROJECT, PLAN)
    qtbot.addWidget(dialog)
    return dialog


def type_into(dialog: AssumptionsDialog, name: str, text: str) -> None:
    field = dialog.fields[name]
    field.clear()
    QTest.keyClicks(field, text)
    field.editingFinished.emit()


def test_every_assumption_has_a_row_with_its_name(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    assert dialog.table.model().rowCount() == len(ASKED_FOR) == len(dialog.fields)
    assert all(field.accessibleName() for field in dialog.fields.values())
    assert "reporting_months" not in dialog.fields  # no formula reads it


def test_what_is_shown_can_be_typed_back() -> None:
    for spec in ASKED_FOR:
        assert typed_value(spec, value_words(spec, spec.default)) == spec.default
        if spec.kind != "flag":
            assert typed_value(spec, value_words(spec, spec.high)) == spec.high


def test_a_change_is_told_as_a_value(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    with qtbot.waitSignal(dialog.assumption_changed) as seen:
        type_into(dialog, "lambda", "3%")
    assert seen.args == ["lambda", 0.03]


def test_a_value_out_of_range_is_refused_with_its_range(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    with qtbot.assertNotEmitted(dialog.assumption_changed):
        type_into(dialog, "lambda", "300%")
    assert "Attrition" in dialog.error.text() and "Enter 0% to 100%" in dialog.error.text()
    assert dialog.fields["lambda"].text() == ""  # what holds, not what was refused: each pool has its own
    dialog.show_project(set_assumption(PROJECT, PLAN, "lambda", 0.05))
    type_into(dialog, "lambda", "300%")
    assert dialog.fields["lambda"].text() == "5%"


def test_values_of_the_plan_are_shown_and_marked(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    dialog.show_project(set_assumption(PROJECT, PLAN, "growth", 0.05))
    assert dialog.fields["growth"].text() == "5%"
    at = next(number for number, spec in enumerate(ASKED_FOR) if spec.name == "growth")
    assert dialog.table.row_at(at).cells[0].is_strong


@pytest.mark.parametrize(
    ("text", "share"), [("5", 0.05), ("5%", 0.05), ("0.05", 0.05), ("1", 0.01), ("0", 0.0)]
)
def test_a_rate_is_typed_in_the_unit_of_the_table(text: str, share: float) -> None:
    assert typed_value(SPEC_BY_NAME["lambda"], text) == pytest.approx(share)


@pytest.mark.parametrize(
    ("name", "text", "remedy"),
    [
        ("lambda", "500", "enter 0% to 100% per month, or nothing"),  # nothing: each pool has its own
        ("headroom", "5", "enter 10% to 100%, share of capacity"),
        ("horizon_months", "1.5", "enter 1 to 120 months"),
        ("recency_half_life_days", "x", "enter 0.1 to 3,650 days, or nothing"),
        ("training_checkpoints", "x", "enter yes or no"),
    ],
)
def test_a_refusal_names_the_range_as_the_table_shows_it(name: str, text: str, remedy: str) -> None:
    with pytest.raises(PlannerError) as refused:
        typed_value(SPEC_BY_NAME[name], text)
    assert str(refused.value.remedy) == remedy


def test_what_was_set_says_so_and_has_a_way_back(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    at = next(number for number, spec in enumerate(ASKED_FOR) if spec.name == "lambda")
    assert dialog.backs["lambda"].isHidden()
    dialog.show_project(set_assumption(PROJECT, PLAN, "lambda", 0.05))
    assert dialog.table.row_at(at).cells[5].text.endswith("this plan")
    assert not dialog.backs["lambda"].isHidden()
    with qtbot.waitSignal(dialog.assumption_changed) as seen:
        dialog.backs["lambda"].click()
    assert seen.args == ["lambda", None]
    dialog.show_project(set_assumption(PROJECT, None, "lambda", 0.05))
    assert dialog.table.row_at(at).cells[5].text.endswith("all plans")


def test_enter_in_a_field_takes_it_and_enter_on_close_closes(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    dialog.show()
    field = dialog.fields["lambda"]
    field.setFocus()
    field.selectAll()
    with qtbot.waitSignal(dialog.assumption_changed) as seen:
        QTest.keyClicks(field, "5")
        QTest.keyClick(field, Qt.Key.Key_Return)
    assert seen.args == ["lambda", 0.05]
    assert dialog.isVisible() and "Attrition is 5% now" in dialog.said.text()
    dialog.close_button.setFocus()
    QTest.keyClick(dialog.close_button, Qt.Key.Key_Return)
    assert not dialog.isVisible()


def test_the_dialog_has_room_on_a_small_screen(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    assert dialog.minimumSizeHint().height() <= 504 and dialog.minimumSizeHint().width() <= 960


def test_a_bound_that_nobody_comes_near_is_not_written_out() -> None:
    assert range_words(SPEC_BY_NAME["tokens_per_month"]) == "0 or more"
    assert all(len(range_words(spec)) <= 20 for spec in ASKED_FOR)


def test_yes_and_no_are_read_in_the_language_in_which_they_are_shown(qapp: QApplication) -> None:
    flag = next(spec for spec in ASKED_FOR if spec.kind == "flag")
    translator = Pseudo()
    qapp.installTranslator(translator)
    try:
        shown = [value_words(flag, value) for value in (True, False)]
        assert shown != ["yes", "no"]
        assert [typed_value(flag, text) for text in shown] == [True, False]
        assert [typed_value(flag, text) for text in ("yes", "no")] == [True, False]
    finally:
        qapp.removeTranslator(translator)


def test_a_default_that_is_an_amount_is_in_the_money_of_the_project(qtbot: QtBot) -> None:
    stated = with_exchange(PROJECT, [ExchangeRate("EUR", Decimal("1.25"), "2026-10-01")])
    dialog = AssumptionsDialog(report_in(stated, "EUR"), None)
    qtbot.addWidget(dialog)
    name = "egress_usd_per_gb"
    at = [spec.name for spec in ASKED_FOR].index(name)
    assert dialog.backs[name].isHidden() and dialog.fields[name].text() == "0.096"
    assert dialog.table.model().index(at, 4).data() == "0.096"


def rows_seen(dialog: AssumptionsDialog) -> list[str]:
    return [spec.name for at, spec in enumerate(ASKED_FOR) if not dialog.table.isRowHidden(at)]


def test_about_ten_are_in_sight_and_all_are_in_a_group(qtbot: QtBot) -> None:
    dialog = opened(qtbot)
    assert set(rows_seen(dialog)) == set(USUAL.names) and 8 <= len(USUAL.names) <= 12
    grouped = [name for group in GROUPS for name in group.names]
    assert len(grouped) == len(set(grouped)) and set(grouped) <= SPEC_BY_NAME.keys()
    seen: set[str] = set()
    for at in range(1, dialog.group.count() - 1):
        dialog.group.setCurrentIndex(at)
        assert 4 <= len(rows_seen(dialog)) <= 14, dialog.group.currentText()
        seen.update(rows_seen(dialog))
    assert seen == {spec.name for spec in ASKED_FOR}
    dialog.group.setCurrentIndex(dialog.group.count() - 1)
    assert len(rows_seen(dialog)) == len(ASKED_FOR)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("provider", "max_provider_share"),
        ("attrition burst", "lambda_burst"),
        ("lambda", "lambda"),
        ("kw", "power_limit_kw"),
    ],
)
def test_an_assumption_is_found_in_whatever_group_it_is(qtbot: QtBot, query: str, name: str) -> None:
    dialog = opened(qtbot)
    dialog.show()
    QTest.keyClicks(dialog.search, query)
    assert name in rows_seen(dialog) and len(rows_seen(dialog)) < 6
    assert dialog.fields[name].isVisible()
    hidden = next(spec.name for spec in ASKED_FOR if spec.name not in rows_seen(dialog))
    assert not dialog.fields[hidden].isVisible()
    dialog.search.clear()
    assert set(rows_seen(dialog)) == set(USUAL.names)
