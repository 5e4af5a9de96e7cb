"""Days of a plan's orders and contracts as seen on a day: what is overdue, what to sign now, what to decide by when."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.commitment.asked_rows import is_over
from gpuplanner.domain.commitment.listed_order import ListedOrder, OrderPlaces, in_list, numbers_of, place_of
from gpuplanner.domain.commitment.next_decision import NOT_NOW, OPEN, NextDecision, marked
from gpuplanner.domain.commitment.numbers import decision_number, order_numbers
from gpuplanner.domain.commitment.plan.ground import needs_no_notice
from gpuplanner.domain.commitment.plan.layers import order_dollars
from gpuplanner.domain.commitment.plan.orders import SOON_S, asked_for, is_new, orders_by_row, to_sign
from gpuplanner.domain.commitment.recursion.calendar import lead_s
from gpuplanner.domain.commitment.result import Advice, Order, Verdict, order_id, vendors
from gpuplanner.domain.commitment.words.contracts import contract_gpus_words, notice_words
from gpuplanner.domain.commitment.words.orders import bought_in_rows_words, bought_words, order_words
from gpuplanner.domain.commitment.words.verdicts import decide_by_s, decided_words, is_to_stop, verdict_words
from gpuplanner.domain.figures.typed import amount, day, plan_month
from gpuplanner.domain.message import Message, Text, lowered, worded
from gpuplanner.domain.model.amounts import grouped, known_sum, largest_remainder
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.renewal import decided_by_s, notice_by_s
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S, MONTH_S, day_of, has_calendar
from gpuplanner.lazy_dataclass import dataclass, field


@dataclass(frozen=True, slots=True)
class Seen:
    """A plan as seen on a day. written_s: that day; begins_s: the plan's first; both epoch seconds UTC.

    leads_s: seconds from an order to its start, by offer_id; closed: offer_ids that can no longer be ordered
    on the later of both.
    """

    written_s: int
    begins_s: int
    leads_s: Mapping[str, int] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()

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
        """Whether it should have been placed before the day of writing, and can be."""
        return self.is_late(order) and not self.has_lapsed(order)

    def order_by(self, order: Order) -> Text:
        """The last day to order; never one that has gone."""
        if self.has_lapsed(order):
            return worded("quote expired: ask again")
        return worded("overdue: order now") if self.is_overdue(order) else self.day(order.last_day_s)

    def starts(self, order: Order) -> Text:
        """The day that it serves from: of what is late, with the offer's lead from the day of writing on."""
        return self.day(self.starts_s(order))

    def starts_s(self, order: Order) -> int:
        """The same, epoch seconds."""
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

    @property
    def renewed_until_s(self) -> int:
        """What only renews an order is placed now where its last moment is before this one, epoch seconds."""
        return max(self.begins_s + SOON_S, self.counted_from_s + 7 * DAY_S)

    def to_approve(self, orders: Sequence[Order]) -> tuple[Order, ...]:
        """What is to be signed now: certain orders that are overdue, or to be placed within a month of
        `counted_from_s`, the first to be placed first. Every medium's *now* is this one.

        What only renews another order waits until a week before its day: a plan that is read a day after it begins
        signs one month of a monthly term, not two.
        """
        soon = self._left(to_sign(orders, self.counted_from_s))
        return tuple(order for order in soon if is_new(order) or order.order_by_s < self.renewed_until_s)

    def to_sign_later(self, orders: Sequence[Order]) -> tuple[Order, ...]:
        """The others that are certain and new: what only renews or follows another order is left out."""
        now = self.to_approve(orders)
        return tuple(order for order in self._left(asked_for(orders)) if order not in now)

    def _left(self, orders: Iterable[Order]) -> list[Order]:
        """Those that are not over, the first to be placed first; ties by start, offer and pool."""
        return sorted(
            (order for order in orders if not self.is_over(order)),
            key=lambda order: (order.last_day_s, order.order_by_s, order.start_s, order.offer_id, order.pool),
        )


def seen_on(written_s: int, begins_s: int, offers: Iterable[Offer]) -> Seen:
    """A plan with its offers as seen on a day.

    written_s, begins_s: epoch seconds UTC.
    """
    listed = tuple(offers)
    order_day_s = max(written_s, begins_s)  # as an award has it
    return Seen(
        written_s,
        begins_s,
        {offer.offer_id: lead_s(offer) for offer in listed},
        frozenset(offer.offer_id for offer in listed if not offer.is_open_on(order_day_s)),
    )


