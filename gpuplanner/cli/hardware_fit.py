"""Hardware fit as JSON and as a table that a person reads in a terminal."""

from dataclasses import asdict
from typing import Any, Final

from gpuplanner.cli.text_tables import dollars
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.writing import UNKNOWN
from gpuplanner.domain.fit.network import NetworkCost
from gpuplanner.domain.fit.pool_fit import Counts, pool_fits
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit, offers_by_light
from gpuplanner.domain.message import Text

WORKLOADS_SHOWN: Final = 20
LIGHT_WORDS: Final = {Light.RED: "red", Light.AMBER: "amber", Light.GREEN: "green", None: UNKNOWN}


def light_name(light: Light | None) -> str | None:
    """red, amber or green; null where nobody knows.

    >>> light_name(Light.RED), light_name(None) is None
    ('red', True)
    """
    return None if light is None else light.name.lower()


def hardware_fit_entries(evaluation: Evaluation) -> list[dict[str, Any]]:
    """The `hardware_fit` array: one entry a workload, by key.

    Empty where hardware fit was not worked out.
    """
    fits = sorted(evaluation.fit or (), key=lambda fit: fit.key)
    offers = offers_by_light(fits, evaluation.project.offers, evaluation.project.mappings)
    return [_entry(fit, by_light) for fit, by_light in zip(fits, offers, strict=True)]


def _entry(fit: WorkloadFit, offers: dict[Light | None, list[str]]) -> dict[str, Any]:
    """One workload: what it runs on, row by row, what it needs, and offers by their light."""
    return {
        "key": fit.key,
        "pool": fit.pool.value,
        "gpu_model": fit.gpu_model,
        "light": light_name(fit.light),
        "runs_on": [one.of for one in fit.hardware if one.of],
        "rows": [asdict(row) | {"light": light_name(row.light)} for row in fit.rows],
        "needs": [
            {"need": name, "value": needed.value, "source": needed.source, "note": needed.note}
            for name, needed in fit.needs.items()
        ],
        "offers": {
            "green": offers.get(Light.GREEN, []),
            "amber": offers.get(Light.AMBER, []),
            "red": offers.get(Light.RED, []),
            "unknown": offers.get(None, []),
        },
        "network": None if fit.network is None else _network(fit.network),
    }


def pool_fit_entries(evaluation: Evaluation) -> list[dict[str, Any]]:
    """The `hardware_fit_pools` array: one entry a class, in its usual order.

    $ a month, null where the cost of one workload is unknown. Classes without workloads are left out.
    """
    usd = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    return [
        {
            "pool": one.pool.value,
            "light": light_name(one.light),
            **_counts(one.workloads),
            "red_usd_per_month": one.usd_per_month[Light.RED],
            "amber_usd_per_month": one.usd_per_month[Light.AMBER],
            "rows": [{"need": need, **_counts(counts)} for need, counts in one.by_need.items()],
        }
        for one in pool_fits(evaluation.fit or (), usd)
    ]


def _counts(counts: Counts) -> dict[str, int]:
    """How many of each light, worst first; every light is there."""
    return {light_name(light) or "unknown": counts.get(light, 0) for light in (*reversed(Light), None)}


def _network(network: NetworkCost) -> dict[str, Any]:
    return asdict(network)


def fit_lines(evaluation: Evaluation) -> list[tuple[str, str, str, Text, str]]:
    """Name, class, light, what is not green, $ a month: red before amber, the most expensive first.

    $ are whole, a dash where unknown. Green workloads, and those that nobody can judge, are left out.
    """
    fits = {fit.key: fit for fit in evaluation.fit or ()}
    costs = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    names = {workload.key: workload.name for workload in evaluation.project.workloads}
    asking = [fit for fit in fits.values() if fit.light in (Light.RED, Light.AMBER)]
    asking.sort(key=lambda fit: (-(fit.light or 0), -(costs.get(fit.key) or 0.0), fit.key))
    return [
        (
            names[fit.key],
            fit.pool.value,
            LIGHT_WORDS[fit.light],
            fit.reasons,
            dollars(costs.get(fit.key)),
        )
        for fit in asking
    ]
