"""The figures of all contracts at once, from what went into each."""

from collections.abc import Sequence

from gpuplanner.domain.audit.money.contract_inputs import ContractInputs
from gpuplanner.domain.audit.result import ContractAudit
from gpuplanner.domain.figures.columns import Column, floats, gpu_hours, optional
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.model.window import HOUR_S


def contract_rows(inputs: Sequence[ContractInputs]) -> tuple[ContractAudit, ...]:
    """The figures of all contracts, sorted by contract_id. Source: figures/use.py."""
    found: dict[str, Column] = CONTRACT.worked_out(
        {
            "gpus": floats([one.contract.gpus for one in inputs]),
            "run_hours": floats([one.run_s / HOUR_S for one in inputs]),
            "paid_gpu_hours": gpu_hours([one.paid for one in inputs]),
            "used_gpu_hours": gpu_hours([one.used for one in inputs]),
            "committed_rate": floats([one.committed_rate for one in inputs]),
            "on_demand_rate": floats([one.on_demand_rate for one in inputs]),
            "rate": floats([one.contract.rate for one in inputs]),
            "months": floats([one.months for one in inputs]),
        }
    )
    values = {key: optional(column) for key, column in found.items()}
    rows = [
        ContractAudit(
            contract_id=one.contract.contract_id,
            cluster=one.contract.cluster,
            provider=one.contract.provider,
            gpus=one.contract.gpus,
            paid_gpu_hours=values["paid_gpu_hours"][at] or 0.0,
            used_gpu_hours=values["used_gpu_hours"][at],
            utilization=values["utilization"][at],
            below_40_percent=truth(values["below_40_percent"][at]),
            break_even_utilization=values["break_even_utilization"][at],
            unused_per_month=values["unused_per_month"][at],
            inputs=one,
        )
        for at, one in enumerate(inputs)
    ]
    return tuple(sorted(rows, key=lambda row: row.contract_id))


def truth(value: float | None) -> bool | None:
    """A flag as it is kept."""
    return None if value is None else bool(value)
