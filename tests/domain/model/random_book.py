"""Random contracts, offers and limits: the same seed makes the same ones, and every field is stated now and then."""

import random
from collections.abc import Sequence
from decimal import Decimal
from typing import Any, Final

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S

START_S: Final = 1_767_225_600
"""2026-01-01."""
MODELS: Final = ("H100", "A100", "H100 SXM", "L40S")
PROVIDERS: Final = ("AWS", "Lambda", "CoreWeave", "vast.ai", None)
RAMPS: Final = (
    "2026-04-01=4;2026-07-01=8",
    "2026-03-01=16;2026-06-01=64",
    "soon=8",
    "2026-05-01=9;2026-04-01=2",
)
OFFERED: Final = tuple(category for category in PricingCategory if category is not PricingCategory.MIXED)
WITHOUT_TERM: Final = (PricingCategory.STANDARD, PricingCategory.DYNAMIC)
REGIONS: Final = ("us-east-1", "Frankfurt", "eu-north-1;eu-west-1", None)


def _maybe(chance: random.Random, share: float, *values: Any) -> Any:
    """Return one of some values, or None."""
    return chance.choice(values) if chance.random() < share else None


def _extras(chance: random.Random) -> dict[str, Any]:
    """Return amounts beside a rate, which one of three rows states."""
    if chance.random() < 0.6:
        return {}
    return {
        "egress_usd_per_gb": _maybe(chance, 0.5, Decimal("0.09"), Decimal("0.02")),
        "storage_usd_per_gpu_month": _maybe(chance, 0.5, Decimal(20)),
        "network_usd_per_gpu_month": _maybe(chance, 0.5, Decimal(15)),
        "staff_usd_per_gpu_month": _maybe(chance, 0.5, Decimal(40)),
        "support_percent": _maybe(chance, 0.5, 3.0, 10.0),
        "sent_gb": _maybe(chance, 0.5, 0.25),
    }


def _hardware(chance: random.Random) -> dict[str, Any]:
    return {
        "interconnect": _maybe(chance, 0.5, "infiniband", "roce", "roce_400", "nvlink", "ethernet"),
        "nic_gbps": _maybe(chance, 0.4, 100.0, 400.0, 1600.0, 3200.0),
        "rdma": _maybe(chance, 0.4, True, False),
        "sla_percent": _maybe(chance, 0.4, 99.0, 99.9, 100.0),
        "currency": chance.choice(("USD", "USD", "EUR")),
        "country": _maybe(chance, 0.3, "DE", "NO;SE", "US"),
    }


def _exchange(chance: random.Random, currency: str) -> Decimal | None:
    """Return an exchange rate to US dollars; that of euros may be missing."""
    return Decimal(1) if currency == "USD" else _maybe(chance, 0.7, Decimal("1.25"))


def random_contract(chance: random.Random, number: int) -> Contract:
    """Return a contract that starts within a year of START_S."""
    start_s = START_S + chance.choice((0, -90, 31, 200)) * DAY_S + chance.choice((0, 0, 7 * HOUR_S + 600))
    length_s = _maybe(chance, 0.8, 31 * DAY_S, 365 * DAY_S, 1096 * DAY_S, 100 * HOUR_S)
    hardware = _hardware(chance)
    is_dollars = chance.random() < 0.15
    return Contract(
        contract_id=f"k{number}",
        cluster=chance.choice(("atlas", "bora", "")),
        gpu_model=None if is_dollars else chance.choice(MODELS),
        milli_gpus=1000 if is_dollars else chance.choice((8000, 64_000, 500, 16_000)),
        rate_usd_per_gpu_hour=Decimal(22) if is_dollars else _maybe(chance, 0.9, Decimal("2.5"), Decimal(4)),
        start_s=start_s,
        end_s=None if length_s is None else start_s + length_s,
        provider=chance.choice(PROVIDERS),
        pricing_category=_maybe(chance, 0.5, *PricingCategory),
        term_months=_maybe(chance, 0.5, 1, 12, 36),
        min_term_months=_maybe(chance, 0.3, 1, 6),
        notice_days=_maybe(chance, 0.6, 0, 30, 90),
        region=chance.choice(REGIONS),
        pool=_maybe(chance, 0.3, *Pool),
        renews_months=_maybe(chance, 0.5, 0, 1, 12),
        prepaid_usd=_maybe(chance, 0.3, Decimal(10_000), Decimal(500_000)),
        deposit_usd=_maybe(chance, 0.3, Decimal(5000)),
        cancel_fee_usd=_maybe(chance, 0.3, Decimal(900)),
        take_or_pay_percent=_maybe(chance, 0.4, 0.0, 50.0, 80.0, 100.0),
        paid_share=chance.choice((1.0, 0.8)),
        used_share=chance.choice((0.0, 0.3)),
        paid_shares=chance.choice(((), ((0.5, 0.2), (0.9, 0.9)))),
        ramp=_maybe(chance, 0.3, *RAMPS),
        exchange=_exchange(chance, hardware["currency"]),
        bound_until_s=_maybe(chance, 0.3, START_S + 400 * DAY_S),
        notice_written=_maybe(chance, 0.1, "to the end of a quarter"),
        commitment_usd_per_hour=Decimal(22) if is_dollars else None,
        discount_percent=chance.choice(("H100=40;A100=35", "*=20", "L40S=10;*=5")) if is_dollars else None,
        **hardware,
        **_extras(chance),
    )


