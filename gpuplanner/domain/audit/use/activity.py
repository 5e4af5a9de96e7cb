"""Activity: what GPUs did while they were allocated, 0..1, weighted by GPU time over any part of the log."""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.figures.columns import optional
from gpuplanner.domain.figures.operations import share
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.project import Project


class Ran:
    """The cube's rows (workload, GPU model) as columns, to ask which of them have an activity. Masks: (rows,)."""

    def __init__(self, project: Project) -> None:
        cube = project.cube
        of_row = [project.workloads[place] for place in cube.workload_index.tolist()]
        self._cluster = np.array([workload.cluster for workload in of_row], dtype=object)
        self._team = np.array([workload.owner for workload in of_row], dtype=object)
        self._model = cube.model_index
        self._spellings = {model: number for number, model in enumerate(cube.gpu_models)}
        self._spent = (
            np.add.reduceat(cube.milli_gpu_seconds, cube.offsets[:-1]) if of_row else cube.offsets[:0]
        )
        self.total = int(self._spent.sum())
        known = [np.nan if workload.activity is None else workload.activity for workload in of_row]
        self._weighted = self._spent * np.array(known, dtype=np.float64)  # unknown ones make a sum unknown
        self.anywhere: Bools = np.ones(len(of_row), dtype=np.bool_)

    def on_cluster(self, cluster: str) -> Bools:
        """Rows of a cluster."""
        return np.asarray(self._cluster == cluster, dtype=np.bool_)

    def of_model(self, model: str | None, clusters: Iterable[str]) -> Bools:
        """Rows of a model, and those of none on clusters whose contracts of that model may have served them."""
        there = np.isin(self._cluster, list(clusters)) if model is not None else self.anywhere
        stated = self._model == (-1 if model is None else self._spellings.get(model, -2))
        return np.asarray(stated | (there & (self._model == -1)), dtype=np.bool_)

    def open_to(self, contract: Contract) -> Bools:
        """Rows that a contract may have served: on its cluster, of its model or of none."""
        return self.on_cluster(contract.cluster) & self.of_model(contract.gpu_model, {contract.cluster})

    def activity(self, mask: Bools) -> float | None:
        """0..1, weighted by GPU time; None without GPU time, or where some of it has no activity."""
        spent, weighted = int(self._spent[mask].sum()), float(self._weighted[mask].sum())
        return weighted / spent if spent and not np.isnan(weighted) else None

    def by_cluster(self) -> dict[str, float | None]:
        """The activity of every cluster with GPU time, in one pass."""
        return self._by(self._cluster)

    def by_team(self) -> dict[str, float | None]:
        """The activity of every team with GPU time, in one pass."""
        return self._by(self._team)

    def _by(self, group_of_row: npt.NDArray[np.object_]) -> dict[str, float | None]:
        groups, number = np.unique(group_of_row, return_inverse=True)
        spent = np.bincount(number, self._spent, len(groups))
        activity = share(np.bincount(number, self._weighted, len(groups)), spent)
        return {
            group: value
            for group, value, amount in zip(groups, optional(activity), spent, strict=True)
            if amount
        }
