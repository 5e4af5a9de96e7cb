"""Figures of serving: inference that is sized under a load, sets of sites, and the ways of users to them.

Source: docs/formulas.md, Inference sizing and Placement. Sizes follow from queueing and memory, ways are measured or
worked out over the great circle, both in domain/serving; what is held is priced in domain/fit.
"""

from typing import Final

from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.costs import EACH, TRAFFIC
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.figures.units import (
    COUNT,
    GIGABYTES,
    GPU_HOURS_PER_MONTH,
    GPUS,
    MILLISECONDS,
    MONEY_PER_MONTH,
    RATE,
)
from gpuplanner.domain.message import worded

SIZING: Final = Subject(
    "sizing",
    (
        Figure("tensor_parallel", worded("GPUs a replica"), COUNT),
        Figure("memory_gb", titles.MEMORY, GIGABYTES, why="size_memory"),
        Figure("replicas_peak", titles.REPLICAS, COUNT, why="size_replicas"),
        Figure("gpus_peak", titles.GPUS_PEAK, GPUS, short="GPUs", why="size_gpus"),
        Figure("ttft_ms", worded("First token"), MILLISECONDS, why="size_ttft"),
        Figure("gpu_hours_per_month_flat", titles.FLAT, GPU_HOURS_PER_MONTH, why="size_hours"),
        Figure("gpu_hours_per_month_autoscaled", titles.AUTOSCALED, GPU_HOURS_PER_MONTH, why="size_hours"),
        Figure(
            "peak_provisioning_gpu_hours",
            titles.HELD_FOR_THE_PEAK,
            GPU_HOURS_PER_MONTH,
            why="size_hours",
            json="peak_provisioning_gpu_hours_per_month",
        ),
        Figure("rate", titles.RATE, RATE, json="rate_usd_per_gpu_hour"),
        Figure("cost_per_month", titles.FLAT, MONEY_PER_MONTH, why="size_usd", json="usd_per_month"),
        Figure(
            "autoscaled_per_month",
            titles.AUTOSCALED,
            MONEY_PER_MONTH,
            why="size_usd",
            json="usd_per_month_autoscaled",
        ),
        Figure(
            "peak_provisioning_per_month",
            titles.HELD_FOR_THE_PEAK,
            MONEY_PER_MONTH,
            why="size_usd",
            json="peak_provisioning_usd_per_month",
        ),
        Figure(
            "cost_per_million_tokens",
            TRAFFIC["cost_per_million_tokens"].title,
            EACH,
            short=TRAFFIC["cost_per_million_tokens"].short,
            why="size_million",
            json="usd_per_million_tokens",
        ),
    ),
)
"""flat: the peak's replicas held all month; autoscaled: what a perfect autoscaler holds; held for the peak:
the rest."""

SITE_SET: Final = Subject(
    "site_set",
    (
        Figure(
            "mean_one_way_ms",
            worded("Mean one way"),
            MILLISECONDS,
            short=titles.ONE_WAY,
            why="set_way",
            is_better="down",
            unknown=worded("Data residency leaves some of the top 80% of users without a site"),
            glossary=worded("Over the top 80% of users, weighted by users."),
        ),
        Figure("round_trip_ms", titles.ROUND_TRIP, MILLISECONDS, why="set_both", is_better="down"),
        Figure(
            "cost_per_month",
            titles.COST,
            MONEY_PER_MONTH,
            why="set_usd",
            is_better="down",
            unknown=worded("The price of one of these sites is unknown"),
            json="usd_per_month",
        ),
    ),
)
"""A set of sites, with what it gives the users."""

WAY: Final = Subject(
    "way",
    (
        Figure("users", worded("Users"), COUNT, why="city_users"),
        Figure("one_way_ms", titles.ONE_WAY, MILLISECONDS, why="city_way", is_better="down"),
        Figure("round_trip_ms", titles.ROUND_TRIP, MILLISECONDS, why="city_both", is_better="down"),
    ),
)
"""The users of one city, and their way to the site that serves them."""
