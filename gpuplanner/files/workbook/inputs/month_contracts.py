"""Which contracts run through which of the twelve months, and which pools and models they may serve."""

from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.model.book.contract_months import runs_through
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, PairKey

WHICH = ("existing", "all")
"""Contracts that serve in the plan, and those that serve with nothing signed."""

CapacityKey = tuple[str, str, str | None, Pool | None]
"""(which, cluster, GPU model, pinned pool or None)."""


def serving_places(inputs: Inputs, which: str) -> tuple[int, ...]:
    """Places of the contracts that serve in the plan (existing), or with nothing signed (all)."""
    rows = enumerate(inputs.contracts)
    if which == "all":
        return tuple(place for place, _ in rows)
    return tuple(place for place, row in rows if row.is_committed and not inputs.scenario.greenfield)


def running_places(inputs: Inputs, which: str, month: int) -> frozenset[int]:
    """Those of them that run through a month."""
    window = inputs.project.plan_window
    return frozenset(
        place
        for place in serving_places(inputs, which)
        if runs_through(inputs.contracts[place], window, month)
    )


def capacity_keys(inputs: Inputs) -> tuple[CapacityKey, ...]:
    """Whose GPUs a later month's demand may meet, sorted."""
    found = {
        (
            which,
            inputs.contracts[place].cluster,
            inputs.contracts[place].gpu_model,
            inputs.contracts[place].pool,
        )
        for which in WHICH
        for month in range(COMPARED_MONTHS)
        for place in running_places(inputs, which, month)
    }
    return tuple(sorted(found, key=lambda key: (key[0], key[1], key[2] or "", key[3] or "")))


def is_served(inputs: Inputs, pair: PairKey) -> bool:
    """Whether any contract that runs through one of the months stands where a pool and model may have demand."""
    pool, model = pair
    running = frozenset().union(*(running_places(inputs, "all", month) for month in range(COMPARED_MONTHS)))
    return any(
        contract.gpu_model == model
        and ((contract.cluster, model, pool) in inputs.plan or (contract.cluster, None, pool) in inputs.plan)
        for contract in (inputs.contracts[place] for place in running)
    )


def differs_without_signing(inputs: Inputs, cluster: str) -> bool:
    """Whether doing nothing is served by other rows than the plan: rows on demand too, and contracts in any case."""
    rows = [row for row in inputs.contracts if row.cluster == cluster]
    return bool(rows) and (inputs.scenario.greenfield or not all(row.is_committed for row in rows))
