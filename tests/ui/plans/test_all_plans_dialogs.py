"""Currency in the window: asked for with dated rates, one step of Undo, and every sign follows at once."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.charts.kit.translation import tr, use_currency
from gpuplanner.domain import edits
from gpuplanner.domain.figures.typed import amount as amount_of
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.plan.scenario import Decision
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.plans.currency_dialog import CurrencyDialog
from gpuplanner.ui.words import numbers

NOW_S = 1_790_812_800
EURO = ExchangeRate("EUR", Decimal("1.25"), "2026-10-01")


@pytest.fixture(autouse=True)
def _dollars_again() -> Iterator[None]:
    yield
    use_currency("USD")


def project(currency: str = "EUR") -> Project:
    base = Project(window=Window(0, 24), cube=empty_cube(24))
    row = Contract(
        contract_id="c",
        cluster="a",
        gpu_model="H100",
        milli_gpus=8000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=0,
        currency=currency,
    )
    return edits.contracts.replace_contracts(base, (row,))


def test_a_rate_that_is_unknown_has_the_keyboard_and_tab_reads_on(qtbot) -> None:
    dialog = CurrencyDialog(project(), NOW_S)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.focusWidget() is dialog.rates["EUR"]
    dialog.code.setFocus()
    dialog.focusNextChild()
    assert dialog.focusWidget() is dialog.rates["EUR"]
    dialog.focusNextChild()
    focused = dialog.focusWidget()
    assert focused is not None and (focused is dialog.days["EUR"] or dialog.days["EUR"].isAncestorOf(focused))


def test_a_rate_and_a_currency_are_one_edit_which_undo_takes_back(qtbot) -> None:
    before, found = project(), []
    dialog = CurrencyDialog(before, NOW_S)
    qtbot.addWidget(dialog)
    dialog.money_chosen.connect(found.append)
    assert list(dialog.rates) == ["EUR"] and before.contracts[0].rate is None
    dialog.rates["EUR"].setText("1.25")
    dialog.code.setCurrentText("CHF")
    assert list(dialog.rates) == ["EUR", "CHF"] and dialog.choose.isEnabled()
    dialog.rates["CHF"].setText("many")
    assert not dialog.choose.isEnabled() and "many" in dialog.note.text()
    dialog.rates["CHF"].setText("1")
    dialog.choose.click()
    after = found[0](before)
    assert [(one.code, one.usd_rate) for one in after.exchange] == [("CHF", 1), ("EUR", Decimal("1.25"))]
    assert (after.currency, after.contracts[0].rate) == ("CHF", 2.5)
    assert edits.money.report_in(after, "USD").contracts[0].rate == 2.5
    assert edits.money.forget_exchange(after, "EUR").contracts[0].rate is None


def test_amounts_that_were_entered_are_converted_or_the_currency_is_refused(qtbot) -> None:
    base = edits.plans.set_assumption(project(), None, "budget_usd_per_month", 1000.0)
    dialog = CurrencyDialog(base, NOW_S)
    qtbot.addWidget(dialog)
    dialog.code.setCurrentText("EUR")
    assert not dialog.choose.isEnabled() and "EUR" in dialog.note.text()
    stated = edits.money.with_exchange(base, (EURO,))
    there = edits.money.report_in(stated, "EUR")
    assert there.assumptions.budget_usd_per_month == pytest.approx(800)
    assert edits.money.report_in(there, "USD").assumptions.budget_usd_per_month == pytest.approx(1000)


def test_what_was_noted_stays_in_the_currency_of_its_day() -> None:
    base = edits.money.with_exchange(project(), (EURO,))
    noted = Decision(0, worded("saves ${usd}", usd="5"))
    plan = replace(base.scenarios[0], decisions=(noted,))
    there = edits.money.report_in(replace(base, scenarios=(plan,)), "EUR")
    use_currency("EUR")
    assert tr(there.scenarios[0].decisions[0].text) == "saves USD\u00a05"


def test_words_and_figures_follow_the_currency(qtbot) -> None:
    label = PlainLabel(worded("$ per month"))
    qtbot.addWidget(label)
    name = worded("{name} saves {usd}", name="job-$x for $", usd=amount_of(-1234))
    for code, unit, amount, small in (
        ("USD", "$ per month", "$612,032", "$7.3M"),
        ("EUR", "€ per month", "€612,032", "€7.3M"),
        ("CHF", "CHF per month", "CHF\u00a0612,032", "CHF\u00a07.3M"),
    ):
        use_currency(code)
        QApplication.sendEvent(label, QEvent(QEvent.Type.LanguageChange))
        assert (label.text(), tr("$ per month")) == (unit, unit)
        assert (numbers.dollars(612_032), numbers.short_dollars(7.3e6)) == (amount, small)
        assert numbers.cents(-2.75) == numbers.MINUS + amount[: -len("612,032")] + "2.75"
        assert tr(name) == f"job-$x for $ saves {numbers.MINUS}{amount[: -len('612,032')]}1,234"
