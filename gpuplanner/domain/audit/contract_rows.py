"""The figures of all contracts at once, from what went into each."""

from collections.abc import Sequence

from gpuplanner.domain.audit.money.contract_inputs import ContractInputs
from gpuplanner.domain.audit.result import ContractAudit
from gpuplanner.domain.figures.columns import by_row, floats, gpu_hours, truth
from gpuplanner.domain.figures.use import CONTRACT


def contract_rows(inputs: Sequence[ContractInputs]) -> tuple[ContractAudit, ...]:
    """The figures of all contracts, sorted by contract_id. Source: figures/use.py.

    inputs: in any order. None is unknown. Source: docs/formulas.md, Utilization and stranded spend.
    """
    found = CONTRACT.worked_out(
        {
            "paid_gpu_hours": gpu_hours([one.paid for one in inputs]),
            "used_gpu_hours": gpu_hours([one.used for one in inputs]),
            "committed_rate": floats([one.committed_rate for one in inputs]),
            "on_demand_rate": floats([one.on_demand_rate for one in inputs]),
            "rate": floats([one.contract.rate for one in inputs]),
            "months": floats([one.months for one in inputs]),
        }
    )
    rows = [
        ContractAudit(
            contract_id=one.contract.contract_id,
            cluster=one.contract.cluster,
            provider=one.contract.provider,
            gpus=one.contract.gpus,
            paid_gpu_hours=row["paid_gpu_hours"] or 0.0,
            used_gpu_hours=row["used_gpu_hours"],
            utilization=row["utilization"],
            below_40_percent=truth(row["below_40_percent"]),
            break_even_utilization=row["break_even_utilization"],
            unused_per_month=row["unused_per_month"],
            inputs=one,
            figures=row,
        )
        for one, row in zip(inputs, by_row(found), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.contract_id))
