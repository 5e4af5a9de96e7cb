"""Figures of serving: inference that is sized under a load, sets of sites, and the ways of users to them.

Sources of the formulas: docs/formulas/sizing.md; docs/formulas/placement.md.
Weights, KV cache, waits, replicas, what an autoscaler holds and ways one way are worked out in domain/serving, and are
inputs here.
"""

from typing import Final

from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.figure import Figure, Operand, Subject, phrased, share
from gpuplanner.domain.figures.layer import HOURS_OF_MONTH
from gpuplanner.domain.figures.unit_costs import EACH, MILLION, TRAFFIC
from gpuplanner.domain.message import capital, worded
from gpuplanner.lazy_dataclass import replace

FLAT, NEEDED, LEAK, BY_HOUR = "flat", "scaled", "leak", "by_hour"
"""Scopes of what is held: for the peak; by a perfect autoscaler; the difference; autoscaled at the on-demand rate."""

WHOLE_GPUS: Final = replace(writing.GPUS, key="count")
GPU_HOURS_HELD: Final = replace(writing.GPU_HOURS_PER_MONTH, per=writing.A_MONTH)
WAY_MS: Final = replace(writing.MILLISECONDS, key="ms")
OF_LOAD_MS: Final = replace(writing.MILLISECONDS, short="")  # short titles say of which load, and ms


STEADY: Final = worded("At the cheapest fitting offer, on demand unless you choose a term.")
HOURLY: Final = worded("At the cheapest fitting on-demand offer.")

SIZING: Final = Subject(
    "sizing",
    (
        Figure(
            key="tensor_parallel",
            title=worded("GPUs per replica"),
            unit=WHOLE_GPUS,
            phrase=worded("GPUs per replica"),
        ),
        Figure(
            key="weights_gb",
            title=worded("Replica weights"),
            unit=writing.GIGABYTES,
            phrase=worded("weights"),
        ),
        Figure(
            key="cache_gb",
            title=worded("KV cache of parallel requests"),
            unit=writing.GIGABYTES,
            phrase=worded("KV cache of parallel requests"),
        ),
        Figure(
            key="replicas_peak",
            title=titles.REPLICAS,
            unit=writing.COUNT,
            phrase=worded("replicas at peak"),
            why="size_replicas",
        ),
        Figure(
            key="way_ms",
            title=worded("Network latency, round trip"),
            unit=writing.MILLISECONDS,
            phrase=worded("network latency, round trip"),
        ),
        Figure(
            key="wait_ms",
            title=worded("Mean prefill wait at peak"),
            unit=writing.MILLISECONDS,
            phrase=worded("mean prefill wait at peak"),
        ),
        Figure(
            key="prefill_ms",
            title=worded("Prefill of read tokens"),
            unit=writing.MILLISECONDS,
            phrase=worded("prefill of read tokens"),
        ),
        Figure(
            key="tpot_ms",
            title=worded("Time per token, replica full"),
            unit=OF_LOAD_MS,
            short=worded("Per token,\nfull, ms"),
            phrase=worded("time per token"),
            why="size_tpot",
        ),
        HOURS_OF_MONTH,
        Figure(
            key="gpu_hours_per_month_autoscaled",
            title=titles.AUTOSCALED,
            unit=GPU_HOURS_HELD,
            phrase=worded("GPU-h needed by the hour"),
            why="size_hours",
            why_scope=NEEDED,
        ),
        phrased("rate", worded("rate"), writing.RATE, json="rate_usd_per_gpu_hour"),
        Figure(
            key="on_demand_rate", title=titles.ON_DEMAND, unit=writing.RATE, phrase=worded("on-demand rate")
        ),
        Figure(
            key="tokens_per_month",
            title=capital(worded("tokens per month")),
            unit=writing.TIMES_A_MONTH,
            phrase=worded("tokens per month, read and generated"),
        ),
    ),
)
"""flat: the peak's replicas held all month; autoscaled: what a perfect autoscaler holds; held for the peak:
the rest. rate: of the cheapest offer of the term asked for; on_demand_rate: of the cheapest by the hour."""


@SIZING.figure(titles.MEMORY, writing.GIGABYTES, why="size_memory")
def memory_gb(weights_gb: Operand, cache_gb: Operand) -> Operand:
    """Memory of a replica: weights plus KV cache of its requests."""
    return weights_gb + cache_gb


@SIZING.figure(titles.GPUS_PEAK, WHOLE_GPUS, short="GPUs", phrase=worded("GPUs at peak"), why="size_gpus")
def gpus_peak(replicas_peak: Operand, tensor_parallel: Operand) -> Operand:
    """GPUs of all replicas at the peak."""
    return replicas_peak * tensor_parallel


@SIZING.figure(
    worded("First token, at peak"), OF_LOAD_MS, short=worded("First token,\npeak, ms"), why="size_ttft"
)
def ttft_ms(way_ms: Operand, wait_ms: Operand, prefill_ms: Operand) -> Operand:
    """Time to first token at the peak: network round trip, mean queue, prefill."""
    return way_ms + wait_ms + prefill_ms


