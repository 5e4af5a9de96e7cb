"""Contracts in words: the sentence of each by hand, what is open in it, and what its terms may be instead."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.model.book.contract import RATE_FIELD, UNDATED_S, Contract, with_terms
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import instant_s
from gpuplanner.files.contracts.contract_words import (
    contract_parts,
    offer_parts,
    open_terms,
    parts_of,
    sentence_of,
    term_choices,
    with_changes,
)

START_S, END_S = instant_s("2025-03-01"), instant_s("2027-03-01")
ORDER = Contract(
    contract_id="PO-1",
    cluster="",
    gpu_model="H100",
    milli_gpus=32_000,
    rate_usd_per_gpu_hour=Decimal("2.49"),
    start_s=START_S,
    end_s=END_S,
    notice_days=90,
    renews_months=0,
    term_months=24,
)
SPAN = "32 × H100, $2.49 per GPU-hour, 1 Mar 2025 – 28 Feb 2027, "


OFFER = Offer(
    offer_id="o",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal("2.2"),
    provider="NorthPeak",
)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({}, SPAN + "90 days' notice, does not renew, $58,166 per month."),
        (
            {"renews_months": None},
            SPAN + "90 days' notice, renewal unknown: ends 28 Feb 2027, $58,166 per month.",
        ),
        ({"renews_months": 12}, SPAN + "90 days' notice, renews for 12 months, $58,166 per month."),
        (
            {"notice_days": None, "renews_months": 12},
            SPAN + "notice unknown, renews for 12 months, $58,166 per month.",
        ),
        ({"notice_days": None}, SPAN + "does not renew, $58,166 per month."),
        (
            {"end_s": None, "notice_days": 30, "renews_months": None},
            "32 × H100, $2.49 per GPU-hour, 1 Mar 2025 – no end, 30 days' notice, runs until you give notice, "
            "$58,166 per month.",
        ),
        (
            {"rate_usd_per_gpu_hour": None, "gpu_model": None},
            "32 × unknown GPU model, no rate, 1 Mar 2025 – 28 Feb 2027, 90 days' notice, does not renew, "
            "cost per month unknown.",
        ),
        (
            {"prepaid_usd": Decimal(280320)},
            SPAN + "90 days' notice, does not renew, $280,320 upfront, $69,846 per month.",
        ),
        (
            {"pricing_category": PricingCategory.STANDARD},
            "32 × H100, $2.49 per GPU-hour, 1 Mar 2025 – 28 Feb 2027, $58,166 per month.",
        ),
        (
            {"notice_days": None, "notice_written": "see MSA", "renews_months": 12},
            SPAN + "notice unknown: “see MSA”, renews for 12 months, $58,166 per month.",
        ),
        ({"start_s": UNDATED_S}, "32 × H100, $2.49 per GPU-hour, $58,166 per month."),
        (
            {"currency": "EUR", "exchange": None},
            "32 × H100, 2.49 EUR per GPU-hour, 1 Mar 2025 – 28 Feb 2027, 90 days' notice, does not renew, "
            "cost per month unknown.",
        ),
    ],
)
def test_each_kind_of_contract_is_one_sentence(changed: dict[str, Any], sentence: str) -> None:
    assert str(sentence_of(contract_parts(replace(ORDER, **changed)))) == sentence


def test_notice_was_given_where_the_file_says_that_it_would_run_on() -> None:
    for filed in (replace(ORDER, renews_months=12), replace(ORDER, end_s=None, renews_months=None)):
        ended = with_terms(filed, {"renews_months": 0, "end_s": END_S})
        assert str(contract_parts(ended)["renews_months"]) == "notice was given"


def test_a_quote_is_a_sentence_too() -> None:
    assert str(sentence_of(offer_parts(OFFER))) == "NorthPeak, H100, $2.20 per GPU-hour, 12 months."
    stated = {"max_gpus": 48, "min_gpus": 32, "lead_time_hours": 1008.0, "valid_until": "2026-12-15"}
    assert str(sentence_of(parts_of(replace(OFFER, **stated)))) == (
        "NorthPeak, H100, $2.20 per GPU-hour, 12 months, at most 48 GPUs, at least 32 GPUs, delivery in 42 days, "
        "valid until 15 Dec 2026."
    )
    flexible = replace(OFFER, pricing_category=PricingCategory.STANDARD, term_months=0, provider=None)
    assert str(sentence_of(offer_parts(flexible))) == "H100, $2.20 per GPU-hour, on demand."


@pytest.mark.parametrize(
    ("changed", "terms"),
    [
        ({}, set()),
        ({"rate_usd_per_gpu_hour": None}, {RATE_FIELD}),
        ({"notice_days": None, "renews_months": None}, {"notice_days", "renews_months"}),
        ({"end_s": None, "renews_months": None}, set()),
        ({"cluster": ""}, {"cluster"}),
        ({"cluster": "", "start_s": UNDATED_S}, set()),  # nodes are where the log is
    ],
)
def test_what_is_open_asks(changed: dict[str, Any], terms: set[str]) -> None:
    assert open_terms(replace(ORDER, **{"cluster": "atlas", **changed})) == terms


def test_a_part_of_an_offer_may_be_something_else_as_one_of_a_contract() -> None:
    offer = replace(OFFER, max_gpus=6, rate_usd_per_gpu_hour=Decimal("17.6"))
    ((nodes, terms),) = term_choices(offer, "max_gpus")
    assert (str(nodes), terms) == ("6 nodes of 8: at most 48 GPUs", {"max_gpus": 48})
    rates = {str(words): terms[RATE_FIELD] for words, terms in term_choices(offer, RATE_FIELD)}
    assert rates["$17.60 per machine-hour: $2.20 per GPU-hour"] == Decimal("2.2")
    assert len(rates) == 5 and len(term_choices(replace(offer, max_gpus=None), RATE_FIELD)) == 2
    assert term_choices(offer, "valid_until") == [] and open_terms(offer) == set()
    changed = with_changes(offer, {"term_months": 24, "max_gpus": 48})
    assert isinstance(changed, Offer) and (changed.term_months, changed.max_gpus) == (24, 48)


def _read(term: str, *clusters: str, **changed: Any) -> Iterator[tuple[str, Any]]:
    for words, terms in term_choices(replace(ORDER, **changed), term, clusters):
        assert terms.keys() == {term}
        yield str(words), terms[term]


def test_a_count_may_be_of_nodes_and_a_rate_of_anything_with_what_it_would_cost() -> None:
    assert list(_read("milli_gpus")) == [("32 nodes of 8: $465,331 per month", 256_000)]
    rate = dict(_read(RATE_FIELD, rate_usd_per_gpu_hour=Decimal("58166.4")))
    assert rate["$58,166.40 per month, all GPUs: $58,166 per month"] == Decimal("2.49")
    assert rate["$58,166.40 per GPU and month: $1,861,325 per month"] == Decimal("79.68")
    assert rate["$58,166.40 per machine-hour: $169,845,888 per month"] == Decimal("7270.8")
    assert rate["$58,166.40 per year, all GPUs: $4,847 per month"] == Decimal("0.2075")
    assert list(_read(RATE_FIELD, rate_usd_per_gpu_hour=None)) == []


def test_an_end_is_chosen_in_plain_words() -> None:
    assert list(_read("renews_months")) == [
        ("ends on 28 Feb 2027", 0),
        ("renews for 24 months", 24),
        ("notice given: ends 28 Feb 2027", 0),
    ]
    assert list(_read("renews_months", end_s=None)) == []  # an end has to be typed first


def test_a_cluster_is_one_of_those_that_are_named() -> None:
    assert list(_read("cluster", "granite", "", "eks", cluster="eks")) == [("granite", "granite")]
