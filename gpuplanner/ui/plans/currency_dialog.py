"""Dialog: the currency of amounts, and exchange rates."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QLineEdit, QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits import money
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD, ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import instant_s, iso_day
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.layout import STRETCH, grid, named
from gpuplanner.ui.kit.page_parts import heading_label, label
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import refusal_words

COMMON: Final = ("USD", "EUR", "GBP", "CHF", "JPY", "CAD", "SEK", "NOK")
"""Currencies that are offered beside those of the project."""


class CurrencyDialog(QDialog):
    """Told the project; emits the project as it is wanted, and nothing where nothing was changed."""

    money_chosen = Signal(object)  # Callable[[Project], Project]

    def __init__(self, project: Project, today_s: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, tr("Currency"), 520)
        self._project, self._today_s = project, today_s
        self.rates: dict[str, QLineEdit] = {}
        self.days: dict[str, DayField] = {}
        self.code = named(QComboBox(), tr("Amounts are in"))
        self.code.addItems(sorted({*COMMON, *_quoted(project)}))
        self.code.setCurrentText(project.currency)
        self._lines = grid((label(tr("Amounts are in")), self.code))
        self._lines.setHorizontalSpacing(8)
        self.note = dialogs.note_label(3)
        self.choose = dialogs.primary_button(tr("Use these"), self._go_on)
        last = dialogs.foot(dialogs.cancel_button(self), self.choose)
        dialogs.dialog_column(self, heading_label(title), self._lines, self.note, STRETCH, last)
        self._last: QWidget = self.code  # what Tab comes from to the next rate
        for code in sorted(_quoted(project) - {USD}):
            self._add_rate(code)
        unknown = next((rate for rate in self.rates.values() if not rate.text()), None)
        if unknown is not None:
            unknown.setFocus()
        self.code.currentTextChanged.connect(self._choose_code)
        self._check()

    def _add_rate(self, code: str) -> None:
        stated = {one.code: one for one in self._project.exchange}.get(code)
        text = "" if stated is None else numbers.significant(float(stated.usd_rate))
        called = tr("US dollars per {code}", code=code)
        rate = self.rates[code] = named(QLineEdit(text, placeholderText=tr("unknown")), called)
        name = tr("Day of the rate of {code}", code=code)
        day = self.days[code] = DayField(name, tr("Day of the rate, UTC"), 0)
        day.show_day(self._today_s if stated is None else instant_s(stated.as_of))
        line = self._lines.rowCount()
        for at, widget in enumerate((label(called), rate, day)):
            self._lines.addWidget(widget, line, at)
        QWidget.setTabOrder(self._last, rate)
        QWidget.setTabOrder(rate, day)
        self._last = day
        rate.textChanged.connect(self._check)
        day.changed.connect(self._check)

    def _choose_code(self, code: str) -> None:
        if code != USD and code not in self.rates:
            self._add_rate(code)
        self._check()

    @property
    def wanted(self) -> Callable[[Project], Project]:
        """The edit that is chosen. Errors: PlannerError where a rate is no number or no day."""
        stated = []
        for code, line in self.rates.items():
            text = numbers.plain_number(line.text())
            day_s = self.days[code].day_s
            if not text.strip() or day_s is None:
                continue
            try:
                stated.append(ExchangeRate(code, Decimal(text), iso_day(day_s)[:10]))
            except InvalidOperation:
                wrong = worded("“{text}” is not a number", text=text)
                remedy = worded("enter US dollars per {code}", code=code)
                raise PlannerError(code, "usage", wrong, remedy) from None
        gone = [code for code, line in self.rates.items() if not line.text().strip()]
        code = self.code.currentText()

        def edit(project: Project) -> Project:
            for one in gone:
                project = money.forget_exchange(project, one)
            return money.report_in(money.replace_exchange(project, stated), code)

        return edit

    def _check(self) -> None:
        why = ""
        try:
            self.wanted(self._project)
        except PlannerError as error:
            why = refusal_words(error)
        words = tr(long_text("exchange_rates"))
        tip = tr("Convert all amounts; one undo step (Enter)")
        dialogs.tell_whether(self.note, self.choose, why, words, tip)

    def _go_on(self) -> None:
        wanted = self.wanted
        self.accept()
        self.money_chosen.emit(wanted)


def _quoted(project: Project) -> set[str]:
    """Every currency that the project knows: of its rows, of its rates, and its own."""
    rows: tuple[Contract | Offer, ...] = (*project.contracts, *project.offers)
    return {project.currency, *(row.currency for row in rows), *(one.code for one in project.exchange)}
