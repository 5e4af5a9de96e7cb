"""A small world for audit tests: projects from lists of (workload, hour, milli-GPU-seconds)."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window

START_S = 1_782_864_000  # 2026-07-01T00:00:00Z
GPU_HOUR = 3_600_000
Entry = tuple[int, int, int, int]  # workload, model (-1 unknown), hour, milli-GPU-seconds


def make_project(
    hours: int,
    workloads: Sequence[Workload],
    entries: Sequence[Entry],
    contracts: Sequence[Contract] = (),
    offers: Sequence[Offer] = (),
    models: Sequence[str] = ("H100", "A100"),
) -> Project:
    table = np.array(entries, dtype=np.int64).reshape(-1, 4)
    cube = cube_from_entries(hours, tuple(models), *table.T)
    spent = np.bincount(cube.workload_index, weights=cube.row_totals, minlength=len(workloads))
    filled = tuple(
        replace(one, milli_gpu_seconds=int(amount)) for one, amount in zip(workloads, spent, strict=True)
    )
    return Project(
        window=Window(START_S, hours),
        cube=cube,
        workloads=filled,
        contracts=tuple(contracts),
        offers=tuple(offers),
    )


def make_workload(name: str, cluster: str = "atlas", **facts: object) -> Workload:
    return Workload(
        key=f"{cluster}/team/{name}", name=name, cluster=cluster, owner="team", jobs=1, gpu_jobs=1, **facts
    )  # type: ignore[arg-type]


def make_contract(contract_id: str, gpus: float, rate: str | None, **facts: object) -> Contract:
    known: dict[str, object] = {"cluster": "atlas", "gpu_model": "H100", "start_s": 0} | facts
    if known.get("pricing_category") is not None:
        known["pricing_category"] = PricingCategory(str(known["pricing_category"]))
    return Contract(
        contract_id=contract_id,
        milli_gpus=round(gpus * 1000),
        rate_usd_per_gpu_hour=None if rate is None else Decimal(rate),
        **known,  # type: ignore[arg-type]
    )


def make_offer(offer_id: str, rate: str | None, **facts: object) -> Offer:
    known: dict[str, object] = {
        "gpu_model": "H100",
        "pricing_category": PricingCategory.STANDARD,
        "term_months": 0,
    } | facts
    known["pricing_category"] = PricingCategory(str(known["pricing_category"]))
    return Offer(
        offer_id=offer_id,
        rate_usd_per_gpu_hour=None if rate is None else Decimal(rate),
        **known,  # type: ignore[arg-type]
    )


def classified(*pools: Pool, confidence: float = 0.9, subtype: str = "") -> tuple[Classification, ...]:
    return tuple(
        Classification(
            pool=pool,
            subtype=subtype,
            confidence=confidence,
            reasons=("a", "b", "c"),
            runner_up=None,
            source="rule",
        )
        for pool in pools
    )


@pytest.fixture
def world() -> object:
    """The makers above, since test folders are no packages."""

    class World:
        project = staticmethod(make_project)
        workload = staticmethod(make_workload)
        contract = staticmethod(make_contract)
        offer = staticmethod(make_offer)
        classified = staticmethod(classified)

    return World
