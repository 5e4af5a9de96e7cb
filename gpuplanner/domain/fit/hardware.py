"""The hardware that a workload runs on today: its contracts, and what is known of its GPU model."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class Hardware:
    """What one contract or offer brings; None: not stated. term_hours: how long it binds, 0 when by use.

    of: the contract or offer, empty where only the GPU model is known; memory_source: in words.
    """

    of: str
    gpu_model: str | None
    memory_gb: float | None
    memory_source: str
    interconnect: str | None = None
    bare_metal: bool | None = None
    term_hours: float | None = None


def memory_of_model(gpu_model: str | None, gpu_models: Sequence[GpuModel]) -> tuple[float | None, str]:
    """GB of one GPU, and who says so: the model's own name (A100-40GB), else the table of GPU models.

    Units: GB. None and "unknown" where neither says it, and where the model itself is unknown.
    """
    if gpu_model is None:
        return None, "unknown"
    folded = gpu_model.casefold()
    if match := re.search(r"(?<![a-z0-9.])(\d{1,4})\s?gb(?![a-z0-9])", folded):
        return float(match[1]), "from the GPU model's name"
    facts = families_of(tuple(gpu_models)).facts(gpu_model)
    if facts is None or facts.memory_gb is None:
        return None, "unknown"
    return facts.memory_gb, "table of GPU models"


def hardware_of_contract(contract: Contract, gpu_models: Sequence[GpuModel]) -> Hardware:
    """What a contract brings.

    Memory that the contract states counts before that of its GPU model. term_hours: for as long as it binds;
    None where nobody says.
    """
    memory: tuple[float | None, str] = contract.gpu_memory_gb, contract.contract_id
    if contract.gpu_memory_gb is None:
        memory = memory_of_model(contract.gpu_model, gpu_models)
    return Hardware(
        contract.contract_id,
        contract.gpu_model,
        *memory,
        contract.interconnect,
        contract.bare_metal,
        contract.binding_hours,
    )


def hardware_of_offer(offer: Offer) -> Hardware:
    """What an offer brings, as the plan sees it: a memory that it does not state is unknown.

    term_hours: whole months of 730 h; 0 for an offer by use.
    """
    return Hardware(
        offer.offer_id,
        offer.gpu_model,
        offer.gpu_memory_gb,
        offer.offer_id if offer.gpu_memory_gb is not None else "unknown",
        offer.interconnect,
        offer.bare_metal,
        float(offer.term_months * HOURS_PER_MONTH),
    )


@dataclass(frozen=True)
class HardwareToday:
    """Finds the contracts behind a workload: of its cluster and GPU model, those that run at the window's end.

    Where none does, those that ran in the window; where there is none either, what its GPU model says.
    """

    project: Project
    gpu_models: tuple[GpuModel, ...]

    def of(self, cluster: str, gpu_model: str | None) -> tuple[Hardware, ...]:
        """The hardware that jobs of this model run on, at least one entry. gpu_model None: any of the cluster.

        Kept for the life of this object: many workloads share a cluster and a model.
        """
        key = (cluster, gpu_model)
        if key not in self._found:
            self._found[key] = self._find(cluster, gpu_model)
        return self._found[key]

    @cached_property
    def _found(self) -> dict[tuple[str, str | None], tuple[Hardware, ...]]:
        """What was looked up so far, by cluster and GPU model."""
        return {}

    def _find(self, cluster: str, gpu_model: str | None) -> tuple[Hardware, ...]:
        """Contracts that state no model count for every model of their cluster."""
        window = self.project.window
        ran = [
            contract
            for contract in self.project.contracts
            if contract.cluster == cluster
            and (gpu_model is None or contract.gpu_model in (None, gpu_model))
            and contract.start_s < window.end_s
            and (contract.end_s is None or contract.end_s > window.start_s)
        ]
        running = [contract for contract in ran if contract.end_s is None or contract.end_s >= window.end_s]
        found = tuple(hardware_of_contract(contract, self.gpu_models) for contract in running or ran)
        return found or (Hardware("", gpu_model, *memory_of_model(gpu_model, self.gpu_models)),)


def main_models(project: Project) -> list[str | None]:
    """The GPU model of most of each workload's GPU time (None: unknown), in the order of Project.workloads.

    Shapes: one entry for each workload. Of two models with as much GPU time the later in the cube's list
    counts.
    """
    cube = project.cube
    has_several = len(set(cube.workload_index.tolist())) < len(cube.workload_index)
    totals = cube.row_totals.tolist() if has_several else [0] * len(cube.workload_index)
    best: list[tuple[int, int]] = [(-1, -1)] * len(project.workloads)
    for place, model, total in zip(
        cube.workload_index.tolist(), cube.model_index.tolist(), totals, strict=True
    ):
        best[place] = max(best[place], (total, model))
    return [None if model < 0 else cube.gpu_models[model] for _, model in best]
