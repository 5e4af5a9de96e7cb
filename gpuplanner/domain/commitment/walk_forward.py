"""Walking forward over a log: what each way of buying holds in a month, and what that month then costs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.calendar import ANY_TIME
from gpuplanner.domain.commitment.history import ADVISED_HOURS, WHOLE_LOG, History, Span, ground_at, span_of
from gpuplanner.domain.commitment.plan import Planned, plan_of
from gpuplanner.domain.commitment.rates import committed_offers
from gpuplanner.domain.commitment.slicing import asked_block
from gpuplanner.domain.commitment.strategies import Question
from gpuplanner.domain.commitment.users import Row
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.model_mapping import paid_gpus, ratios_of, whole_gpus
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.only import only_of
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S


@dataclass(frozen=True, slots=True)
class Held:
    """GPUs bought for one row: paid in months from..until (exclusive) of the log, used or not.

    ratio: GPUs of the row's model that one GPU of the offer is worth, where that is of a mapped model; gpus and rate
    are for the row's model, whole GPUs of the offer's being paid for.
    """

    row: Row
    offer_id: str
    term_months: int
    gpus: float
    rate_usd_per_gpu_hour: float
    from_month: int
    ratio: float | None = None
    unit: int | None = None

    @property
    def offer_gpus(self) -> float:
        """GPUs of the offer's own model."""
        if self.ratio is None and self.unit is None:
            return self.gpus
        return whole_gpus(self.gpus, self.ratio or 1.0, self.unit or 1)

    @property
    def until_month(self) -> int:
        """The first month in which it is not held any more."""
        return self.from_month + self.term_months


@dataclass(frozen=True, slots=True)
class MonthPaid:
    """What one month of one way of buying came to. usd None: GPUs paid by use that nobody has a rate for.

    unused_gpu_hours: held and not used; beyond_gpu_hours: used beyond what was held, paid by use.
    """

    usd: float | None
    held_usd: float
    unused_gpu_hours: float
    beyond_gpu_hours: float


def running_in(held: Sequence[Held], month: int) -> tuple[Held, ...]:
    """What is held in a month."""
    return tuple(one for one in held if one.from_month <= month < one.until_month)


def pay(history: History, paid: Span, held: Sequence[Held], row: Row) -> MonthPaid:
    """One month of one row: what is held is paid in full, what came beyond it by use at the month's own r_flex.

    paid: the span of that month; held: what runs in it, of this row.
    """
    gpus = sum(one.gpus for one in held)
    held_usd = sum(one.gpus * one.rate_usd_per_gpu_hour * HOURS_PER_MONTH for one in held)
    demand = history.gpus(row, paid.begin_h, paid.end_h)
    beyond = float(np.maximum(demand - gpus, 0.0).sum())
    unused = float(np.maximum(gpus - demand, 0.0).sum())
    if beyond <= 0:
        return MonthPaid(held_usd, held_usd, unused, 0.0)
    rate = paid.flex(row).rate
    return MonthPaid(None if rate is None else held_usd + beyond * rate, held_usd, unused, beyond)


def advised_span(history: History, month: int, offers: tuple[Offer, ...]) -> Span:
    """The log so far as an advice at the beginning of a month sees it: its last 2,160 h."""
    now_h = month * HOURS_PER_MONTH
    return span_of(history, max(now_h - ADVISED_HOURS, 0), now_h, offers)


def offers_at(offers: Sequence[Offer], held: Sequence[Held], rest_months: float) -> tuple[Offer, ...]:
    """What can be bought: no term longer than the rest of the log, and of a maximum only what is not held already."""
    in_use: dict[str, float] = {}
    for one in held:
        in_use[one.offer_id] = in_use.get(one.offer_id, 0.0) + one.offer_gpus
    answer = []
    for offer in offers:
        if offer.pricing_category == PricingCategory.COMMITTED and offer.term_months > rest_months:
            continue
        taken = in_use.get(offer.offer_id, 0.0)
        is_limited = offer.max_gpus is not None and taken > 0
        answer.append(
            replace(offer, max_gpus=max(int((offer.max_gpus or 0) - taken), 0)) if is_limited else offer
        )
    return tuple(answer)


def advised(
    history: History, span: Span, held: Sequence[Held], month: int, assumptions: Assumptions
) -> Planned:
    """The plan at the beginning of a month, with everything held so far carried over as existing contracts."""
    now_s = history.project.window.start_s + month * MONTH_S
    carried = tuple(
        Contract(
            contract_id=f"{number:04d}",
            cluster=WHOLE_LOG,
            gpu_model=one.row[1],
            milli_gpus=round(1000 * one.gpus),
            rate_usd_per_gpu_hour=Decimal(str(one.rate_usd_per_gpu_hour)),
            start_s=now_s - (month - one.from_month) * MONTH_S,
            end_s=now_s + (one.until_month - month) * MONTH_S,
            pricing_category=PricingCategory.COMMITTED,
            pool=one.row[0],
            provider=only_of(one.row[1]).provider,
            region=only_of(one.row[1]).region,
        )
        for number, one in enumerate(running_in(held, month))
    )
    return plan_of(ground_at(history, span, carried, assumptions), AdviceCache())


def bought(planned: Planned, month: int) -> tuple[Held, ...]:
    """The month-0 layers of a plan, as things held from a month of the log on."""
    answer = []
    for one in planned.rows:
        row, signed = one.row, one.signed
        if not row.slices:
            continue
        pairs = zip(signed.term[0].tolist(), signed.offer[0].tolist(), strict=True)
        widths: dict[tuple[int, int], float] = {}
        for pair, width in zip(pairs, row.slicing.widths.tolist(), strict=True):
            widths[pair] = widths.get(pair, 0.0) + width
        for (term, place), gpus in sorted(widths.items()):
            if term and place >= 0:
                offer = row.offers[place]
                answer.append(held_of((row.pool, row.gpu_model), offer, gpus, month, row.ratios))
    return tuple(answer)


def held_of(row: Row, offer: Offer, gpus: float, month: int, ratios: Mapping[str, float]) -> Held:
    """What buying an offer for a row holds; whole GPUs of its own model are paid for. offer: at the row's rates."""
    ratio, rate = ratios.get(offer.offer_id), offer.spread_rate or 0.0
    rate *= paid_gpus(gpus, ratio, offer.unit_gpus) / gpus
    return Held(row, offer.offer_id, offer.term_months, gpus, rate, month, ratio, offer.unit_gpus)


def topped_up(
    history: History,
    span: Span,
    held: Sequence[Held],
    month: int,
    level_of: Callable[[Question], float],
) -> tuple[Held, ...]:
    """What a rule of thumb buys at the beginning of a month: up to its level, with the shortest term on offer."""
    answer = []
    for row in span.users:
        offers = [offer for offer in committed_offers(span.eligible[row]) if not ANY_TIME.first_month(offer)]
        flex = span.flex(row).rate
        if not offers or flex is None:
            continue
        shortest = min(offer.term_months for offer in offers)
        offer = next(offer for offer in offers if offer.term_months == shortest)  # cheapest first
        rate = offer.spread_rate or 0.0
        block = asked_block(history.assumptions.block, offers)
        level = level_of(Question(history, row, span.end_h, block, rate, flex))
        missing = level - sum(one.gpus for one in held if one.row == row)
        ratios = ratios_of((offer,), row[1], history.project.mappings)
        if offer.max_gpus is not None:
            missing = min(missing, offer.max_gpus * ratios.get(offer.offer_id, 1))
        if missing > 0:
            answer.append(held_of(row, offer, missing, month, ratios))
    return tuple(answer)
