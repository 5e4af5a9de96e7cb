"""What to sign by when, and what becomes of existing contracts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.plan.whole_dollars import order_dollars
from gpuplanner.domain.commitment.result import Advice, Order, Verdict
from gpuplanner.domain.commitment.words.verdict_words import VERDICTS, change_words, verdict_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.typed import day, gpus, significant, whole
from gpuplanner.domain.figures.units import MONEY_PER_MONTH
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.reports.entries import named
from gpuplanner.domain.reports.order_days import Seen
from gpuplanner.domain.reports.plan_layers import in_offer
from gpuplanner.domain.reports.report import (
    BRIEF,
    DOCUMENT_ALONE,
    SHEET,
    TERMINAL,
    Column,
    Form,
    Media,
    Medium,
    Report,
)

LISTED: Final = TERMINAL | DOCUMENT_ALONE
SHORT_REASONS: Final = {
    "now": worded("now"),
    "contract_end": worded("contract ends"),
    "lead_time": worded("lead time"),
    "growth": worded("growth"),
    "bridge": worded("bridge"),
    "follows": worded("follows"),
    "if_it_lasts": worded("if it lasts"),
}
"""Why an order starts when it does, by what documents call it, where there is little room."""
REASONS: Final = {
    "now": worded("worth it now"),
    "contract_end": worded("a contract ends"),
    "lead_time": worded("as soon as it can be had"),
    "growth": worded("demand grows into it"),
    "bridge": worded("until what is built to order"),
    "follows": worded("another of them ends"),
    "if_it_lasts": worded("only if its demand lasts"),
}


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order, and its $ a month as the plan's whole dollars have them; None: a quote is needed."""

    order: Order
    whole_cost: int | None


@dataclass(frozen=True, slots=True)
class SeenOrder(OrderRow):
    """An order with its days as they are seen when it is written down."""

    order_by: Text
    starts: Text


@dataclass(frozen=True, slots=True)
class ToSign:
    """What is to be signed of a plan, as seen on a day."""

    advice: Advice
    seen: Seen


@dataclass(frozen=True, slots=True)
class ToDecide:
    """What becomes of the contracts of an evaluation with its advice, as seen on a day."""

    evaluation: Evaluation
    seen: Seen


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """What becomes of a contract; contract None: nobody knows it any more."""

    verdict: Verdict
    contract: Contract | None


@dataclass(frozen=True, slots=True)
class SeenVerdict(VerdictRow):
    """A contract's end with its last day to decide as it is seen when it is written down."""

    decide_by: Text


def sorted_orders(advice: Advice) -> list[Order]:
    """What must be ordered first coming first, without what only renews or follows it.

    Ties by start, offer and pool. Orders that hold only if demand lasts are left out.
    """
    return sorted(
        asked_for(advice.orders),
        key=lambda order: (order.order_by_s, order.start_s, order.offer_id, order.pool),
    )


def orders_left(advice: Advice, seen: Seen) -> list[Order]:
    """`sorted_orders` without those whose whole term had gone on the day that they are seen."""
    return [order for order in sorted_orders(advice) if not seen.is_over(order)]


def _orders(advice: Advice) -> list[OrderRow]:
    return [OrderRow(order, order_dollars(order, advice)) for order in advice.orders]


def _to_sign(about: ToSign) -> list[SeenOrder]:
    """What is to be signed, the first to order first."""
    advice, seen = about.advice, about.seen
    return [
        SeenOrder(order, order_dollars(order, advice), seen.order_by(order), seen.starts(order))
        for order in orders_left(advice, seen)
    ]


def _verdicts(evaluation: Evaluation) -> list[VerdictRow]:
    """Contracts as the advice judges them; none where there is no advice."""
    contracts = {contract.contract_id: contract for contract in evaluation.project.contracts}
    verdicts = evaluation.advice.verdicts if evaluation.advice is not None else ()
    return [VerdictRow(row, contracts.get(row.contract_id)) for row in verdicts]


def _to_decide(about: ToDecide) -> list[SeenVerdict]:
    """What becomes of contracts, the first to decide on first."""
    rows = sorted(_verdicts(about.evaluation), key=_soonest_first)
    return [SeenVerdict(row.verdict, row.contract, _decide_by(row, about.seen)) for row in rows]


