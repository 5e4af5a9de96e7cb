"""What is to be approved and signed by when, what comes later, what is due at once: first and last words of a brief."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.brief import pages
from gpuplanner.domain.commitment.asked_rows import AskedRow, asked_now_words
from gpuplanner.domain.commitment.order_days import Seen, ToSign, seen_in
from gpuplanner.domain.commitment.plan.orders import (
    at_list,
    due_at_once_usd,
    gpus_in_rows,
    liability_usd,
    signed_for,
    together_words,
)
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.result import Advice, Order, Verdict
from gpuplanner.domain.commitment.words.orders import bought_words, committed_orders_words
from gpuplanner.domain.commitment.words.verdicts import decide_by_s
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.typed import amount, day, gpus, whole, worded_whole
from gpuplanner.domain.message import NO_WORDS, Message, Part, Text, joined, worded
from gpuplanner.domain.model.amounts import PartSum, sum_text
from gpuplanner.domain.model.book.contract import Contract, term_words
from gpuplanner.domain.model.book.exchange import exchange_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports.orders import (
    TO_APPROVE,
    TO_DECIDE,
    TO_SIGN_LATER,
    ToDecide,
    later_title,
    now_title,
)
from gpuplanner.lazy_dataclass import dataclass, replace

WHOLE_TERMS: Final = worded("$ over whole terms")
TERMS_AND_LIVES: Final = worded("$ over whole terms and lives")
COUNTED: Final = {
    "now": worded("now"),
    "later": worded("later"),
    "renewing": worded("that renew or follow these"),
}
ALL_PASSED: Final = worded("All order terms have passed. Plan from a later day")


@dataclass(frozen=True, slots=True, kw_only=True)
class Approval:
    """What is to be signed, or bought, on the day of writing, and $ over whole terms (of what is bought its life).

    now: what is to be approved, the first to be placed first: every medium's *now*. later: what else is new. left: all
    certain orders that are not over, renewals too; over: those that are. usd, in_all_usd: of `now` and of `left`, None
    where a rate is missing. own_usd: of the plan's own first month, whenever this is written.
    """

    seen: Seen
    now: tuple[Order, ...]
    later: tuple[Order, ...]
    left: tuple[Order, ...]
    over: tuple[Order, ...]
    usd: float | None
    in_all_usd: float | None
    own_usd: float | None

    @property
    def overdue(self) -> tuple[Order, ...]:
        """Those that should have been placed before the day of writing."""
        return tuple(order for order in self.now if self.seen.is_overdue(order))

    @property
    def lapsed(self) -> tuple[Order, ...]:
        """Those that stand on a quote that is no longer valid: they are in the sum at its price, to be asked again."""
        return tuple(order for order in self.now if self.seen.has_lapsed(order))

    @property
    def open(self) -> tuple[Order, ...]:
        """Those that can be placed on the day of writing."""
        return tuple(order for order in self.now if not self.seen.has_lapsed(order))

    @property
    def open_from_s(self) -> int:
        """The day of the first of them."""
        return min(order.last_day_s for order in self.open)

    @property
    def bought(self) -> tuple[Order, ...]:
        """Those that buy GPUs to own: nothing is signed for them, and their price is due when they are bought."""
        return tuple(order for order in self.now if order.is_bought)

    @property
    def due_usd(self) -> float | None:
        """What is due on the days on which those of `now` are signed or bought, $; None where a rate is missing."""
        return None if self.usd is None else due_at_once_usd(self.now)

    @property
    def span_unit(self) -> Text:
        """What $ of orders are over: their terms, and the lives of what is owned where some is."""
        return TERMS_AND_LIVES if any(order.is_bought for order in self.left) else WHOLE_TERMS

    @property
    def lapsed_words(self) -> Message:
        """What of the sum cannot be placed as it was quoted: $9,000 of it on quotes no longer valid; else empty."""
        if not self.lapsed:
            return NO_WORDS
        return worded("{usd} of this on expired quotes", usd=amount(liability_usd(self.lapsed)))

    @property
    def following(self) -> tuple[Order, ...]:
        """Those of `left` that are neither now nor later: they only renew or follow others."""
        return tuple(order for order in self.left if order not in self.now and order not in self.later)

    @property
    def counts_words(self) -> Message:
        """29 orders of twelve months: 6 now, 13 later, 10 that renew or follow these: what `left` is made of."""
        counts = {"now": len(self.now), "later": len(self.later), "renewing": len(self.following)}
        if len(self.left) == counts["now"]:
            return worded_whole(
                counts["now"],
                "the same order, no others in twelve months",
                "the same {count} orders, no others in twelve months",
            )
        parts = [joined((whole(count), COUNTED[name]), " ") for name, count in counts.items() if count]
        orders = worded("{orders} of twelve months", orders=pages.counted(len(self.left), "order"))
        return joined((orders, joined(parts, ", ")), ": ")

    @property
    def over_words(self) -> Message:
        """26 are over, with what leads from $ of `left` to those of the plan's own orders; else empty."""
        if not self.over:
            return NO_WORDS
        usd = amount(liability_usd(self.over))
        return worded_whole(len(self.over), "{count} is over, {usd}", "{count} are over, {usd}", usd=usd)

    @property
    def signed_words(self) -> Message:
        """All 29 orders of twelve months: what of `left` is a commitment of a provider."""
        return _listed(committed_orders_words(len(signed_for(self.left)), self.left), self.over_words)

    @property
    def first(self) -> Order | None:
        """The certain order to be placed first; None where nothing is left to sign."""
        return min(self.left, key=lambda order: order.order_by_s, default=None)

    @property
    def gpus_counted(self) -> Message:
        """What is to be signed now, and the most of it that runs at one time."""
        return together_words(self.now)

    @property
    def gpus_words(self) -> Message:
        """90 GPUs, never more than 58 together: 16 to buy, 74 to sign for; without any to buy the former."""
        words, buys = self.gpus_counted, _gpus_of(self.bought)
        signs = gpus_in_rows(self.now) - buys
        if not buys:
            return words
        if not signs:
            return worded("{gpus} to buy", gpus=words)
        return worded("{gpus}: buy {buys}, order {signs}", gpus=words, buys=gpus(buys), signs=gpus(signs))


