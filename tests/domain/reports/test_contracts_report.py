"""The tables of contracts and clusters: what is unknown is not nothing, and what stands on few hours says so."""

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.clusters import CONTRACTS, few_hours_words
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_project,
    make_workload,
)


def test_what_is_unused_of_a_contract_is_its_audits_and_of_one_that_did_not_run_unknown() -> None:
    """4 GPUs at $2 for 730 h, of which 3 are used: 1 x 730 x 2 = $1,460; the other begins after the window."""
    held = [make_contract("ran", 4, "2"), make_contract("comes", 4, "2", start_s=START_S + 730 * 3600)]
    rows = [(0, 0, hour, 3 * GPU_HOUR) for hour in range(730)]
    found = audit(
        make_project(730, [make_workload("w", activity=0.5)], rows, held), classified(Pool.TRAINING)
    )
    column = next(
        one for one in CONTRACTS.columns if one.name == "unused_per_month" and one.value is not None
    )
    assert {row.contract_id: column.of(row) for row in found.contracts} == {"ran": 1460.0, "comes": None}


@pytest.mark.parametrize(
    ("idle", "of_hours", "said"),
    [
        (1, 2160, "atlas 1 of 2,160 hours without training"),
        (145, 2160, "atlas 145 of 2,160 hours without training"),
        (168, 2160, ""),
        (2160, 2160, ""),
        (100, 168, ""),
        (83, 168, "atlas 83 of 168 hours without training"),
    ],
)
def test_what_is_stranded_is_unknown_on_too_few_hours_without_training(
    idle: int, of_hours: int, said: str
) -> None:
    """Known answer 53: 32 idle GPUs at $2.60; metered stays."""
    rows = [(0, 0, hour, 3 * GPU_HOUR) for hour in range(of_hours - idle)]
    rows = rows or [(0, 0, 0, GPU_HOUR)]
    pool = Pool.TRAINING if idle < of_hours else Pool.INFERENCE
    project = make_project(of_hours, [make_workload("w")], rows, [make_contract("k", 32, "2.60")])
    found = audit(project, classified(pool))
    (row,) = found.clusters
    assert str(few_hours_words(found.clusters)) == said
    assert (row.stranded_audit is None) is (row.non_training_utilization is None) is bool(said)
    used = 0 if idle < of_hours else 1
    assert row.stranded_metered == pytest.approx((32 * idle - used) * 2.60 * 730 / of_hours)


def test_few_hours_of_jobs_that_name_no_cluster_are_said_without_one() -> None:
    rows = [(0, 0, hour, 3 * GPU_HOUR) for hour in range(700)]
    held = [make_contract("k", 4, "2", cluster="")]
    project = make_project(730, [make_workload("w", activity=0.5, cluster="")], rows, held)
    assert (
        str(few_hours_words(audit(project, classified(Pool.TRAINING)).clusters))
        == "30 of 730 hours without training"
    )
