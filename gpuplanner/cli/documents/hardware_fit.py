"""Hardware fit as JSON: each workload, and each class."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.fit.needs import Needed
from gpuplanner.domain.fit.offer_fit import offers_by_light
from gpuplanner.domain.fit.pool_fit import Counts, pool_fits
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit
from gpuplanner.domain.reports import report
from gpuplanner.domain.reports.training import OTHER_HARDWARE, OUT_OF_MEMORY


class _FitRow(NamedTuple):
    """A workload's fit, and the offers that it would have by their light."""

    fit: WorkloadFit
    offers: Mapping[Light | None, list[str]]


class _NeedRow(NamedTuple):
    """One need of a workload, by name."""

    need: str
    needed: Needed


class _NeedCounts(NamedTuple):
    """One row of the table, by name, and how many workloads have which light in it."""

    need: str
    workloads: Counts


def light_name(light: Light | None) -> str | None:
    """red, amber or green; null where nobody knows.

    >>> light_name(Light.RED), light_name(None) is None
    ('red', True)
    """
    return None if light is None else light.name.lower()


def _of_light(name: str, light: Light | None, of: str, otherwise: Any) -> report.Column:
    """What a row has of one light, in its field `of`."""
    return report.named(name, lambda row: getattr(row, of).get(light, otherwise))


def _counts(of: str) -> report.Fields:
    """How many of each light, worst first; every light is there."""
    return tuple(
        _of_light(light_name(light) or "unknown", light, of, 0) for light in (*reversed(Light), None)
    )


LIGHT: Final = report.named("light", lambda row: light_name(row.light))
NEED: Final = report.fields("need", *report.of_part("needed", "value", "source", "note"))
OFFERS: Final = report.fields(
    _of_light("green", Light.GREEN, "offers", []),
    _of_light("amber", Light.AMBER, "offers", []),
    _of_light("red", Light.RED, "offers", []),
    _of_light("unknown", None, "offers", []),
)
ON_NETWORK: Final = report.fields(
    "network", "step_s", "run_hours", "run_gpu_hours", "run_usd", "gpu_hours_per_month", "usd_per_month"
)
NETWORK: Final = report.fields(
    "has",
    "run_hours",
    "run_gpus",
    "usd_per_gpu_hour",
    report.inside("infiniband", ON_NETWORK),
    report.inside("ethernet", ON_NETWORK),
    "reason",
)
PREMIUM: Final = report.fields(
    "with_usd_per_gpu_hour", "without_usd_per_gpu_hour", "gpu_hours_per_month", "usd_per_month"
)
FIT_ROW: Final = report.fields(
    "need", LIGHT, "has", "needs", "source", "source_words", "has_source", "reason"
)
WORKLOAD_FIT: Final = report.fields(
    report.named("key", "fit.key"),
    report.named("pool", "fit.pool.value"),
    report.named("gpu_model", "fit.gpu_model"),
    report.named("light", lambda row: light_name(row.fit.light)),
    report.named(
        "runs_on",
        lambda row: [
            hardware.contract_or_offer for hardware in row.fit.hardware if hardware.contract_or_offer
        ],
    ),
    report.each("rows", FIT_ROW, "fit.rows"),
    report.each("needs", NEED, lambda row: [_NeedRow(*need) for need in row.fit.needs.items()]),
    report.inside("offers", OFFERS, lambda row: row),
    report.inside("network", NETWORK, "fit.network"),
    report.inside("interconnect_premium", PREMIUM, "fit.premium"),
    report.listed("other_hardware", OTHER_HARDWARE, lambda row: [row.fit]),
    report.listed("out_of_memory", OUT_OF_MEMORY, lambda row: [row.fit]),
)
"""What a workload runs on, row by row, what it needs, and offers by their light."""
NEED_COUNTS: Final = report.fields("need", *_counts("workloads"))
POOL_FIT: Final = report.fields(
    report.named("pool", "pool.value"),
    LIGHT,
    *_counts("workloads"),
    report.named("red_usd_per_month", lambda row: row.usd_per_month[Light.RED]),
    report.named("amber_usd_per_month", lambda row: row.usd_per_month[Light.AMBER]),
    report.each("rows", NEED_COUNTS, lambda row: [_NeedCounts(*need) for need in row.by_need.items()]),
)


def hardware_fit_entries(evaluation: Evaluation) -> list[report.Entry]:
    """The `hardware_fit` array: one entry a workload, by key.

    Empty where hardware fit was not worked out.
    """
    fits = sorted(evaluation.fit or (), key=lambda fit: fit.key)
    offers = offers_by_light(fits, evaluation.project.offers, evaluation.project.mappings)
    return [report.entry(WORKLOAD_FIT, _FitRow(*both)) for both in zip(fits, offers, strict=True)]


def pool_fit_entries(evaluation: Evaluation) -> list[report.Entry]:
    """The `hardware_fit_pools` array: one entry a class, in its usual order.

    $ a month, null where the cost of one workload is unknown. Classes without workloads are left out.
    """
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    return [report.entry(POOL_FIT, fit) for fit in pool_fits(evaluation.fit or (), usd)]
