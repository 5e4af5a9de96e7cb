"""A project of before a plan was a list of dated commitments opens, plans, and is held against what came."""

from dataclasses import replace
from typing import Any

import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.evaluation import advise_plan, evaluate_audit
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, Tables
from gpuplanner.domain.track.track import track
from gpuplanner.files.project.project_parts import PartCache, parts_of, project_from, sealed, unsealed
from gpuplanner.files.project.value_tables import from_json, to_json
from tests.domain.commitment.conftest import START_S, Load, contract, offer
from tests.domain.track.conftest import MONTH, later_of, planned

SINCE = frozenset(("every_hours", "notice_given", "is_gap_missing", "renews_months", "provider_ends"))
"""Fields that came with the list."""


def without(value: Any) -> Any:
    """What is stored, as it was before there were these fields: as keys of a row, or as columns of a table."""
    if isinstance(value, dict):
        return {key: without(one) for key, one in value.items() if key not in SINCE}
    if isinstance(value, list):
        return [without(one) for one in value]
    return value


def as_before(project: Project) -> Project:
    """The project as it opens from parts of before."""
    parts = {}
    for part in parts_of(project, PartCache()):
        plain = unsealed(part, "here")
        is_table = part.name in ("plans", "contracts")
        parts[part.name] = sealed(part.name, to_json(without(from_json(plain)))) if is_table else part
    return project_from(parts, "here", PartCache())


def test_it_opens_and_is_tracked_as_if_it_were_of_today() -> None:
    """4 GPUs of the log and a run of 6 for 500 h; contracts and orders in it have their days from the engine."""
    run = PlannedWork(
        name="run",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=6.0,
        begins_s=START_S + 900 * 3600,
        length_hours=500,
    )
    of_today = planned(
        [Load(pool=Pool.TRAINING, gpus=[4.0] * MONTH)],
        [contract("old", 2, 2.0, 1.5, MONTH)],
        [offer("od", 0, 5.0), offer("y1", 12, 3.0, lead_time_hours=100)],
        Scenario(name="Plan A", planned=(run,)),
    )
    project = as_before(of_today.project)
    (plan,) = project.scenarios
    assert (plan.notice_given, plan.is_gap_missing, plan.planned[0].every_hours) == ((), False, None)
    evaluation = evaluate_audit(project, "Plan A", Tables())
    evaluation = replace(evaluation, advice=advise_plan(project, evaluation.figures, AdviceCache()))
    assert evaluation.advice is not None and of_today.advice is not None
    assert evaluation.advice.orders == of_today.advice.orders != ()
    later = later_of(evaluation, [Load(pool=Pool.TRAINING, gpus=[5.0] * 2 * MONTH)])
    found = track(evaluation, later, Tables(), has_contracts=False, has_prices=False)
    assert found is not None and found.planned is not None and found.actual is not None
    assert found.planned == pytest.approx(
        sum(month.plan_usd or 0 for month in evaluation.advice.comparison[:2])
    )
    assert found.planned + sum(row.usd or 0 for row in found.rows) == pytest.approx(found.actual, abs=0.005)
