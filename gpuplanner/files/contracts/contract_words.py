"""Contracts and offers in words: a sentence of parts, each part with its term, and what each term may be instead."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import reduce
from typing import Any, Final

from gpuplanner.domain.figures.typed import amount, day, decimals, exact, significant, whole
from gpuplanner.domain.figures.writing import NO_RATE
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import (
    RATE_FIELD,
    UNDATED_S,
    Contract,
    Term,
    filed_term,
    term_words,
    with_terms,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import with_value
from gpuplanner.domain.model.tables import CATEGORY_WORDS
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.values.amounts import quoted

COST: Final = "usd_per_month"
"""The part that states no term: it follows from the others."""

Parts = Mapping[str, Text]
"""Words by term, in the order of the sentence."""
Row = Contract | Offer


def row_id(row: Row) -> str:
    """Return the id of a contract or an offer."""
    return row.contract_id if isinstance(row, Contract) else row.offer_id


def parts_of(row: Row) -> Parts:
    """Return the parts of the sentence of a contract or an offer."""
    return contract_parts(row) if isinstance(row, Contract) else offer_parts(row)


def contract_parts(contract: Contract) -> Parts:
    """Return the parts of a contract's sentence. What its file does not state reads as an open question."""
    model, usd = contract.gpu_model or worded("unknown GPU model"), contract.cost_per_month
    gpus = worded("{gpus} \u00d7 {model}", gpus=significant(contract.gpus, 9), model=model)
    parts: dict[str, Text] = {
        "milli_gpus": "" if contract.is_dollars else gpus,
        RATE_FIELD: rate_words(contract),
    }
    if contract.start_s != UNDATED_S:
        parts["start_s"] = joined((day(contract.start_s), _last_day(contract.end_s)), " \u2013 ")
        if contract.is_committed:
            parts |= {"notice_days": _notice_words(contract), "renews_months": _renewal_words(contract)}
    if contract.prepaid_usd:
        parts["prepaid_usd"] = worded(
            "{usd} upfront", usd=quoted(exact(contract.prepaid_usd), contract.currency)
        )
    unknown = worded("cost per month unknown")
    parts[COST] = unknown if usd is None else worded("{usd} per month", usd=amount(usd))
    return {term: words for term, words in parts.items() if words}


def offer_parts(offer: Offer) -> Parts:
    """Return the parts of an offer's sentence: who offers what at which rate, for how long, and on which terms."""
    has_term = offer.term_months or offer.term_days
    term = (
        term_words(offer.term_months, offer.term_days) if has_term else CATEGORY_WORDS[offer.pricing_category]
    )
    days, until_s = offer.lead_time_hours / 24, offer.last_order_s
    parts = {
        "provider": offer.provider,
        "gpu_model": offer.gpu_model,
        RATE_FIELD: rate_words(offer),
        "term_months": term,
        "max_gpus": offer.max_gpus and worded("at most {gpus} GPUs", gpus=whole(offer.max_gpus)),
        "min_gpus": offer.min_gpus and worded("at least {gpus} GPUs", gpus=whole(offer.min_gpus)),
        "max_gpus_per_order": offer.max_gpus_per_order
        and worded("at most {gpus} GPUs per order", gpus=whole(offer.max_gpus_per_order)),
        "lead_time_hours": days
        and worded_count(days, "delivery in {days} day", "delivery in {days} days", days=significant(days)),
        "valid_until": until_s and worded("valid until {day}", day=day(until_s)),
    }
    return {name: words for name, words in parts.items() if words}


def sentence_of(parts: Parts) -> Message:
    """Return the sentence of some parts.

    >>> str(sentence_of({"milli_gpus": "8 × H100", "notice_days": "no notice"}))
    '8 × H100, no notice.'
    """
    return joined((joined(parts.values(), ", "), "."))


def rate_words(of: Row) -> Text:
    """Return $17.71 per GPU-hour; no rate where none is stated."""
    if not of.rate_usd_per_gpu_hour:
        return NO_RATE
    rate = quoted(decimals(float(of.rate_usd_per_gpu_hour), 2), of.currency)
    return worded("{rate} per hour", rate=rate) if of.is_dollars else worded("{rate} per GPU-hour", rate=rate)


def open_terms(row: Row) -> frozenset[str]:
    """Return the terms left open: the rate, and of a contract its notice, whether it renews, and its cluster."""
    is_open = {RATE_FIELD: not row.rate_usd_per_gpu_hour}
    if isinstance(row, Contract):
        is_open |= {
            "notice_days": row.notice_days is None,
            "renews_months": row.renews_months is None and row.end_s is not None,
            "cluster": is_unserved(row),
        }
    return frozenset(term for term, holds in is_open.items() if holds)


