"""Hardware fit as JSON: each workload on what it runs on, and each class."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.fit.needs import Needed
from gpuplanner.domain.fit.pool_fit import Counts, pool_fits
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit, offers_by_light
from gpuplanner.domain.reports.entries import Entry, Fields, each, entry, fields, inside, named
from gpuplanner.domain.reports.report import Column


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


def _of_light(name: str, light: Light | None, of: str, otherwise: Any) -> Column:
    """What a row has of one light, in its field `of`."""
    return named(name, lambda row: getattr(row, of).get(light, otherwise))


def _counts(of: str) -> Fields:
    """How many of each light, worst first; every light is there."""
    return tuple(_of_light(light_name(one) or "unknown", one, of, 0) for one in (*reversed(Light), None))


LIGHT: Final = named("light", lambda row: light_name(row.light))
NEED: Final = fields(
    "need", named("value", "needed.value"), named("source", "needed.source"), named("note", "needed.note")
)
OFFERS: Final = fields(
    _of_light("green", Light.GREEN, "offers", []),
    _of_light("amber", Light.AMBER, "offers", []),
    _of_light("red", Light.RED, "offers", []),
    _of_light("unknown", None, "offers", []),
)
ON_NETWORK: Final = fields(
    "network", "step_s", "run_hours", "run_gpu_hours", "run_usd", "gpu_hours_per_month", "usd_per_month"
)
NETWORK: Final = fields(
    "has",
    "run_hours",
    "run_gpus",
    "usd_per_gpu_hour",
    inside("infiniband", ON_NETWORK),
    inside("ethernet", ON_NETWORK),
    "reason",
)
FIT_ROW: Final = fields("need", LIGHT, "has", "needs", "source", "source_words", "has_source", "reason")
WORKLOAD_FIT: Final = fields(
    named("key", "fit.key"),
    named("pool", "fit.pool.value"),
    named("gpu_model", "fit.gpu_model"),
    named("light", lambda row: light_name(row.fit.light)),
    named("runs_on", lambda row: [one.of for one in row.fit.hardware if one.of]),
    each("rows", FIT_ROW, "fit.rows"),
    each("needs", NEED, lambda row: [_NeedRow(*one) for one in row.fit.needs.items()]),
    inside("offers", OFFERS, lambda row: row),
    inside("network", NETWORK, "fit.network"),
)
"""What a workload runs on, row by row, what it needs, and offers by their light."""
NEED_COUNTS: Final = fields("need", *_counts("workloads"))
POOL_FIT: Final = fields(
    named("pool", "pool.value"),
    LIGHT,
    *_counts("workloads"),
    named("red_usd_per_month", lambda row: row.usd_per_month[Light.RED]),
    named("amber_usd_per_month", lambda row: row.usd_per_month[Light.AMBER]),
    each("rows", NEED_COUNTS, lambda row: [_NeedCounts(*one) for one in row.by_need.items()]),
)


def hardware_fit_entries(evaluation: Evaluation) -> list[Entry]:
    """The `hardware_fit` array: one entry a workload, by key.

    Empty where hardware fit was not worked out.
    """
    fits = sorted(evaluation.fit or (), key=lambda fit: fit.key)
    offers = offers_by_light(fits, evaluation.project.offers, evaluation.project.mappings)
    return [entry(WORKLOAD_FIT, _FitRow(*both)) for both in zip(fits, offers, strict=True)]


def pool_fit_entries(evaluation: Evaluation) -> list[Entry]:
    """The `hardware_fit_pools` array: one entry a class, in its usual order.

    $ a month, null where the cost of one workload is unknown. Classes without workloads are left out.
    """
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    return [entry(POOL_FIT, one) for one in pool_fits(evaluation.fit or (), usd)]