def _gpus_of(orders: Sequence[Order]) -> float:
    """GPUs of orders, as they are bought."""
    return sum(order.bought_gpus for order in orders)


def approval_of(advice: Advice, seen: Seen) -> Approval:
    """Of a plan as seen on a day.

    Written before the plan's first day, or on it, usd is `liability_now` of the totals; where no order is over,
    in_all_usd is their `liability`.
    """
    totals, now, later = advice.totals, seen.to_approve(advice.orders), seen.to_sign_later(advice.orders)
    certain = [order for order in advice.orders if order.is_certain]
    left = tuple(order for order in certain if not seen.is_over(order))
    over = tuple(filter(seen.is_over, certain))
    usd, in_all_usd = totals.liability_now, totals.liability
    if usd is not None and seen.days_late:
        usd = liability_usd(now)
    if in_all_usd is not None and over:
        in_all_usd = liability_usd(left)
    return Approval(
        seen=seen,
        now=now,
        later=later,
        left=left,
        over=over,
        usd=usd,
        in_all_usd=in_all_usd,
        own_usd=totals.liability_now,
    )


def approval_on(advice: Advice, project: Project, written_s: int | None = None) -> Approval:
    """Of a project's plan on a day, epoch seconds; None: on its first."""
    return approval_of(advice, seen_in(project, written_s))