def _decide_by(row: VerdictRow, seen: Seen) -> Text:
    """The last day to give notice or to order what follows; of a past one that it is; empty without one.

    Contracts have days of the calendar even where the plan has none.
    """
    by_s, contract = row.verdict.order_by_s, row.contract
    if by_s is None:
        return ""
    if contract is not None and contract.end_s is not None and contract.end_s <= seen.written_s:
        return worded("it has ended")
    if by_s // DAY_S < seen.written_s // DAY_S:
        return worded("overdue: decide now")
    return worded("{day}", day=day(by_s))


def _of_order(key: str) -> Callable[[OrderRow], Any]:
    """A column's value from the order behind the row."""
    return lambda row: getattr(row.order, key)


def _of_verdict(key: str) -> Callable[[VerdictRow], Any]:
    """A column's value from the verdict behind the row."""
    return lambda row: getattr(row.verdict, key)


def _of_contract(key: str) -> Callable[[VerdictRow], Any]:
    """A column's value from the contract behind the row; None where nobody knows it any more."""
    return lambda row: None if row.contract is None else getattr(row.contract, key)


def _pool(row: OrderRow) -> str:
    return row.order.pool.value


def _gpu_model(row: OrderRow) -> str | None:
    """The model of the demand, without who alone may serve it."""
    return gpu_model_of(row.order.gpu_model)


def _gpus_words(row: OrderRow) -> Text:
    """GPUs of the row's model; where another model serves them, also how many of it: `9.0 = 5 H200`."""
    order = row.order
    return joined((significant(order.gpus, 9), *in_offer(order.gpu_model, order)), " = ")


def _bought(row: OrderRow) -> Text:
    """13 H100: GPUs of the offer's own model."""
    order = row.order
    return joined((gpus(order.bought_gpus), order.offer_gpu_model or order.gpu_model or worded("GPUs")), " ")


def _served_by(row: OrderRow) -> Text:
    """H200 for H100, where another model serves the row's; else that of the offer."""
    asked, bought = row.order.gpu_model, row.order.offer_gpu_model
    if asked is None or bought is None or asked == bought:
        return asked or worded("unknown model")
    return worded("{bought} for {asked}", bought=bought, asked=asked)


def _reason(row: OrderRow) -> Text:
    return SHORT_REASONS.get(row.order.reason, row.order.reason)


def _pool_name(row: OrderRow) -> str:
    return row.order.pool.value.capitalize()


def _months(row: OrderRow) -> Message:
    months = row.order.term_months
    return worded_count(months, "{term} month", "{term} months", term=whole(months))


def _whole(row: OrderRow) -> int | None:
    return row.whole_cost


def _by_contract_id(row: VerdictRow) -> str:
    return row.verdict.contract_id


def _soonest_first(row: VerdictRow) -> tuple[bool, int, str]:
    """Key for sorting: days to order by first, contracts without one last, then by id."""
    by_s = row.verdict.order_by_s
    return by_s is None, by_s or 0, row.verdict.contract_id


def _next_step(row: VerdictRow) -> Text:
    return VERDICTS.get(row.verdict.verdict, row.verdict.verdict)


def _change(row: VerdictRow) -> Text | None:
    """What changes when the contract ends; None where nothing does."""
    return change_words(row.verdict, row.contract) or None


def _verdict_words(row: VerdictRow) -> Text:
    return verdict_words(row.verdict, row.contract)


def _last_day(row: VerdictRow) -> int | Text:
    """The last day of a contract, epoch seconds."""
    if row.contract is None:
        return ""
    return worded("no end") if row.contract.end_s is None else row.contract.end_s - 1


def _order_id(row: OrderRow) -> str:
    return row.order.offer_id


def _figure(key: str) -> Column:
    """A figure of the order that documents alone have."""
    return Column(ORDER[key], media=DOCUMENT_ALONE, value=_of_order(key))


def _text(title: Text, media: Media, of: Callable[[Any], Any], form: Form = "value") -> Column:
    return Column(title=title, media=media, value=of, form=form)


