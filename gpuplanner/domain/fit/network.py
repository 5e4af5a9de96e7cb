"""What the network costs a run of several nodes: its length and price on InfiniBand and on Ethernet."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.fit.rules import INTERCONNECT_LIGHT, Light
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.window import HOUR_S

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
    infiniband and ethernet are None where `has` is: then nothing can be told from the run.
    """

    has: str | None
    run_hours: float
    run_gpus: float | None
    usd_per_gpu_hour: float | None
    infiniband: OnNetwork | None
    ethernet: OnNetwork | None
    reason: str = ""


def network_cost(
    workload: Workload,
    interconnects: Sequence[str | None],
    usd_per_month: float | None,
    window_months: float,
    assumptions: Assumptions,
) -> NetworkCost:
    """Longest run and month of a workload on both networks, the whole step scaled by their seconds.

    interconnects: of the hardware that it runs on; where several, the slowest known to it. GPUs and the rate of a
    GPU-hour stay as they are. Source: docs/formulas.md, The network of a run.
    """
    has, reason = _network(interconnects)
    run_hours = workload.longest_job_s / HOUR_S
    gpus = workload.max_milli_gpus / 1000 or None
    per_month = workload.gpu_hours / window_months
    rate = None if usd_per_month is None or not per_month else usd_per_month / per_month
    if has is None:
        return NetworkCost(None, run_hours, gpus, rate, None, None, reason)
    seconds = {FAST: assumptions.step_seconds_infiniband, SLOW: assumptions.step_seconds_ethernet}

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

    return NetworkCost(has, run_hours, gpus, rate, on(FAST), on(SLOW))


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
