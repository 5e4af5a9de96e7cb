"""The contracts page of an import: each contract is a sentence, whose parts are changed where they stand."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, add_named, sentence, set_tip, spoken, tr
from gpuplanner.domain.message import Text, capital, joined, worded
from gpuplanner.domain.model.book.contract import CONTRACT_TERMS, Contract, filed_term, term_text, with_terms
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.contracts.contract_words import (
    Parts,
    contract_parts,
    offer_parts,
    open_terms,
    term_choices,
)
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.ui.kit.dialogs import ask_text, errors_in_dialog
from gpuplanner.ui.kit.fields import TERM_TITLES, term_words, typed_term
from gpuplanner.ui.kit.layout import STRETCH, TOP, box, column, emptied, named, placed, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, scrolled
from gpuplanner.ui.kit.theme import icon
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.words import numbers

CLICK: Final = worded("Click a part of a sentence to change it")
TYPED: Final[Mapping[str, tuple[str, ...]]] = {"start_s": ("start_s", "end_s"), "prepaid_usd": ()}
"""By part of a sentence: the terms that may be typed; else the term of its name."""


@dataclass(frozen=True, slots=True)
class SentenceLine:
    """A contract or an offer as it is shown. contract: None of an offer, which has no part to change.

    note: what its file says of it; role: of the palette: green agrees, amber is open or disagrees.
    """

    head: str
    parts: Parts
    note: Text
    role: str
    contract: Contract | None = None


def stated_of(contract: Contract) -> dict[str, list[str]]:
    """Return the terms of a contract that the planner changed: by field its file's text and the planner's."""
    return {name: [was, term_text(getattr(contract, name))] for name, was in contract.filed}


def with_stated(contract: Contract, terms: Mapping[str, Sequence[str]]) -> Contract:
    """Return a contract with what was said of it before, where its file says what it said then."""
    try:
        now = {name: text for name, (was, text) in terms.items() if term_text(getattr(contract, name)) == was}
        stated = replace(contract, filed=tuple(now.items()))
        return with_terms(contract, {name: filed_term(stated, name) for name in now}) if now else contract
    except (PlannerError, AttributeError, TypeError, ValueError):
        return contract  # other dates of the file have moved, or another version wrote it


class SentenceLabel(FactsLabel):
    """A sentence in as many lines as it needs, whose parts can be clicked; amber ones are open."""

    def __init__(self, line: SentenceLine) -> None:
        super().__init__()
        named(self, step="body").setProperty("role", "")
        self.setWordWrap(True)
        facts = [(term, spoken(words)) for term, words in line.parts.items()]
        if line.contract is None:
            self.show_words(f"{', '.join(words for _, words in facts)}.")
        else:
            _, cost = facts.pop()
            self.show_facts(facts, "", ", ", f", {cost}.", open_terms(line.contract))
            set_tip(self, tr(CLICK))


OFFERS_AT_MOST: Final = 24
"""Of a quote; more are a price list."""


def sentence_lines(read: Any, agreeing: Mapping[str, Sequence[bool]]) -> list[SentenceLine]:
    """Return what was read in sentences. read: ReadResult.

    agreeing: by contract_id, whether each figure that its row states agrees.
    """
    lines = []
    for contract in read.contracts:
        agree = agreeing.get(contract.contract_id, ())
        if contract.filed:
            terms = capital(joined((CONTRACT_TERMS[name] for name, _ in contract.filed), ", "))
            role, note = "green", worded("{terms} as you said.", terms=terms)
        elif not agree:
            role, note = "muted", worded("The file states no amount to compare.")
        elif all(agree):
            role, note = "green", worded("Agrees with your file.")
        else:
            role, note = "amber", worded("Disagrees with your file.")
        served = worded("no cluster")
        if contract.cluster:
            served = worded("cluster {cluster}", cluster=contract.cluster)
        *parts, cost = contract_parts(contract).items()
        head = numbers.MIDDOT.join(filter(None, (contract.contract_id, contract.provider)))
        lines.append(SentenceLine(head, dict([*parts, ("cluster", served), cost]), note, role, contract))
    offers = read.offers if len(read.offers) <= OFFERS_AT_MOST else ()
    return lines + [SentenceLine(offer.offer_id, offer_parts(offer), "", "muted") for offer in offers]


class ContractsPage(QWidget):
    """Told the lines; emits the terms of a contract that the planner changed."""

    terms_chosen = Signal(str, object)  # contract_id, Mapping[str, Term]

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
        """Show each contract as a sentence. summary: of all; clusters: that may be chosen."""
        self._said.setText(f"{summary} {tr(CLICK)}.")
        self._clusters = clusters
        if lines != self.lines:
            self.lines, self.labels = lines, [SentenceLabel(line) for line in lines]
            emptied(self._rows)
            for line, words in zip(lines, self.labels, strict=True):
                self._rows.addWidget(self._card(line, words))

    def _card(self, line: SentenceLine, words: SentenceLabel) -> QFrame:
        """A line with its sign, its name above it and what its file says below."""
        sign = PlainLabel()
        sign.setPixmap(
            icon({"green": "tick", "amber": "triangle"}.get(line.role, "contract"), line.role).pixmap(16, 16)
        )
        if (contract := line.contract) is not None:
            words.figure_asked.connect(partial(self._change, contract))
        head, note = label(line.head, step="strong"), muted_label()
        note.show_text(line.note)
        text = column(head, words, note, spacing=2)
        return box("card", row(placed(sign, TOP), share(text), margins=(12, 8, 12, 10), spacing=10), QFrame())

    def _change(self, contract: Contract, part: str) -> None:
        """Offers what a part of the sentence may be instead, and to type it."""
        menu = QMenu(self)
        for words, terms in term_choices(contract, part, self._clusters):
            add_named(menu, sentence(words), partial(self.terms_chosen.emit, contract.contract_id, terms))
        for term in TYPED.get(part, (part,)):
            title = spoken(TERM_TITLES[term][0])
            add_named(menu, tr("{title}\u2026", title=title), partial(self._type, contract, term))
        menu.popup(QCursor.pos())

    def _type(self, contract: Contract, term: str) -> None:
        """Asks for a term in a line of text."""
        title, tip = (spoken(words) for words in TERM_TITLES[term])
        value = getattr(contract, term)
        before = "" if value is None else term_words(term, value)
        text = ask_text(self, title, tr(tip, currency=contract.currency), before, tr("Change"))
        if text and text != before:
            with errors_in_dialog(self):
                has_new_end = term == "end_s" and contract.end_s is None  # what ran on ends: notice was given
                terms = {term: typed_term(term, text), **({"renews_months": 0} if has_new_end else {})}
                self.terms_chosen.emit(contract.contract_id, terms)
