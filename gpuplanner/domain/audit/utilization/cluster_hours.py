"""A cluster by hour: capacity of its contracts, demand, and the part of it that they served."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.model.book.billed_part import BilledPart
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ClusterHours:
    """A cluster by hour, in milli-GPU-seconds (int64).

    Shapes: capacity, served (contracts, hours), contracts in merit order; demand (models, classes, hours) with
    classes in the order of POOLS; served_demand (models, hours). models: None is unknown and last.
    Laws: served sums to served_demand in every hour; served <= capacity; served_demand <= demand.
    """

    cluster: str
    contracts: tuple[Contract, ...]
    models: tuple[str | None, ...]
    capacity: Ints
    served: Ints
    demand: Ints
    served_demand: Ints

    @property
    def overflow(self) -> Ints:
        """Demand beyond contracts by model; shape (models, hours)."""
        return np.asarray(self.demand.sum(axis=1) - self.served_demand)

    @property
    def counted(self) -> tuple[str | None, ...]:
        """The model of each entry in `models`, where the contracts' model replaces an unknown one."""
        return tuple(self.stand_in if model is None else model for model in self.models)

    @property
    def stand_in(self) -> str | None:
        """The model that replaces an unknown one."""
        return model_of_cluster(self.contracts)

    @property
    def is_use_unknown(self) -> bool:
        """Whether the coverage of a commitment in dollars is unknown."""
        return any(contract.is_dollars and contract.ramp_of is None for contract in self.contracts)

    @property
    def is_daily(self) -> Bools:
        """Which contracts are billed lines of a day or longer, whose hours are not known; shape (contracts,)."""
        rows = [isinstance(row, BilledPart) and row.is_daily for row in self.contracts]
        return np.array(rows, dtype=np.bool_)

    @property
    def contended(self) -> Ints:
        """Overflow of each model in hours in which it has GPUs; shape (models, hours)."""
        gpus = (
            [place for place in self.open_to(m) if not self.contracts[place].is_dollars] for m in self.models
        )
        has = [self.capacity[places].sum(axis=0) > 0 for places in gpus]
        return np.where(np.reshape(has, self.served_demand.shape), self.overflow, 0)

    def open_to(self, model: str | None) -> list[int]:
        """Return the indexes of contracts that may serve a model; all for an unknown one."""
        return places_open_to(self.contracts, model)

    def with_part(self, part: Contract, capacity: Ints, takes: Mapping[int, Ints]) -> "ClusterHours":
        """Return the cluster with a further contract.

        capacity: (hours,). takes: its served demand by index in `models`.
        """
        of_models, rows = self.served_demand.copy(), (*self.contracts, part)
        for place, amount in takes.items():
            of_models[place] += amount
        served = np.vstack((self.served, sum(takes.values(), np.zeros_like(capacity))))
        held = np.vstack((self.capacity, capacity))
        return replace(self, contracts=rows, capacity=held, served=served, served_demand=of_models)

    @property
    def training_hours(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Hours with GPU time of training jobs, as a mask; shape (hours,)."""
        return np.asarray(self.demand[:, POOLS.index(Pool.TRAINING)].sum(axis=0) > 0)


def places_open_to(contracts: Sequence[Contract], model: str | None) -> list[int]:
    """Return the indexes of contracts with a model; all for an unknown one. Unused dollars serve no demand."""
    return [place for place, row in enumerate(contracts) if model in (None, row.gpu_model) and row.serves]


def model_of_cluster(contracts: Iterable[Contract]) -> str | None:
    """Return the model for demand of unknown model on a cluster: of the contract with most GPUs, ties by id.

    None without contracts in GPUs, or if the largest names no model.
    """
    of_gpus = (contract for contract in contracts if not contract.is_dollars)
    largest = min(of_gpus, key=lambda contract: (-contract.milli_gpus, contract.contract_id), default=None)
    return None if largest is None else largest.gpu_model


def part_of(part: npt.NDArray[np.floating | np.integer], demand: Floats | Ints) -> Floats:
    """Return a part of a demand as a share in each hour; 0 without demand. Shapes: (..., hours), as the part's."""
    return np.asarray(np.divide(part, demand, out=np.zeros(part.shape), where=demand > 0))