def seen_in(project: Project, written_s: int | None = None) -> Seen:
    """A project's plan as seen on a day; None: on its first."""
    begins_s = project.plan_window.end_s
    return seen_on(begins_s if written_s is None else written_s, begins_s, project.offers)


@dataclass(frozen=True, slots=True)
class OrderRow:
    """An order, and its $ a month as the plan's whole dollars have them; None: a quote is needed."""

    order: Order
    whole_cost: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenOrder(OrderRow):
    """Orders that continue each other, by the first of them, with its days as they are seen when it is written down.

    orders: all its terms. number: of the order in the plan's list, O1; "" before it has one.
    whole_liability, whole_due: $ over its whole term, and due when it is signed
    or bought, rounded so that those listed add up; None where the rate is missing.
    """

    order_by: Text
    starts: Text
    whole_liability: int | None
    whole_due: int | None
    orders: tuple[Order, ...]
    number: str = ""


@dataclass(frozen=True, slots=True)
class ToSign:
    """What is to be signed of a plan, as seen on a day. listed_orders: of the plan, by number."""

    advice: Advice
    seen: Seen
    listed_orders: tuple[ListedOrder, ...] = ()

    def now(self) -> list[SeenOrder]:
        """What is to be signed now, the first to order first."""
        return self._rows(self.seen.to_approve(self.advice.orders))

    def later(self) -> list[SeenOrder]:
        """What is to be signed later, the first to order first."""
        return self._rows(self.seen.to_sign_later(self.advice.orders))

    def _rows(self, orders: Sequence[Order]) -> list[SeenOrder]:
        """Orders with their days and their whole dollars, which add up; those that continue each other as one.

        What is listed as one has all its terms, also those that are placed later: its dollars are those of its number.
        """
        seen, places = self.seen, in_list(self.listed_orders)
        chains = [self._all_terms(chain, places) for chain in orders_by_row(orders)]
        liabilities = largest_remainder([known_sum(order.liability for order in chain) for chain in chains])
        dues = largest_remainder([known_sum(order.due_at_once for order in chain) for chain in chains])
        return [
            SeenOrder(
                order=chain[0],
                whole_cost=order_dollars(chain[0], self.advice),
                order_by=seen.order_by(chain[0]),
                starts=seen.starts(chain[0]),
                whole_liability=liability,
                whole_due=due,
                orders=chain,
                number=", ".join(order_numbers(numbers_of(chain, places))),
            )
            for chain, liability, due in zip(chains, liabilities, dues, strict=True)
        ]

    def _all_terms(self, chain: tuple[Order, ...], places: OrderPlaces) -> tuple[Order, ...]:
        """Return orders that continue each other with the later terms of the same number that are not over."""
        listed = [place.listed for order in chain if (place := places.get(place_of(order))) is not None]
        last_s = chain[-1].start_s
        later = {
            order.start_s: order
            for each in listed
            for order in each.orders
            if order.start_s > last_s and not self.seen.is_over(order)
        }
        return (*chain, *(later[start_s] for start_s in sorted(later)))


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """What becomes of a contract; contract None: nobody knows it any more.

    decision: that the plan made about it; None where it decides nothing, or before the outlook.
    """

    verdict: Verdict
    contract: Contract | None
    decision: NextDecision | None = None

    @property
    def ends_s(self) -> int | None:
        """When it ends, epoch seconds, as it has renewed; None where it does not, or nobody knows."""
        return self.verdict.ends_s or (None if self.contract is None else self.contract.end_s)

    @property
    def decide_by_s(self) -> int | None:
        """The last day to decide, epoch seconds; None without one."""
        if self.decision is not None:
            return self.decision.by_s
        return decide_by_s(self.verdict, self.contract)

    @property
    def following(self) -> list[tuple[Order, ...]]:
        """The orders of the decision, those that continue each other together; none without a decision."""
        return [] if self.decision is None else orders_by_row(self.decision.orders)

    @property
    def following_gpus(self) -> float:
        """GPUs that the decision orders, each once however often its term renews; of the verdict without one."""
        if self.decision is None:
            return self.verdict.gpus
        return sum(row[0].bought_gpus for row in self.following if not row[0].is_dollars)

    @property
    def following_term_months(self) -> int:
        """Term of most of these GPUs, months; 0 without any."""
        if self.decision is None:
            return self.verdict.then_term_months
        by_term = grouped((row[0].term_months, row[0].bought_gpus) for row in self.following)
        return max(by_term, key=lambda months: (sum(by_term[months]), -months), default=0)

    @property
    def advice(self) -> Text:
        """What to do: the decision with its number, otherwise the verdict with what follows."""
        if self.decision is not None:
            return decided_words(self.decision.numbered_shortly, self.verdict)
        return verdict_words(self.verdict, self.contract)


