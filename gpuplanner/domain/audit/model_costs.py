"""Models: what each cost, by the model that jobs name, else by a known word in their name, else unknown."""

from collections.abc import Iterator, Sequence

from gpuplanner.domain.audit.cost_result import ModelCost, ModelPart
from gpuplanner.domain.audit.dearest import dearest_first
from gpuplanner.domain.demand.model_names import model_in_name
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.workload import Workload

FROM_LOG, FROM_NAME, UNKNOWN = "log", "name", "unknown"


def model_costs(project: Project, usd_per_month: Sequence[float | None]) -> tuple[ModelCost, ...]:
    """One row a model; a workload that serves several is shared out by their GPU time. usd: by workload.

    Laws: the rows add up to all workloads' $ and GPU-hours. Models are told apart without regard to case.
    """
    parts: dict[tuple[str, str], list[ModelPart]] = {}
    spelling: dict[tuple[str, str], tuple[int, str]] = {}
    for workload, usd in zip(project.workloads, usd_per_month, strict=True):
        for model, source, spent in _shares(workload):
            place = (source, model.casefold())
            share = spent / workload.milli_gpu_seconds
            part = ModelPart(
                workload.key, spent / MILLI_GPU_SECONDS_PER_GPU_HOUR, None if usd is None else usd * share
            )
            parts.setdefault(place, []).append(part)
            spelling[place] = max(spelling.get(place, (0, model)), (spent, model))
    return dearest_first(
        [
            ModelCost(
                model=spelling[place][1] or None,
                source=place[0],
                gpu_hours=sum(part.gpu_hours for part in of_model),
                usd_per_month=known_sum([part.usd_per_month for part in of_model]),
                parts=dearest_first(of_model, lambda part: (part.usd_per_month, part.key)),
            )
            for place, of_model in parts.items()
        ],
        lambda row: (row.usd_per_month, row.model or "\U0010ffff"),
    )


def _shares(workload: Workload) -> Iterator[tuple[str, str, int]]:
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
