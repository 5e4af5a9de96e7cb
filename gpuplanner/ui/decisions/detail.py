"""One decision in full: why, its days and dollars, its orders, and what can be done with it."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.asked_rows import usual_days
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.listed_orders import replaced_by_words
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.plan.orders import orders_by_row
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import NEXT_DECISION
from gpuplanner.domain.message import Text, capital, worded
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.files.contracts.contract_words import contract_parts, sentence_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.decisions.actions import ACTIONS, DONE, REOPEN, WHY, actions_of, choice_label, step_label
from gpuplanner.ui.decisions.order_rows import order_row
from gpuplanner.ui.kit.layout import STRETCH, TOP, column, emptied, grid, ground, named, placed, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, named_button, retell, scrolled
from gpuplanner.ui.state.commitment_words import until_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.row_list import ListRow, RowList
from gpuplanner.ui.words import numbers

NOTHING: Final = worded("Choose a decision to see its reasons and orders.")


@dataclass(frozen=True, slots=True)
class Fact:
    """One line about a decision: what it is called, and what is so."""

    name: Text
    words: Text


@dataclass(frozen=True, slots=True)
class DecisionDetail:
    """What is shown of a decision beside its title. orders: as rows, the first to start first.

    choices: orders that the user may place at list price, or has chosen to.
    """

    decision: NextDecision
    facts: tuple[Fact, ...]
    orders: tuple[ListRow, ...]
    choices: tuple[ListedOrder, ...] = ()


def detail_of(decision: NextDecision, shown: ViewState, seen: Seen) -> DecisionDetail:
    """All that is known of a decision of the plan that is shown, as seen on a day."""
    known = {contract.contract_id: contract for contract in shown.evaluation.project.contracts}
    contract = known.get(decision.contract_id)
    facts = (
        *_of_contract(contract, decision, shown),
        *_days(decision),
        *_dollars(decision),
        *_waits(decision),
        *_quotes(decision, shown, seen),
    )
    listed = _listed(decision, shown)
    return DecisionDetail(
        decision=decision,
        facts=facts,
        orders=tuple(_orders(listed, decision, shown, seen)),
        choices=tuple(order for order in listed if order.is_choosable),
    )


def _of_contract(contract: Contract | None, decision: NextDecision, shown: ViewState) -> Iterable[Fact]:
    """The terms of its contract, how much of it was used, what it costs, and why it is decided so."""
    if contract is None:
        return
    yield Fact(worded("Contract"), capital(sentence_of(contract_parts(contract))))
    used = {row.contract_id: row.utilization for row in shown.evaluation.audit.contracts}
    if (share_used := used.get(contract.contract_id)) is not None:
        words = tr("{used} of its hours", used=numbers.percent(share_used))
        yield Fact(titles.USED, words)
    verdicts = () if shown.advice is None else shown.advice.verdicts
    of_contract = (verdict for verdict in verdicts if verdict.contract_id == contract.contract_id)
    if verdict := next(of_contract, None):
        # the reason counts GPUs of orders that belong to other decisions, too
        if orders := replaced_by_words(verdict, shown.listed_orders):
            yield Fact(worded("Replaced by"), orders)
        elif str(verdict.reason):
            yield Fact(worded("Reason"), numbers.capital(spoken(verdict.reason)))
    if decision.gap:
        yield Fact(worded("Until then"), numbers.capital(spoken(decision.gap)))


def _days(decision: NextDecision) -> Iterable[Fact]:
    """Its last days, each on a line of its own."""
    if decision.notice_by_s is not None:
        yield Fact(worded("Give notice by"), numbers.date(decision.notice_by_s))
    if decision.order_by_s is not None:
        yield Fact(worded("Order by"), numbers.date(decision.order_by_s))
    if decision.notice_by_s is None and decision.order_by_s is None and decision.by_s is not None:
        yield Fact(worded("Decide by"), numbers.date(decision.by_s))
    # what is paid by use stops when it is decided: it has no day of its own
    if decision.contract_id and decision.ends_s is not None and decision.ends_s > (decision.by_s or 0):
        yield Fact(worded("Ends"), numbers.date(decision.ends_s - 1))


def _dollars(decision: NextDecision) -> Iterable[Fact]:
    """What twelve months cost without it and with it, and what it commits."""
    yield Fact(worded("Outcome"), capital(decision.saves))
    without, year_with = decision.year_without, decision.year_with
    if without is not None and year_with is not None and not decision.is_done:
        missing = (
            (decision.unknown,) if decision.unknown else ()
        )  # parts that have no price with it and without it
        taken, left = (numbers.sum_of(PartSum(usd, 1, missing)) for usd in (year_with, without))
        yield Fact(worded("12 months"), tr("{taken} with it, {left} without it", taken=taken, left=left))
    for name, usd in (
        (NEXT_DECISION["committed_usd"].title, decision.committed_usd),
        (worded("Commits later"), decision.committed_later_usd),
        (worded("Cash with the order"), decision.cash_usd),
    ):
        if usd:
            yield Fact(name, numbers.dollars(usd))
    if decision.is_quote is not None:
        words = worded("quotes") if decision.is_quote else worded("list prices, no quote yet")
        yield Fact(worded("Prices"), capital(words))


def _waits(decision: NextDecision) -> Iterable[Fact]:
    """How long jobs wait after it takes effect, and what each day costs by which it is put off."""
    if decision.waits is not None:
        yield Fact(worded("Waits"), capital(decision.waits.text))
    if decision.waiting_usd_per_day:
        usd = numbers.dollars(decision.waiting_usd_per_day)
        yield Fact(worded("Each day of delay"), tr("costs at most {usd}", usd=usd))


def _quotes(decision: NextDecision, shown: ViewState, seen: Seen) -> Iterable[Fact]:
    """What waiting for the quotes of its orders costs if they are asked for on the day of reading, and what is
    cheaper.
    """
    wait = shown.evaluation.wait_for_quotes(usual_days(seen.written_s)) if decision.order_numbers else None
    for order in () if wait is None else wait.orders:
        if order.listed.number in decision.order_numbers:
            yield Fact(worded("Quotes"), spoken(order.text))


def _listed(decision: NextDecision, shown: ViewState) -> list[ListedOrder]:
    """Its orders in the list of the plan."""
    return [order for order in shown.listed_orders if order.number in decision.order_numbers]


def _orders(
    listed: Sequence[ListedOrder], decision: NextDecision, shown: ViewState, seen: Seen
) -> Iterable[ListRow]:
    """Its orders as rows; those of a decision that is not in the plan have no numbers."""
    if shown.advice is None or shown.outlook is None:
        return
    chains = () if listed else orders_by_row(decision.orders)
    for order in listed or [ListedOrder(number=0, orders=chain, order_ids=()) for chain in chains]:
        yield order_row(order, seen, shown.advice, shown.offers)


class DecisionPane(QFrame):
    """Told one decision; says what is to be done with it, and what one of its orders opens."""

    asked = Signal(str, object)  # one of ACTIONS, NextDecision
    order_asked = Signal(object)  # ListedOrder to place at list price, or to wait for a quote of again
    row_opened = Signal(str, str)  # kind and key of a row of its orders

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Chosen decision"), look="card")
        self.detail: DecisionDetail | None = None
        self._today_s = 0
        self.title = label(step="title", is_wrapped=True)
        self.day, self.provider = (
            label(step="small_strong"),
            label(role="muted", step="small", is_wrapped=True),
        )
        self.nothing = label(NOTHING, role="muted", is_wrapped=True)
        self.nothing.setAlignment(TOP)
        self._facts = grid(spacing=(14, 6), shares=(0, 1))
        self.order_heading = heading_label(tr("Orders"))
        self.orders = RowList(tr("Orders of the decision"))
        self.orders.row_opened.connect(self.row_opened)
        self.buttons: dict[str, QPushButton] = {
            name: named_button(text, does=lambda _=False, name=name: self._ask(name), takes_enter=True)
            for name, text in ACTIONS.items()
            if name != WHY
        }
        self.why = named_button(
            ACTIONS[WHY], does=lambda _=False: self._ask(WHY), is_link=True, takes_enter=True
        )
        self.choices: dict[int, QPushButton] = {}  # by number of the order
        self._choices = column(spacing=4)
        self._buttons = row(*self.buttons.values(), STRETCH, spacing=8)
        self._body = ground(QWidget(), "panel")
        column(
            row(share(self.title), placed(self.day, TOP), spacing=10),
            self.provider,
            6,
            self._facts,
            8,
            self.order_heading,
            self.orders,
            self._choices,
            8,
            row(self.why, STRETCH),
            STRETCH,
            on=self._body,
            margins=(0, 0, 8, 0),
            spacing=4,
        )
        self.area = scrolled(self._body, tr("Chosen decision"))
        column(self.nothing, share(self.area), self._buttons, on=self, margins=(14, 10, 8, 10), spacing=8)
        self.show_detail(None, 0)

    def show_detail(self, detail: DecisionDetail | None, today_s: int) -> None:
        """Show a decision in full, or that none is chosen. today_s: epoch seconds."""
        self.detail, self._today_s = detail, today_s
        self.nothing.setVisible(detail is None)
        self.area.setVisible(detail is not None)
        offered = () if detail is None else actions_of(detail.decision, today_s)
        for name, button in self.buttons.items():
            button.setVisible(name in offered)
        if detail is None:
            return
        decision = detail.decision
        number = decision_number(decision.number)
        self.title.setText(tr("{number} {title}", number=number, title=decision.title))
        self.day.setVisible(decision.by_s is not None and not decision.is_done)
        if decision.by_s is not None:
            words, _, role = until_words(decision.by_s, today_s)
            retell(self.day, words, role)
        self.provider.setText(spoken(decision.provider_words))
        self.provider.setVisible(bool(self.provider.text()))
        for name in offered:
            if name != WHY:
                named(self.buttons[name], step_label(name, decision))
        set_tip(self.buttons[DONE], tr("Record the notice or order"))
        set_tip(self.buttons[REOPEN], tr("Withdraw the recorded notice or order"))
        self.why.setVisible(WHY in offered)
        self._show_facts(detail)

    def _show_facts(self, detail: DecisionDetail) -> None:
        """Lay out the facts anew, and the orders below each other without a scroll bar of their own."""
        emptied(self._facts)
        for line, fact in enumerate(detail.facts):
            name = label(fact.name, role="muted", step="small")
            words = label(fact.words, is_wrapped=True)
            words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._facts.addWidget(name, line, 0, TOP)
            self._facts.addWidget(words, line, 1)
        self.order_heading.setVisible(bool(detail.orders))
        self.orders.setVisible(bool(detail.orders))
        self.orders.show_rows(detail.orders)
        height = sum(self.orders.sizeHintForRow(place) for place in range(len(detail.orders)))
        self.orders.setFixedHeight(height + 2)
        focused = next((number for number, button in self.choices.items() if button.hasFocus()), None)
        emptied(self._choices)
        self.choices = {order.number: self._choice(order) for order in detail.choices}
        for number, button in self.choices.items():
            self._choices.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            if number == focused:  # the keyboard stays where it was
                button.setFocus()

    def _choice(self, order: ListedOrder) -> QPushButton:
        """A button that places an order at list price, or lets it wait for a quote again."""
        return named_button(
            choice_label(order), does=partial(self.order_asked.emit, order), is_link=True, takes_enter=True
        )

    def set_settling(self, *, is_settling: bool) -> None:
        """Nothing can be done with a decision of a plan that has changed since."""
        for button in (*self.buttons.values(), *self.choices.values()):
            button.setEnabled(not is_settling)

    def _ask(self, action: str) -> None:
        if self.detail is not None:
            self.asked.emit(action, self.detail.decision)
