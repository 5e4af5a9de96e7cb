"""Asks for what all plans stand on: the past looked at, the day they begin, the currency, terms of contracts."""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QCheckBox, QComboBox, QDialog, QLineEdit, QRadioButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip, spoken, tr
from gpuplanner.domain.edits import money
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import (
    CONTRACT_TERMS,
    MORE_TERMS,
    RATE_FIELD,
    Contract,
    Term,
    filed_term,
    last_of_ramp,
    with_terms,
)
from gpuplanner.domain.model.book.exchange import USD, ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, Window, instant_s, iso_day
from gpuplanner.files.contracts.contract_words import contract_parts, term_choices
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.importing.window_choice import WindowChoice
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.layout import STRETCH, box, grid, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, heading_label, label, named_button, refill, scrolled
from gpuplanner.ui.kit.term_values import TERM_TITLES, term_words, typed_number, typed_term
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import refusal_words

# --- Asks from which day a plan counts its months: the end of the log, today, or another day -----


class PlanFromDialog(QDialog):
    """Told when plans begin now and what day it is; emits the moment that is wanted (None: the end of the log)."""

    day_chosen = Signal(object)  # epoch seconds UTC, or None

    def __init__(self, project: Project, today_s: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, tr("Plan from"), 500)
        end_s = project.window.end_s
        self._end_s, self._today_s = end_s, today_s // DAY_S * DAY_S
        self.at_end = QRadioButton(tr("End of the log, {date}", date=numbers.date(end_s - 1)))
        self.today = QRadioButton(tr("Today, {date}", date=numbers.date(today_s)))
        self.other = QRadioButton(tr("Another day"))
        self._group = QButtonGroup(self)
        self.day = DayField(tr("Start date of plans"), tr("Start date of plans, UTC"), end_s)
        chosen_s = project.plan_window.end_s
        self.day.show_day(chosen_s if chosen_s > end_s else max(self._today_s, end_s + DAY_S))
        self.note = dialogs.note_label(3)
        self.choose = dialogs.primary_button(tr("Plan from this day"), self._go_on)
        for button in (self.at_end, self.today, self.other):
            self._group.addButton(button)
            button.setAccessibleName(button.text())
            button.toggled.connect(self._show_day)
        self.day.changed.connect(self._check)
        self._show_choice(chosen_s)
        other = row(self.other, self.day, STRETCH, spacing=8)
        cancel = dialogs.cancel_button(self)
        last = dialogs.foot(cancel, self.choose)
        dialogs.dialog_column(
            self, heading_label(title), self.at_end, self.today, other, self.note, STRETCH, last
        )

    def _show_choice(self, chosen_s: int) -> None:
        """Checks the choice that fits the day; today is none of them while the log goes past it."""
        self.today.setEnabled(self._today_s > self._end_s)
        if not self.today.isEnabled():
            set_tip(self.today, tr("The log reaches this day"))
        later = self.today if chosen_s == self._today_s else self.other
        (self.at_end if chosen_s <= self._end_s else later).setChecked(True)
        self._show_day()

    def _show_day(self) -> None:
        """Lets a day be typed only where another day is chosen."""
        self.day.setEnabled(self.other.isChecked())
        self._check()

    def _check(self) -> None:
        """Says what the choice means, or why the day cannot be."""
        why = self.day.refusal if self.other.isChecked() else ""
        words = tr(long_text("start_date"))
        tip = tr("For all plans; one undo step (Enter)")
        dialogs.tell_whether(self.note, self.choose, why, words, tip)

    @property
    def wanted_s(self) -> int | None:
        """What is chosen: epoch seconds, None for the end of the log."""
        if self.at_end.isChecked():
            return None
        return self._today_s if self.today.isChecked() else self.day.day_s

    def _go_on(self) -> None:
        """Closes, then says the chosen day."""
        self.accept()
        self.day_chosen.emit(self.wanted_s)


# --- Asks which past of the loaded log is to be looked at ----------------------------------------


