"""Spellings: one for each GPU model throughout a project, whatever the files write; only case is ignored."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.cube import Cube, cube_from_entries
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.tables import GpuModel


def canonical_spellings(
    offers: Iterable[Offer],
    contracts: Iterable[Contract],
    gpu_models: Iterable[GpuModel],
    log_models: Iterable[str],
) -> dict[str, str]:
    """By the name without case: the first spelling in offers, contracts, the known table, the log, in this order."""
    chosen: dict[str, str] = {}
    named = (
        *(offer.gpu_model for offer in offers),
        *(contract.gpu_model for contract in contracts),
        *(model.name for model in gpu_models),
        *log_models,
    )
    for name in named:
        if name:
            chosen.setdefault(name.casefold(), name)
    return chosen


def spell_offers(offers: Iterable[Offer], spellings: Mapping[str, str]) -> tuple[Offer, ...]:
    """Offers with their models spelled as everywhere."""
    return tuple(
        replace(offer, gpu_model=spellings.get(offer.gpu_model.casefold(), offer.gpu_model))
        for offer in offers
    )


def spell_contracts(contracts: Iterable[Contract], spellings: Mapping[str, str]) -> tuple[Contract, ...]:
    """Contracts with their models spelled as everywhere."""
    return tuple(
        contract
        if contract.gpu_model is None
        else replace(contract, gpu_model=spellings.get(contract.gpu_model.casefold(), contract.gpu_model))
        for contract in contracts
    )


def spell_cube(cube: Cube, spellings: Mapping[str, str]) -> Cube:
    """The cube with its models spelled as everywhere; spellings that become one are added up."""
    spelled = [spellings.get(name.casefold(), name) for name in cube.gpu_models]
    names = tuple(sorted(set(spelled)))
    if names == tuple(spelled):  # none became one, and the order stays
        return cube if names == cube.gpu_models else replace(cube, gpu_models=names)
    index = np.array([*(names.index(name) for name in spelled), -1], dtype=np.int64)  # -1 stays -1
    row = cube.entry_row
    return cube_from_entries(
        cube.hours,
        names,
        cube.workload_index[row],
        index[cube.model_index[row]],
        cube.hour,
        cube.milli_gpu_seconds,
    )
