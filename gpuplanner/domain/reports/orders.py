"""What to sign by when, what becomes of existing contracts, and what vendors are asked for on a day."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import inf
from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.audit.utilization import paid_contracts
from gpuplanner.domain.commitment.asked_rows import AskedRow, Asking, asked_in, is_over
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.outlook_result import renewals
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.layers import order_dollars
from gpuplanner.domain.commitment.plan.orders import (
    SOON_S,
    asked_for,
    is_new,
    orders_by_row,
    to_sign,
    together_words,
    vendors,
)
from gpuplanner.domain.commitment.recursion.calendar import lead_s
from gpuplanner.domain.commitment.result import Advice, Order, Verdict
from gpuplanner.domain.commitment.sentences import (
    change_words,
    decide_by_s,
    is_to_stop,
    row_term_words,
    step_words,
    verdict_words,
)
from gpuplanner.domain.evaluation import Evaluation, scenario_named
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.typed import Written, day, gpus, plan_month, significant, whole, worded_whole
from gpuplanner.domain.figures.writing import MONEY_PER_MONTH
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import PartSum, known_sum, largest_remainder, part_sum
from gpuplanner.domain.model.book.contract import Contract, notice_by_s, term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.model.window import DAY_S, MONTH_S, day_of, has_calendar
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.plan_layers import in_offer
from gpuplanner.lazy_dataclass import dataclass, field

# --- Days of a plan's orders as seen on the day that they are written down: what is overdue, what to approve


@dataclass(frozen=True, slots=True)
class Seen:
    """A plan as seen on a day. written_s: that day; begins_s: the plan's first; both epoch seconds UTC.

    leads_s: seconds from an order to its start, by offer_id; closed: offer_ids that can no longer be ordered
    on the later of both. asking: the days of a request that goes with it, before which nothing is ordered.
    """

    written_s: int
    begins_s: int
    leads_s: Mapping[str, int] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()
    asking: Asking | None = None

    @property
    def is_dated(self) -> bool:
        """Whether the plan's months are of the calendar; else nothing in it has a day."""
        return has_calendar(self.begins_s)

    @property
    def days_late(self) -> int:
        """Whole days from the plan's first day to the day of writing; 0 where the plan begins on it or later."""
        return max(0, self.written_s // DAY_S - self.begins_s // DAY_S) if self.is_dated else 0

    @property
    def counted_from_s(self) -> int:
        """Epoch seconds from which on there is still time to order: the later of both days."""
        return max(self.begins_s, day_of(self.written_s)) if self.is_dated else self.begins_s

    def is_past(self, at_s: int) -> bool:
        """Whether a day has gone by the calendar (UTC); what is due on the day of writing has not.

        at_s: epoch seconds. False where the plan has no days.
        """
        return self.is_dated and at_s // DAY_S < self.written_s // DAY_S

    def is_over(self, order: Order) -> bool:
        """Whether the order's whole term had gone when this was written: there is nothing left of it to sign."""
        return self.is_dated and is_over(order, self.written_s)

    def is_late(self, order: Order) -> bool:
        """Whether it should have been placed before the day of writing, and something of its term is left."""
        return self.is_past(order.last_day_s) and not self.is_over(order)

    def has_lapsed(self, order: Order) -> bool:
        """Whether the quote that it stands on was no longer valid when this was written."""
        return self.is_dated and order.offer_id in self.closed

    def is_overdue(self, order: Order) -> bool:
        """Whether it should have been placed before the day of writing, and can be; never where vendors are asked."""
        return self.asking is None and self.is_late(order) and not self.has_lapsed(order)

    def order_by(self, order: Order) -> Text:
        """The last day to order; never one that has gone."""
        if self.has_lapsed(order):
            return worded("quote no longer valid: ask again")
        return worded("overdue: order now") if self.is_overdue(order) else self.day(self.order_day_s(order))

    def order_day_s(self, order: Order) -> int:
        """When it is to be placed at the latest, or, where vendors are asked first, once that is decided."""
        if self.asking is None:
            return order.last_day_s
        placed_s = self.asking.order_day_s(order)
        return placed_s if placed_s > order.order_by_s else max(order.last_day_s, self.asking.today_s)

    def starts(self, order: Order) -> Text:
        """The day that it serves from: of what is late, with the offer's lead from the day of writing on."""
        return self.day(self.starts_s(order))

    def starts_s(self, order: Order) -> int:
        """The same, epoch seconds."""
        if self.asking is not None and not self.is_over(order):
            return self.asking.start_s(order)
        if not self.is_late(order):
            return order.start_s
        lead = self.leads_s.get(order.offer_id, order.start_s - order.order_by_s)
        return max(order.start_s, self.written_s // DAY_S * DAY_S + lead)

    def day(self, at_s: int) -> Text:
        """A day of the plan; the month of it where nothing in it has a day.

        at_s: epoch seconds.
        """
        if self.is_dated:
            return worded("{day}", day=day(at_s))
        return plan_month(max(0, at_s - self.begins_s) // MONTH_S)

    def to_approve(self, orders: Sequence[Order]) -> tuple[Order, ...]:
        """What is to be signed now: certain orders that are overdue, or to be placed within a month of
        `counted_from_s`, the first to be placed first. Every medium's *now* is this one.

        What only renews another order waits until a week before its day: a plan that is read a day after it begins
        signs one month of a monthly term, not two.
        """
        renewed_until_s = max(self.begins_s + SOON_S, self.counted_from_s + 7 * DAY_S)
        soon = self._left(to_sign(orders, self.counted_from_s))
        return tuple(one for one in soon if is_new(one) or one.order_by_s < renewed_until_s)

    def to_sign_later(self, orders: Sequence[Order]) -> tuple[Order, ...]:
        """The others that are certain and new: what only renews or follows another order is left out."""
        now = self.to_approve(orders)
        return tuple(one for one in self._left(asked_for(orders)) if one not in now)

    def _left(self, orders: Iterable[Order]) -> list[Order]:
        """Those that are not over, the first to be placed first; ties by start, offer and pool."""
        return sorted(
            (one for one in orders if not self.is_over(one)),
            key=lambda one: (self.order_day_s(one), one.order_by_s, one.start_s, one.offer_id, one.pool),
        )


def seen_on(written_s: int, begins_s: int, offers: Iterable[Offer], asking: Asking | None = None) -> Seen:
    """A plan with its offers as seen on a day. asking: the days of a request that goes with it.

    written_s, begins_s: epoch seconds UTC.
    """
    listed = tuple(offers)
    order_day_s = max(written_s, begins_s)  # as an award has it
    return Seen(
        written_s,
        begins_s,
        {offer.offer_id: lead_s(offer) for offer in listed},
        frozenset(offer.offer_id for offer in listed if not offer.is_open_on(order_day_s)),
        asking if has_calendar(begins_s) else None,
    )


def seen_in(project: Project, written_s: int | None = None, asking: Asking | None = None) -> Seen:
    """A project's plan as seen on a day; None: on its first."""
    begins_s = project.plan_window.end_s
    return seen_on(begins_s if written_s is None else written_s, begins_s, project.offers, asking)


# --- What vendors are asked for on a day: the rows of a request for what an evaluated plan orders


def asked_on(
    evaluation: Evaluation, sold_in: Mapping[str, int], today_s: int, asking: Asking | None = None
) -> tuple[AskedRow, ...]:
    """The rows of an evaluation with its advice; sold_in, today_s, asking: as of `asked_in`.

    Errors: ValueError where there is no advice yet.
    """
    project = evaluation.in_parts.project
    scenario = scenario_named(project, evaluation.scenario)
    pools = evaluation.figures.workload_pools
    ground = ground_of(project, scenario, pools, AdviceCache(), evaluation.advised.classes)
    return asked_in(ground, evaluation.advised.orders, sold_in, today_s, asking)


# --- What to sign by when, and what becomes of existing contracts --------------------------------

LISTED: Final = report.TERMINAL | report.DOCUMENT_ALONE
STARTS, ENDS, ORDER_BY = worded("Start"), worded("End"), worded("Order by")
SHORT_REASONS: Final = {
    "now": worded("now"),
    "contract_end": worded("contract ends"),
    "lead_time": worded("lead time"),
    "growth": worded("growth"),
    "bridge": worded("bridge"),
    "follows": worded("follows"),
    "planned_run": worded("planned run"),
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
    "planned_run": worded("planned work runs then"),
    "if_it_lasts": worded("only if its demand lasts"),
}


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order, and its $ a month as the plan's whole dollars have them; None: a quote is needed."""

    order: Order
    whole_cost: int | None


@dataclass(frozen=True, slots=True)
class SeenOrder(OrderRow):
    """Orders that continue each other, by the first of them, with its days as they are seen when it is written down.

    orders: all of them that are listed. whole_liability, whole_due: $ over its whole term, and due when it is signed
    or bought, rounded so that those listed add up; None where the rate is missing.
    """

    order_by: Text
    starts: Text
    whole_liability: int | None
    whole_due: int | None
    orders: tuple[Order, ...]


@dataclass(frozen=True, slots=True)
class SeveralOrders:
    """A row that stands for several orders: what it is called, their GPUs, $ over their whole terms and at once."""

    order_by: Text
    bought: Text
    liability: PartSum
    due_at_once: PartSum


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

    @property
    def ends_s(self) -> int | None:
        """When it ends, epoch seconds, as it has renewed; None where it does not, or nobody knows."""
        return self.verdict.renewed_s or (None if self.contract is None else self.contract.end_s)


@dataclass(frozen=True, slots=True)
class SeenVerdict(VerdictRow):
    """A contract's end with what to do, and its last day to decide as it is seen when it is written down."""

    advice: Text
    decide_by: Text


@dataclass(frozen=True, slots=True)
class ShownOrder(OrderRow):
    """Orders that join, end to start, by the first of them: how many, and when the last ends, epoch seconds."""

    count: int
    ends_s: int


def _order_rows(advice: Advice) -> list[ShownOrder]:
    return [
        ShownOrder(row[0], order_dollars(row[0], advice), len(row), row[-1].end_s)
        for row in orders_by_row(advice.orders)
    ]


def _orders(advice: Advice) -> list[OrderRow]:
    return [OrderRow(order, order_dollars(order, advice)) for order in advice.orders]


def _to_approve(about: ToSign) -> list[SeenOrder]:
    """What is to be signed now, the first to order first."""
    return _seen(about, about.seen.to_approve(about.advice.orders))


def _to_sign_later(about: ToSign) -> list[SeenOrder]:
    """What is to be signed later, the first to order first."""
    return _seen(about, about.seen.to_sign_later(about.advice.orders))


def _seen(about: ToSign, orders: Sequence[Order]) -> list[SeenOrder]:
    """Orders with their days and their whole dollars, which add up; those that continue each other as one."""
    advice, seen, rows = about.advice, about.seen, orders_by_row(orders)
    whole_liabilities = largest_remainder([known_sum(one.liability for one in row) for row in rows])
    whole_dues = largest_remainder([known_sum(one.due_at_once for one in row) for row in rows])
    return [
        SeenOrder(
            row[0],
            order_dollars(row[0], advice),
            seen.order_by(row[0]),
            seen.starts(row[0]),
            liability,
            due,
            row,
        )
        for row, liability, due in zip(rows, whole_liabilities, whole_dues, strict=True)
    ]


def _several(name: Text, rows: Sequence[SeenOrder]) -> SeveralOrders:
    """Several orders in one row: the most GPUs of them that run at one time."""
    return SeveralOrders(
        name,
        together_words([one for row in rows for one in row.orders]),
        part_sum((str(at), row.whole_liability) for at, row in enumerate(rows)),
        part_sum((str(at), row.whole_due) for at, row in enumerate(rows)),
    )


def _to_approve_in_all(about: ToSign) -> SeveralOrders:
    rows = _to_approve(about)
    return _several(now_title([row.order for row in rows]), rows)


def now_title(orders: Iterable[Order]) -> Text:
    """What orders of now are called: buying is no signing."""
    return worded("To buy and sign now") if any(one.is_bought for one in orders) else TO_APPROVE.title


def later_title(orders: Iterable[Order]) -> Text:
    """The same of those that come later."""
    return worded("To buy and sign later") if any(one.is_bought for one in orders) else TO_SIGN_LATER.title


def verdict_rows(evaluation: Evaluation) -> list[VerdictRow]:
    """Contracts as the advice judges them; none where there is no advice."""
    contracts = {contract.contract_id: contract for contract in paid_contracts(evaluation.project)}
    verdicts = evaluation.advice.verdicts if evaluation.advice is not None else ()
    return [VerdictRow(row, contracts.get(row.contract_id)) for row in verdicts]


def renewals_at(evaluation: Evaluation, checks: Sequence[Check], at_s: int) -> dict[Text, Text]:
    """What renewals that plans do not choose are worth, by contract that has not ended then, epoch seconds."""
    over = {row.verdict.contract_id for row in verdict_rows(evaluation) if (row.ends_s or inf) <= at_s}
    return {name: step for name, step in renewals(checks).items() if name not in over}


def _to_decide(about: ToDecide) -> list[SeenVerdict]:
    """What becomes of contracts, the first to decide on first."""
    rows, checks = sorted(verdict_rows(about.evaluation), key=_soonest_first), about.evaluation.checks
    return [
        SeenVerdict(one, of, verdict_words(one, of, checks), decide_by(row, about.seen))
        for row in rows
        for one, of in ((row.verdict, row.contract),)
    ]


def _decide_by_s(row: VerdictRow) -> int | None:
    return decide_by_s(row.verdict, row.contract)


def decide_by(row: VerdictRow, seen: Seen) -> Text:
    """The last day to give notice, to stop it or to order what follows; of a past one that it is; empty without one.

    Contracts have days of the calendar even where the plan has none.
    """
    by_s, contract, ends_s = _decide_by_s(row), row.contract, row.ends_s
    if ends_s is not None and ends_s <= seen.written_s:
        return worded("it has ended")
    if contract is not None and is_to_stop(row.verdict, contract):
        # so that it has stopped when the plan begins
        by_s = notice_by_s(contract, seen.begins_s) or seen.begins_s
        return worded("{day}", day=day(by_s)) if seen.is_dated and not seen.is_past(by_s) else worded("now")
    if by_s is None:
        return ""
    if by_s // DAY_S < seen.written_s // DAY_S:
        notice_s = None if contract is None else notice_by_s(contract, ends_s)
        if notice_s is not None and not seen.is_past(notice_s):
            return worded("overdue: decide now; notice by {day}", day=day(notice_s))
        return worded("overdue: decide now")
    return worded("{day}", day=day(by_s))


def _of_contract(key: str) -> Callable[[VerdictRow], Any]:
    """A column's value from the contract behind the row; None where nobody knows it any more."""
    return lambda row: None if row.contract is None else getattr(row.contract, key)


def _sla_usd(row: OrderRow) -> Written | None:
    usd = row.order.sla_usd_per_month
    return None if usd is None else whole(usd)


def _cancel_fee(row: VerdictRow) -> Written | None:
    usd = None if row.contract is None else row.contract.cancel_fee
    return None if usd is None else whole(usd)


def _gpus_words(row: OrderRow) -> Text:
    """GPUs of the row's model; where another model serves them, also how many of it: `9.0 = 5 H200`."""
    order = row.order
    return joined((significant(order.gpus, 9), *in_offer(order.gpu_model, order)), " = ")


def bought_words(order: Order) -> Message:
    """13 H100: GPUs of the offer's own model."""
    return joined((gpus(order.bought_gpus), order.offer_gpu_model or order.gpu_model or worded("GPUs")), " ")


def _served_by(row: OrderRow) -> Text:
    """H200 for H100, where another model serves the row's; else that of the offer."""
    asked, bought = row.order.gpu_model, row.order.offer_gpu_model
    if asked is None or bought is None or asked == bought:
        return asked or worded("unknown model")
    return worded("{bought} for {asked}", bought=bought, asked=asked)


def _reason(row: OrderRow) -> Text:
    return SHORT_REASONS.get(row.order.reason, row.order.reason)


def _pool_name(row: OrderRow) -> Message:
    return POOL_TITLES[row.order.pool]


def _term(row: OrderRow) -> Message:
    """12 months; to buy, for 48 months: what is owned is not signed for."""
    term = term_words(row.order.term_months, row.order.term_days)
    if isinstance(row, SeenOrder) and (len(row.orders) > 1 or row.order.renews):
        return row_term_words(row.orders)
    if isinstance(row, ShownOrder) and row.count > 1:
        return worded("{count} \u00d7 {term}", count=whole(row.count), term=term)
    return worded("to buy, for {term}", term=term) if row.order.is_bought else term


def _soonest_first(row: VerdictRow) -> tuple[bool, int, str]:
    """Key for sorting: days to order by first, contracts without one last, then by id."""
    by_s = _decide_by_s(row)
    return by_s is None, by_s or 0, row.verdict.contract_id


def _change(row: VerdictRow) -> Text | None:
    """What changes when the contract ends; None where nothing does."""
    return change_words(row.verdict, row.contract) or None


def _last_day(row: VerdictRow) -> int | Text:
    """The last day of a contract, epoch seconds."""
    if row.contract is None:
        return ""
    return worded("no end") if row.ends_s is None else row.ends_s - 1


_by_contract_id, _order_id = attrgetter("verdict.contract_id"), attrgetter("order.offer_id")


def _figure(key: str) -> report.Column:
    """A figure of the order that documents alone have."""
    return report.Column(ORDER[key], media=report.DOCUMENT_ALONE, value=attrgetter(f"order.{key}"))


ORDERS: Final = report.Report(worded("Orders"), _orders, _order_id, unit_once=MONEY_PER_MONTH).with_columns(
    report.named("pool", "order.pool.value"),
    # The model of the demand, without who alone may serve it.
    report.named("gpu_model", lambda row: gpu_model_of(row.order.gpu_model)),
    report.text("pool", worded("Pool"), _pool_name, media=report.SHEET),
    report.text("gpu_model", worded("GPU model"), _served_by, media=report.SHEET),
    report.text("reason", worded("Reason"), _reason, media=report.SHEET),
    report.Column(ORDER["term_months"], media=report.SHEET, value=attrgetter("order.term_months")),
    report.text("offer_id", worded("Offer"), _order_id, media=report.SHEET, form="aside"),
    report.Column(ORDER["bought_gpus"], media=report.SHEET, value=attrgetter("order.bought_gpus")),
    report.named("offer_id", _order_id),
    report.Column(ORDER["term_months"], media=report.DOCUMENT_ALONE, value=attrgetter("order.term_months")),
    report.named("term_days", "order.term_days"),
    *map(_figure, ("gpus", "rate")),
    report.named("all_in_rate_usd_per_gpu_hour", "order.spread_rate"),
    *(
        report.text(
            key, title, attrgetter(f"order.{key}_s"), media=report.DOCUMENT_ALONE | report.SHEET, form="date"
        )
        for key, title in (("start", STARTS), ("end", ENDS), ("order_by", ORDER_BY))
    ),
    report.named("order_by_high", "order.order_by_high_s", "date"),
    *report.of_part("order", "sla_hours_per_month", "sla_usd_per_month"),
    report.named("reason", "order.reason"),
    *report.of_part("order", "offer_gpu_model", "offer_gpus", "row"),
    *map(_figure, ("cost_per_month", "liability")),
    *map(_figure, ("capex_per_gpu", "due_at_once")),
)
"""About a plan; rows are all orders of its twelve months."""

SHOWN_ORDERS: Final = report.Report(
    worded("Orders"), _order_rows, _order_id, unit_once=MONEY_PER_MONTH, media=report.TERMINAL
).with_columns(
    report.text("", worded("With"), attrgetter("order.provider"), report.TERMINAL, is_rare=True),
    report.text("", worded("Offer"), _order_id, report.TERMINAL),
    report.text("", worded("Pool"), _pool_name, report.TERMINAL),
    report.text("", "GPU", attrgetter("order.gpu_model"), report.TERMINAL),
    report.Column(ORDER["gpus"], media=report.TERMINAL, value=_gpus_words),
    report.text("", titles.TERM, _term, report.TERMINAL),
    report.text("", STARTS, attrgetter("order.start_s"), report.TERMINAL, "date"),
    report.text("", ENDS, attrgetter("ends_s"), report.TERMINAL, "date"),
    report.text("", ORDER_BY, attrgetter("order.last_day_s"), report.TERMINAL, "date"),
    report.text(
        "",
        worded("At the longest lead"),
        attrgetter("order.last_day_high_s"),
        report.TERMINAL,
        "date",
        is_rare=True,
    ),
    report.text("", worded("SLA leaves open, $ a month"), _sla_usd, report.TERMINAL, is_rare=True),
    report.text("", worded("Reason"), _reason, report.TERMINAL),
    report.Column(ORDER["cost_per_month"], media=report.TERMINAL, value=attrgetter("whole_cost")),
    report.Column(
        ORDER["due_at_once"], media=report.TERMINAL, value=attrgetter("order.due_at_once"), is_rare=True
    ),
)
"""The same as people read them: orders that join, end to start, are one row."""

_SEEN: Final = (
    report.text("order_by", worded("Order by"), media=report.BRIEF),
    report.text("bought", worded("GPUs"), lambda row: bought_words(row.order), media=report.BRIEF),
    report.text("", worded("With"), lambda row: vendors((row.order,)), report.BRIEF),
    report.text("", worded("Pool"), _pool_name, report.BRIEF),
    report.text("", titles.TERM, _term, report.BRIEF),
    report.text("", worded("Starts"), lambda row: row.starts, report.BRIEF),
    report.Column(ORDER["cost_per_month"], media=report.BRIEF, value=attrgetter("whole_cost")),
    report.Column(ORDER["liability"], media=report.BRIEF, value=lambda row: row.whole_liability),
    report.Column(ORDER["due_at_once"], media=report.BRIEF, value=lambda row: row.whole_due, is_rare=True),
    report.text(
        "", worded("Because"), lambda row: REASONS.get(row.order.reason, row.order.reason), report.BRIEF
    ),
)
"""Columns of orders as they are seen on a day."""

TO_APPROVE: Final = report.Report(
    worded("To sign now"),
    _to_approve,
    _order_id,
    columns=_SEEN,
    limits={report.Medium.BRIEF: 10},
    rest=lambda left: _several(worded_whole(len(left), "{count} more", "{count} more"), left),
    total=_to_approve_in_all,
    media=report.BRIEF,
)
"""About what is to be signed now: every order of the sum to approve, which is its total."""

TO_SIGN_LATER: Final = report.Report(
    worded("To sign later"), _to_sign_later, _order_id, columns=_SEEN, media=report.BRIEF
)
"""About what is to be signed later: without orders that only renew or follow others, the first to order first."""

FOLLOWING: Final = worded(
    "GPUs that follow a contract are of the orders that start in the month from its end on, not more of them."
)
"""Why a verdict may say more GPUs than the order of the day that its contract ends."""

VERDICT_ROWS: Final = report.Report(
    worded("Contracts"),
    verdict_rows,
    _by_contract_id,
    order={report.Medium.DOCUMENT: _by_contract_id},
    note=FOLLOWING,
    media=LISTED,
    adds_up=True,
).with_columns(
    report.text("contract_id", worded("Contract"), _by_contract_id, media=LISTED),
    report.named("verdict", "verdict.verdict"),
    report.text("", worded("Verdict"), lambda row: step_words(row.verdict, row.contract), report.TERMINAL),
    *report.of_part("verdict", "then_term_months", "gpus"),
    report.text("", worded("GPUs, term"), _change, report.TERMINAL),
    report.text("", worded("Order by"), _decide_by_s, report.TERMINAL, "date"),
    report.text(
        "order_by", worded("Order by"), attrgetter("verdict.order_by_s"), report.DOCUMENT_ALONE, "date"
    ),
    report.text("reason", worded("Why"), attrgetter("verdict.reason"), media=LISTED),
    report.named("cancel_fee_usd", _of_contract("cancel_fee")),
    report.text("", worded("Ends early for, $"), _cancel_fee, report.TERMINAL, is_rare=True),
    report.text(
        "exchange_until",
        worded("May be exchanged until"),
        _of_contract("exchange_until_s"),
        LISTED,
        "date",
        is_rare=True,
    ),
    report.named("contract_gpus", _of_contract("gpus")),
    report.named("contract_term_months", _of_contract("term_months")),
)
"""About an evaluation whose advice is there; rows are its contracts."""

TO_DECIDE: Final = report.Report(
    worded("Existing contracts"),
    _to_decide,
    _by_contract_id,
    note=FOLLOWING,
    media=report.BRIEF,
    adds_up=True,
).with_columns(
    report.text("", worded("Contract"), _by_contract_id, report.BRIEF),
    report.text("", worded("Ends"), _last_day, report.BRIEF, "date"),
    report.text("", worded("Advice"), attrgetter("advice"), report.BRIEF),
    report.text("", worded("Decide by"), lambda row: row.decide_by, report.BRIEF),
)
"""About what becomes of contracts, the first to decide on first."""
