"""Burn-down: of each contract what it commits over its life, what was used of it, and what is left to pay."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.figures.columns import floats, optional
from gpuplanner.domain.figures.costs.track import BURN_DOWN
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import HOUR_S


@dataclass(frozen=True, slots=True)
class BurnDown:
    """One contract at the end of what was logged; figures by the keys of BURN_DOWN, None is unknown.

    used_gpu_hours: in the hours logged, of the plan's log and of the later one. A contract without an end commits to
    nothing over its life. runs_out_s: epoch seconds. inputs: what they were worked out from, by the keys of BURN_DOWN;
    used_in: GPU-hours used in the plan's log and in the later one, of those that have it.
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
    inputs: Mapping[str, float | None] = field(hash=False)
    used_in: tuple[tuple[int, float | None], ...]


def burn_downs(contracts: Sequence[Contract], audits: Sequence[Audit], now_s: int) -> tuple[BurnDown, ...]:
    """Of contracts, sorted by id. audits: of windows that follow each other; now_s: when the last one ends.

    Source: docs/formulas.md, Track.
    """
    listed = sorted(contracts, key=lambda one: one.contract_id)
    used_in = _used(audits)
    rows: list[dict[str, float | None]] = [
        {
            "gpus": one.gpus,
            "rate": one.rate,
            "life_hours": _hours(one.start_s, one.end_s),
            "left_hours": _hours(max(now_s, one.start_s), one.end_s),
            "used_gpu_hours": known_sum(used for _, used in used_in.get(one.contract_id, ())),
        }
        for one in listed
    ]
    given = {key: floats([row[key] for row in rows]) for key in _INPUTS}
    found = {key: optional(column) for key, column in BURN_DOWN.worked_out(given).items()}
    return tuple(
        BurnDown(
            contract.contract_id,
            contract.rate,
            row["used_gpu_hours"],
            found["committed_gpu_hours"][at],
            found["left_gpu_hours"][at],
            found["committed_cost"][at],
            found["used_cost"][at],
            found["left_cost"][at],
            contract.end_s,
            row,
            tuple(used_in.get(contract.contract_id, ())),
        )
        for at, (contract, row) in enumerate(zip(listed, rows, strict=True))
    )


_INPUTS: Final = ("gpus", "rate", "life_hours", "left_hours", "used_gpu_hours")


def _used(audits: Sequence[Audit]) -> Mapping[str, list[tuple[int, float | None]]]:
    """GPU-hours used of each contract by id, with the place of each audit that has it."""
    found: dict[str, list[tuple[int, float | None]]] = {}
    for place, audit in enumerate(audits):
        for row in audit.contracts:
            found.setdefault(row.contract_id, []).append((place, row.used_gpu_hours))
    return found


def _hours(start_s: int, end_s: int | None) -> float | None:
    """Between two instants, none below 0; None without an end."""
    return None if end_s is None else max(end_s - start_s, 0) / HOUR_S
