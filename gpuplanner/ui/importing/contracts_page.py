"""The contracts page of an import: contracts and offers as sentences, whose parts are changed where they stand."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, add_named, set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import NO_WORDS, Text, capital, joined, lowered, worded
from gpuplanner.domain.model.book.contract import CONTRACT_TERMS, Contract, filed_term, term_text
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import OFFER_FIELD_BY_NAME, parse_offer_value
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.contracts import contract_words
from gpuplanner.files.importing.reconciliation import OFFERS_AT_MOST
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, TOP, box, column, emptied, named, placed, share
from gpuplanner.ui.kit.layout import row as beside
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, passing_menu, scrolled
from gpuplanner.ui.kit.small_dialogs import ask_text, errors_in_dialog
from gpuplanner.ui.kit.term_values import TERM_TITLES, term_words, typed_term
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers

CLICK: Final = worded("Click a part of a sentence to change it")
TYPED: Final[Mapping[str, tuple[str, ...]]] = {
    "start_s": ("start_s", "end_s"),
    "prepaid_usd": (),
    "gpu_model": ("gpu_model", "max_gpus", "min_gpus", "max_gpus_per_order", "unit_gpus"),
    "term_months": ("term_months", "min_term_months", "lead_time_hours", "valid_until"),
}
"""By part of a sentence: the terms that may be typed; else the term of its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceLine:
    """A contract or an offer as it is shown.

    note: what its file says of it; role: of the palette: green agrees, amber is open or disagrees. is_ended: its
    contract is not in force any more.
    """

    head: str
    parts: contract_words.Parts
    note: Text
    role: str
    row: contract_words.Row
    is_ended: bool = False


def stated_of(row: contract_words.Row, filed: contract_words.Row) -> dict[str, list[str]]:
    """Return the terms that the planner changed: by field its file's text and the planner's. filed: as it was read."""
    if isinstance(row, Contract):
        before = dict(row.filed)
    else:
        before = {name: term_text(getattr(filed, name)) for name in OFFER_FIELD_BY_NAME}
    now = {name: term_text(getattr(row, name)) for name in before}
    return {name: [was, now[name]] for name, was in before.items() if was != now[name]}


def with_stated(row: contract_words.Row, terms: Mapping[str, Sequence[str]]) -> contract_words.Row:
    """Return a contract or an offer with what was said of it before, where its file says what it said then."""
    try:
        now = {name: text for name, (was, text) in terms.items() if term_text(getattr(row, name)) == was}
        if isinstance(row, Contract):
            stated = replace(row, filed=tuple(now.items()))
            return (
                contract_words.with_changes(row, {name: filed_term(stated, name) for name in now})
                if now
                else row
            )
        return contract_words.with_changes(
            row, {name: parse_offer_value(name, text) for name, text in now.items()}
        )
    except (PlannerError, AttributeError, KeyError, TypeError, ValueError):
        return row  # other dates of the file have moved, or another version wrote it


class SentenceLabel(FactsLabel):
    """A sentence in as many lines as it needs, whose parts can be clicked; amber ones are open."""

    def __init__(self, line: SentenceLine) -> None:
        super().__init__()
        named(self, step="body").setProperty("role", "")
        self.setWordWrap(True)
        facts = [(term, spoken(words)) for term, words in line.parts.items() if term != contract_words.COST]
        cost = f", {spoken(line.parts[contract_words.COST])}." if contract_words.COST in line.parts else "."
        self.show_facts(facts, "", ", ", cost, contract_words.open_terms(line.row))
        set_tip(self, tr(CLICK))


