"""From an evaluated plan to its award: rows, conditions, the award, and its quotes beside the market."""

from collections.abc import Callable, Sequence

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.award.award import Award, IsCancelled, Quote, award_of, benchmarks_of
from gpuplanner.domain.award.qualifying import Conditions, quotes_among
from gpuplanner.domain.commitment.asked_rows import AskedRow, Asking, asked_in, unasked_words
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.listed_orders import list_orders
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, sold_in_units
from gpuplanner.domain.commitment.recursion.calendar import lead_s
from gpuplanner.domain.evaluation import Evaluation, with_outlook, without_answers
from gpuplanner.domain.model.book.exchange import USD, exchange_between
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.price_history import UNKNOWN_MARKET, MarketRange, is_far
from gpuplanner.domain.model.book.quote_source import answered_row, is_quote
from gpuplanner.domain.model.intake import unread_answers
from gpuplanner.domain.model.window import DAY_S, MONTH_S
from gpuplanner.lazy_dataclass import replace

MarketOf = Callable[[Offer], MarketRange]
"""The market of what an offer sells, US dollars per GPU-hour."""


def decide(
    evaluation: Evaluation,
    today_s: int,
    market_of: MarketOf,
    max_prepaid: float | None = None,
    is_cancelled: IsCancelled = lambda: False,
) -> Award | None:
    """The award of an evaluated plan, without what each quote would be worth; None where it is cancelled.

    today_s: epoch seconds; nothing is ordered before it, nor before the plan begins. max_prepaid: in the money of the
    project. Source: docs/formulas/quotes.md, Award. Errors: PlannerError where it is too large to be solved to the end;
    ValueError without advice.
    """
    project, figures = evaluation.in_parts.project, evaluation.figures
    ground = ground_of(
        project, figures.basis.plan, figures.workload_pools, AdviceCache(), evaluation.advised.classes
    )
    rows = asked_on(evaluation, today_s)
    conditions = conditions_of(ground, evaluation.advised.checks, today_s, max_prepaid)
    offers = sold_in_units(project, ground.assumptions.unit).offers
    quoted = quotes_among(offers)
    award = award_of(rows, quoted, conditions, is_cancelled)
    if award is None:
        return None
    quotes = tuple(compare_with_market(quote, market_of, evaluation) for quote in award.quotes)
    listed = tuple(offer for offer in offers if not is_quote(offer) and not is_owned(offer))
    return replace(
        award,
        quotes=quotes,
        unread=unread_answers(project.intake),
        unasked=unasked_words(evaluation.advised.orders, project.offers),
        benchmarks=benchmarks_of(rows, listed, replace(conditions, needs_vendor=False)),
        gone=_gone(rows, quoted),
    )


def _gone(rows: Sequence[AskedRow], offers: Sequence[Offer]) -> tuple[tuple[str, str], ...]:
    """Reference and number of the rows that offers answer and nobody asks for any more."""
    asked = {key for row in rows for key in row.asked_as}
    answers = map(answered_row, offers)
    keys = {(answer.reference, answer.row) for answer in answers if answer is not None}
    return tuple(sorted(keys - asked, key=lambda key: (key[0], int(key[1][1:]))))


def conditions_of(
    ground: Ground, checks: Sequence[Check], today_s: int, max_prepaid: float | None = None
) -> Conditions:
    """What holds for every offer of a plan that is ordered on a day. checks: of that plan; the rest as of `decide`.

    Nothing is ordered before a plan that waits has waited.
    """
    begins_s = max(today_s, ground.window.end_s + ground.calendar.wait_months * MONTH_S)
    over = frozenset(str(check.subject) for check in checks if check.code == "over_provider_share")
    return Conditions(
        order_day_s=begins_s - begins_s % DAY_S,
        mappings=tuple(ground.project.mappings),
        sla_percent=_sla_asked(ground.project.offers),
        over_share=over,
        shares=ground.scenario.shares,
        max_share=ground.assumptions.max_provider_share,
        max_prepaid=max_prepaid,
        calendar=ground.calendar,
        leads_s={offer.offer_id: lead_s(offer) for offer in ground.project.offers},
    )


def _sla_asked(offers: Sequence[Offer]) -> float | None:
    """The SLA that answered requests asked for, % of a month: the highest; None: none was asked for."""
    asked = [answered.sla_percent for offer in offers if (answered := answered_row(offer)) is not None]
    return max(asked, default=0.0) or None


def compare_with_market(quote: Quote, market_of: MarketOf, evaluation: Evaluation) -> Quote:
    """With the market in the money of the project, and whether the rate, upfront spread, is far from it."""
    project = evaluation.project
    into = exchange_between(USD, project.currency, project.exchange)
    market = UNKNOWN_MARKET
    if into is not None:
        low, high = market_of(quote.offer)
        market = MarketRange(low=float(into) * low, high=float(into) * high)
    rate = quote.offer.spread_rate
    is_known = rate is not None and market.high > 0
    return replace(quote, market=market, is_far_from_market=is_far(rate or 0.0, market) if is_known else None)


def asked_on(evaluation: Evaluation, today_s: int, asking: Asking | None = None) -> tuple[AskedRow, ...]:
    """The rows of an evaluation with its advice; today_s, asking: as of `asked_in`.

    Answers that came back change nothing of it: the rows are of the plan without them, with the numbers that were
    asked for, else those that such a plan has. Errors: ValueError where there is no advice yet.
    """
    question = without_answers(evaluation)
    rows = _rows_of(question, today_s, asking)
    is_numbered = all(any(name == row.name for _, name in row.asked_as) for row in rows)
    if question is evaluation or evaluation.outlook is None or is_numbered:
        return rows
    return _rows_of(with_outlook(question), today_s, asking)


def _rows_of(evaluation: Evaluation, today_s: int, asking: Asking | None) -> tuple[AskedRow, ...]:
    """The rows of an evaluation without answers."""
    project = evaluation.in_parts.project
    pools = evaluation.figures.workload_pools
    ground = ground_of(project, evaluation.plan, pools, AdviceCache(), evaluation.advised.classes)
    listed = evaluation.listed_orders or list_orders(project, evaluation.plan, evaluation.advised, ())
    return asked_in(ground, listed, today_s, asking)
