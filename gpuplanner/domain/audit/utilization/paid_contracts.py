"""Contracts with the shares that are paid for their logged use, and their ends at the start of plans."""

from functools import lru_cache

import numpy as np

from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.book.billed_part import ContractAtFee
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.renewal import with_renewal
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.lazy_dataclass import replace


@lru_cache(maxsize=2)
def paid_contracts(project: Project) -> tuple[Contract, ...]:
    """Return a project's contracts with the shares paid for their logged use; law: its own if all are paid in full.

    Planned work does not count as use.
    """
    if all(contract.take_or_pay_percent is None for contract in project.contracts):
        return project.contracts
    planned = {work.key for scenario in project.scenarios for work in scenario.planned}
    logged = [bool(workload.jobs) or workload.key not in planned for workload in project.workloads]
    project = replace(project, cube=project.cube.of_workloads(np.array(logged, dtype=np.bool_)))
    clusters = dispatch_window(project, [POOLS[0]] * len(project.workloads))
    rows = (row for hours in clusters for row in hours.contracts)
    paid = {
        row.contract_id: row for row in rows if not isinstance(row, ContractAtFee)
    }  # a plan pays its own rate
    return tuple(paid.get(contract.contract_id, contract) for contract in project.contracts)


def held_contracts(project: Project) -> tuple[Contract, ...]:
    """Return `paid_contracts` with their ends at the start of plans, after renewals that can no longer be prevented."""
    begins_s, log_end_s = project.plan_window.end_s, project.window.end_s
    return tuple(with_renewal(contract, begins_s, log_end_s) for contract in paid_contracts(project))
