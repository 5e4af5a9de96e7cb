"""What a plan may come to, as JSON: uncertainty, coverage, spot, price paths, and where the advice changes."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_sentence
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.plan import PATH, PLAN
from gpuplanner.domain.figures.spot import SPOT as OF_SPOT
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.book.price_history import PriceFall
from gpuplanner.domain.model.log.interruptions import NODE_MTBF, Observed, observed, source_words
from gpuplanner.domain.model.log.log_length import log_support
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.domain.reports.entries import Entry, each, entry, fields, named

POOL: Final = named("pool", "pool.value")
PRICE_PATH: Final = fields(
    "path",
    "delta",
    "shorter_only_usd",
    "advice_usd",
    "longer_only_usd",
    named(PATH["regret"], "regret_usd"),
)
SIZE: Final = fields("size", "p10_usd_per_month", "p50_usd_per_month", "p90_usd_per_month")
UNCERTAINTY: Final = fields(
    "p10_usd_per_month",
    "p50_usd_per_month",
    "p90_usd_per_month",
    "regret_p50_usd_per_month",
    "regret_p90_usd_per_month",
    "year_p10_usd",
    "year_p90_usd",
    "coverage",
    "coverage_folds",
    "resamples",
    "seed",
    each("sizes", SIZE),
)
COVERAGE: Final = fields("now", "plan", "target", "reached", "extra_gpus", "extra_usd_per_month")
SPOT: Final = fields(
    "key",
    POOL,
    "gpu_model",
    OF_SPOT["nodes"],
    "longest_job_hours",
    OF_SPOT["interval_hours"],
    "lost_share",
    "best_interval_hours",
    "best_lost_share",
    "on_spot",
    "on_spot_at_best",
    "saves_usd_per_month",
)
LOG_SUPPORT: Final = fields(
    "figure", named("support", "support.value"), "least_hours", "firm_hours", "message"
)
FLIP_POINT: Final = fields(
    "assumption",
    POOL,
    "gpu_model",
    "value",
    "at",
    "from_term",
    "from_gpus",
    "to_term",
    "to_gpus",
    named("sentence", flip_sentence),
)
CHANGED_LAYER: Final = fields(POOL, "gpu_model", "term_months", "gpus_mid", LAYER["gpus"])
PRICE_CASE: Final = fields(
    named("case", "case.value"),
    named(PLAN["plan"], "plan_usd_per_month"),
    named(PLAN["do_nothing"], "do_nothing_usd_per_month"),
    named(PLAN["savings_vs_do_nothing"], "savings_vs_do_nothing_usd_per_month"),
    "priced_offers",
    "at_mid",
    each("changed_layers", CHANGED_LAYER),
)
PRICE_FALL: Final = fields("gpu_model", "provider_kind", "per_month", "low", "high", "first", "last")


class _Interruptions(NamedTuple):
    """What files of interruptions observed, and whether the plan counts with it."""

    observed: Observed
    is_taken: bool
    source: Message | None


INTERRUPTIONS: Final = fields(
    named("node_hours", "observed.node_hours"),
    named("interruptions", "observed.interruptions"),
    named(NODE_MTBF, "observed.mtbf_hours"),
    "is_taken",
    "source",
)


def log_support_entries(hours: int) -> list[Entry]:
    """The `log_support` array of a log of so many hours.

    One entry for each figure, in the order in which a longer log comes to give them.
    """
    return [entry(LOG_SUPPORT, one) for one in log_support(hours)]


def flip_entries(points: Sequence[FlipPoint]) -> list[Entry]:
    """The `flip_points` array of a plan that was asked for them.

    Nearest first; values are ratios.
    """
    return [entry(FLIP_POINT, point) for point in points]


def price_case_entries(cases: Sequence[CasePlan]) -> list[Entry]:
    """The `price_sensitivity` array of a plan that was asked for it.

    In the order low, mid, high. $ a month, null where unknown.
    """
    return [entry(PRICE_CASE, one) for one in cases]


def price_fall_entries(falls: Sequence[PriceFall]) -> list[Entry]:
    """The `price_falls` array: what histories of rates propose, as ratios a month."""
    return [entry(PRICE_FALL, one) for one in falls]


def interruptions_entry(project: Project, plan: Scenario) -> Entry | None:
    """What files of interruptions propose for spot_node_mtbf_hours, and whether the plan counts with it.

    None where no such file was read.
    """
    found = observed(project.intake)
    if found is None:
        return None
    hours = found.mtbf_hours
    is_taken = hours is not None and project.assumptions_in(plan).spot_node_mtbf_hours == hours
    return entry(
        INTERRUPTIONS, _Interruptions(found, is_taken, source_words(NODE_MTBF, hours, project.intake))
    )
