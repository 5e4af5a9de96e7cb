"""Contracts and offers in words: a sentence of parts, each part with its term, and what each term may be instead."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Final

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
from gpuplanner.domain.model.book.price_book import CATEGORY_WORDS
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.values.numbers import quoted

COST: Final = "usd_per_month"
"""The part that states no term: it follows from the others."""

Parts = Mapping[str, Text]
"""Words by term, in the order of the sentence."""


def contract_parts(contract: Contract) -> Parts:
    """Return the parts of a contract's sentence. What its file does not state reads as an open question."""
    model, usd = contract.gpu_model or worded("unknown GPU model"), contract.cost_per_month
    gpus = worded("{gpus} \u00d7 {model}", gpus=significant(contract.gpus, 9), model=model)
    parts: dict[str, Text] = {"milli_gpus": gpus, RATE_FIELD: rate_words(contract)}
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
    """Return the parts of an offer's sentence: who offers what at which rate, and for how long."""
    has_term = offer.term_months or offer.term_days
    term = (
        term_words(offer.term_months, offer.term_days) if has_term else CATEGORY_WORDS[offer.pricing_category]
    )
    parts = {
        "provider": offer.provider,
        "gpu_model": offer.gpu_model,
        RATE_FIELD: rate_words(offer),
        "term": term,
    }
    return {name: words for name, words in parts.items() if words}


def sentence_of(parts: Parts) -> Message:
    """Return the sentence of some parts.

    >>> str(sentence_of({"milli_gpus": "8 × H100", "notice_days": "no notice"}))
    '8 × H100, no notice.'
    """
    return joined((joined(parts.values(), ", "), "."))


def rate_words(of: Contract | Offer) -> Text:
    """Return $17.71 per GPU-hour; no rate where none is stated."""
    if not of.rate_usd_per_gpu_hour:
        return NO_RATE
    rate = quoted(decimals(float(of.rate_usd_per_gpu_hour), 2), of.currency)
    return worded("{rate} per GPU-hour", rate=rate)


def open_terms(contract: Contract) -> frozenset[str]:
    """Return the terms that a contract leaves open: its rate, its notice, and whether it renews."""
    is_open = {
        RATE_FIELD: not contract.rate_usd_per_gpu_hour,
        "notice_days": contract.notice_days is None,
        "renews_months": contract.renews_months is None and contract.end_s is not None,
    }
    return frozenset(term for term, holds in is_open.items() if holds)


def _last_day(end_s: int | None) -> Text:
    """The last day of a contract. end_s: exclusive, epoch seconds."""
    return worded("no end") if end_s is None else joined((day(end_s - 1),))


def _notice_words(contract: Contract) -> Text:
    """The notice of a contract; nothing of one that ends by itself and states none."""
    if (days := contract.notice_days) is None:
        return "" if contract.renews_months == 0 and contract.end_s else worded("notice unknown")
    return worded_count(days, "{days} day's notice", "{days} days' notice", days=whole(days))


def _renewal_words(contract: Contract) -> Text:
    """What happens at the end of a contract."""
    if contract.renews_months:
        return worded("renews for {term}", term=term_words(contract.renews_months))
    if contract.end_s is None:
        return worded("runs until notice is given")
    if contract.renews_months is None:
        return worded("renewal not stated: ends on {day}", day=day(contract.end_s - 1))
    is_given = filed_term(contract, "renews_months") or filed_term(contract, "end_s") is None
    return worded("notice was given") if is_given else worded("does not renew by itself")


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


def term_choices(
    contract: Contract, term: str, clusters: Iterable[str] = ()
) -> list[tuple[Text, Mapping[str, Term]]]:
    """Return what a term of a contract may be instead: words, and the terms that they mean.

    clusters: those that logs and contracts name.
    """
    ends, gpus, rate = _last_day(contract.end_s), contract.milli_gpus, contract.rate_usd_per_gpu_hour
    values: list[tuple[Text, Term]] = []
    if term == "milli_gpus":
        nodes, size = significant(gpus / 1000, 9), whole(NODE_GPUS)
        values = [(worded("{gpus} nodes of {size}", gpus=nodes, size=size), gpus * NODE_GPUS)]
    if term == RATE_FIELD and rate:
        shown = quoted(decimals(float(rate), 2), contract.currency)
        per_gpu = [(per, rate / hours / (Decimal(of) or Decimal(gpus) / 1000)) for per, hours, of in _PER]
        values = [(joined((shown, " ", per)), value.quantize(_DIGITS)) for per, value in per_gpu]
    if values:
        meant = [(words, {term: value}) for words, value in values]
        costs = [contract_parts(with_terms(contract, terms))[COST] for _, terms in meant]
        return [
            (joined((words, ": ", cost)), terms) for (words, terms), cost in zip(meant, costs, strict=True)
        ]
    if term == "renews_months" and contract.end_s is not None:
        months = contract.renews_months or contract.term_months or 12
        return [
            (worded("ends on {day}", day=ends), {term: 0}),
            (worded("renews for {term}", term=term_words(months)), {term: months}),
            (worded("notice was given: ends on {day}", day=ends), {term: 0}),
        ]
    others = sorted({*clusters} - {contract.cluster, ""}) if term == "cluster" else ()
    return [(name, {term: name}) for name in others]