def ask(approval: Approval) -> Text:
    """Approve $3,457,972 by 1 Oct 2026; what is overdue says now, what has no day says which month."""
    seen, first = approval.seen, approval.first
    if approval.usd is None:
        known = liability_usd(approval.now)
        if not known:
            return worded("Approval amount unknown: a rate is missing")
        return worded("Approve at least {usd}; a rate is missing", usd=amount(known))
    if first is None:
        return ALL_PASSED if approval.over else worded("Nothing to approve")
    if not approval.now:
        by = seen.day(first.last_day_s)
        return worded("Nothing to approve yet. The first order is due by {by}", by=by)
    usd, overdue, lapsed = amount(approval.usd), len(approval.overdue), approval.lapsed_words
    if not approval.open:
        return worded("Ask again before approving {usd}: {why}", usd=usd, why=lapsed_orders(approval))
    if overdue:
        late = pages.counted(overdue, "order is", "orders are")
        question = worded("Approve {usd} now, {late} overdue", usd=usd, late=late)
    elif not seen.is_dated:
        return worded("Approve {usd} in the first month", usd=usd)
    else:
        by_day = day(approval.open_from_s)
        question = worded("Approve {usd} by {by}", usd=usd, by=by_day)
    return _listed(question, lapsed)


def _listed(*parts: Message) -> Message:
    """Join clauses by semicolons; those without words are left out."""
    return joined(filter(None, parts), "; ")


def lapsed_orders(approval: Approval) -> Message:
    """The quotes of 2 orders are no longer valid."""
    return worded_whole(
        len(approval.lapsed),
        "the quote of {count} order has expired",
        "quotes of {count} orders have expired",
    )


def now_words(approval: Approval, gpus_words: Text) -> Message:
    """6 orders for 90 GPUs, due by 23 Dec 2026: what is to be signed now, by when the last of it. gpus_words: for how
    many GPUs."""
    words = worded("{orders} for {gpus}", orders=pages.counted(len(approval.now), "order"), gpus=gpus_words)
    if not approval.seen.is_dated:
        return words
    by_s = max(approval.seen.counted_from_s, *(order.last_day_s for order in approval.now))
    return worded("{orders}, due by {by}", orders=words, by=day(by_s))


def commitment_figures(approval: Approval) -> tuple[pages.LargeFigure, ...]:
    """The total commitment of what is to be approved, what of it is due at once, and of all orders of the twelve
    months."""
    seen, unit, bought = approval.seen, approval.span_unit, approval.bought
    note = worded("no order")
    if approval.now:
        note = _listed(now_words(approval, approval.gpus_counted), approval.lapsed_words)
    if seen.days_late and approval.own_usd != approval.usd:
        note = _listed(note, worded("{usd} in the plan's first month", usd=amount(approval.own_usd)))
    in_all = approval.counts_words
    if not approval.left:
        in_all = (
            worded("no orders left in twelve months")
            if approval.over
            else worded("no order in twelve months")
        )
    due, usd = worded("of this, with the order") if approval.now else worded("no order"), approval.due_usd
    if bought:
        due = worded("{gpus} to buy", gpus=pages.counted_gpus(_gpus_of(bought)))
    return (
        pages.LargeFigure(
            key="to_approve" if seen.days_late else "liability_now",
            title=worded("Commitment now"),
            unit=unit,
            amount=approval.usd,
            text=_at_least(approval.usd, liability_usd(approval.now)),
            note=note,
        ),
        pages.LargeFigure(
            key="due_at_once_now",
            title=worded("Cash at order"),
            unit=worded("$ on the day"),
            amount=usd,
            text=_at_least(usd, due_at_once_usd(approval.now)),
            note=due,
        ),
        pages.LargeFigure(
            key="left_to_sign" if approval.over else "liability",
            title=titles.TOTAL_COMMITMENT,
            unit=unit,
            amount=approval.in_all_usd,
            text=_at_least(approval.in_all_usd, liability_usd(approval.left)),
            note=_listed(in_all, approval.over_words),
        ),
    )


def _at_least(usd: float | None, known: float | None) -> Part:
    """Write $; where they are unknown because a rate is missing, what orders of the plan commit at least."""
    return amount(usd) if usd is not None else sum_text(PartSum(known or 0.0, 1, ("",)), amount)


