"""The small plan (`worlds.plan_project`) with its first two workloads, and planned work."""

from dataclasses import replace
from typing import Any

from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from tests.domain import worlds

PLAN, PLAN_S = "Plan A", worlds.PLAN_S
TRAINS, SERVES = "c1/team/load-000", "c2/team/load-001"
NEW = PlannedWork(name="new", pool=Pool.TRAINING, gpu_model="H100", gpus=4.0, cluster="c1", team="ops")


def project(*planned: PlannedWork, **of_plan: Any) -> Project:
    """The small plan without what bursts, so that workloads stand in the order of their keys."""
    of = worlds.plan_project()
    plan = replace(of.scenarios[0], planned=planned, **of_plan)
    return replace(of, workloads=of.workloads[:2], scenarios=(plan,))
