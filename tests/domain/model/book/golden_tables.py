"""Random contracts, offers, price books and limits: what each works out, as golden tables."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from gpuplanner.domain.model.book import contract, dollars, offer, only, price_history, remark, renewal
from gpuplanner.domain.model.book.all_in_rate import all_in
from gpuplanner.domain.model.book.offer_fields import check_offer
from gpuplanner.domain.model.book.price_age import is_stale
from gpuplanner.domain.model.book.price_pairs import price_pairs, widest_alike, widest_pair
from gpuplanner.domain.model.book.quote_source import quoted_start, remark_on
from gpuplanner.domain.model.window import DAY_S, Window
from tests.domain.model.random_book import MODELS, START_S, random_contracts, random_offers, random_only
from tests.golden.tables import Table
from tests.shown import refusal, shown, shown_fields, shown_properties

MARKET: Final = price_history.MarketRange(low=2.0, high=6.0)
FOLDER: Final = "tables_model_book"
SEEDS: Final = tuple(map(str, range(9)))
WINDOW: Final = Window(START_S, 365 * 24)
SAYS_NOTHING: Final = ("None", "False", "''", "()", "[]", "{}")


def _said(calls: dict[str, Callable[[], Any]]) -> str:
    """Return the results of calls that say something, as `name=result`."""
    results = {name: refusal(call) for name, call in calls.items()}
    return ", ".join(f"{name}={result}" for name, result in results.items() if result not in SAYS_NOTHING)


# --- Contracts -----------------------------------------------------------------------------------


def contract_lines(case: str) -> str:
    """Return what random contracts say of themselves, and together."""
    contracts = random_contracts(int(case))
    lines = [line for row in contracts for line in _contract_lines(row)]
    before, after = contracts[:2], contracts[1:]
    lines.append(
        "together: "
        + _said(
            {
                "line order": lambda: [row.contract_id for row in sorted(contracts, key=contract.merit)],
                "in force": lambda: [
                    row.contract_id for row in contract.in_force(contracts, START_S + 40 * DAY_S)
                ],
                "in month 1": lambda: [row.contract_id for row in contract.in_month(contracts, WINDOW, 1)],
                "$ in month 1": lambda: contract.usd_in_month(contracts, WINDOW, 1),
                "GPUs in month 6": lambda: contract.gpus_in_month(contracts, WINDOW, 6),
                "rates in month 1": lambda: contract.mean_rates_in_month(contracts, WINDOW, 1),
                "extras in month 1": lambda: contract.mean_extras_in_month(contracts, WINDOW, 1),
                "cluster of H100": lambda: contract.only_cluster_of(contracts, "H100"),
                "continued": lambda: {
                    name: row.contract_id for name, row in contract.continued(contracts).items()
                },
                "since the log": lambda: [
                    (row.contract_id, row.start_s)
                    for row in contract.since_log(contracts, START_S, ("atlas",))
                ],
                "turn": lambda: contract.turn_words(contracts[0], before, after),
                "in turn": lambda: [row.contract_id for row in dollars.in_turn(contracts)],
            }
        )
    )
    return "\n".join(lines)


def _contract_lines(row: contract.Contract) -> Iterator[str]:
    yield shown_fields(row)
    yield f"  {shown_properties(row)}"
    later_s, log_end_s = START_S + 120 * DAY_S, START_S + 60 * DAY_S
    calls: dict[str, Callable[[], Any]] = {
        "runs": lambda: contract.runs_at(row, later_s),
        "hours": lambda: contract.hours_in(row, START_S, later_s),
        "usd by hour": lambda: contract.usd_by_hour(row, START_S, later_s),
        "mean GPUs": lambda: contract.mean_gpus(row, WINDOW),
        "paid and used": lambda: contract.paid_and_used(row, 100.0, 30.0, 40.0),
        "paid in month 1": lambda: shown_fields(row.paid_in(1)) != shown_fields(row),
        "ending": lambda: row.ending(later_s).cost_per_month,
        "cash": lambda: row.cash_on_days(START_S, later_s),
        "prepaid": lambda: row.prepaid_between(START_S, later_s),
        "cost of 100 h": lambda: row.cost_of(100.0),
        "overlaps": lambda: row.overlaps(START_S + 32 * DAY_S, later_s),
        "renewed": lambda: row.renewed_s(row.end_s or later_s, 2),
        "renewed until": lambda: row.renewed_until_s(row.end_s or later_s, later_s + 900 * DAY_S),
        "notice passed": lambda: renewal.has_notice_passed(row, later_s, log_end_s),
        "with renewal": lambda: renewal.with_renewal(row, later_s, log_end_s).end_s,
        "first end": lambda: renewal.first_end_s(row, later_s, log_end_s),
        "remaining": lambda: renewal.remaining_months(row, WINDOW),
        "bound": lambda: renewal.bound_usd(row, WINDOW),
        "notice": lambda: renewal.notice_s(row),
        "notice by": lambda: renewal.notice_by_s(row, row.end_s),
        "parts": lambda: [
            (part.contract_id, part.milli_gpus, part.start_s) for part in contract.parts_of_ramp(row)
        ],
        "line": lambda: contract.line_of(row, later_s),
        "terms": lambda: [
            refusal(partial(contract.filed_term, row, name)) for name in ("milli_gpus", "notice_days")
        ],
        "changed": lambda: contract.with_terms(row, {"milli_gpus": 9000, "notice_days": 45}).filed,
        "discounts": lambda: dollars.discounts_of(row.discount_percent),
        "room": lambda: dollars.room_in(row, 3),
        "countries": lambda: only.countries_of(row),
    }
    yield f"  {_said(calls)}"


# --- Offers --------------------------------------------------------------------------------------


def offer_lines(case: str) -> str:
    """Return what random offers say of themselves, and together."""
    offers = random_offers(int(case))
    lines = [line for row in offers for line in _offer_lines(row)]
    book, coming = offers[:4], [*random_offers(int(case) + 100)[:3], offers[0]]
    contracts = random_contracts(int(case))
    calls: dict[str, Callable[[], Any]] = {
        "owned": lambda: [
            (row.offer_id, row.rate, row.term_months) for row in offer.owned_at(tuple(offers), 0.1, 1.25)
        ],
        "without own rate": lambda: [
            row.offer_id for row in offer.without_own_rate(offers, offer.PriceCase.LOW)
        ],
        "low": lambda: [row.rate for row in offer.offers_in_case(tuple(offers), offer.PriceCase.LOW)],
        "high": lambda: [row.rate for row in offer.offers_in_case(tuple(offers), offer.PriceCase.HIGH)],
        "widest": lambda: _ids(widest_pair(offers)),
        "alike": lambda: _ids(widest_alike(offers)),
        "pairs": lambda: price_pairs(offers),
        "newest": lambda: _two(price_history.newest(coming)),
        "joined": lambda: _two(price_history.joined(book, coming)),
        "replaced": lambda: _two(price_history.replaced(book, coming)),
        "earlier": lambda: [row.offer_id for row in price_history.with_earlier(book, coming, offers)],
        "histories": lambda: {
            name: len(rows) for name, rows in price_history.histories(offers, coming).items()
        },
        "own rates": lambda: [
            (month.month, month.rate_usd_per_gpu_hour, month.log_change, month.series_months)
            for rows in price_history.histories(offers, _earlier(offers)).values()
            for month in price_history.own_rates(rows)[:4]
        ],
        "falls": lambda: [
            price_history.proposed_fall(price_history.own_rates(rows))
            for rows in price_history.histories(offers, _earlier(offers)).values()
            if rows
        ],
        "prices": lambda: [
            dollars.prices_of(row, offers, MODELS) for row in contracts if row.discount_percent is not None
        ],
        "cover": lambda: dollars.cover(
            np.array([100.0, 10.0]),
            {"H100": (4.0, 6.0), "A100": (2.0, 3.0)},
            {"H100": [np.array([20.0, 1.0])], "A100": [np.array([5.0, 50.0])]},
        ),
    }
    return "\n".join((*lines, "together: " + _said(calls)))


def _earlier(offers: Sequence[offer.Offer]) -> list[offer.Offer]:
    """Return rates of earlier days, each a little higher."""
    return [
        replace(row, as_of=f"2025-{month:02}-15", rate_usd_per_gpu_hour=row.rate_usd_per_gpu_hour + month)
        for row in offers
        if row.rate_usd_per_gpu_hour is not None
        for month in (1, 4, 12)
    ]


def _ids(pair: Any) -> Any:
    return (
        None
        if pair is None
        else [getattr(pair, name).offer_id for name in ("low", "high") if hasattr(pair, name)] or shown(pair)
    )


def _two(both: tuple[tuple[offer.Offer, ...], tuple[offer.Offer, ...]]) -> list[list[str]]:
    return [[f"{row.offer_id} {row.as_of}" for row in rows] for rows in both]


def _offer_lines(row: offer.Offer) -> Iterator[str]:
    yield shown_fields(row)
    yield f"  {shown_properties(row)}"
    calls: dict[str, Callable[[], Any]] = {
        "check": lambda: check_offer(row).offer_id != row.offer_id,
        "open": lambda: row.is_open_on(START_S + 10 * DAY_S),
        "stale": lambda: is_stale(row, WINDOW),
        "all in": lambda: all_in(row),
        "unstated": lambda: offer.unstated(row),
        "inputs": lambda: offer.owned_inputs(row, 0.1, 1.25) if offer.is_owned(row) else None,
        "half": lambda: offer.scaled(row, row.exchange or 1).rate,
        "remark": lambda: remark_on(row),
        "undecided": lambda: remark.undecided(row),
        "waits": lambda: remark.waits(row),
        "at ratio": lambda: only.at_ratio(row, 2.0).rate,
        "dated": lambda: price_history.is_dated(row),
        "provider": lambda: price_history.provider_kind(row.provider),
        "start": lambda: quoted_start(row),
    }
    yield f"  {_said(calls)}"


# --- Limits, market rates ------------------------------------------------------------------------


def limit_lines(case: str) -> str:
    """Return whom random limits allow."""
    chance = random.Random(f"only {case}")
    offers, contracts = random_offers(int(case)), random_contracts(int(case))
    sellers = only.sellers_of(offers, contracts)
    lines = [shown(sellers)]
    for _ in range(4):
        limit, other = random_only(chance), random_only(chance)
        calls: dict[str, Callable[[], Any]] = {
            "allows": lambda limit=limit: [row.offer_id for row in offers if limit.allows(row)],
            "check": lambda limit=limit: only.check_only("chat", limit) != limit,
            "spelled": lambda limit=limit: str(sellers.spelled(limit)),
            "unknown": lambda limit=limit: list(sellers.unknown(limit)),
            "both": lambda limit=limit, other=other: str(only.both_of(limit, other)),
            "name": lambda limit=limit: only.limited_name("H100", limit),
            "back": lambda limit=limit: only.only_of(only.limited_name("H100", limit)) == limit,
        }
        lines.append(f"{limit} and {other}: {_said(calls)}")
    return "\n".join(lines)


def ratio_lines(_: str) -> str:
    """Return GPUs that replace others, and rates beside the market."""
    mappings = [
        only.ModelMapping("A100", "H100", 2.0),
        only.ModelMapping("A100", "H100", 3.0, next(iter(_pools()))),
        only.ModelMapping("L40S", "A100", 0.5),
    ]
    lines = [
        f"{model} by {other} for {pool}: {only.ratio_for(mappings, model, other, pool)}, "
        f"{only.may_serve(mappings, model, other)}"
        for model in ("A100", "L40S", None)
        for other in ("H100", "A100")
        for pool in _pools()
    ]
    for gpus in (0.0, 0.5, 1.0, 7.0, 8.0 + 1e-12, 9.0):
        whole = [only.whole_gpus(gpus, ratio, unit) for ratio in (1.0, 2.0, 0.5) for unit in (1, 8)]
        paid = [only.paid_gpus(gpus, ratio, unit) for ratio in (None, 1.0, 2.0) for unit in (None, 8)]
        lines.append(f"{gpus:g} GPUs: whole {shown(whole)}, paid {shown(paid)}")
    for rate in (0.05, 0.5, 1.0, 2.5, 6.0, 12.0, 20.0, 1800.0, 15_000.0, 21_900.0):
        likely = price_history.likely_readings(rate, MARKET, 8)
        lines.append(f"{rate:g} beside 2 to 6: {price_history.is_far(rate, MARKET)} {shown(likely)}")
    lines += [
        f"{days} days: {offer.months_of_days(days)} months" for days in (1, 14, 15, 30, 31, 45, 46, 365, 366)
    ]
    return "\n".join(lines)


def _pools() -> tuple[Any, ...]:
    return tuple(contract.Pool)


TABLES: Final = {
    "contracts.txt": Table(text_of=contract_lines, cases=SEEDS),
    "offers.txt": Table(text_of=offer_lines, cases=SEEDS),
    "limits.txt": Table(text_of=limit_lines, cases=SEEDS[:6]),
    "ratios.txt": Table(text_of=ratio_lines, cases=("ratios and market rates",)),
}
