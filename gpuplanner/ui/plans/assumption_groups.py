"""Assumptions by what they are about, and those that planners change most: so many as can be seen at once."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.scenario.assumptions import ASKED_FOR, AssumptionSpec
from gpuplanner.ui.words.translation import spoken


@dataclass(frozen=True, slots=True)
class AssumptionGroup:
    """Some assumptions under one title; those of no group stand under the last."""

    title: Message
    names: tuple[str, ...]


def _and_pools(*names: str) -> tuple[str, ...]:
    """Each, then its own value of each pool."""
    return tuple(full for name in names for full in (name, *(f"{name}_{pool}" for pool in POOLS)))


USUAL: Final = AssumptionGroup(
    worded("Changed most"),
    (
        "growth",
        "demand",
        "lambda",
        "sigma",
        "delta",
        "wacc",
        "wait_months",
        "spot",
        "max_term_months",
        "max_provider_share",
        "budget_usd_per_month",
        "headroom",
    ),
)
GROUPS: Final = (
    AssumptionGroup(worded("Growth and demand"), (*_and_pools("growth", "demand"), "recency_half_life_days")),
    AssumptionGroup(worded("Churn and volatility"), _and_pools("lambda", "sigma")),
    AssumptionGroup(
        worded("Prices and terms"),
        (
            "delta",
            "wacc",
            "max_term_months",
            "wait_months",
            "max_provider_share",
            "budget_usd_per_month",
            "horizon_months",
            "block",
        ),
    ),
    AssumptionGroup(
        worded("Training and spot"),
        (
            "spot",
            "spot_checkpoint_minutes",
            "spot_interval_hours",
            "spot_restart_minutes",
            "spot_node_mtbf_hours",
            "training_checkpoints",
            "spot_long_training",
            "step_seconds_infiniband",
            "step_seconds_ethernet",
        ),
    ),
    AssumptionGroup(
        worded("Inference"),
        (
            "headroom",
            "usable_memory",
            "serving_context_tokens",
            "serving_generated_tokens",
            "serving_concurrency",
            "serving_concurrency_most",
            "serving_kv_bytes",
            "serving_bandwidth_share",
            "serving_compute_share",
            "serving_round_trip_ms",
        ),
    ),
    AssumptionGroup(
        worded("Data that leaves, and energy"),
        (
            "egress_gb_per_gpu_hour",
            "egress_usd_per_gb",
            "media_gb_per_month",
            "tokens_per_month",
            "pue",
            "power_share",
            "power_limit_kw",
        ),
    ),
    AssumptionGroup(
        worded("Use and classes"),
        ("target_activity", "target_coverage", "idle_tail_minutes", "run_gap_hours", "review_below"),
    ),
)
"""In the order of their titles in the dialog."""


def group_of(spec: AssumptionSpec) -> AssumptionGroup:
    """The group that an assumption is of; the last for one that none names."""
    return next((group for group in GROUPS if spec.name in group.names), GROUPS[-1])


def found_by(query: str) -> frozenset[str]:
    """Names of the assumptions of which title, unit, group or --set name hold every word that is typed."""
    words = query.casefold().split()
    return frozenset(spec.name for spec in ASKED_FOR if all(word in _text(spec) for word in words))


def _text(spec: AssumptionSpec) -> str:
    """All that an assumption is looked for by."""
    parts = (spec.title, spec.unit, group_of(spec).title, spec.name.replace("_", " "), spec.name)
    return " ".join(spoken(part) for part in parts).casefold()
