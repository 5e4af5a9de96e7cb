"""Hosting beside what it may be weighed against: an API by the token, and what a shorter way is worth."""

from dataclasses import dataclass
from math import ceil

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.serving.load import Load
from gpuplanner.domain.serving.placement import Placement
from gpuplanner.domain.serving.sizing import SizedRow


@dataclass(frozen=True, slots=True)
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


def api_offer(
    load: Load, row: SizedRow, assumptions: Assumptions, rate: float | None, spare: int | None
) -> ApiOffer | None:
    """An API at the assumed prices; None where they are not set. rate: $ per GPU-hour of the row; spare: replicas.

    Source: docs/formulas.md, Inference sizing.
    """
    usd_in, usd_out = assumptions.serving_api_usd_in, assumptions.serving_api_usd_out
    if usd_in is None or usd_out is None:
        return None
    usd = (load.context_tokens * usd_in + load.generated_tokens * usd_out) / 1e6  # of a request
    requests = None
    if rate is not None and row.replicas_asked and load.requests_per_month:
        replica_usd = rate * row.tensor_parallel * HOURS_PER_MONTH
        requests = _break_even(usd, load.requests_per_month / row.replicas_asked, replica_usd, spare)
    peak = None if requests is None else requests / load.requests_per_month * load.peak_requests_per_s
    return ApiOffer(usd_in, usd_out, usd * load.requests_per_month, requests, peak)


def _break_even(
    request_usd: float, replica_requests: float, replica_usd: float, spare: int | None
) -> float | None:
    """Requests a month from which replicas never cost more than the API; None: however many there are they may.

    replica_requests: a month, of one replica; replica_usd: a month. spare None: one where there are two or more. Law: a
    further replica that has hardly anything to do makes hosting cost most, so that the last such step decides.

    >>> _break_even(0.001, 3_000_000, 1_000, 0), _break_even(0.001, 1_500_000, 1_000, None)
    (1000000.0, 5000000.0)
    >>> _break_even(0.001, 500_000, 1_000, 0)
    """
    full_usd, beside = replica_requests * request_usd, 1 if spare is None else spare
    if full_usd <= replica_usd:
        return None
    steps = ceil((beside * replica_usd + full_usd) / (full_usd - replica_usd) * (1 - 1e-12)) - 1
    last = max(1, steps)
    held = last + (beside if last > 1 else spare or 0)
    return min(held * replica_usd / request_usd, last * replica_requests)


@dataclass(frozen=True, slots=True)
class ShorterWay:
    """Sites that bring the answer sooner than those of today. ms_saved: there and back, over the top 80% of users."""

    sites: tuple[str, ...]
    ms_saved: float
    usd_per_month: float


def shorter_ways(placement: Placement, load: Load, assumptions: Assumptions) -> tuple[ShorterWay, ...]:
    """What the best sites of each number are worth by what the planner states of 100 ms; none where nothing is stated.

    Source: docs/formulas.md, Inference sizing.
    """
    usd, share = assumptions.serving_usd_per_request, assumptions.serving_completions_per_100_ms
    now_ms = placement.today.current.round_trip_ms
    if usd is None or share is None or now_ms is None:
        return ()
    per_ms = load.requests_per_month * usd * share / 100
    return tuple(
        ShorterWay(one.sites, now_ms - one.round_trip_ms, per_ms * (now_ms - one.round_trip_ms))
        for one in placement.proposed
        if one.round_trip_ms is not None and one.round_trip_ms < now_ms
    )
