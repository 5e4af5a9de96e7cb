"""Workloads and planned work that move in a plan."""

from dataclasses import replace

from gpuplanner.domain.edits import workloads
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import NEW, PLAN, TRAINS, project


def test_planned_work_moves_in_itself_and_a_workload_in_the_plan() -> None:
    of = project(NEW, replace(NEW, name="other"))
    (plan,) = workloads.move_workloads(of, PLAN, (NEW.key, TRAINS), Pool.BURST).scenarios
    assert {work.name: work.pool for work in plan.planned} == {"new": Pool.BURST, "other": Pool.TRAINING}
    assert plan.pools == {TRAINS: Pool.BURST}
    assert workloads.move_workloads(of, PLAN, (NEW.key,), Pool.BURST).scenarios[0].pools == {}
    assert refused(workloads.move_workloads, of, PLAN, ("x",), Pool.BURST)
