"""Provisioned throughput: what a provider sells by the unit, beside hosting."""

from math import ceil, nan
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.fit.api_offers import api_offer, break_even_of_row
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost, cost_rows
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.replicas import NEARLY
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.lazy_dataclass import replace

PROVISIONED: Final = "provisioned"
"""Where a precision would stand: the provider chooses the hardware."""


def provisioned_cost(sizing: "EndpointSizing", offer: Offer, per_unit: float) -> ServingCost:
    """An offer of provisioned throughput, its units as replicas. per_unit: tokens a minute.

    Units hold the tokens of the peak, read and generated, and are no fewer than are sold. Traffic from which it costs
    no more than the API, and from which hosting the best row costs no more than it.
    Source: docs/formulas/sizing.md, Comparisons.
    """
    load, best, least, rate = sizing.load, sizing.best, offer.min_gpus or 1, offer.spread_rate or nan
    asked = load.peak_requests_per_s * load.tokens_per_request * 60 / per_unit
    units = max(ceil(asked * (1 - NEARLY)), least)
    row = SizedRow(
        gpu_model=offer.offer_id,
        precision=PROVISIONED,
        tensor_parallel=1,
        fits=True,
        replicas_peak=units,
        replicas_asked=asked,
    )
    sold = replace(offer, gpu_model=offer.offer_id, tokens_per_minute_per_unit=None)
    [cost] = cost_rows([row], load, [sold], offer.term_months)
    unit, usd = load.requests_per_month / asked, rate * HOURS_PER_MONTH

    def served(below: Floats) -> Floats:
        return unit * np.where(below > least * usd, np.ceil(below / usd * (1 - NEARLY)) - 1, 0.0)

    api, spare = api_offer(load, row, sizing.assumptions, None, 0), sizing.terms.spare
    api_from = (
        None
        if api is None
        else break_even_of_row(load, row, rate, api.usd_per_month / load.requests_per_month, 0, least)
    )
    hosting_from = (
        None if best is None else break_even_of_row(load, best.row, best.rate, usd / unit, spare, 1, served)
    )
    held = replace(cost, gpus_peak=None, gpu_hours_per_month_flat=None)
    return replace(held, api_from=api_from, hosting_from=hosting_from)


def plain_name(name: str) -> str:
    """A model's name without case and punctuation."""
    return "".join(filter(str.isalnum, name.casefold()))