def day_sentences(approval: Approval) -> list[Text]:
    """What stands in the way of reading the plan's days as they are: it began before this was written, or has none."""
    seen = approval.seen
    if not seen.is_dated:
        return [
            worded("The log has no dates: months count from plan start. For order dates: Plan > Plan from.")
        ]
    if not seen.days_late:
        return []
    sentences: list[Text] = [
        worded(
            "The plan starts {begins}, {late} before this brief. Dates count from {written}, amounts from plan "
            "start. For today in both: Plan > Plan from.",
            begins=day(seen.begins_s),
            late=pages.counted(seen.days_late, "day"),
            written=day(seen.written_s),
        )
    ]
    overdue = approval.overdue
    if overdue:
        sentences.append(
            worded(
                "{orders} are late: given the lead time, an order today starts {starts}.",
                orders=pages.counted(len(overdue), "order"),
                starts=write_start_days(seen, overdue),
            )
        )
    if approval.lapsed:
        sentences.append(
            worded(
                "Ask again before ordering: {why}. Until then old prices apply.", why=lapsed_orders(approval)
            )
        )
    return sentences


def write_start_days(seen: Seen, orders: tuple[Order, ...]) -> Message:
    """A day, or from the first to the last."""
    starts = [seen.starts_s(order) for order in orders]
    first, last = day(min(starts)), day(max(starts))
    if str(first) == str(last):
        return worded("on {day}", day=first)
    return worded("between {first} and {last}", first=first, last=last)


# ---------------------------------------------------------------- the pages

MONTHS_SHOWN: Final = 36
MOST_ROWS: Final = 8
MOST_ORDERS: Final = 6
MOST_CONTRACTS: Final = 8
MOST_FILES: Final = 4
WIDTHS: Final = {
    "number": 0.5,
    "order_by": 1.5,
    "bought": 1.1,
    "Starts": 1.2,
    "Because": 1.6,
    "Contract": 1.5,
    "Advice": 1.8,
    "Waits then": 2.0,
}
"""Of columns, where it is not 1."""


def signing_page(
    evaluation: Evaluation, advice: Advice, approval: Approval, asked: Sequence[AskedRow]
) -> pages.Page:
    """approval: as of the day that the brief is written, which decides what is overdue; asked: rows of a request."""
    table = _to_approve(evaluation, advice, approval)
    table = replace(table, note=pages.sentences(table.note, asked_now_words(asked, approval.now)))
    days = pages.TextBlock("", tuple(day_sentences(approval)))
    rows = ((table,), (days,))
    return pages.Page(
        key="sign", kicker=worded("Orders with dates"), title=orders_title(advice, approval), rows=rows
    )


def later_page(evaluation: Evaluation, advice: Advice, approval: Approval) -> pages.Page:
    """What is to be signed later, what becomes of contracts, and all of it over time."""
    seen, later = approval.seen, approval.later
    title = worded("No later order")
    if later:
        title = worded(
            "{orders} for {gpus} later, first by {by}",
            orders=pages.counted(len(later), "order"),
            gpus=pages.counted_gpus(_gpus_of(later)),
            by=seen.day(later[0].last_day_s),
        )
    ending = sum(row.is_to_decide for row in advice.verdicts)
    if ending:
        ends = worded_whole(ending, "{count} contract ends or changes", "{count} contracts end or change")
        title = _listed(title, ends)
    rows = (
        (_contracts(evaluation, seen),),
        (_to_sign_later(evaluation, advice, approval),),
        (build_timeline(evaluation, approval, {row.contract_id: row for row in advice.verdicts}),),
    )
    return pages.Page(key="later", kicker=worded("What comes later"), title=title, rows=rows)


def orders_title(advice: Advice, approval: Approval) -> Text:
    """What is to be signed now and by when, what is overdue first, and how many orders come later."""
    now, later, seen = approval.now, approval.later, approval.seen
    if not now and not later:
        if approval.over:
            return ALL_PASSED
        if is_priced(advice.pools):
            return worded("No orders in 12 months")
        return worded("Orders unknown: prices are missing")
    if not now:
        return worded(
            "No order due yet. First of {count}: {order} by {by}",
            order=bought_words(later[:1]),
            by=seen.day(later[0].last_day_s),
            count=whole(len(later)),
        )
    title = write_order_deadline(approval)
    if 0 < (lapsed := len(approval.lapsed)) < len(now):
        title = joined((title, worded("{count} on expired quotes", count=whole(lapsed))), ", ")
    return _listed(title, worded("{count} more later", count=whole(len(later))) if later else NO_WORDS)


