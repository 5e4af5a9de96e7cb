"""Small projects for the engine's tests: demand given hour by hour, contracts and offers in one line each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.result import Audit, WorkloadToday
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.decisions import decide
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.intake import JobFacts, LargestJob
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import MONTH_S, Window

START_S = 1_767_225_600  # 2026-01-01


@dataclass(frozen=True, kw_only=True)
class Load:
    """One workload of a test: mean GPUs in each hour."""

    pool: Pool
    gpus: Sequence[float]
    model: str | None = "H100"
    cluster: str = "c1"
    nodes: int | None = None
    longest_job_s: int = 100 * 3600
    job: tuple[str, float, int, int] | None = None
    """Its largest job, where the test says: id, GPUs, and the hours in which it begins and ends."""


@dataclass(frozen=True)
class Case:
    """A project, and the pool of each of its workloads."""

    project: Project
    pools: tuple[Pool, ...]

    @property
    def end_s(self) -> int:
        return self.project.window.end_s


PLAIN: dict[str, float | int | bool | None] = {
    "recency_half_life_days": None,
    "demand_fall_closes": False,
    "slices_lived": False,
}


def case(
    loads: Sequence[Load],
    contracts: Sequence[Contract] = (),
    offers: Sequence[Offer] = (),
    scenario: Scenario | None = None,
    **assumptions: float | int | bool | None,
) -> Case:
    """A project of these loads; all of them cover the same hours.

    Laws are stated in plain means over short logs: hours weigh alike and no term is closed to a young slice
    unless a test says otherwise.
    """
    hours = len(loads[0].gpus)
    models = tuple(sorted({load.model for load in loads if load.model is not None}))
    amounts = [np.rint(np.asarray(load.gpus) * 3_600_000).astype(np.int64) for load in loads]
    of_model = [-1 if load.model is None else models.index(load.model) for load in loads]
    cube = cube_from_entries(
        hours,
        models,
        np.repeat(np.arange(len(loads)), hours),
        np.repeat(of_model, hours),
        np.tile(np.arange(hours), len(loads)),
        np.concatenate(amounts),
    )
    workloads = tuple(
        Workload(
            key=f"{load.cluster}/team/load-{number:03d}",
            name=f"load-{number:03d}",
            cluster=load.cluster,
            owner="team",
            jobs=1,
            gpu_jobs=1,
            milli_gpu_seconds=int(amounts[number].sum()),
            max_nodes=load.nodes,
            longest_job_s=load.longest_job_s,
        )
        for number, load in enumerate(loads)
    )
    largest = [
        LargestJob(
            key=workload.key, gpu_model=load.model, job_id=load.job[0], milli_gpus=round(load.job[1] * 1000),
            start_s=START_S + load.job[2] * 3600, end_s=START_S + load.job[3] * 3600,
        )
        for workload, load in zip(workloads, loads, strict=True)
        if load.job
    ]  # fmt: skip
    project = Project(
        jobs=JobFacts(largest=tuple(sorted(largest, key=lambda job: -job.milli_gpu_seconds))),
        window=Window(START_S, hours),
        cube=cube,
        workloads=workloads,
        contracts=tuple(sorted(contracts, key=lambda contract: contract.contract_id)),
        offers=tuple(sorted(offers, key=lambda offer: offer.offer_id)),
        assumptions=Assumptions(**({"delta": 0.02} | PLAIN | assumptions)),  # type: ignore[arg-type]
        scenarios=(scenario or Scenario(name="Plan A"),),
    )
    return Case(project, tuple(load.pool for load in loads))


def decided(made: Case) -> Scenario:
    """The plan of a case, with what it decides as a whole."""
    (plan,) = made.project.scenarios
    return replace(plan, whole_decisions=decide(made.project, plan, made.pools, (), AdviceCache()))


def contract(
    name: str, gpus: float, rate: float | None, end_month: float | None, hours: int, **more: object
) -> Contract:
    """A contract that began long ago and ends `end_month` months after a window of `hours` (None: runs on)."""
    end_s = START_S + hours * 3600
    values: dict[str, object] = {"cluster": "c1", "gpu_model": "H100", "start_s": START_S - 40 * MONTH_S}
    values["end_s"] = None if end_month is None else end_s + round(end_month * MONTH_S)
    values.update(more)
    price = None if rate is None else Decimal(str(rate))
    return Contract(contract_id=name, milli_gpus=round(gpus * 1000), rate_usd_per_gpu_hour=price, **values)  # type: ignore[arg-type]


def offer(name: str, term: int, rate: float | None, **more: object) -> Offer:
    """An offer; term 0 is on demand unless the category says otherwise. Hardware that fits every pool."""
    values: dict[str, object] = {
        "gpu_model": "H100",
        "pricing_category": PricingCategory.COMMITTED if term else PricingCategory.STANDARD,
        "gpu_memory_gb": 141.0,
        "bare_metal": True,
        "interconnect": "nvlink",
    }
    values.update(more)
    price = None if rate is None else Decimal(str(rate))
    return Offer(offer_id=name, term_months=term, rate_usd_per_gpu_hour=price, **values)  # type: ignore[arg-type]


def audit(current: float | None = 1000.0) -> Audit:
    """An audit that says only what the totals take from it."""
    return Audit(
        classes={},
        workloads=(),
        clusters=(),
        contracts=(),
        leaks=(),
        checks=(),
        spend=current,
        unused_per_month=10.0,
        effective_utilization=0.5,
        lock_in_now_months=3.0,
    )


def classified(pools: Sequence[Pool]) -> Audit:
    """The same with the classes of workloads: those of their pools."""
    rows = (
        WorkloadToday(
            "",
            Classification(pool=pool, subtype="", confidence=1.0, reasons=(), runner_up=None, source="label"),
            pool,
            None,
        )
        for pool in pools
    )
    return replace(audit(), workloads=tuple(rows))


@pytest.fixture
def make_case() -> Callable[..., Case]:
    return case


@pytest.fixture
def make_contract() -> Callable[..., Contract]:
    return contract


@pytest.fixture
def make_offer() -> Callable[..., Offer]:
    return offer


@pytest.fixture
def make_load() -> Callable[..., Load]:
    def load(pool: Pool, gpus: Sequence[float], model: str | None = "H100", **values: Any) -> Load:
        return Load(pool=pool, gpus=gpus, model=model, **values)

    return load


@pytest.fixture
def three_pools() -> tuple[Load, ...]:
    """One workload in each pool over forty days, on two clusters; one of no known GPU model."""
    random, hours = np.random.default_rng(5), 24 * 40
    return (
        Load(pool=Pool.TRAINING, gpus=8 * (random.random(hours) < 0.7)),
        Load(pool=Pool.INFERENCE, gpus=6 + 3 * random.random(hours), cluster="c2"),
        Load(pool=Pool.BURST, gpus=5 * random.random(hours), model=None),
    )


@pytest.fixture
def make_audit() -> Callable[..., Audit]:
    return audit
