"""Demand, the audit's part: the hour's cell of the week, what all clusters paid and used, contended hours."""

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.use.hours_of_week import CELLS, EPOCH_CELL, first_cell
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import (
    FIRST_HEAD_ROW,
    HEAD_ROWS,
    Heading,
    HourColumn,
    HourSheet,
)
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_order, model_words
from gpuplanner.files.workbook.kit.cell_names import EPOCH_SERIAL

# Keys of the columns: ("week",), ("paid",), ("used",), ("beyond", cluster, model), ("contended", cluster),
# ("inference", cluster).

WHAT_ROW = FIRST_HEAD_ROW + HEAD_ROWS.index("what") + 1
CONTENDED_FROM_GPUS = 1e-7
"""Less than one milli-GPU-second in an hour is rounding of the sheet's fractions."""


def write_use_hours(hours: HourSheet, inputs: Inputs, named: Named) -> None:
    """Write the columns; those of `write_today` are there."""
    start = named.window_start.text
    cell = f"MOD(ROUND(({start}-{EPOCH_SERIAL})*24,0)+{EPOCH_CELL}+{hours.column('hour').now},{CELLS})"
    cells = (first_cell(inputs.project.window) + np.arange(hours.hours)) % CELLS
    heading = Heading("all clusters", "all models", "hour of the week (0: Monday 00:00 UTC)")
    hours.add_formula(("week",), heading, cells.astype(np.float64), cell)
    _all(hours, "paid", "paid for", ("capacity",))
    _all(hours, "used", "in use", ("served", "served, unknown model"))
    for cluster in inputs.clusters:
        _contended(hours, inputs, cluster)


def _all(hours: HourSheet, key: str, what: str, words: tuple[str, ...]) -> None:
    """The sum over all columns of contracts whose heading says one of the words."""
    kinds = {"capacity": "capacity", "served": "served", "served_unknown": "served, unknown model"}
    by_kind = [(name, column) for name, column in hours.columns.items() if isinstance(name, tuple)]
    of_contracts = [(str(name[0]), column) for name, column in by_kind if name[0] in kinds]
    heading = Heading("all clusters", "all models", what)
    if not of_contracts:
        hours.add_formula((key,), heading, np.zeros(hours.hours), "0")
        return
    places = sorted((column.place, column) for _, column in of_contracts)
    first, last = places[0][1], places[-1][1]
    values: Floats = sum(
        (column.values for kind, column in of_contracts if kinds[kind] in words), np.zeros(hours.hours)
    )
    said = f"${first.letters}${WHAT_ROW}:${last.letters}${WHAT_ROW}"
    parts = [f'SUMIF({said},"{word}",${first.now}:${last.now})' for word in words]
    hours.add_formula((key,), heading, values, "+".join(parts))


def _contended(hours: HourSheet, inputs: Inputs, cluster: str) -> None:
    """GPUs asked for beyond what a model has, where it has some; the hours with any; the hours with inference."""
    models = sorted({key[1] for key in inputs.today if key[0] == cluster}, key=model_order)
    beyond = []
    for model in models:
        places = [
            place
            for place in inputs.contract_places(cluster)
            if model in (None, inputs.contracts[place].gpu_model)
        ]
        lost = hours.find(("lost", cluster, model))
        if lost is not None and places:
            capacity = [hours.column(("capacity", place)) for place in places]
            beyond.append(_beyond(hours, cluster, model, lost, capacity))
    over = _sum(hours, beyond)
    condition = "+".join(column.now for column in beyond) or "0"
    hours.add_formula(
        ("contended", cluster),
        Heading(cluster, "all models", "contended (1 yes)"),
        (over > CONTENDED_FROM_GPUS).astype(np.float64),
        f"IF({condition}>{CONTENDED_FROM_GPUS:.7f},1,0)",
    )
    served = [
        column
        for model in models
        if (column := hours.find(("today", cluster, model, Pool.INFERENCE))) is not None
    ]
    condition = "+".join(column.now for column in served) or "0"
    hours.add_formula(
        ("inference", cluster),
        Heading(cluster, "all models", "inference runs (1 yes)"),
        (_sum(hours, served) > 0).astype(np.float64),
        f"IF({condition}>0,1,0)",
    )


def _beyond(
    hours: HourSheet, cluster: str, model: str | None, lost: HourColumn, capacity: list[HourColumn]
) -> HourColumn:
    """Adds what was asked for beyond the GPUs of a model, in hours in which it has any."""
    demand = [column for pool in Pool if (column := hours.find(("today", cluster, model, pool))) is not None]
    demand.sort(key=lambda column: column.place)
    capacity = sorted(capacity, key=lambda column: column.place)
    values = np.where(_sum(hours, capacity) > 0, lost.values * _sum(hours, demand), 0.0)
    formula = f"IF(SUM({_span(capacity)})>0,{lost.now}*SUM({_span(demand)}),0)"
    heading = Heading(cluster, model_words(model), "asked for beyond its GPUs")
    return hours.add_formula(("beyond", cluster, model), heading, values, formula)


def _sum(hours: HourSheet, columns: list[HourColumn]) -> Floats:
    """Hourly values of several columns added up, shape (hours,)."""
    return sum((column.values for column in columns), np.zeros(hours.hours))


def _span(columns: list[HourColumn]) -> str:
    """The cells of neighbouring columns in the row at hand."""
    return f"{columns[0].now}:{columns[-1].now}"