@dataclass(frozen=True, slots=True)
class ShownOrder(OrderRow):
    """An order of the plan's list, by the first of those that renew it."""

    listed: ListedOrder

    @property
    def count(self) -> int:
        """How often it is placed."""
        return len(self.listed.orders)

    @property
    def ends_s(self) -> int:
        """When the last of it ends, epoch seconds."""
        return self.listed.orders[-1].end_s


def orders_as_read(advice: Advice, listed_orders: Iterable[ListedOrder]) -> list[ShownOrder]:
    """The orders of a plan as people read them, by number."""
    return [
        ShownOrder(listed.orders[0], order_dollars(listed.orders[0], advice), listed)
        for listed in listed_orders
    ]


def order_rows(advice: Advice) -> list[OrderRow]:
    """Each order of a plan."""
    return [OrderRow(order, order_dollars(order, advice)) for order in advice.orders]


def verdict_rows(
    project: Project, advice: Advice | None, decisions: Iterable[NextDecision] = ()
) -> list[VerdictRow]:
    """Contracts as the advice judges them; none where there is no advice. decisions: of the plan."""
    made = decisions_of_contracts(decisions)
    contracts = {contract.contract_id: contract for contract in paid_contracts(project)}
    verdicts = advice.verdicts if advice is not None else ()
    return [
        VerdictRow(verdict, contracts.get(verdict.contract_id), made.get(verdict.contract_id))
        for verdict in verdicts
    ]


def decisions_of_contracts(decisions: Iterable[NextDecision]) -> dict[str, NextDecision]:
    """Return the decisions that the plan made about contracts, by contract_id; no questions and no declined ones."""
    return {
        decision.contract_id: decision
        for decision in decisions
        if decision.contract_id and decision.is_in_plan
    }


def open_decisions_of_contracts(decisions: Iterable[NextDecision]) -> dict[str, NextDecision]:
    """Return the decisions that are still to be made about contracts, by contract_id: also those that only ask."""
    return {
        decision.contract_id: decision
        for decision in decisions
        if decision.contract_id and not decision.is_done and not decision.is_left
    }


def decide_by(row: VerdictRow, seen: Seen) -> Text:
    """The last day to give notice, to stop it or to order what follows; of a past one that it is; empty without one.

    Contracts have days of the calendar even where the plan has none.
    """
    by_s, contract, ends_s = stop_or_decide_by_s(row, seen), row.contract, row.ends_s
    if ends_s is not None and ends_s <= seen.written_s:
        return worded("it has ended")
    if by_s is not None and contract is not None and is_to_stop(row.verdict, contract):
        return worded("{day}", day=day(by_s)) if seen.is_dated and not seen.is_past(by_s) else worded("now")
    if by_s is None:
        return ""
    if by_s // DAY_S < seen.written_s // DAY_S:
        notice_s = None if contract is None else notice_by_s(contract, ends_s)
        if notice_s is not None and not seen.is_past(notice_s):
            return worded("overdue: decide now; notice by {day}", day=day(notice_s))
        return worded("overdue: decide now")
    return worded("{day}", day=day(by_s))


def stop_or_decide_by_s(row: VerdictRow, seen: Seen) -> int | None:
    """The last day to decide on a contract, epoch seconds; None without one.

    What the user stops, such as GPUs on demand, has stopped when the plan begins.
    """
    contract = row.contract
    if contract is not None and is_to_stop(row.verdict, contract):
        return notice_by_s(contract, seen.begins_s) or seen.begins_s
    return row.decide_by_s


