"""The editor of a contract: rate, GPUs, dates and notice, each beside what its file said."""

from collections.abc import Callable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QWidget

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract import CONTRACT_TERMS, RATE_FIELD, Contract, filed_term
from gpuplanner.domain.model.errors import PlannerError, refusal
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.fields import DayField
from gpuplanner.ui.kit.layout import STRETCH, grid, named
from gpuplanner.ui.kit.page_parts import heading_label, label, named_button
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.numbers import plain_amount
from gpuplanner.ui.words.window_words import refusal_words

PER_UNIT: Final = {"milli_gpus": 1000}
Terms = Mapping[str, Decimal | int | None]
TITLES: Final[Mapping[str, Text]] = {
    RATE_FIELD: titles.RATE,
    "milli_gpus": "GPUs",
    "start_s": worded("First day"),
    "end_s": worded("Last day"),
    "notice_days": worded("Notice, days"),
}


def term_words(name: str, value: Decimal | int | None) -> str:
    """A term as its field shows it; a dash for none. The last day is shown, the stored end is exclusive."""
    if value is None:
        return numbers.UNKNOWN
    if name.endswith("_s"):
        return numbers.date(int(value) - (name == "end_s"))
    if name == RATE_FIELD:
        return f"{value:f}" if isinstance(value, Decimal) and value != round(value, 2) else f"{value:.2f}"
    return numbers.significant(float(value) / PER_UNIT.get(name, 1), 10)


def typed_number(name: str, text: str) -> Decimal | None:
    """A number as it is typed, in the locale; None for none. Errors: PlannerError for anything else."""
    plain = plain_amount(text).strip()
    try:
        return Decimal(plain) * PER_UNIT.get(name, 1) if plain else None
    except InvalidOperation:
        what = worded("{text} is no number", text=f"{text!r:.40}")
        raise refusal(TITLES[name], what, worded("enter one, as 64")) from None


class ContractDialog(QDialog):
    """Told a contract, and why terms of it cannot be; emits those that are wanted."""

    terms_chosen = Signal(object)  # Terms: those that are other ones than before

    def __init__(
        self, contract: Contract, refusal: Callable[[Terms], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._contract, self._refusal = contract, refusal
        title = dialogs.titled(self, tr("Contract {name}", name=contract.contract_id), 520)
        unit = tr("{currency} per GPU-hour", currency=contract.currency)
        tips = (
            unit,
            tr("Held by the contract"),
            tr("UTC"),
            tr("UTC; without one it runs on"),
            tr("Before its end"),
        )
        self.rate, self.gpus, self.notice = QLineEdit(), QLineEdit(), QLineEdit()
        self.begins, self.ends = DayField("", "", 0), DayField("", "", 0)
        self.has_end = named(
            QCheckBox(tr("It ends")), tr("It ends"), tr("Otherwise it runs until notice is given")
        )
        self.fields = dict(
            zip(CONTRACT_TERMS, (self.rate, self.gpus, self.begins, self.ends, self.notice), strict=True)
        )
        lines: list[tuple[QWidget | None, ...]] = [
            (None, None, label(tr("In its file"), role="muted", step="small"))
        ]
        for (name, field), tip in zip(self.fields.items(), tips, strict=True):
            named(field, TITLES[name], tip).setAlignment(Qt.AlignmentFlag.AlignRight)
            field.setMinimumWidth(140)
            words = term_words(name, filed_term(contract, name))
            called = f"{spoken(TITLES[name])}, {unit}" if name == RATE_FIELD else spoken(TITLES[name])
            lines.append((label(called), field, label(words, role="muted")))
        rows = grid(*lines, spacing=(12, 8), shares=(0, 0, 1))
        self.note = dialogs.note_label(2)
        back = tr("Every field as its file has it")
        self.back = named_button(tr("As in its file"), back, self._take_back, takes_enter=True)
        self.do = dialogs.primary_button(tr("Change"), self._go_on)
        last = dialogs.foot(self.back, dialogs.cancel_button(self, tr("It stays as it is (Esc)")), self.do)
        dialogs.dialog_column(self, heading_label(title), rows, self.has_end, 4, self.note, STRETCH, last)
        self._show({name: getattr(contract, name) for name in CONTRACT_TERMS})
        for field in self.fields.values():
            field.textChanged.connect(self._check)
        self.has_end.toggled.connect(self._check)
        self.back.setEnabled(bool(contract.filed))
        self.rate.setFocus()
        self.rate.selectAll()

    def _show(self, terms: Terms) -> None:
        """Shows terms in the fields."""
        for name in (RATE_FIELD, "milli_gpus", "notice_days"):
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
        typed: dict[str, Decimal | int | None] = {
            RATE_FIELD: typed_number(RATE_FIELD, self.rate.text()),
            "milli_gpus": int(typed_number("milli_gpus", self.gpus.text()) or 0),
            "start_s": self._days.get((self.begins, self.begins.day_s), self.begins.day_s),
            "end_s": end_s if self.has_end.isChecked() else None,
            "notice_days": None if notice is None else int(notice),
        }
        return {name: value for name, value in typed.items() if value != getattr(self._contract, name)}

    def _check(self) -> None:
        """Says why what is typed cannot be, or what it would do."""
        self.ends.setEnabled(self.has_end.isChecked())
        unread = next(
            (day.refusal for day in (self.begins, self.ends) if day.isEnabled() and day.refusal), ""
        )
        terms: Terms = {}
        try:
            terms = self.terms()
            why = unread or self._refusal(terms)
        except PlannerError as error:
            why = unread or refusal_words(error)
        nothing = tr("What you change counts in all plans; an import keeps it while the file says the same.")
        first = "" if terms or why else nothing
        dialogs.tell_whether(self.note, self.do, why, nothing, tr("One undo step (Enter)"), first=first)

    def _take_back(self) -> None:
        self._show({name: filed_term(self._contract, name) for name in CONTRACT_TERMS})

    def _go_on(self) -> None:
        """Closes, then says which terms are wanted."""
        terms = self.terms()
        self.accept()
        self.terms_chosen.emit(terms)