class WindowDialog(QDialog):
    """Told the window in use; emits the one that is wanted, as a request and in words."""

    window_chosen = Signal(object, object)  # WindowRequest, words
    import_asked = Signal()

    def __init__(self, window: Window, has_rows: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, tr("Lookback period"), 480)
        span, days = numbers.span(window.start_s, window.end_s), numbers.gpus(window.hours / 24)
        now = label(tr("Now {start_s}, {days} days, UTC.", start_s=span, days=days), role="muted")
        self.choice = WindowChoice()
        self.choice.show_window(window)
        self.choice.changed.connect(self._show_refusal)
        self.said = label(role="muted" if has_rows else "amber", is_wrapped=True)
        self._has_rows = has_rows
        verb = tr("Change the lookback period") if has_rows else tr("Import the log again")
        self.change = dialogs.primary_button(verb, self._go_on)
        last = dialogs.foot(dialogs.cancel_button(self), self.change)
        dialogs.dialog_column(self, heading_label(title), now, self.choice, self.said, 8, last)
        self.choice.setVisible(has_rows)
        self._show_refusal()

    def _show_refusal(self) -> None:
        """Says why the window cannot be so, or what changing it does."""
        refusal = self.choice.refusal
        self.change.setEnabled(not refusal)
        tip = tr("For audit, board and plans; one undo step (Enter)")
        set_tip(self.change, spoken(refusal) or tip)
        rows = tr("Days end with the last finished job. Labels, moves and plans do not change.")
        if not self._has_rows:
            rows = tr("No job rows on this computer. Import the log again.")
        self.said.setText(spoken(refusal) or spoken(rows))

    def _go_on(self) -> None:
        """Closes, then asks for the window, or for the log where no rows are kept."""
        self.accept()
        if self._has_rows:
            self.window_chosen.emit(self.choice.request, self.choice.words)
        else:
            self.import_asked.emit()


# --- Asks what amounts are in, and what one unit of each other currency is in US dollars, and of which day

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


# --- The editor of a contract: rate, GPUs, dates and notice, each beside what its file said -------

Terms = Mapping[str, Term]