# --- Deadlines: the last days on which orders, notices and quotes are in time, and the ends of contracts


class Deadline(NamedTuple):
    """One act with its last day (epoch seconds, 00:00 UTC) and, in the words, its dollars; never before the day of
    writing.

    decision_id: the same from one plan to the next. details: provider, GPUs, amount, and a notice to be copied, a line
    each.
    """

    decision_id: str
    day_s: int
    words: Text
    details: tuple[Text, ...] = ()


def deadlines(
    project: Project,
    plan: Scenario,
    advice: Advice,
    written_s: int,
    decisions: Sequence[NextDecision] = (),
    listed_orders: tuple[ListedOrder, ...] = (),
) -> list[Deadline]:
    """What to do by when, the soonest first; what is overdue is due on the day of writing and says so.

    written_s: epoch seconds. decisions, listed_orders: of the plan, whose numbers the words begin with. Orders without
    a day of the calendar have no deadline.
    """
    seen = seen_in(project, written_s)
    to_sign = ToSign(advice, seen, listed_orders)
    rows = [*to_sign.now(), *to_sign.later()] if seen.is_dated else []
    put_off = {
        number
        for decision in decisions
        if decision.state == NOT_NOW
        for number in order_numbers(decision.order_numbers)
    }
    acts = [
        *_order_acts(rows, put_off),
        *_quote_acts(rows, project.offers, put_off),
        *_contract_acts(project, plan, advice, seen, open_decisions_of_contracts(decisions)),
    ]
    today_s = day_of(written_s)
    dated = [
        Deadline(
            decision_id=act.decision_id,
            day_s=max(day_of(act.by_s), today_s),
            words=_numbered(act, is_overdue=act.by_s < today_s),
            details=act.details,
        )
        for act in acts
    ]
    return sorted(dated, key=lambda row: (row.day_s, row.decision_id))


class Act(NamedTuple):
    """What is to be done: its id, the last second on which it is in time (epoch), the numbers of its decision or
    orders, "" without any, the state of that decision, and what is known of it, a line each."""

    decision_id: str
    by_s: int
    words: Message
    numbers: str
    state: str = OPEN
    details: tuple[Text, ...] = ()


def _numbered(act: Act, *, is_overdue: bool) -> Text:
    """D1: End PO-108004 …, D1, overdue: end PO-108004 …, or D1, not now: end PO-108004 …"""
    if is_overdue and act.numbers:
        return worded("{number}, overdue: {act}", number=act.numbers, act=lowered(act.words))
    if is_overdue:
        return worded("Overdue: {act}", act=lowered(act.words))
    return marked(act.words, act.numbers, act.state)


def _state_of(row: SeenOrder, put_off: Set[str]) -> str:
    """Return the state of orders by their numbers. put_off: numbers of orders whose decision was put off."""
    return NOT_NOW if row.number and put_off >= set(row.number.split(", ")) else OPEN


def _order_acts(rows: Iterable[SeenOrder], put_off: Set[str]) -> Iterator[Act]:
    times = Counter[str]()
    for row in rows:
        order = row.order
        name = order_id(order.pool, order.gpu_model, order.term_months, order.run)
        times[name] += 1
        act = worded(
            "Order {bought} ({provider}), offer {offer}: total commitment {usd}",
            bought=bought_words((order,)),
            provider=vendors((order,)),
            offer=order.offer_id,
            usd=amount(row.whole_liability),
        )
        decision_id = name if times[name] == 1 else f"{name}:{times[name]}"
        details = _details(
            provider=order.provider,
            gpus=order_words(row.orders),
            usd=worded("Total commitment: {usd}", usd=amount(row.whole_liability)),
        )
        if len(row.orders) > 1:
            details = (*details, worded("First term: {usd}", usd=amount(order.liability)))
        yield Act(
            decision_id=decision_id,
            by_s=order.last_day_s,
            words=act,
            numbers=row.number,
            state=_state_of(row, put_off),
            details=details,
        )


def _details(*, provider: str | None, gpus: Text, usd: Text) -> tuple[Text, ...]:
    """Return provider, GPUs and amount of an act, a line each. provider: None if unknown."""
    by = (worded("Provider: {provider}", provider=provider),) if provider else ()
    return (*by, worded("GPUs: {gpus}", gpus=gpus), usd)


