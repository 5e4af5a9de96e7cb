"""Demand that only some may serve, under a name of its own: it is then planned as a part of its own."""

from dataclasses import replace

import numpy as np

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.model.book.model_mapping import ratio_for
from gpuplanner.domain.model.book.only import Only, limited_name
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.parting import bare_key
from gpuplanner.domain.model.scenario.plan_inputs import Scenario


def with_limited_demand(project: Project, scenario: Scenario, cache: AdviceCache) -> Project:
    """The project with the demand of limited workloads under names of their own (domain/model/book/only.py).

    A limit that every offer and every contract that could serve the demand keeps anyway limits nothing: what it is
    of stays with the rest. Law: GPU time by workload and hour is as it was.
    """
    if not scenario.only:
        return project
    key = (tuple(scenario.only.items()), project.mappings)
    made = (project.cube, project.workloads, project.contracts, project.offers)
    cube = cache.recall("limited", key, made, lambda: _limited(project, scenario))
    return project if cube is project.cube else replace(project, cube=cube)


def _limited(project: Project, scenario: Scenario) -> Cube:
    """The cube with limited demand under its own names. Rows are sorted again, for a cube is in order of
    workload and model.
    """
    cube = project.cube
    models, index = list(cube.gpu_models), cube.model_index.copy()
    number = {name: place for place, name in enumerate(models)}
    for at, workload in enumerate(cube.workload_index.tolist()):
        key = project.workloads[workload].key
        only = scenario.only.get(key) or scenario.only.get(bare_key(key))
        if only is None:
            continue
        model = None if cube.model_index[at] < 0 else cube.gpu_models[cube.model_index[at]]
        if not _limits(project, project.workloads[workload].cluster, model, only):
            continue
        name = limited_name(model, only) or ""
        index[at] = number.setdefault(name, len(models))
        if index[at] == len(models):
            models.append(name)
    if (index == cube.model_index).all():
        return cube
    order = np.lexsort((index, cube.workload_index))
    lengths = np.diff(cube.offsets)
    offsets = np.concatenate(([0], np.cumsum(lengths[order]))).astype(np.int64)
    entries = np.repeat(cube.offsets[:-1][order] - offsets[:-1], lengths[order]) + np.arange(offsets[-1])
    return Cube(
        cube.hours,
        tuple(models),
        cube.workload_index[order],
        index[order],
        offsets,
        cube.hour[entries],
        cube.milli_gpu_seconds[entries],
    )


def _limits(project: Project, cluster: str, model: str | None, only: Only) -> bool:
    """Whether something that could serve demand of a model on a cluster may not."""
    offers = (o for o in project.offers if ratio_for(project.mappings, model, o.gpu_model) is not None)
    contracts = (c for c in project.contracts if c.cluster == cluster and model in (None, c.gpu_model))
    return not (all(map(only.allows, offers)) and all(map(only.allows, contracts)))