@SIZING.figure(worded("Network share"), writing.SHARE, phrase=worded("share that no GPU shortens"))
def way_share(way_ms: Operand, ttft_ms: Operand) -> Operand:
    """Share of the network in the time to first token."""
    return share(way_ms, ttft_ms)


@SIZING.figure(
    titles.FLAT, GPU_HOURS_HELD, phrase=worded("GPU-h at fixed size"), why="size_hours", why_scope=FLAT
)
def gpu_hours_per_month_flat(gpus_peak: Operand, month_hours: Operand) -> Operand:
    """GPU-hours per month if the replicas of the peak always run."""
    return gpus_peak * month_hours


@SIZING.figure(
    titles.HELD_FOR_THE_PEAK,
    GPU_HOURS_HELD,
    phrase=worded("GPU-h sized for peak"),
    why="size_hours",
    json="peak_provisioning_gpu_hours_per_month",
    why_scope=LEAK,
)
def peak_provisioning_gpu_hours(
    gpu_hours_per_month_flat: Operand, gpu_hours_per_month_autoscaled: Operand
) -> Operand:
    """GPU-hours above a perfect autoscaler."""
    return gpu_hours_per_month_flat - gpu_hours_per_month_autoscaled


@SIZING.figure(
    titles.FLAT,
    writing.MONEY_PER_MONTH,
    key="cost_per_month",
    phrase=worded("cost, sized for peak"),
    why="size_usd",
    note=STEADY,
    why_scope=FLAT,
)
def flat_per_month(gpu_hours_per_month_flat: Operand, rate: Operand) -> Operand:
    """Cost of the replicas of the peak, all month, at the cheapest offer."""
    return gpu_hours_per_month_flat * rate


@SIZING.figure(
    worded("Needed by the hour"), writing.MONEY_PER_MONTH, why="size_usd", note=STEADY, why_scope=NEEDED
)
def needed_per_month(gpu_hours_per_month_autoscaled: Operand, rate: Operand) -> Operand:
    """Cost of the perfect autoscaler at the same rate."""
    return gpu_hours_per_month_autoscaled * rate


@SIZING.figure(
    titles.AUTOSCALED,
    writing.MONEY_PER_MONTH,
    why="size_usd",
    note=HOURLY,
    json="usd_per_month_autoscaled",
    why_scope=BY_HOUR,
)
def autoscaled_per_month(gpu_hours_per_month_autoscaled: Operand, on_demand_rate: Operand) -> Operand:
    """Cost of the perfect autoscaler on demand."""
    return gpu_hours_per_month_autoscaled * on_demand_rate


@SIZING.figure(titles.HELD_FOR_THE_PEAK, writing.MONEY_PER_MONTH, why="size_usd", note=STEADY, why_scope=LEAK)
def peak_provisioning_per_month(peak_provisioning_gpu_hours: Operand, rate: Operand) -> Operand:
    """Cost of the GPU-hours above a perfect autoscaler."""
    return peak_provisioning_gpu_hours * rate


@SIZING.figure(
    TRAFFIC["cost_per_million_tokens"].title,
    EACH,
    short=TRAFFIC["cost_per_million_tokens"].short,
    why="size_million",
    json="usd_per_million_tokens",
)
def cost_per_million_tokens(cost_per_month: Operand, tokens_per_month: Operand) -> Operand:
    """Cost of a million tokens, read and generated."""
    return share(cost_per_month, tokens_per_month) * MILLION


SITE_SET: Final = Subject(
    "site_set",
    (
        Figure(
            key="mean_one_way_ms",
            title=worded("Mean one way"),
            unit=WAY_MS,
            short=titles.ONE_WAY,
            phrase=worded("mean one-way latency, top 80% of users"),
            why="set_way",
            is_better="down",
            unknown=worded("Data residency leaves some of the top 80% of users without site"),
            glossary=worded("Top 80% of users, weighted by users."),
        ),
        Figure(
            key="cost_per_month",
            title=titles.COST,
            unit=writing.MONEY_PER_MONTH,
            why="set_usd",
            is_better="down",
            unknown=worded("A site has no price"),
        ),
    ),
)
"""A set of sites, with what it gives the users."""


@SITE_SET.figure(titles.ROUND_TRIP, WAY_MS, key="round_trip_ms", why="set_both", is_better="down")
def mean_round_trip_ms(mean_one_way_ms: Operand) -> Operand:
    """Network latency, both ways."""
    return 2 * mean_one_way_ms


WAY: Final = Subject(
    "way",
    (
        Figure(key="users", title=worded("Users"), unit=writing.COUNT, why="city_users"),
        Figure(
            key="one_way_ms",
            title=titles.ONE_WAY,
            unit=WAY_MS,
            phrase=worded("one way"),
            why="city_way",
            is_better="down",
        ),
    ),
)
"""The users of one city, and their way to the site that serves them."""


@WAY.figure(titles.ROUND_TRIP, WAY_MS, why="city_both", is_better="down")
def round_trip_ms(one_way_ms: Operand) -> Operand:
    """Network latency, both ways."""
    return 2 * one_way_ms