def is_unserved(contract: Contract) -> bool:
    """Return whether nothing states the cluster of a contract; nodes of a list are where the log is."""
    return not (contract.cluster or contract.is_dollars or contract.start_s == UNDATED_S)


def _last_day(end_s: int | None) -> Text:
    """The last day of a contract. end_s: exclusive, epoch seconds."""
    return worded("no end") if end_s is None else joined((day(end_s - 1),))


def _notice_words(contract: Contract) -> Text:
    """The notice of a contract; nothing of one that ends by itself and states none."""
    if (days := contract.notice_days) is None:
        if contract.renews_months == 0 and contract.end_s:
            return ""
        if (written := contract.notice_written) is None:
            return worded("notice unknown")
        return worded("notice unknown: \u201c{written}\u201d", written=written)
    return worded_count(days, "{days} day's notice", "{days} days' notice", days=whole(days))


def _renewal_words(contract: Contract) -> Text:
    """What happens at the end of a contract."""
    if contract.renews_months:
        return worded("renews for {term}", term=term_words(contract.renews_months))
    if contract.end_s is None:
        return worded("runs until you give notice")
    if contract.renews_months is None:
        return worded("renewal unknown: ends {day}", day=day(contract.end_s - 1))
    is_given = filed_term(contract, "renews_months") or filed_term(contract, "end_s") is None
    return worded("notice was given") if is_given else worded("does not renew")


# --- What a term may be instead: the readings of a number that a planner may choose among

NODE_GPUS: Final = 8
_PER: Final = (
    (worded("per machine-hour"), 1, NODE_GPUS),
    (worded("per hour, all GPUs"), 1, 0),
    (worded("per GPU and month"), HOURS_PER_MONTH, 1),
    (worded("per month, all GPUs"), HOURS_PER_MONTH, 0),
    (worded("per year, all GPUs"), 12 * HOURS_PER_MONTH, 0),
)
"""What a rate may be for: words, hours, and of how many GPUs; 0: of all."""
_DIGITS: Final = Decimal("1e-12")
COUNTS: Final = {"milli_gpus": 1000, "max_gpus": 1, "min_gpus": 1, "max_gpus_per_order": 1}
"""Terms that count GPUs, and in how many parts of a GPU."""


def with_changes(row: Row, terms: Mapping[str, Any]) -> Row:
    """Return a contract or an offer with other terms, by field. Errors: PlannerError for a term that cannot be."""
    if isinstance(row, Contract):
        return with_terms(row, terms)
    return reduce(lambda offer, term: with_value(offer, *term), terms.items(), row)


def term_choices(row: Row, term: str, clusters: Iterable[str] = ()) -> list[tuple[Text, Mapping[str, Term]]]:
    """Return what a term of a contract or an offer may be instead: words, and the terms that they mean.

    clusters: those that logs and contracts name.
    """
    rate, count = row.rate_usd_per_gpu_hour, getattr(row, term, None)
    milli_gpus = row.milli_gpus if isinstance(row, Contract) else 1000 * (row.max_gpus or row.min_gpus or 0)
    values: list[tuple[Text, Term]] = []
    if term in COUNTS and count:
        nodes, size = significant(count / COUNTS[term], 9), whole(NODE_GPUS)
        values = [(worded("{gpus} nodes of {size}", gpus=nodes, size=size), count * NODE_GPUS)]
    if term == RATE_FIELD and rate:
        shown = quoted(decimals(float(rate), 2), row.currency)
        gpus = [(per, hours, Decimal(of) or Decimal(milli_gpus) / 1000) for per, hours, of in _PER]
        per_gpu = [(per, rate / hours / of) for per, hours, of in gpus if of]
        values = [(joined((shown, " ", per)), value.quantize(_DIGITS)) for per, value in per_gpu]
    if values:
        meant = [(words, {term: value}, with_changes(row, {term: value})) for words, value in values]
        after = COST if isinstance(row, Contract) else term
        return [(joined((words, ": ", parts_of(other)[after])), terms) for words, terms, other in meant]
    if isinstance(row, Offer):
        return []
    contract, ends = row, _last_day(row.end_s)
    if term == "renews_months" and contract.end_s is not None:
        months = contract.renews_months or contract.term_months or 12
        return [
            (worded("ends on {day}", day=ends), {term: 0}),
            (worded("renews for {term}", term=term_words(months)), {term: months}),
            (worded("notice given: ends {day}", day=ends), {term: 0}),
        ]
    others = sorted({*clusters} - {contract.cluster, ""}) if term == "cluster" else ()
    return [(name, {term: name}) for name in others]