def _quote_acts(rows: Iterable[SeenOrder], offers: Iterable[Offer], put_off: Set[str]) -> Iterator[Act]:
    """Quotes that orders stand on; a day without a time counts whole."""
    by_offer = grouped((row.order.offer_id, row) for row in rows)
    for offer in offers:
        if offer.offer_id in by_offer and offer.last_order_s is not None:
            of_offer = by_offer[offer.offer_id]
            usd = amount(known_sum(row.whole_liability for row in of_offer))
            numbers = ", ".join(dict.fromkeys(row.number for row in of_offer if row.number))
            act = worded("Quote {offer} expires: total commitment {usd}", offer=offer.offer_id, usd=usd)
            details = _details(
                provider=offer.provider,
                gpus=bought_in_rows_words([row.orders for row in of_offer]),
                usd=worded("Total commitment: {usd}", usd=usd),
            )
            states = {_state_of(row, put_off) for row in of_offer}
            state = NOT_NOW if states == {NOT_NOW} else OPEN
            yield Act(
                decision_id=f"quote:{offer.offer_id}",
                by_s=offer.last_order_s - 1,
                words=act,
                numbers=numbers,
                state=state,
                details=details,
            )


def _contract_acts(
    project: Project, plan: Scenario, advice: Advice, seen: Seen, decisions: Mapping[str, NextDecision]
) -> Iterator[Act]:
    """Decisions about contracts with the notice to give, and ends; neither of a contract that runs on or is over.

    decisions: still to be made, by contract_id. A decision has one day, that of its first order where that is before
    the notice.
    """
    verdicts = {verdict.contract_id: verdict for verdict in advice.verdicts}
    for contract in paid_contracts(project):
        verdict, ends_s, is_ended = verdicts.get(contract.contract_id), contract.end_s, False
        if verdict is not None:
            if verdict.continued_by is not None or verdict.verdict == "renew":
                continue
            if verdict.verdict == "keep" and contract.may_renew:
                continue
            is_ended = verdict.verdict == "end" or is_to_stop(verdict, contract)
            ends_s = verdict.ends_s or ends_s or (seen.begins_s if is_ended else None)
        if ends_s is None or (contract.end_s is not None and contract.end_s <= seen.written_s):
            continue
        name, usd = contract.contract_id, amount(contract.cost_per_month)
        decision = decisions.get(name)
        number = "" if decision is None else decision_number(decision.number)
        title = worded("End {contract}", contract=name) if decision is None else decision.title_shortly
        state = OPEN if decision is None else decision.state
        has_notice = notice_by_s(contract, ends_s) is not None and not needs_no_notice(contract, plan)
        act = worded("{act}: {usd} per month", act=title, usd=usd)
        details = _details(
            provider=contract.provider,
            gpus=contract_gpus_words(contract),
            usd=worded("Cost: {usd} per month", usd=usd),
        )
        # what the plan ends, it ends on its first day at the earliest
        by_s = notice_s = max(decided_by_s(contract, ends_s), is_ended * seen.begins_s)
        if decision is not None and decision.by_s is not None:
            by_s = decision.by_s
        notice: tuple[Text, ...] = ()
        if has_notice:
            if decision is None or (decision.is_in_plan and decision.kind != "let_expire"):
                act = worded("{act} (give notice): {usd} per month", act=title, usd=usd)
            is_asked = decision is not None and decision.kind == "question"
            # whoever is asked has not decided to end it: there is no notice to copy yet
            notice = () if is_asked else (notice_words(contract, ends_s),)
            if day_of(by_s) != day_of(notice_s):
                notice = (worded("Notice by {notice_by_s}", notice_by_s=day(notice_s)), *notice)
        if has_notice or is_ended:
            yield Act(
                decision_id=f"contract:{name}",
                by_s=by_s,
                words=act,
                numbers=number,
                state=state,
                details=(*details, *notice),
            )
        if ends_s > seen.written_s:
            words = worded("{contract} ends: {usd} per month", contract=name, usd=usd)
            yield Act(
                decision_id=f"end:{name}", by_s=ends_s - 1, words=words, numbers=number, details=details
            )
