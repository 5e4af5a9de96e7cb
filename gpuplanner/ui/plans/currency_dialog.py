"""Asks what amounts are in, and what one unit of each other currency is in US dollars, and of which day."""

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QGridLayout, QLineEdit, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain import edits
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD, ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import instant_s, iso_day
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, tell_whether
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.numbers import plain_number
from gpuplanner.ui.words.translation import tr
from gpuplanner.ui.words.window_words import refusal_words

COMMON: Final = ("USD", "EUR", "GBP", "CHF", "JPY", "CAD", "SEK", "NOK")
"""Currencies that are offered beside those of the project."""


class CurrencyDialog(QDialog):
    """Told the project; emits the project as it is wanted, and nothing where nothing was changed."""

    money_chosen = Signal(object)  # Callable[[Project], Project]

    def __init__(self, project: Project, today_s: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Currency"))
        self.setAccessibleName(tr("Currency"))
        self.setMinimumWidth(520)
        self._project, self._today_s = project, today_s
        self.rates: dict[str, QLineEdit] = {}
        self.days: dict[str, DayField] = {}
        title = PlainLabel(tr("Currency"))
        title.setFont(font("title"))
        self.code = QComboBox()
        self.code.setAccessibleName(tr("Amounts are in"))
        self.code.addItems(sorted({*COMMON, *_quoted(project)}))
        self.code.setCurrentText(project.currency)
        self._lines = QGridLayout()
        self._lines.setHorizontalSpacing(8)
        self._lines.addWidget(PlainLabel(tr("Amounts are in")), 0, 0)
        self._lines.addWidget(self.code, 0, 1)
        self.note = PlainLabel()
        self.note.setWordWrap(True)
        self.note.setMinimumHeight(3 * self.note.fontMetrics().lineSpacing() + 4)
        self.choose = primary_button(tr("Use these"), self._go_on)
        layout = dialog_column(self, title)
        layout.addLayout(self._lines)
        layout.addWidget(self.note)
        layout.addStretch()
        layout.addLayout(foot(cancel_button(self, tr("Amounts stay as they are (Esc)")), self.choose))
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
        rate = self.rates[code] = QLineEdit(
            "" if stated is None else numbers.significant(float(stated.usd_rate))
        )
        rate.setAccessibleName(tr("US dollars of one {code}", code=code))
        rate.setPlaceholderText(tr("unknown"))
        at_s = self._today_s if stated is None else instant_s(stated.as_of)
        day = self.days[code] = DayField(
            tr("Day of the rate of {code}", code=code), tr("Day of the rate, UTC"), 0
        )
        day.show_day(at_s)
        row = self._lines.rowCount()
        self._lines.addWidget(PlainLabel(tr("US dollars of one {code}", code=code)), row, 0)
        self._lines.addWidget(rate, row, 1)
        self._lines.addWidget(day, row, 2)
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
            text = plain_number(line.text())
            day_s = self.days[code].day_s
            if not text.strip() or day_s is None:
                continue
            try:
                stated.append(ExchangeRate(code, Decimal(text), iso_day(day_s)[:10]))
            except InvalidOperation:
                what = worded("“{text}” is no number", text=text)
                remedy = worded("enter US dollars of one {code}", code=code)
                raise PlannerError(code, "usage", what, remedy) from None
        gone = [code for code, line in self.rates.items() if not line.text().strip()]
        code = self.code.currentText()

        def edit(project: Project) -> Project:
            for one in gone:
                project = edits.forget_exchange(project, one)
            return edits.report_in(edits.replace_exchange(project, stated), code)

        return edit

    def _check(self) -> None:
        why = ""
        try:
            self.wanted(self._project)
        except PlannerError as error:
            why = refusal_words(error)
        tell_whether(
            self.note,
            self.choose,
            why,
            tr(
                "Contracts and offers keep the rates that they are quoted at, and count at these rates of exchange. "
                "None is guessed: without one, what is quoted in that currency is unknown. JSON is always "
                "in US dollars."
            ),
            tr("All amounts in this currency, at these rates; one undo step (Enter)"),
        )

    def _go_on(self) -> None:
        wanted = self.wanted
        self.accept()
        self.money_chosen.emit(wanted)


def _quoted(project: Project) -> set[str]:
    """Every currency that the project knows: of its rows, of its rates, and its own."""
    rows: tuple[Contract | Offer, ...] = (*project.contracts, *project.offers)
    return {project.currency, *(row.currency for row in rows), *(one.code for one in project.exchange)}