def write_order_deadline(approval: Approval) -> Message:
    """Sign 6 orders for 90 GPUs, the first by 1 Oct 2026; what no quote holds for is to be asked again."""
    overdue, seen = len(approval.overdue), approval.seen
    if not approval.open:
        why = lapsed_orders(approval)
        return worded("Ask again before ordering: {why}", why=why)
    orders = worded(
        "{orders} for {gpus}", orders=pages.counted(len(approval.now), "order"), gpus=approval.gpus_words
    )
    words = worded("Place {name}", name=orders)
    if overdue:
        return worded_whole(
            overdue, "{name} now, {count} is overdue", "{name} now, {count} are overdue", name=words
        )
    if not seen.is_dated:
        return worded("{name} in the first month, without calendar days", name=words)
    return worded("{name}, the first by {by}", name=words, by=seen.day(approval.open_from_s))


def _to_approve(evaluation: Evaluation, advice: Advice, approval: Approval) -> pages.TableBlock:
    """What is to be signed now; its total is the sum to approve, and at which prices it is."""
    about = ToSign(advice, approval.seen, evaluation.listed_orders)
    block = pages.report_block(TO_APPROVE, about, now_title(approval.now), WIDTHS)
    if not block.rows:
        return replace(block, total=())
    return replace(block, note=prices_words(evaluation, approval.now))


def _to_sign_later(evaluation: Evaluation, advice: Advice, approval: Approval) -> pages.TableBlock:
    """The first orders that come later; how many are left is said, and at which prices they are."""
    title, about = later_title(approval.later), ToSign(advice, approval.seen, evaluation.listed_orders)
    block = pages.report_block(TO_SIGN_LATER, about, title, WIDTHS, MOST_ORDERS, "Advice")
    at_prices = prices_words(evaluation, approval.later)
    return replace(block, note=pages.sentences(block.note, note_unlisted_orders(approval), at_prices))


def note_unlisted_orders(approval: Approval) -> Message:
    """How many orders of the twelve months stand in neither table; empty where all do."""
    many = len(approval.following)
    if not many:
        return NO_WORDS
    return worded_whole(
        many,
        "{count} order that renews or follows another is not listed.",
        "{count} orders that renew or follow others are not listed.",
    )


def prices_words(evaluation: Evaluation, orders: Sequence[Order]) -> Message:
    """What orders cost at the prices that their amounts are at, and at today's; empty where both are the same."""
    project = evaluation.project
    offers = project.offers_in(project.scenario(evaluation.scenario))
    expected, listed = liability_usd(orders), liability_usd(at_list(orders, offers))
    if expected is None or listed is None or round(expected) == round(listed):
        return NO_WORDS
    return worded(
        "Amounts use prices expected at each start: {expected} over whole terms. At today's list prices, "
        "signed in time: {listed}.",
        expected=amount(expected),
        listed=amount(listed),
    )


def _contracts(evaluation: Evaluation, seen: Seen) -> pages.TableBlock:
    """What becomes of existing contracts, the first to decide on first."""
    return pages.report_block(
        TO_DECIDE, ToDecide(evaluation, seen), TO_DECIDE.title, WIDTHS, MOST_CONTRACTS, "Contracts"
    )


def build_timeline(
    evaluation: Evaluation, approval: Approval, verdicts: dict[str, Verdict]
) -> pages.TimelineChart:
    """Contracts and orders as bars, those with a day to order by first; no row where the plan has no days.

    verdicts: by contract.
    """
    seen, orders = approval.seen, (*approval.now, *approval.later)
    window = evaluation.project.plan_window  # of a plan that begins later: no years of nothing before it
    contracts = sorted(
        (
            row
            for row in paid_contracts(evaluation.project)
            if row.end_s is None or row.end_s > window.start_s
        ),
        key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id),
    )
    rows = [contract_row(row, verdicts.get(row.contract_id), seen) for row in contracts]
    rows += [order_row(order, seen) for order in orders]
    rows.sort(key=lambda row: (row.order_by_s is None, row.order_by_s or 0))
    title = worded("Contracts (filled), orders (outlined), order deadlines (diamonds)")
    if len(rows) > MOST_ROWS:
        title = joined((title, worded("{count} to decide first", count=whole(MOST_ROWS))), ": ")
    end_s = window.end_s + MONTHS_SHOWN * MONTH_S
    shown = tuple(rows[:MOST_ROWS]) if seen.is_dated else ()
    return pages.TimelineChart(
        title=title, rows=shown, begin_s=window.start_s, end_s=end_s, written_s=seen.written_s
    )