def random_offer(chance: random.Random, number: int) -> Offer:
    """Return an offer of any category; owned ones state what their rate follows from."""
    category = chance.choice(OFFERED)
    is_owned = category is PricingCategory.OWNED
    hardware = _hardware(chance)
    owned = {
        "capex_usd_per_gpu": _maybe(chance, 0.8, Decimal(35_000), Decimal(40_000)),
        "life_months": _maybe(chance, 0.8, 48, 60),
        "residual_share": _maybe(chance, 0.5, 0.1, 0.25),
        "kw_per_gpu": _maybe(chance, 0.8, 1.25),
        "pue": _maybe(chance, 0.5, 1.5),
        "usd_per_kwh": _maybe(chance, 0.8, Decimal("0.125")),
        "space_usd_per_kw_month": _maybe(chance, 0.5, Decimal(160)),
    }
    rate = _maybe(chance, 0.9, *map(Decimal, ("1.9", "2.49", "3.2", "6.88")))
    return Offer(
        offer_id=f"o{number}",
        gpu_model=chance.choice(MODELS),
        pricing_category=category,
        term_months=0 if category in WITHOUT_TERM else chance.choice((1, 12, 36)),
        rate_usd_per_gpu_hour=None if is_owned else rate,
        provider=chance.choice(PROVIDERS),
        rate_low=None if rate is None else _maybe(chance, 0.4, rate - 1),
        rate_high=None if rate is None else _maybe(chance, 0.4, rate + 1),
        max_gpus=_maybe(chance, 0.4, 16, 64),
        lead_time_hours=chance.choice((0.0, 48.0, 1460.0)),
        min_term_months=chance.choice((0, 0, 6)),
        gpu_memory_gb=_maybe(chance, 0.3, 80.0, 40.0),
        region=chance.choice(REGIONS),
        source=_maybe(chance, 0.3, "prices.csv", "rfq-2026-03 row 4"),
        as_of=_maybe(chance, 0.7, "2026-01-15", "2025-06-01", "2026-06-01", "n/a"),
        min_gpus=_maybe(chance, 0.3, 8),
        unit_gpus=_maybe(chance, 0.3, 8, 16),
        upfront_usd=_maybe(chance, 0.2, Decimal(1000)),
        term_days=_maybe(chance, 0.1, 14, 45),
        starts=_maybe(chance, 0.3, "2026-02-01", "2026-07-01"),
        ends=_maybe(chance, 0.3, "2027-02-01", "2026-12-31"),
        valid_until=_maybe(chance, 0.3, "2026-03-31"),
        setup_usd=_maybe(chance, 0.2, Decimal(100)),
        lead_time_high_hours=_maybe(chance, 0.2, 2000.0),
        exchange=_exchange(chance, hardware["currency"]),
        **(owned if is_owned else {}),
        **hardware,
        **_extras(chance),
    )


def random_only(chance: random.Random) -> Only:
    """Return a limit to sellers."""
    return Only(
        provider=chance.choice(("", "aws", "Lambda", "Lamda")),
        region=chance.choice(("", "us-east-1", "frankfurt", "mars")),
        not_provider=chance.choice(("", "", "vast.ai")),
        country=chance.choice(("", "Germany", "DE;US", "SE;NO")),
    )


def random_contracts(seed: int, count: int = 4) -> Sequence[Contract]:
    chance = random.Random(f"contracts {seed}")
    return [random_contract(chance, number) for number in range(count)]


def random_offers(seed: int, count: int = 6) -> Sequence[Offer]:
    chance = random.Random(f"offers {seed}")
    return [random_offer(chance, number) for number in range(count)]