def sentence_lines(
    read: Any, agreeing: Mapping[str, Sequence[bool]], filed: Mapping[str, Offer], at_s: int = 0
) -> list[SentenceLine]:
    """Return what was read in sentences, contracts that have ended last. read: ReadResult.

    agreeing: by id, whether each figure that its row states agrees; filed: by id the offers as they were read. at_s: a
    contract that ends until then has ended.
    """
    lines = []
    for row in (*read.contracts, *(read.offers if len(read.offers) <= OFFERS_AT_MOST else ())):
        agree, is_contract = agreeing.get(contract_words.row_id(row), ()), isinstance(row, Contract)
        if stated := stated_of(row, filed.get(contract_words.row_id(row), row)):
            words = (
                CONTRACT_TERMS[name] if is_contract else lowered(OFFER_FIELD_BY_NAME[name].title)
                for name in stated
            )
            role, note = "green", worded("{terms} as you entered.", terms=capital(joined(words, ", ")))
        elif not agree:
            role, note = "muted", worded("No amount to compare.") if is_contract else NO_WORDS
        elif all(agree):
            role, note = "green", worded("Agrees with your file.")
        else:
            role, note = "amber", worded("Disagrees with your file.")
        parts, head = contract_words.parts_of(row), contract_words.row_id(row)
        if is_contract:
            served = worded("cluster {cluster}", cluster=row.cluster) if row.cluster else worded("no cluster")
            *others, cost = parts.items()
            parts = dict([*others, ("cluster", served), cost])
            head = numbers.MIDDOT.join(filter(None, (head, row.provider)))
        if is_contract and contract_words.is_unserved(row):
            role, note = "amber", joined((note, worded("Choose its cluster.")), " ")
        is_ended = isinstance(row, Contract) and row.end_s is not None and row.end_s <= at_s
        line = SentenceLine(head=head, parts=parts, note=note, role=role, row=row, is_ended=is_ended)
        lines.append(line)
    return sorted(lines, key=lambda line: line.is_ended)


class ContractsPage(QWidget):
    """Told the lines; emits the terms of a contract or an offer that the planner changed."""

    terms_chosen = Signal(object, object)  # Row, Mapping[str, Term]

    def __init__(self) -> None:
        super().__init__(accessibleName=tr("Contracts"))
        self.lines: Sequence[SentenceLine] = ()
        self.labels: list[SentenceLabel] = []
        self._said = label(role="muted", is_wrapped=True)
        self._clusters: Collection[str] = ()
        self._rows = column(spacing=8)
        inside = QWidget()
        column(self._rows, STRETCH, on=inside)
        heading = heading_label(tr("Contracts"))
        area = scrolled(inside, tr("Contracts"))
        inside.setAutoFillBackground(False)
        column(heading, self._said, share(area), on=self, margins=(20, 16, 20, 12), spacing=8)

    def show_lines(self, lines: Sequence[SentenceLine], summary: str, clusters: Collection[str]) -> None:
        """Show each as a sentence. summary: of all; clusters: that may be chosen."""
        self._said.setText(f"{summary} {tr(CLICK)}.")
        self._clusters = clusters
        if lines != self.lines:
            self.lines, self.labels = lines, [SentenceLabel(line) for line in lines]
            emptied(self._rows)
            has_ended = False
            for line, words in zip(lines, self.labels, strict=True):
                if line.is_ended and not has_ended:
                    self._rows.addWidget(heading_label(tr("Ended contracts")))
                has_ended = line.is_ended
                self._rows.addWidget(self._card(line, words))

    def _card(self, line: SentenceLine, words: SentenceLabel) -> QFrame:
        """A line with its sign, its name above it and what its file says below."""
        sign = PlainLabel()
        sign.setPixmap(
            icon({"green": "tick", "amber": "triangle"}.get(line.role, "contract"), line.role).pixmap(16, 16)
        )
        words.figure_asked.connect(partial(self._change, line.row))
        head, note = label(line.head, step="strong"), muted_label()
        note.show_text(line.note)
        text = column(head, words, note, spacing=2)
        return box(
            "card", beside(placed(sign, TOP), share(text), margins=(12, 8, 12, 10), spacing=10), QFrame()
        )

    def _change(self, row: contract_words.Row, part: str) -> None:
        """Offers what a part of the sentence may be instead, and to type it."""
        menu = passing_menu(self)
        for words, terms in contract_words.term_choices(row, part, self._clusters):
            add_named(menu, sentence(words), partial(self.terms_chosen.emit, row, terms))
        for term in TYPED.get(part, (part,)):
            title = spoken(TERM_TITLES[term].title)
            add_named(menu, tr("{title}\u2026", title=title), partial(self.type_term, row, term))
        menu.popup(QCursor.pos())

    def type_term(self, row: contract_words.Row, term: str) -> None:
        """Asks for a term in a line of text."""
        title, tip = (spoken(words) for words in TERM_TITLES[term])
        value = getattr(row, term)
        before = "" if value is None else term_words(term, value)
        text = ask_text(self, title, tr(tip, currency=row.currency), before, tr("Change"))
        if text and text != before:
            with errors_in_dialog(self):
                # what ran on ends: notice was given
                has_new_end = term == "end_s" and isinstance(row, Contract) and row.end_s is None
                terms = {term: typed_term(term, text), **({"renews_months": 0} if has_new_end else {})}
                self.terms_chosen.emit(row, terms)
