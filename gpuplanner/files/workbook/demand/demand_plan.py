"""Demand, the plan's part: what existing contracts leave over of each pool and model in month 0."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool
from gpuplanner.files.workbook.demand.demand_split import write_split
from gpuplanner.files.workbook.inputs.contracts_sheet import Contracts
from gpuplanner.files.workbook.inputs.demand_sheet import Heading, HourColumn, HourSheet
from gpuplanner.files.workbook.inputs.month_contracts import differs_without_signing
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, PairKey, StreamKey, model_order, model_words
from gpuplanner.files.workbook.kit.expressions import Expr

# Keys of the columns, besides ("plan", cluster, model, pool) for the demand itself (model None: unknown):
# ("left_over", which, cluster, model, pool)   what contracts leave of it; which: existing or all
# ("demand", pool, model), ("over", pool, model), ("over_now", pool, model), ("over_joint", model)   sums

WHICH_WORDS = {"existing": "left over", "all": "left over, nothing signed"}


def write_plan(hours: HourSheet, inputs: Inputs, contracts: Contracts) -> None:
    """Write every cluster's columns of the plan, then the sums by pool and model."""
    clusters = sorted({key[0] for key in inputs.plan})
    for cluster in clusters:
        for _, model, pool in (key for key in inputs.plan if key[0] == cluster):
            _write_demand(hours, inputs, (cluster, model, pool))
        served_by = _Serving(hours, inputs, contracts, cluster)
        if not inputs.scenario.greenfield:
            served_by.write("existing")
        if differs_without_signing(inputs, cluster):
            served_by.write("all")
        if has_split(inputs, cluster):
            write_split(hours, inputs, contracts, cluster)
        served_by.write_joint()
    _write_sums(hours, inputs, clusters)


def _write_demand(hours: HourSheet, inputs: Inputs, stream: StreamKey) -> None:
    """A pool's demand: the log, or so many times the log where the scenario plans with more or less of it."""
    cluster, model, pool = stream
    heading = Heading(cluster, model_words(model), f"{pool} pool", pool)
    gpus, factor = inputs.plan[stream], inputs.demand_factor(pool)
    if not factor:
        hours.add_input(("plan", *stream), heading, gpus)
        return
    of_log = Heading(cluster, model_words(model), f"{pool} pool, as logged", pool)
    logged = hours.add_input(("logged", *stream), of_log, gpus / inputs.assumptions.demand_of(pool))
    hours.add_formula(("plan", *stream), heading, gpus, f"{logged.now}*{factor}")


def has_split(inputs: Inputs, cluster: str) -> bool:
    """Whether untyped demand of a cluster is split among models by the contracts that serve it."""
    is_untyped = any(key[0] == cluster and key[1] is None for key in inputs.plan)
    return is_untyped and inputs.has_mixed_models(cluster) and not inputs.scenario.greenfield


