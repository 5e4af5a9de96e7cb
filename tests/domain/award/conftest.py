"""Rows that are asked for and offers beside them."""

from dataclasses import replace

from gpuplanner.domain.award.qualifying import Conditions
from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.fit.needs import NOTHING_ASKED
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s
from tests.domain.commitment import conftest

TODAY_S = instant_s("2026-10-01")
CONDITIONS = Conditions(order_day_s=TODAY_S, sla_percent=99.9)


def order(gpus: float = 16.0, **values: object) -> Order:
    base = Order(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        offer_id="own",
        term_months=12,
        gpus=gpus,
        start_s=TODAY_S,
        end_s=TODAY_S + 12 * MONTH_S,
        order_by_s=TODAY_S,
        reason="now",
        offer_gpu_model="H100",
        offer_gpus=gpus,
        rate=3.0,
        spread_rate=3.0,
    )
    return replace(base, **values)  # type: ignore[arg-type]


def row(name: str = "R1", gpus: int = 16, days: int = 30, **values: object) -> AskedRow:
    """16 H100 in nodes of 8 for 12 months, from in a month on; the plan counts with $3."""
    base = AskedRow(
        name=name,
        is_option=False,
        gpu_model="H100",
        gpus=gpus,
        node_gpus=8,
        term_months=12,
        term_days=0,
        start_s=TODAY_S + days * DAY_S,
        needs=NOTHING_ASKED,
        only=ANYBODY,
        orders=(order(float(gpus)),),
    )
    return replace(base, **values)  # type: ignore[arg-type]


def quote(name: str, rate: float | None, term: int = 12, **values: object) -> Offer:
    """A quote of Vendor NAME in nodes of 8, ready within a day."""
    given = {"provider": f"Vendor {name}", "lead_time_hours": 24.0, "unit_gpus": 8, "sla_percent": 99.9}
    return conftest.offer(name, term, rate, **{**given, **values})
