"""What is to be approved and signed by when, what comes later, what is due at once: first and last words of a brief."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from gpuplanner.domain.brief import pages
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.numbers import order_spans
from gpuplanner.domain.commitment.order_days import Seen, seen_in
from gpuplanner.domain.commitment.plan.orders import (
    due_at_once_usd,
    gpus_in_rows,
    liability_usd,
    signed_for,
    together_words,
)
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.commitment.words.orders import committed_orders_words, set_up_words
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import Written, amount, day, gpus, whole, worded_whole
from gpuplanner.domain.message import NO_WORDS, Message, Part, Text, joined, worded
from gpuplanner.domain.model.amounts import PartSum, sum_text
from gpuplanner.domain.model.book.exchange import exchange_words
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import dataclass

WHOLE_TERMS: Final = worded("$ over whole terms")
TERMS_AND_LIVES: Final = worded("$ over whole terms and lives")
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
    def later_usd(self) -> float | None:
        """What the other certain orders commit, renewals too, $; None where a rate is missing."""
        return None if self.usd is None or self.in_all_usd is None else self.in_all_usd - self.usd

    def summed(self, usd: float | None, write: Callable[[float | None], Written] = amount) -> Part:
        """Write a sum of orders of the plan, $: where a rate is missing they are at least this, and 0 is unknown.

        Every sum of orders on paper is written like this one.
        """
        return at_least(None if self.usd is None else usd, usd, write)

    @property
    def not_now(self) -> tuple[Order, ...]:
        """The certain orders that are not to be approved now, renewals too."""
        return tuple(order for order in self.left if order not in self.now)

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
    seen, first, known = approval.seen, approval.first, liability_usd(approval.now)
    if approval.usd is None and not known:
        return worded("Approval amount unknown: a rate is missing")
    if first is None:
        return ALL_PASSED if approval.over else worded("Nothing to approve")
    if not approval.now:
        by = seen.day(first.last_day_s)
        return worded("Nothing to approve yet. The first order is due by {by}", by=by)
    usd: Part = amount(approval.usd)
    missing = NO_WORDS
    if approval.usd is None:
        usd, missing = worded("at least {usd}", usd=amount(known)), worded("a rate is missing")
    overdue, lapsed = len(approval.overdue), approval.lapsed_words
    if not approval.open:
        return worded("Ask again before approving {usd}: {why}", usd=usd, why=lapsed_orders(approval))
    if overdue:
        late = pages.counted(overdue, "order is", "orders are")
        question = worded("Approve {usd} now, {late} overdue", usd=usd, late=late)
    elif not seen.is_dated:
        question = worded("Approve {usd} in the first month", usd=usd)
    else:
        by_day = day(approval.open_from_s)
        question = worded("Approve {usd} by {by}", usd=usd, by=by_day)
    return _listed(question, lapsed, missing)


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


def order_numbers_now(approval: Approval, listed: Iterable[ListedOrder]) -> str:
    """Return which orders are to be approved now, in short, as O1–O4, O6. listed: all orders of the plan."""
    return order_spans(row.number for row in listed if any(order in approval.now for order in row.orders))


def now_words(approval: Approval, numbers: str = "") -> Message:
    """6 orders (O1–O6), due by 23 Dec 2026: what is to be ordered now, and by when the last of it.

    numbers: of these orders, in short.
    """
    words = pages.counted(len(approval.now), "order")
    if numbers:
        words = worded("{orders} ({numbers})", orders=words, numbers=numbers)
    if not approval.seen.is_dated:
        return words
    by_s = max(approval.seen.counted_from_s, *(order.last_day_s for order in approval.now))
    return worded("{orders}, due by {by}", orders=words, by=day(by_s))


def commitment_figures(
    approval: Approval, listed: Iterable[ListedOrder] = ()
) -> tuple[pages.LargeFigure, ...]:
    """The total commitment of what is to be approved, what of it is due at once, and of all orders of the twelve
    months. listed: all orders of the plan, which have numbers."""
    seen, unit, bought = approval.seen, approval.span_unit, approval.bought
    note = worded("no order")
    if approval.now:
        note = _listed(now_words(approval, order_numbers_now(approval, listed)), approval.lapsed_words)
    if seen.days_late and approval.own_usd != approval.usd:
        note = _listed(note, worded("{usd} in the plan's first month", usd=amount(approval.own_usd)))
    later_usd = approval.later_usd
    due, usd = worded("of this, with the order") if approval.now else worded("no order"), approval.due_usd
    if approval.now and usd == 0:
        due = worded("nothing upfront")
    due = set_up_words(approval.now) or due
    if bought:
        due = worded("{gpus} to buy", gpus=pages.counted_gpus(_gpus_of(bought)))
    return (
        pages.LargeFigure(
            key="to_approve" if seen.days_late else "liability_now",
            title=worded("Approve now"),
            unit=unit,
            amount=approval.usd,
            text=at_least(approval.usd, liability_usd(approval.now)),
            note=note,
        ),
        pages.LargeFigure(
            key="due_at_once_now",
            title=worded("Cash with the orders"),
            unit=worded("$ on the day"),
            amount=usd,
            text=at_least(usd, due_at_once_usd(approval.now)),
            note=due,
        ),
        pages.LargeFigure(
            key="later_commitments",
            title=worded("Later commitments"),
            unit=unit,
            amount=later_usd,
            text=at_least(later_usd, liability_usd(approval.not_now)),
            note=_listed(later_words(approval), approval.over_words),
        ),
    )


def later_words(approval: Approval) -> Message:
    """Return what the other orders are, beside what they commit: not for approval today, or why there is none."""
    if approval.later_usd is None and not approval.not_now:
        return worded("unknown: a rate is missing")
    if not approval.left:
        none_left = worded("no orders left in twelve months")
        return none_left if approval.over else worded("no order in twelve months")
    return worded("not for approval today") if approval.not_now else worded("no later order")


def at_least(
    usd: float | None, known: float | None, write: Callable[[float | None], Written] = amount
) -> Part:
    """Write $; where they are unknown because a rate is missing, what orders of the plan commit at least."""
    return write(usd) if usd is not None else sum_text(PartSum(known or 0.0, 1, ("",)), write)


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
            worded_whole(
                len(overdue),
                "{count} order is late: given the lead time, an order today starts {starts}.",
                "{count} orders are late: given the lead time, an order today starts {starts}.",
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


# ---------------------------------------------------------------- sources

MOST_FILES: Final = 4


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
            "Made from: {files}; {more} more on the sheet Sources.",
            files=joined(files[:MOST_FILES], "; "),
            more=whole(len(files) - MOST_FILES),
        )
    rates = evaluation.project.exchange
    counted_at = worded("Other currencies count at {rates}.", rates=exchange_words(rates))
    each = worded("The plan's workbook has each figure with its formula.")
    return pages.TextBlock(worded("Sources"), (made, counted_at, each) if rates else (made, each))
