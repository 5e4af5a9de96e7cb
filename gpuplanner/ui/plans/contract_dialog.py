"""The editor of a contract: rate, GPUs, dates and notice, each next to its file's value."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QLineEdit, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
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
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.contracts.contract_words import contract_parts, term_choices
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.layout import box, grid, named, share
from gpuplanner.ui.kit.page_parts import choice_of, heading_label, label, named_button, refill, scrolled
from gpuplanner.ui.kit.term_values import TERM_TITLES, term_words, typed_number, typed_term
from gpuplanner.ui.words.window_words import refusal_words

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