class _Serving:
    """What one cluster's contracts leave over: pinned ones first, then free ones, pool after pool."""

    def __init__(self, hours: HourSheet, inputs: Inputs, contracts: Contracts, cluster: str) -> None:
        self.hours, self.inputs, self.contracts, self.cluster = hours, inputs, contracts, cluster
        self.models = sorted(
            {row.gpu_model for row in inputs.contracts if row.cluster == cluster}, key=model_order
        )
        self.demand: dict[str | None, dict[Pool, HourColumn]] = {}
        for _, model, pool in (key for key in inputs.plan if key[0] == cluster):
            self.demand.setdefault(model, {})[pool] = hours.column(("plan", cluster, model, pool))

    def write(self, which: str) -> None:
        """Columns of what is left over of known models, then of unknown ones, when these contracts serve."""
        for model, of_pool in self.demand.items():
            if model is not None and model in self.models:
                pins = {pool: self._gpus(which, model, pool) for pool in of_pool}
                columns = {pool: (column.now, column.values) for pool, column in of_pool.items()}
                self._chain(which, model, columns, pins, self._gpus(which, model, None))
        untyped = self.demand.get(None)
        if untyped and self.models:
            columns = {pool: (column.now, column.values) for pool, column in untyped.items()}
            pins = {pool: self._pinned_left(which, pool) for pool in untyped}
            self._chain(which, None, columns, pins, self._free_left(which))

    def _chain(
        self,
        which: str,
        model: str | None,
        demand: Mapping[Pool, tuple[str, Floats]],
        pinned: Mapping[Pool, tuple[str, Floats]],
        free: tuple[str, Floats],
    ) -> None:
        """max(0, D - pinned - what the pools before leave of the free GPUs), in the order of serving."""
        free_text, free_values = free
        for pool in (each for each in SERVING_ORDER if each in demand):
            (want_text, want), (pin_text, pin) = demand[pool], pinned[pool]
            pin_part = "" if pin_text == "0" else f"-{pin_text}"
            free_part = "" if free_text == "0" else f"-MAX(0,{free_text})"
            heading = Heading(self.cluster, model_words(model), f"{pool}, {WHICH_WORDS[which]}", pool)
            values = np.maximum(0.0, want - pin - np.maximum(0.0, free_values))
            key = ("left_over", which, self.cluster, model, pool)
            self.hours.add_formula(key, heading, values, f"MAX(0,{want_text}{pin_part}{free_part})")
            free_values = free_values - np.maximum(0.0, want - pin)
            if free_text != "0":
                free_text = f"{free_text}-MAX(0,{want_text}{pin_part})"

    def _gpus(self, which: str, model: str | None, pool: Pool | None) -> tuple[str, Floats]:
        """Formula and hourly values of the GPUs of one model bound to one pool."""
        cell = self.contracts.gpus(which, self.cluster, model, pool)
        return _constant(cell, self.hours.hours)

    def _pinned_left(self, which: str, pool: Pool) -> tuple[str, Floats]:
        """GPUs pinned to a pool, of every model, that its known demand leaves."""
        texts, values = [], np.zeros(self.hours.hours)
        for model in self.models:
            text, gpus = self._gpus(which, model, pool)
            if text == "0":
                continue
            wanted = self.demand.get(model, {}).get(pool) if model is not None else None
            texts.append(text if wanted is None else f"MAX(0,{text}-{wanted.now})")
            values = values + (gpus if wanted is None else np.maximum(0.0, gpus - wanted.values))
        return _in_brackets(texts), values

    def _free_left(self, which: str) -> tuple[str, Floats]:
        """Free GPUs of every model that known demand leaves."""
        texts, values = [], np.zeros(self.hours.hours)
        for model in self.models:
            text, gpus = self._gpus(which, model, None)
            if text == "0":
                continue
            spilled_texts, spilled = [], np.zeros(self.hours.hours)
            for pool, column in (self.demand.get(model, {}) if model is not None else {}).items():
                pin_text, pin = self._gpus(which, model, pool)
                pin_part = "" if pin_text == "0" else f"-{pin_text}"
                spilled_texts.append(f"MAX(0,{column.now}{pin_part})")
                spilled = spilled + np.maximum(0.0, column.values - pin)
            texts.append(f"MAX(0,{'-'.join([text, *spilled_texts])})" if spilled_texts else text)
            values = values + np.maximum(0.0, gpus - spilled)
        return _in_brackets(texts), values

    def write_joint(self) -> None:
        """What is left over with all workloads of a model in one pool: pins are ignored, the split of untyped stays."""
        for model in () if self.inputs.scenario.greenfield else self.models:
            columns = [
                column
                for pool in SERVING_ORDER
                for column in demand_columns(self.hours, self.inputs, self.cluster, (pool, model))
            ]
            if columns:
                gpus_text, gpus = self._all_gpus(model)
                wanted = sum((column.values for column in columns), np.zeros(self.hours.hours))
                wanted_text = "+".join(column.now for column in columns)
                heading = Heading(self.cluster, model_words(model), "all pools together, left over")
                key = ("left_over_joint", self.cluster, model)
                values = np.maximum(0.0, wanted - gpus)
                self.hours.add_formula(key, heading, values, f"MAX(0,{wanted_text}-{gpus_text})")

    def _all_gpus(self, model: str | None) -> tuple[str, Floats]:
        """Formula and hourly values of all GPUs of a model, bound to a pool or not."""
        cells = [
            cell
            for pool in (None, *Pool)
            if (cell := self.contracts.gpus("existing", self.cluster, model, pool)) is not None
        ]
        total = sum(cell.number for cell in cells)
        return _in_brackets([cell.text for cell in cells]), np.full(self.hours.hours, total)


