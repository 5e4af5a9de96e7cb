"""The `unit_costs` and `variance` objects of a document."""

from dataclasses import asdict
from typing import Any

from gpuplanner.domain.audit.cost_result import (
    EndpointCost,
    ExperimentCost,
    ModelCost,
    Period,
    RunCost,
    TokenCost,
    UnitCosts,
    Variance,
)
from gpuplanner.domain.model.window import HOUR_S, Window, iso_utc

Document = dict[str, Any]


def cost_document(costs: UnitCosts, variance: Variance, window: Window) -> Document:
    """unit_costs and variance of an audit."""
    return {
        "unit_costs": {
            "run_gap_hours": costs.run_gap_hours,
            "runs": [_run(run) for run in costs.runs],
            "models": [_model(model) for model in costs.models],
            "endpoints": [_endpoint(endpoint) for endpoint in costs.endpoints],
            "experiments": [_experiment(one) for one in costs.experiments],
            "consolidation_premium_usd_per_month": costs.premium_usd_per_month,
        },
        "variance": _variance(variance, window),
    }


def _time(at_s: int | None) -> str | None:
    return None if at_s is None else iso_utc(at_s)


def _run(run: RunCost) -> Document:
    return {
        "key": run.key,
        "name": run.name,
        "cluster": run.cluster,
        "start": iso_utc(run.start_s),
        "end": iso_utc(run.end_s),
        "gpu_hours": run.gpu_hours,
        "mean_gpus": run.mean_gpus,
        "usd": run.usd,
    }


def _model(model: ModelCost) -> Document:
    return {
        "model": model.model,
        "source": model.source,
        "gpu_hours": model.gpu_hours,
        "usd_per_month": model.usd_per_month,
        "workloads": [asdict(part) for part in model.parts],
    }


def _endpoint(endpoint: EndpointCost) -> Document:
    return {
        "key": endpoint.key,
        "name": endpoint.name,
        "cluster": endpoint.cluster,
        "gpu_hours": endpoint.gpu_hours,
        "usd_per_month": endpoint.usd_per_month,
        "busy_usd_per_month": endpoint.busy_usd_per_month,
        "idle_usd_per_month": endpoint.idle_usd_per_month,
        "by_hour_usd_per_month": list(endpoint.by_hour_usd_per_month),
        "by_weekday_usd_per_month": [list(day) for day in endpoint.by_weekday_usd_per_month],
        "tokens": None if endpoint.tokens is None else _tokens(endpoint.tokens),
        "premium": asdict(endpoint.premium),
    }


def _experiment(one: ExperimentCost) -> Document:
    return {
        "key": one.key,
        "name": one.name,
        "cluster": one.cluster,
        "start": _time(one.start_s),
        "end": _time(one.end_s),
        "jobs": one.jobs,
        "gpu_hours": one.gpu_hours,
        "usd_per_month": one.usd_per_month,
        "usd": one.usd,
        "usd_per_job": one.usd_per_job,
    }


def _tokens(tokens: TokenCost) -> Document:
    return {
        "start": iso_utc(tokens.start_s),
        "end": iso_utc(tokens.end_s),
        "context_tokens": tokens.context_tokens,
        "generated_tokens": tokens.generated_tokens,
        "usd": tokens.usd,
        "usd_per_million_tokens": tokens.usd_per_million_tokens,
        "usd_per_million_generated_tokens": tokens.usd_per_million_generated_tokens,
    }


def _period(period: Period, window: Window) -> Document:
    return {
        "start": iso_utc(window.start_s + period.first * HOUR_S),
        "end": iso_utc(window.start_s + period.last * HOUR_S),
        "hours": period.hours,
    }


def _variance(variance: Variance, window: Window) -> Document:
    amounts = ("before", "after", "change", "volume", "efficiency", "price", "mix")
    return {
        "before": _period(variance.before, window),
        "after": _period(variance.after, window),
        **{f"{name}_usd_per_month": getattr(variance, f"{name}_usd_per_month") for name in amounts},
        "clusters": [
            asdict(cluster)
            | {
                "workloads": [asdict(part) for part in cluster.workloads],
                "contracts": [asdict(part) for part in cluster.contracts],
            }
            for cluster in variance.clusters
        ],
    }