def order_row(order: Order, seen: Seen) -> pages.TimeRow:
    """An order; what is late is to be placed on the day of writing, and starts with its lead from there."""
    start_s = seen.starts_s(order)
    span = pages.TimeSpan(
        start_s=start_s,
        end_s=start_s + round(order.term_hours * 3600),
        term_months=order.term_months,
        is_planned=True,
    )
    is_late = seen.is_late(order)
    by_s = seen.written_s if is_late else order.last_day_s
    bought = bought_words((order,))
    if order.is_bought:
        bought = worded("{gpus} to buy", gpus=bought)
    name = joined(("+ ", bought, ", ", term_words(order.term_months, order.term_days)))
    return pages.TimeRow(name, (span,), by_s, is_late)


def contract_row(contract: Contract, verdict: Verdict | None, seen: Seen) -> pages.TimeRow:
    """A contract, and after its end what follows it; verdict None: nobody says."""
    is_by_use = not contract.is_committed
    if verdict is not None and verdict.ends_s is not None:
        contract = contract.ending(verdict.ends_s)
    spans = [
        pages.TimeSpan(
            start_s=contract.start_s,
            end_s=contract.end_s,
            term_months=contract.term_months or 0,
            is_planned=False,
            is_by_use=is_by_use,
        )
    ]
    by_s = None
    if verdict is not None and verdict.gpus and verdict.then_term_months and contract.end_s is not None:
        after_s = contract.end_s + verdict.then_s
        spans.append(
            pages.TimeSpan(
                start_s=contract.end_s, end_s=after_s, term_months=verdict.then_term_months, is_planned=True
            )
        )
        by_s = decide_by_s(verdict, contract)
    if by_s is None or not seen.is_past(by_s):
        return pages.TimeRow(contract.contract_id, tuple(spans), by_s)
    has_ended = contract.end_s is not None and contract.end_s <= seen.written_s
    return pages.TimeRow(
        contract.contract_id, tuple(spans), None if has_ended else seen.written_s, not has_ended
    )


def file_name(path: str) -> Text:
    """A file without its folders; the list of public prices that comes with the app by what it is."""
    if path == "builtin":
        return worded("list of public prices")
    return path.replace("\\", "/").rsplit("/", 1)[-1]


def sources(evaluation: Evaluation) -> pages.TextBlock:
    """The files that were read, with their fingerprints, and where every figure can be followed."""
    files = [
        worded(
            "{file} ({kind}, {taken} imported, {rejected} rejected; SHA-256 {sha256})",
            file=file_name(row.path),
            kind=worded(row.kind),
            taken=pages.counted(row.rows_accepted, "row"),
            rejected=whole(row.rows_rejected),
            sha256=row.sha256[:12] or worded("not kept"),
        )
        for row in evaluation.project.intake
    ]
    made = worded("No file is on record.")
    if files:
        made = worded("Made from: {files}.", files=joined(files[:MOST_FILES], "; "))
    if len(files) > MOST_FILES:
        made = worded(
            "Made from: {files}; {more} more on the sheet Provenance.",
            files=joined(files[:MOST_FILES], "; "),
            more=whole(len(files) - MOST_FILES),
        )
    rates = evaluation.project.exchange
    counted_at = worded("Other currencies count at {rates}.", rates=exchange_words(rates))
    each = worded("The plan's workbook has each figure with its formula.")
    return pages.TextBlock(worded("Sources"), (made, counted_at, each) if rates else (made, each))