def _constant(cell: Expr | None, hours: int) -> tuple[str, Floats]:
    """A cell that holds for every hour, shape (hours,); 0 where there is none."""
    return ("0", np.zeros(hours)) if cell is None else (cell.text, np.full(hours, cell.number))


def _in_brackets(texts: Sequence[str]) -> str:
    """Texts added up, in brackets if there are several."""
    if not texts:
        return "0"
    return texts[0] if len(texts) == 1 else f"({'+'.join(texts)})"


def _write_sums(hours: HourSheet, inputs: Inputs, clusters: Sequence[str]) -> None:
    """Demand and what is left over, by pool and model; unknown models count with the model they are planned as."""
    for pool, model in inputs.pairs:
        sources = [
            column for cluster in clusters for column in demand_columns(hours, inputs, cluster, (pool, model))
        ]
        heading = Heading(f"{pool} pool", model_words(model), "demand", pool)
        _add_sum(hours, ("demand", pool, model), heading, sources)
        for which, key, words in (
            ("existing", "over", "demand beyond existing contracts"),
            ("all", "over_now", "demand beyond all contracts"),
        ):
            columns = [
                column
                for cluster in clusters
                for column in left_over_columns(hours, inputs, cluster, (pool, model), which)
            ]
            _add_sum(
                hours, (key, pool, model), Heading(f"{pool} pool", model_words(model), words, pool), columns
            )
    for pool, model in inputs.unplanned_pairs:
        heading = Heading(f"{pool} pool", model_words(model), "demand beyond all contracts", pool)
        _add_sum(hours, ("over_now", pool, model), heading, [])
    for model in dict.fromkeys(pair[1] for pair in inputs.pairs):
        columns = [column for cluster in clusters for column in _joint_columns(hours, inputs, cluster, model)]
        heading = Heading("all pools", model_words(model), "demand beyond existing contracts, pools together")
        _add_sum(hours, ("over_joint", model), heading, columns)


def _add_sum(
    hours: HourSheet, key: tuple[str | None, ...], heading: Heading, columns: Sequence[HourColumn]
) -> None:
    """Adds a column that is the sum of others, 0 without any."""
    total = sum((column.values for column in columns), np.zeros(hours.hours))
    hours.add_formula(key, heading, total, "+".join(column.now for column in columns) or "0")


def demand_columns(hours: HourSheet, inputs: Inputs, cluster: str, pair: PairKey) -> list[HourColumn]:
    """The columns whose sum is the demand of a pool and model on one cluster.

    Those of unknown model count with it.
    """
    pool, model = pair
    keys: list[tuple[str | None, ...]] = []
    if model is not None:
        keys.append(("plan", cluster, model, pool))
    if has_split(inputs, cluster):
        keys.append(("split", "existing", cluster, model, pool))
    elif inputs.usual_model(cluster) == model:
        keys.append(("plan", cluster, None, pool))
    return [column for key in keys if (column := hours.find(key)) is not None]


def left_over_columns(
    hours: HourSheet, inputs: Inputs, cluster: str, pair: PairKey, which: str
) -> list[HourColumn]:
    """The columns that leave demand over: what no contract was asked to serve is left over whole."""
    pool, model = pair
    spellings = ([model] if model is not None else []) + (
        [None] if inputs.usual_model(cluster) == model else []
    )
    found = []
    for spelling in spellings:
        keys = (("left_over", which, cluster, spelling, pool), ("plan", cluster, spelling, pool))
        if which == "all" and not differs_without_signing(inputs, cluster):
            keys = (("left_over", "existing", cluster, spelling, pool), keys[1])
        found += [column for key in keys if (column := hours.find(key)) is not None][:1]
    return found


def _joint_columns(hours: HourSheet, inputs: Inputs, cluster: str, model: str | None) -> list[HourColumn]:
    """What is left over of a model with all pools together; without contracts of it, all its demand."""
    joint = hours.find(("left_over_joint", cluster, model))
    if joint is not None:
        return [joint]
    return [
        column for pool in SERVING_ORDER for column in demand_columns(hours, inputs, cluster, (pool, model))
    ]