class ContractDialog(QDialog):
    """Told a contract, why terms of it cannot be, and what else they move; emits those that are wanted."""

    terms_chosen = Signal(object)  # Terms: those that are other ones than before

    def __init__(
        self,
        contract: Contract,
        refusal: Callable[[Terms], str],
        moved: Callable[[Terms], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._contract, self._refusal, self._moved = contract, refusal, moved
        title = dialogs.titled(self, tr("Contract {name}", name=contract.contract_id), 640)
        unit = tr("{currency} per GPU-hour", currency=contract.currency)
        self.rate, self.gpus, self.notice = QLineEdit(), QLineEdit(), QLineEdit()
        more = [QLineEdit() for _ in MORE_TERMS]
        self.begins, self.ends = DayField("", "", 0), DayField("", "", 0)
        self.has_end = named(QCheckBox(tr("It ends")), tr("It ends"), tr("Otherwise it runs until notice"))
        fields = (self.rate, self.gpus, self.begins, self.ends, self.notice, *more)
        self.fields = dict(zip(CONTRACT_TERMS, fields, strict=True))
        self.at_end = choice_of(tr("At its end"), tr("Notice alone is no renewal"), (), self._choose_end)
        in_file = label(tr("In its file"), role="muted", step="small")
        lines: list[tuple[QWidget | None, ...]] = [(None, None, in_file)]
        for name, field in self.fields.items():
            if name == "renews_months":
                lines.append((label(tr("At its end"), of=self.at_end), self.at_end))
            called, tip = TERM_TITLES[name]
            named(field, called, tr(tip.template, currency=contract.currency))
            field.setAlignment(Qt.AlignmentFlag.AlignRight)
            field.setMinimumWidth(220)
            words = term_words(name, filed_term(contract, name))
            in_unit = f"{spoken(called)}, {unit}" if name == RATE_FIELD else called
            lines.append((label(in_unit), field, label(words, role="muted")))
        rows = box("", grid(*lines, spacing=(12, 8), shares=(0, 0, 1)), QWidget())
        area = scrolled(rows, title, ground="window")
        self.note = dialogs.note_label(2)
        back = tr("As in its file")
        self.back = named_button(tr("As in its file"), back, self._take_back, takes_enter=True)
        self.do = dialogs.primary_button(tr("Change"), self._go_on)
        last = dialogs.foot(self.back, dialogs.cancel_button(self), self.do)
        dialogs.dialog_column(self, heading_label(title), share(area), self.has_end, 4, self.note, last)
        self._show({name: getattr(contract, name) for name in CONTRACT_TERMS})
        for field in self.fields.values():
            field.textChanged.connect(self._check)
        self.has_end.toggled.connect(self._check)
        self.back.setEnabled(bool(contract.filed))
        whole = self.sizeHint().height() - area.sizeHint().height() + rows.sizeHint().height()
        dialogs.resize_within_screen(self, 640, whole)
        self.rate.setFocus()
        self.rate.selectAll()

    def _show(self, terms: Terms) -> None:
        """Shows terms in the fields."""
        for name in (RATE_FIELD, "milli_gpus", "notice_days", *MORE_TERMS):
            value = terms[name]
            self.fields[name].setText("" if value is None else term_words(name, value))
        end_s = terms["end_s"]
        self.has_end.setChecked(end_s is not None)
        self.begins.show_day(int(terms["start_s"] or 0))
        self.ends.show_day(int(end_s if end_s is not None else self.begins.day_s + 365 * DAY_S) - 1)
        self._days = {
            (day, day.day_s): terms[name] for day, name in ((self.begins, "start_s"), (self.ends, "end_s"))
        }
        self._check()

    def terms(self) -> Terms:
        """What is typed, where it is another term than before. Errors: PlannerError for what cannot be read."""
        end_s = self._days.get((self.ends, self.ends.day_s)) or self.ends.day_s + DAY_S
        notice = typed_number("notice_days", self.notice.text())
        typed: dict[str, Term] = {name: typed_term(name, self.fields[name].text()) for name in MORE_TERMS}
        typed |= {
            RATE_FIELD: typed_number(RATE_FIELD, self.rate.text()),
            "milli_gpus": int(typed_number("milli_gpus", self.gpus.text()) or 0),
            "start_s": self._days.get((self.begins, self.begins.day_s), self.begins.day_s),
            "end_s": end_s if self.has_end.isChecked() else None,
            "notice_days": None if notice is None else int(notice),
        }
        return {name: value for name, value in typed.items() if value != getattr(self._contract, name)}

    def _choose_end(self, at: int) -> None:
        """Fills the fields with what is chosen for the end of the contract."""
        months = self._at_end[at][1]["renews_months"]
        self.fields["renews_months"].setText("" if months is None else f"{months}")
        if not months:
            self.has_end.setChecked(True)

    def _show_end(self, terms: Terms) -> None:
        """Shows what happens at the end of the contract as it is typed."""
        now = with_terms(self._contract, {"end_s": self.ends.day_s + DAY_S, **terms})
        words = contract_parts(with_terms(self._contract, terms)).get("renews_months", "")
        self._at_end = [(words, {"renews_months": now.renews_months}), *term_choices(now, "renews_months")]
        refill(self.at_end, self._at_end, None)

    def _check(self) -> None:
        """Says why what is typed cannot be, or what it would do."""
        self.ends.setEnabled(self.has_end.isChecked())
        days = (day for day in (self.begins, self.ends) if day.isEnabled())
        unread = next((day.refusal for day in days if day.refusal), "")
        terms: Terms | None = None
        try:
            terms = self.terms()
            why = unread or self._refusal(terms)
            self._show_end(terms)
        except PlannerError as error:
            why = unread or refusal_words(error)
        words = tr("For all plans. An import keeps changes while the file is unchanged.")
        first = words if terms == {} and not unread else ""
        if ramp := (terms or {}).get("ramp"):
            words = tr("After its last day it has {gpus} GPUs.", gpus=last_of_ramp(ramp))
        elif terms and RATE_FIELD in terms and not why and (moved := self._moved(terms)):
            words = f"{moved}."
        dialogs.tell_whether(self.note, self.do, why, words, tr("One undo step (Enter)"), first=first)

    def _take_back(self) -> None:
        self._show({name: filed_term(self._contract, name) for name in CONTRACT_TERMS})

    def _go_on(self) -> None:
        """Closes, then says which terms are wanted."""
        terms = self.terms()
        self.accept()
        self.terms_chosen.emit(terms)
