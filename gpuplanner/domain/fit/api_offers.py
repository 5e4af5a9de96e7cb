"""An API in place of hosting: what it costs, and the requests from which hosting never costs more."""

from collections.abc import Callable
from math import ceil, inf
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.replicas import NEARLY
from gpuplanner.domain.serving.sizing import SizedRow
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiOffer:
    """What an API would cost in place of hosting. usd_per_million_*: tokens read, tokens generated.

    break_even_requests_per_month: from so many on hosting costs no more, the replicas held that they ask for;
    break_even_requests_per_s: at the peak, where it is as much above the mean as it is now. None: the API costs less
    at any traffic, or nobody offers the GPUs.
    """

    usd_per_million_in: float
    usd_per_million_out: float
    usd_per_month: float
    break_even_requests_per_month: float | None
    break_even_requests_per_s: float | None


Until = Callable[[Floats], Floats]
MOST_STEPS: Final = 1_000_000


def break_even_of_row(
    load: Load, row: SizedRow, rate: float | None, request_usd: float, spare: int | None, *more: Any
) -> float | None:
    """`break_even_requests` of the replicas of a row, rate in $ per GPU-hour; None where it is not known."""
    if rate is None or not row.replicas_asked or not load.requests_per_month:
        return None
    usd = rate * row.tensor_parallel * HOURS_PER_MONTH
    return break_even_requests(request_usd, load.requests_per_month / row.replicas_asked, usd, spare, *more)


def api_offer(
    load: Load, row: SizedRow, assumptions: Assumptions, rate: float | None, spare: int | None
) -> ApiOffer | None:
    """An API at the assumed prices; None where they are not set. rate: $ per GPU-hour of the row; spare: replicas.

    Source: docs/formulas/sizing.md.
    """
    usd_in, usd_out = assumptions.serving_api_usd_in, assumptions.serving_api_usd_out
    if usd_in is None or usd_out is None:
        return None
    usd = (load.context_tokens * usd_in + load.generated_tokens * usd_out) / 1e6  # of a request
    requests = break_even_of_row(load, row, rate, usd, spare)
    peak = None if requests is None else requests / load.requests_per_month * load.peak_requests_per_s
    return ApiOffer(
        usd_per_million_in=usd_in,
        usd_per_million_out=usd_out,
        usd_per_month=usd * load.requests_per_month,
        break_even_requests_per_month=requests,
        break_even_requests_per_s=peak,
    )


def break_even_requests(
    request_usd: float,
    requests: float,
    usd: float,
    spare: int | None,
    least: int = 1,
    until: Until | None = None,
) -> float | None:
    """Requests a month from which replicas never cost more than the API; None: however many there are they may.

    requests: a month, of one replica; usd: a month. spare None: one where there are two or more; least: that are sold.
    until: in place of the API, the most requests for which something else costs less than so many $, whose requests
    cost request_usd in the long run. Law: a further replica that has hardly anything to do makes hosting cost most, so
    that the last such step decides.

    >>> break_even_requests(0.001, 3_000_000, 1_000, 0), break_even_requests(0.001, 1_500_000, 1_000, None)
    (1000000.0, 5000000.0)
    >>> break_even_requests(0.001, 500_000, 1_000, 0)
    """
    full_usd, beside = requests * request_usd, 1 if spare is None else spare
    steps = inf if full_usd <= usd else (beside * usd + full_usd) / (full_usd - usd)
    if steps > MOST_STEPS:
        return None
    count = np.arange(1, max(ceil(steps), least) + 1)
    held = usd * np.maximum(count + np.where(count > 1, beside, spare or 0), least)
    most = np.minimum(count * requests, until(held) if until else held / request_usd)
    return float(most[most > (count - 1) * requests * (1 + NEARLY)].max(initial=0.0))
