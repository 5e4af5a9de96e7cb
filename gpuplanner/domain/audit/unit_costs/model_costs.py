"""Models: cost of each, by the model that jobs name, or by a known word in their name."""

from collections.abc import Iterator, Sequence

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.audit.unit_costs.cost_lists import most_expensive_first
from gpuplanner.domain.demand.model_names import model_in_name
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, fields_of, floats
from gpuplanner.domain.figures.unit_costs import MODEL_PART
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.project import Project

FROM_LOG, FROM_NAME, UNKNOWN = "log", "name", "unknown"


def model_costs(project: Project, costs: Sequence[float | None]) -> tuple[cost_result.ModelCost, ...]:
    """One row a model; a workload that serves several is shared out by their GPU time. costs: per month, by workload.

    Laws: the rows add up to all workloads' cost and GPU-hours. Models are told apart without regard to case.
    """
    shares = [
        (workload, cost, *share)
        for workload, cost in zip(project.workloads, costs, strict=True)
        for share in model_shares(workload)
    ]
    figures = MODEL_PART.worked_out(
        {
            "gpu_hours": floats([spent / MILLI_GPU_SECONDS_PER_GPU_HOUR for *_, spent in shares]),
            "workload_gpu_hours": floats([workload.gpu_hours for workload, *_ in shares]),
            "workload_cost_per_month": floats([cost for _, cost, *_ in shares]),
        }
    )
    parts: dict[tuple[str, str], list[cost_result.ModelPart]] = {}
    most: dict[tuple[str, str], tuple[int, str]] = {}
    for (workload, _, model, source, spent), row in zip(shares, by_row(figures), strict=True):
        place = (source, model.casefold())
        part = cost_result.ModelPart(key=workload.key, **fields_of(cost_result.ModelPart, row))
        parts.setdefault(place, []).append(part)
        most[place] = max(most.get(place, (0, model)), (spent, model))
    spelling = {place: model for place, (_, model) in most.items()}
    return most_expensive_first(
        [
            cost_result.ModelCost(
                model=spelling[place] or None,
                source=place[0],
                gpu_hours=sum(part.gpu_hours for part in of_model),
                cost_per_month=known_sum([part.cost_per_month for part in of_model]),
                parts=most_expensive_first(of_model, lambda part: (part.cost_per_month, part.key)),
            )
            for place, of_model in parts.items()
        ],
        lambda row: (row.cost_per_month, row.model or "\U0010ffff"),
    )


def model_shares(workload: Workload) -> Iterator[tuple[str, str, int]]:
    """Model, source and milli-GPU-seconds; they add up to the workload's."""
    if not workload.milli_gpu_seconds:
        return
    rest = workload.milli_gpu_seconds
    for model, spent in workload.model_time:
        rest -= spent
        yield model, FROM_LOG, spent
    if rest > 0:
        named = model_in_name(workload.sample_name or workload.name)
        yield named or "", FROM_NAME if named else UNKNOWN, rest
