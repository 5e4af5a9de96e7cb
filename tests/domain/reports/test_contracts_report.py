"""The table of contracts: what was unused of one that did not run in the window is unknown, not nothing."""

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.reports.clusters import CONTRACTS
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
