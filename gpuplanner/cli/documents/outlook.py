"""The outlook of a plan as JSON: uncertainty, coverage, spot, price paths, and flip points."""

from typing import Final, NamedTuple

from gpuplanner.domain.commitment.uncertainty.flips import flip_sentence
from gpuplanner.domain.figures.card import SPOT as OF_SPOT
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.plan import PATH, PLAN
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.cube import log_support
from gpuplanner.domain.model.intake import NODE_MTBF, Observed, observed, source_words
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports import report

OUTLOOK_POOL: Final = report.named("pool", "pool.value")
PRICE_PATH: Final = report.fields(
    "path",
    "delta",
    "shorter_only_usd",
    "advice_usd",
    "longer_only_usd",
    report.named(PATH["regret"], "regret_usd"),
)
SIZE: Final = report.fields("size", "p10_usd_per_month", "p50_usd_per_month", "p90_usd_per_month")
UNCERTAINTY: Final = report.fields(
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
    report.each("sizes", SIZE),
)
COVERAGE: Final = report.fields("now", "plan", "target", "reached", "extra_gpus", "extra_usd_per_month")
SPOT: Final = report.fields(
    "key",
    OUTLOOK_POOL,
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
    *("barrier", "run_hours", "run_usd", "run_usd_on_demand"),
)
LOG_SUPPORT: Final = report.fields(
    "figure", report.named("support", "support.value"), "least_hours", "firm_hours", "message"
)
FLIP_POINT: Final = report.fields(
    "assumption",
    OUTLOOK_POOL,
    "gpu_model",
    "value",
    "at",
    report.named("from_term", "today.term"),
    report.named("from_gpus", "today.gpus"),
    report.named("to_term", "there.term"),
    report.named("to_gpus", "there.gpus"),
    report.named("sentence", flip_sentence),
)
CHANGED_LAYER: Final = report.fields(OUTLOOK_POOL, "gpu_model", "term_months", "gpus_mid", LAYER["gpus"])
PRICE_CASE: Final = report.fields(
    report.named("case", "case.value"),
    report.named(PLAN["plan"], "plan_usd_per_month"),
    report.named(PLAN["do_nothing"], "do_nothing_usd_per_month"),
    report.named(PLAN["savings_vs_do_nothing"], "savings_vs_do_nothing_usd_per_month"),
    "priced_offers",
    "at_mid",
    report.each("changed_layers", CHANGED_LAYER),
)
PRICE_FALL: Final = report.fields("gpu_model", "provider_kind", "per_month", "low", "high", "first", "last")


class _Interruptions(NamedTuple):
    """What files of interruptions observed, and whether the plan counts with it."""

    observed: Observed
    is_taken: bool
    source: Message | None


_OBSERVED: Final = (
    *report.of_part("observed", "node_hours", "interruptions"),
    report.named(NODE_MTBF, "observed.mtbf_hours"),
)
OBSERVED_MODEL: Final = report.fields("provider", "gpu_model", *_OBSERVED)
INTERRUPTIONS: Final = report.fields(
    *_OBSERVED, "is_taken", "source", report.each("by_model", OBSERVED_MODEL, "observed.by_model")
)


def log_support_entries(hours: int) -> list[report.Entry]:
    """The `log_support` array of a log of so many hours.

    One entry for each figure, in the order in which a longer log comes to give them.
    """
    return [report.entry(LOG_SUPPORT, support) for support in log_support(hours)]


def interruptions_entry(project: Project, plan: Scenario) -> report.Entry | None:
    """What files of interruptions propose for spot_node_mtbf_hours, and whether the plan counts with it.

    None where no such file was read.
    """
    interruptions = observed(project.intake)
    if interruptions is None:
        return None
    hours = interruptions.mtbf_hours
    is_taken = hours is not None and project.assumptions_in(plan).spot_node_mtbf_hours == hours
    return report.entry(
        INTERRUPTIONS, _Interruptions(interruptions, is_taken, source_words(NODE_MTBF, hours, project.intake))
    )
