"""Unit costs add up: runs to workloads, workloads to classes, models to everything."""

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.unit_costs import costed_hours
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.audit.unit_costs.unit_costs import unit_costs as costs_of_past
from gpuplanner.domain.model.tables import Pool
from tests.oracle.projects import random_case
from tests.some_of import some_of


def costs_of(project, classifications):
    answer = audit(project, classifications)
    return answer, costs_of_past(past_of(project, answer))


def cents(usd):
    return None if usd is None else pytest.approx(usd, abs=0.004)


@pytest.fixture(params=[3, 500_000])
def block_size(request, monkeypatch):
    """Blocks of a few entries and of all: no workload may be cut in two."""
    monkeypatch.setattr(costed_hours, "ENTRIES_AT_ONCE", request.param)


@pytest.mark.usefixtures("block_size")
@pytest.mark.parametrize("seed", some_of(range(12), quick=4))
def test_every_sum_is_that_of_the_audit(seed):
    case = random_case(seed)
    project = case.project
    answer, costs = costs_of(project, case.classifications)
    months = project.window.months
    usd = {row.key: row.usd_per_month for row in answer.workloads}
    classes = {row.key: row.classification.pool for row in answer.workloads}
    hours = {workload.key: workload.gpu_hours for workload in project.workloads}

    of_runs: dict[str, list] = {}
    for run in costs.runs:
        of_runs.setdefault(run.key, []).append(run)
    assert set(of_runs) == {key for key in classes if classes[key] is Pool.TRAINING and hours[key]}
    for key, runs in of_runs.items():
        assert sum(run.gpu_hours for run in runs) == pytest.approx(hours[key])
        known = [run.cost for run in runs]
        if usd[key] is None:
            assert None in known
        else:
            assert sum(known) / months == cents(usd[key])

    assert {row.key for row in costs.endpoints} == {
        key for key in classes if classes[key] is Pool.INFERENCE and hours[key]
    }
    for row in costs.endpoints:
        assert row.cost_per_month == cents(usd[row.key])
        if row.cost_per_month is not None:
            assert sum(row.by_hour_per_month) == cents(row.cost_per_month)
            assert sum(map(sum, row.by_weekday_per_month)) == cents(row.cost_per_month)

    parts = [part for model in costs.models for part in model.parts]
    assert sum(part.gpu_hours for part in parts) == pytest.approx(sum(hours.values()))
    for key, whole in usd.items():
        own = [part.cost_per_month for part in parts if part.key == key]
        if hours[key]:
            assert (None in own) == (whole is None)
            assert whole is None or sum(own) == cents(whole)
    for model in costs.models:
        if model.cost_per_month is not None:
            assert model.cost_per_month == cents(sum(part.cost_per_month for part in model.parts))

    premiums = [row.premium.premium_per_month for row in costs.endpoints]
    assert costs.premium_per_month == answer.premium.usd_per_month
    assert costs.premium_per_month == (None if None in premiums else cents(sum(premiums)))
