"""Burn-down: of each contract what it commits over its life, what was used of it, and what is left to pay."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.figures.columns import floats, optional
from gpuplanner.domain.figures.track import BURN_DOWN
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import HOUR_S


@dataclass(frozen=True, slots=True)
class BurnDown:
    """One contract at the end of what was logged; figures by the keys of BURN_DOWN, None is unknown.

    used_gpu_hours: in the hours logged, of the plan's log and of the later one. A contract without an end commits to
    nothing over its life. runs_out_s: epoch seconds.
    """

    contract_id: str
    rate: float | None
    used_gpu_hours: float | None
    committed_gpu_hours: float | None
    left_gpu_hours: float | None
    committed_cost: float | None
    used_cost: float | None
    left_cost: float | None
    runs_out_s: int | None


def burn_downs(contracts: Sequence[Contract], audits: Sequence[Audit], now_s: int) -> tuple[BurnDown, ...]:
    """Of contracts, sorted by id. audits: of windows that follow each other; now_s: when the last one ends.

    Source: docs/formulas.md, Track.
    """
    listed = sorted(contracts, key=lambda one: one.contract_id)
    used = [_used(one.contract_id, audits) for one in listed]
    given = {
        "gpus": floats([one.gpus for one in listed]),
        "rate": floats([one.rate for one in listed]),
        "life_hours": floats([_hours(one.start_s, one.end_s) for one in listed]),
        "left_hours": floats([_hours(max(now_s, one.start_s), one.end_s) for one in listed]),
        "used_gpu_hours": floats(used),
    }
    found = {key: optional(column) for key, column in BURN_DOWN.worked_out(given).items()}
    return tuple(
        BurnDown(
            contract.contract_id,
            contract.rate,
            used[at],
            found["committed_gpu_hours"][at],
            found["left_gpu_hours"][at],
            found["committed_cost"][at],
            found["used_cost"][at],
            found["left_cost"][at],
            contract.end_s,
        )
        for at, contract in enumerate(listed)
    )


def _used(contract_id: str, audits: Sequence[Audit]) -> float | None:
    """GPU-hours used of a contract in all audits that have it."""
    rows = [row for audit in audits for row in audit.contracts if row.contract_id == contract_id]
    total = 0.0
    for row in rows:
        if row.used_gpu_hours is None:
            return None
        total += row.used_gpu_hours
    return total


def _hours(start_s: int, end_s: int | None) -> float | None:
    """Between two instants, none below 0; None without an end."""
    return None if end_s is None else max(end_s - start_s, 0) / HOUR_S
