"""What contracts leave over of demand that grows, as one array over the Demand sheet, and where that fits a formula."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool
from gpuplanner.files.workbook.inputs.month_contracts import (
    WHICH,
    capacity_keys,
    differs_without_signing,
    is_served,
)
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.expressions import Expr

LONGEST_ARRAY = 3_800
"""Characters: a formula says the array twice at most and has room for 8,192."""
_NO_HOURS = np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class Amount:
    """GPUs in each hour: an array of a formula, and its values, shape (hours,)."""

    text: str
    values: Floats


def left_over(
    streams: Sequence[tuple[Pool, Amount]], pool: Pool, free: Expr | None, pins: Mapping[Pool, Expr]
) -> Amount | None:
    """What a cluster's contracts of one model leave of a pool's demand; None where the pool has none.

    streams: demand in the order of serving. free: GPUs that serve every pool; pins: those of one pool alone.
    Source: docs/formulas.md, Contracts over time and what they leave over; with the demand so far A, of which B came
    before and D is new, what is left of D is max(A - C, 0) - max(B - C, 0) = (|A - C| - |B - C| + D) / 2, as D >= 0.
    """
    pinned = [(frozenset((each,)), gpus) for each, gpus in pins.items()]
    return left_of(streams, pool, pinned if free is None else [*pinned, (frozenset(Pool), free)])


def left_of(
    streams: Sequence[tuple[Hashable, Amount]],
    row: Hashable,
    capacity: Sequence[tuple[Collection[Hashable], Expr]],
) -> Amount | None:
    """What is left of the demand of one row, by the GPUs that serve some rows each; None where the row has none.

    streams: demand with its row, in the order of serving; capacity: the rows that it serves, and its GPUs, in the order
    in which demand turns to them. Source: as of `left_over`.
    """
    came: list[list[Amount]] = [[] for _ in capacity]
    found: list[Amount] = []
    for each, demand in streams:
        left = demand
        for before, (rows, gpus) in zip(came, capacity, strict=True):
            if each in rows:
                passed_on = _beyond(before, left, gpus)
                before.append(left)
                left = passed_on
        if each == row:
            found.append(left)
    return _sum(found) if found else None


def _beyond(before: Sequence[Amount], new: Amount, gpus: Expr) -> Amount:
    """What some GPUs leave of new demand, when demand came before it."""
    if not before:
        text = f"(ABS({new.text}-{gpus.text})+{new.text}-{gpus.text})/2"
        return Amount(text, np.maximum(0.0, new.values - gpus.number))
    past, both = _sum(before), _sum([*before, new])
    text = f"(ABS({both.text}-{gpus.text})-ABS({past.text}-{gpus.text})+{new.text})/2"
    return Amount(
        text, np.maximum(0.0, both.values - gpus.number) - np.maximum(0.0, past.values - gpus.number)
    )


def _sum(amounts: Sequence[Amount]) -> Amount:
    """Amounts added up: their formula and their hourly values. There is at least one."""
    values = sum((each.values for each in amounts), np.zeros_like(amounts[0].values))
    return Amount("+".join(each.text for each in amounts), values)


_LIVE: Final[WeakKeyDictionary[Inputs, frozenset[Pool]]] = WeakKeyDictionary()
"""What was found of a book that is being written: every assumption asks."""


def live_growth(inputs: Inputs) -> frozenset[Pool]:
    """The pools whose growth is an input of the book: no contract serves them, or the months' arrays fit a formula.

    Of a plan with dates all: there each month is columns of its own.
    """
    if inputs not in _LIVE:
        _LIVE[inputs] = _live_growth(inputs)
    return _LIVE[inputs]


def _live_growth(inputs: Inputs) -> frozenset[Pool]:
    if inputs.is_dated:
        return frozenset(pair[0] for pair in inputs.pairs_of_nothing)
    by_pool: dict[Pool, list[bool]] = {}
    for pair in inputs.pairs_of_nothing:
        is_live = not is_served(inputs, pair) or fits_a_formula(inputs, pair[1])
        by_pool.setdefault(pair[0], []).append(is_live)
    return frozenset(pool for pool, live in by_pool.items() if all(live))


def fits_a_formula(inputs: Inputs, model: str | None) -> bool:
    """Whether what contracts leave of every pool's demand for a model, all clusters together, is short enough."""
    return all(
        _longest_text(inputs, which, model, pool) <= LONGEST_ARRAY
        for which in WHICH
        for pool in {pair[0] for pair in inputs.pairs_of_nothing if pair[1] == model}
    )


def _longest_text(inputs: Inputs, which: str, model: str | None, pool: Pool) -> int:
    """Characters of the array with the longest references that its cells may have."""
    hours = f"Demand!$AAA$999:$AAA${inputs.hours + 999}"
    cell = Expr("Comparison!$AAA$99999", 0.0, True)
    stream = Amount(f"{hours}*{cell.text}", _NO_HOURS)
    keys = capacity_keys(inputs)
    length = 0
    for cluster in sorted({key[0] for key in inputs.plan}):
        served_by = which if which == "existing" or differs_without_signing(inputs, cluster) else "existing"
        pins = {key[3]: cell for key in keys if key[:3] == (served_by, cluster, model)}
        free = pins.pop(None, None)
        spellings = [model, None] if model is not None else [None]
        streams = [
            (each, stream)
            for spelling in spellings
            for each in SERVING_ORDER
            if (cluster, spelling, each) in inputs.plan
        ]
        part = left_over(streams, pool, free, {each: gpus for each, gpus in pins.items() if each is not None})
        length += 0 if part is None else len(part.text) + 1
    return length
