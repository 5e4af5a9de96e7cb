"""Hardware that a contract or an offer brings, and that a workload runs on today."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.gpu_family import families_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import GpuModel
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace

NEAR_SIZE: Final = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class Hardware:
    """What one contract or offer brings; None: not stated. term_hours: how long it binds, 0 when by use.
    network: what it trains like (`network_of`); nic_gbps: Gb/s of a node. usable_gb: what its card really holds of a
    training run, where that is known.

    contract_or_offer: its id, empty where only the GPU model is known; memory_source: in words.
    """

    contract_or_offer: str
    gpu_model: str | None
    memory_gb: float | None
    memory_source: str
    interconnect: str | None = None
    bare_metal: bool | None = None
    term_hours: float | None = None
    network: str | None = None
    nic_gbps: float | None = None
    usable_gb: float | None = None


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
    memory_gb: float | None = contract.gpu_memory_gb
    memory_source = contract.contract_id
    if memory_gb is None:
        memory_gb, memory_source = memory_of_model(contract.gpu_model, gpu_models)
    return Hardware(
        contract_or_offer=contract.contract_id,
        gpu_model=contract.gpu_model,
        memory_gb=memory_gb,
        memory_source=memory_source,
        interconnect=contract.interconnect,
        bare_metal=contract.bare_metal,
        term_hours=contract.binding_hours,
        network=contract.network,
        nic_gbps=contract.nic_gbps,
    )


def hardware_of_offer(offer: Offer) -> Hardware:
    """What an offer brings, as the plan sees it: a memory that it does not state is unknown.

    term_hours: whole months of 730 h; 0 for an offer by use.
    """
    return Hardware(
        contract_or_offer=offer.offer_id,
        gpu_model=offer.gpu_model,
        memory_gb=offer.gpu_memory_gb,
        memory_source=offer.offer_id if offer.gpu_memory_gb is not None else "unknown",
        interconnect=offer.interconnect,
        bare_metal=offer.bare_metal,
        term_hours=float(offer.term_months * HOURS_PER_MONTH),
        network=offer.network,
        nic_gbps=offer.nic_gbps,
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
        hardware = tuple(hardware_of_contract(contract, self.gpu_models) for contract in running or ran)
        if hardware:
            return hardware
        memory_gb, memory_source = memory_of_model(gpu_model, self.gpu_models)
        return (
            Hardware(
                contract_or_offer="", gpu_model=gpu_model, memory_gb=memory_gb, memory_source=memory_source
            ),
        )


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


def with_own_memory(hardware: Hardware, card_gib: float | None) -> Hardware:
    """With what a card of its GPU model really holds, where that is about what is stated of it."""
    stated = hardware.memory_gb
    is_same = card_gib is not None and stated is not None and abs(card_gib / stated - 1) < NEAR_SIZE
    return replace(hardware, usable_gb=card_gib) if is_same else hardware


def memory_by_model(project: Project, gpu_models: Sequence[GpuModel]) -> dict[str, float]:
    """GB of the GPU models of prices, contracts and the log, as far as it is known."""
    sold = {row.gpu_model for row in project.offers} | {contract.gpu_model for contract in project.contracts}
    stated = (name for name in {*project.cube.gpu_models, *sold} if name is not None)
    memory = {name: memory_of_model(name, gpu_models) for name in stated}
    return {name: gb for name, (gb, _) in memory.items() if gb}