ORDERS: Final = Report(
    title=worded("Orders"),
    one="order",
    many="orders",
    rows=_orders,
    key=_order_id,
    columns=(
        named("pool", _pool),
        named("gpu_model", _gpu_model),
        _text(worded("Offer"), TERMINAL, _order_id),
        Column(key="pool", title=worded("Pool"), media=TERMINAL | SHEET, value=_pool_name),
        _text("GPU", TERMINAL, _of_order("gpu_model")),
        Column(key="gpu_model", title=worded("GPU model"), media=SHEET, value=_served_by),
        Column(key="reason", title=worded("Reason"), media=SHEET, value=_reason),
        Column(ORDER["term_months"], media=SHEET, value=_of_order("term_months")),
        Column(key="offer_id", title=worded("Offer"), media=SHEET, form="aside", value=_order_id),
        Column(ORDER["gpus"], media=TERMINAL, value=_gpus_words),
        Column(ORDER["bought_gpus"], media=SHEET, value=_of_order("bought_gpus")),
        named("offer_id", _order_id),
        Column(ORDER["term_months"], media=LISTED, value=_of_order("term_months")),
        named("term_days", _of_order("term_days")),
        _figure("gpus"),
        _figure("rate"),
        Column(
            key="start",
            title=worded("Start"),
            media=LISTED | SHEET,
            form="date",
            value=_of_order("start_s"),
        ),
        Column(
            key="order_by",
            title=worded("Order by"),
            media=LISTED | SHEET,
            form="date",
            value=_of_order("order_by_s"),
        ),
        named("reason", _of_order("reason")),
        _text(worded("Reason"), TERMINAL, _reason),
        named("offer_gpu_model", _of_order("offer_gpu_model")),
        named("offer_gpus", _of_order("offer_gpus")),
        Column(ORDER["cost_per_month"], media=TERMINAL, value=_whole),
        _figure("cost_per_month"),
        _figure("liability"),
    ),
    unit_once=MONEY_PER_MONTH,
    adds_up=False,
)
"""About a plan; rows are all orders of its twelve months."""

TO_SIGN: Final = Report(
    title=worded("To sign"),
    one="order",
    many="orders",
    rows=_to_sign,
    key=_order_id,
    columns=(
        _text(worded("Order by"), BRIEF, lambda row: row.order_by),
        _text("GPUs", BRIEF, _bought),
        _text(worded("Pool"), BRIEF, _pool_name),
        _text(titles.TERM, BRIEF, _months),
        _text(worded("Starts"), BRIEF, lambda row: row.starts),
        Column(ORDER["cost_per_month"], media=BRIEF, value=_whole),
        _text(worded("Because"), BRIEF, lambda row: REASONS.get(row.order.reason, row.order.reason)),
    ),
    media=BRIEF,
    adds_up=False,
)
"""About what is to be signed: without orders that only renew or follow others, the first to order first."""

VERDICT_ROWS: Final = Report(
    title=worded("Contracts"),
    one="contract",
    many="contracts",
    rows=_verdicts,
    key=_by_contract_id,
    columns=(
        Column(key="contract_id", title=worded("Contract"), media=LISTED, value=_by_contract_id),
        named("verdict", _of_verdict("verdict")),
        _text(worded("Verdict"), TERMINAL, _next_step),
        named("then_term_months", _of_verdict("then_term_months")),
        named("gpus", _of_verdict("gpus")),
        _text(worded("GPUs, term"), TERMINAL, _change),
        Column(
            key="order_by",
            title=worded("Order by"),
            media=LISTED,
            form="date",
            value=_of_verdict("order_by_s"),
        ),
        Column(key="reason", title=worded("Why"), media=LISTED, value=_of_verdict("reason")),
        named("contract_gpus", _of_contract("gpus")),
        named("contract_term_months", _of_contract("term_months")),
    ),
    order={Medium.DOCUMENT: _by_contract_id},
    media=LISTED,
)
"""About an evaluation whose advice is there; rows are its contracts."""

TO_DECIDE: Final = Report(
    title=worded("Existing contracts"),
    one="contract",
    many="contracts",
    rows=_to_decide,
    key=_by_contract_id,
    columns=(
        _text(worded("Contract"), BRIEF, _by_contract_id),
        _text(worded("Ends"), BRIEF, _last_day, "date"),
        _text(worded("Advice"), BRIEF, _verdict_words),
        _text(worded("Decide by"), BRIEF, lambda row: row.decide_by),
    ),
    media=BRIEF,
)
"""About what becomes of contracts, the first to decide on first."""
