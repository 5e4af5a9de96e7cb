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
    column = next(one for one in CONTRACTS.columns if one.figure is not None and one.value is not None)
    assert {row.contract_id: column.of(row) for row in found.contracts} == {"ran": 1460.0, "comes": None}


@pytest.mark.parametrize(("idle", "said"), [(30, "atlas from 30 of 730 hours"), (40, "")])
def test_what_is_stranded_says_from_how_few_hours_without_training_it_is_read(idle: int, said: str) -> None:
    rows = [(0, 0, hour, 3 * GPU_HOUR) for hour in range(730 - idle)]
    project = make_project(730, [make_workload("w", activity=0.5)], rows, [make_contract("k", 4, "2")])
    assert str(few_hours_words(audit(project, classified(Pool.TRAINING)).clusters)) == said


def test_few_hours_of_jobs_that_name_no_cluster_are_said_without_one() -> None:
    rows = [(0, 0, hour, 3 * GPU_HOUR) for hour in range(700)]
    held = [make_contract("k", 4, "2", cluster="")]
    project = make_project(730, [make_workload("w", activity=0.5, cluster="")], rows, held)
    assert str(few_hours_words(audit(project, classified(Pool.TRAINING)).clusters)) == "from 30 of 730 hours"
