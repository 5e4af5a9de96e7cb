"""What the network costs: a run of several nodes on a slow one, and serving one that it does not use."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.fit.rules import INTERCONNECT_LIGHT, Light
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import PricingCategory, TrainedNeed
from gpuplanner.domain.model.window import HOUR_S

# --- What the network costs a run of several nodes: its length and price on InfiniBand and on Ethernet

FAST, SLOW = "infiniband", "ethernet"
NETWORK_WORDS: Final = {FAST: "InfiniBand", SLOW: "Ethernet"}


@dataclass(frozen=True, slots=True)
class OnNetwork:
    """A workload's longest run, and its month, on one network. Unknown $ are None."""

    network: str
    step_s: float
    run_hours: float
    run_gpu_hours: float | None
    run_usd: float | None
    gpu_hours_per_month: float
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class NetworkCost:
    """The two networks beside each other, and which of them it has (None: neither, or nobody says).

    run_hours: of its longest job; run_gpus: most GPUs of a job; usd_per_gpu_hour: what it paid on average.
    is_of_model: its steps are of the model that it trains, no assumptions. infiniband and ethernet are None where `has`
    is: then nothing can be told from the run.
    """

    has: str | None
    run_hours: float
    run_gpus: float | None
    usd_per_gpu_hour: float | None
    infiniband: OnNetwork | None
    ethernet: OnNetwork | None
    reason: str = ""
    is_of_model: bool = False


def network_cost(
    workload: Workload,
    interconnects: Sequence[str | None],
    usd_per_month: float | None,
    window_months: float,
    assumptions: Assumptions,
    run: TrainedNeed | None = None,
) -> NetworkCost:
    """Longest run and month of a workload on both networks, the whole step scaled by their seconds.

    run: of a known model; its steps count where the planner did not set others. interconnects: of the hardware that it
    runs on; where several, the slowest known to it. GPUs and the rate of a GPU-hour stay as they are.
    Source: docs/formulas.md, The network of a run.
    """
    has, reason = _network(interconnects)
    run_hours = workload.longest_job_s / HOUR_S
    gpus = workload.max_milli_gpus / 1000 or None
    per_month = workload.gpu_hours / window_months
    rate = None if usd_per_month is None or not per_month else usd_per_month / per_month
    if has is None:
        return NetworkCost(None, run_hours, gpus, rate, None, None, reason)
    seconds = {FAST: assumptions.step_seconds_infiniband, SLOW: assumptions.step_seconds_ethernet}
    is_of_model = False
    if run is not None and run.step_s and run.slow_step_s and not is_step_set(assumptions):
        seconds, is_of_model = {FAST: run.step_s, SLOW: run.slow_step_s}, True

    def on(network: str) -> OnNetwork:
        factor = seconds[network] / seconds[has]
        hours = run_hours * factor
        return OnNetwork(
            network,
            seconds[network],
            hours,
            None if gpus is None else hours * gpus,
            None if rate is None or gpus is None else hours * gpus * rate,
            per_month * factor,
            None if usd_per_month is None else usd_per_month * factor,
        )

    return NetworkCost(has, run_hours, gpus, rate, on(FAST), on(SLOW), is_of_model=is_of_model)


def is_step_set(assumptions: Assumptions) -> bool:
    """Whether the planner says how long a step takes."""
    usual = Assumptions()
    return (assumptions.step_seconds_infiniband, assumptions.step_seconds_ethernet) != (
        usual.step_seconds_infiniband,
        usual.step_seconds_ethernet,
    )


def _network(interconnects: Sequence[str | None]) -> tuple[str | None, str]:
    """The slowest of them, and why where none can be told: one unknown entry makes all unknown unless another
    is slow.
    """
    lights = {INTERCONNECT_LIGHT.get(one) if one else None for one in interconnects}
    if Light.RED in lights:
        return SLOW, ""
    if None in lights:
        return None, "its contracts do not state their interconnect"
    if Light.AMBER in lights:
        return None, "no time of a step is known for RoCE of 400 Gb/s"
    return FAST, ""


# --- What serving pays for an interconnect that it does not use: the same GPU with and without it

Sold = tuple[PricingCategory, int]
"""How GPUs are sold: category, and months of the term."""


@dataclass(frozen=True, slots=True)
class InterconnectPremium:
    """Rates of the same GPU, sold alike, in $ per GPU-hour; usd_per_month: of the GPU-hours that the workload uses."""

    with_usd_per_gpu_hour: float
    without_usd_per_gpu_hour: float
    gpu_hours_per_month: float

    @property
    def usd_per_month(self) -> float:
        """What is paid more in a month of 730 h."""
        return (self.with_usd_per_gpu_hour - self.without_usd_per_gpu_hour) * self.gpu_hours_per_month


def interconnect_premium(
    contracts: Sequence[Contract], gpu_model: str | None, offers: Iterable[Offer], gpu_hours_per_month: float
) -> InterconnectPremium | None:
    """Of a workload on contracts with InfiniBand; None where it has none, or nobody sells the GPU both ways.

    A pair is of one pricing category and term, cheapest with cheapest: of the contracts' own term first, then of offers
    by the shortest. Source: docs/formulas.md, Hardware fit.
    """
    fast = [one for one in contracts if one.interconnect == "infiniband" and one.gpu_model == gpu_model]
    if not fast:
        return None
    rates: dict[tuple[Sold, bool], float] = {}
    for offer in offers:
        if offer.gpu_model == gpu_model and offer.spread_rate and offer.interconnect:
            key = ((offer.pricing_category, offer.term_months), offer.interconnect == "infiniband")
            rates[key] = min(offer.spread_rate, rates.get(key, offer.spread_rate))
    own = [(one.pricing_category or PricingCategory.COMMITTED, one.term_months or 0) for one in fast]
    for sold, contract in zip(own, fast, strict=True):
        if contract.rate:
            rates.setdefault((sold, True), contract.rate)
    pairs = sorted(
        (sold not in own, sold[1], rate, rates[sold, False])
        for (sold, is_fast), rate in rates.items()
        if is_fast and (sold, False) in rates
    )
    return InterconnectPremium(*pairs[0][2:], gpu_hours_per_month) if pairs else None
