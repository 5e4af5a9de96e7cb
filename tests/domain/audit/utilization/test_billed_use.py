"""Billed use against a loop over hours: it serves before contracts, costs what bills charge, and never overflows."""

import random
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window, served_by_model
from gpuplanner.domain.model.billed import BilledUse
from gpuplanner.domain.model.book.billed_part import BilledPart
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.intake import JobFacts
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.track.track import billed_in
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)

ON_DEMAND, COMMITTED, SPOT = PricingCategory.STANDARD, PricingCategory.COMMITTED, PricingCategory.DYNAMIC
HOURS = 48
OFFERS = (make_offer("od", "6.88"), make_offer("od-a", "4", gpu_model="A100"))


def use(
    model: str, category: PricingCategory, gpus: Sequence[int], rate: float, **facts: object
) -> BilledUse:
    """Use at one rate; gpus: in each hour from the window's start."""
    known: dict[str, object] = {"cluster": "atlas", "currency": "USD", "is_daily": False} | facts
    spans = tuple((START_S + at * HOUR_S, 1, held * GPU_HOUR) for at, held in enumerate(gpus) if held)
    return BilledUse(
        gpu_model=model,
        pricing_category=category,
        amount=rate * sum(gpus),
        spans=spans,
        **known,  # type: ignore[arg-type]
    )


def project_of(uses: Sequence[BilledUse], contracts: Sequence[Contract], more: Sequence[int] = ()) -> Project:
    """Jobs that are the billed use, and `more`: H100 in each hour that no bill has."""
    models = ("H100", "A100")
    works = [make_workload(f"w{at}") for at in range(len(uses) + 1)]
    entries = [
        (at, models.index(one.gpu_model or ""), (start_s - START_S) // HOUR_S, amount)
        for at, one in enumerate(uses)
        for start_s, _, amount in one.spans
    ]
    entries += [(len(uses), 0, hour, gpus * GPU_HOUR) for hour, gpus in enumerate(more) if gpus]
    project = make_project(HOURS, works, entries, contracts, OFFERS, models)
    return replace(project, jobs=JobFacts(billed=tuple(uses)))


def audited(project: Project) -> Audit:
    return audit(project, classified(*[Pool.INFERENCE] * len(project.workloads)))


def random_case(seed: int) -> Project:
    rng = random.Random(seed)
    uses = [
        use(
            rng.choice(("H100", "A100")),
            rng.choice((ON_DEMAND, SPOT, COMMITTED)),
            [rng.choice((0, 0, 1, 2, 5)) for _ in range(HOURS)],
            rng.randint(1, 40) / 8,
        )
        for _ in range(rng.randint(1, 5))
    ]
    uses = [one for one in uses if one.spans]
    contracts = [
        make_contract(f"k{at}", rng.randint(1, 6), "2.5", gpu_model=rng.choice(("H100", "A100")))
        for at in range(rng.randint(0, 2))
    ]
    return project_of(uses, contracts, [rng.choice((0, 0, 3)) for _ in range(HOURS)])


@pytest.mark.parametrize("seed", range(25))
def test_what_is_paid_is_what_bills_and_contracts_say_hour_by_hour(seed: int) -> None:
    """A fee on the bill takes the place of the contracts' rates on its days; else contracts cost their own."""
    project = random_case(seed)
    (hours,) = dispatch_window(project, [Pool.INFERENCE] * len(project.workloads))
    held = {contract.gpu_model for contract in project.contracts}
    by_hand = sum(one.amount for one in project.jobs.billed)
    fee_days = {
        (one.gpu_model, (start_s - START_S) // 86_400)
        for one in project.jobs.billed
        if one.pricing_category is COMMITTED
        for start_s, _, _ in one.spans
    }
    for contract in project.contracts:
        own = sum((contract.gpu_model, hour // 24) not in fee_days for hour in range(HOURS))
        by_hand += 2.5 * contract.gpus * own
    (row,) = audited(project).clusters
    assert row.paid_in_window == pytest.approx(by_hand, abs=0.005)
    assert row.paid_in_window == pytest.approx(row.allocated_in_window + row.unallocated_in_window, abs=0.005)

    wanted, room = hours.demand.sum(axis=1), hours.capacity
    beyond = np.zeros(HOURS)
    for number, model in enumerate(hours.models):
        billed = sum(
            (
                np.bincount(
                    [(s - START_S) // HOUR_S for s, _, _ in one.spans], [a for _, _, a in one.spans], HOURS
                )
                for one in project.jobs.billed
                if one.gpu_model == model
            ),
            np.zeros(HOURS),
        )
        gpus = sum(
            contract.milli_gpus * HOUR_S for contract in project.contracts if contract.gpu_model == model
        )
        by_use = billed - sum(
            (
                np.bincount(
                    [(s - START_S) // HOUR_S for s, _, _ in one.spans], [a for _, _, a in one.spans], HOURS
                )
                for one in project.jobs.billed
                if one.gpu_model == model and one.pricing_category is COMMITTED and model in held
            ),
            np.zeros(HOURS),
        )
        left = np.maximum(wanted[number] - by_use - gpus, 0)
        covered = np.minimum(left, billed - by_use)  # of commitments, beyond the contracts
        beyond += left - covered
    assert hours.overflow.sum(axis=0).tolist() == beyond.tolist()
    assert (hours.served <= room).all() and (
        hours.served.sum(axis=0) == hours.served_demand.sum(axis=0)
    ).all()
    assert (served_by_model(hours).sum(axis=0) == hours.served).all()


def test_on_demand_and_spot_are_served_by_use_and_not_by_a_contract() -> None:
    """4 on demand at $5 and 2 of spot at $1 for 24 h; the contract of 8 at $2.50 serves 3 that no bill has."""
    day = [1] * 24
    uses = [
        use("H100", ON_DEMAND, [4 * one for one in day], 5.0),
        use("H100", SPOT, [2 * one for one in day], 1.0),
    ]
    project = project_of(uses, [make_contract("k", 8, "2.5")], [3] * 24)
    found = audited(project)
    (row,), (contract,) = found.clusters, found.contracts
    assert (contract.used_gpu_hours, contract.paid_gpu_hours) == (72, 8 * HOURS)
    assert row.paid_in_window == pytest.approx(4 * 24 * 5 + 2 * 24 * 1 + 8 * HOURS * 2.5)
    assert (row.overflow_gpu_hours, row.unallocated_in_window) == (0, pytest.approx((8 * HOURS - 72) * 2.5))
    cost = [of.usd_per_month * project.window.months for of in found.workloads]
    assert cost == pytest.approx([708 * gpus / 9 for gpus in (4, 2, 3)])  # by GPU time in each hour


def test_a_day_without_a_bill_is_as_without_one() -> None:
    """The second day's 4 GPUs overflow at the list price of $6.88, as no contract serves them."""
    project = project_of([use("H100", ON_DEMAND, [4] * 24, 5.0)], [], [0] * 24 + [4] * 24)
    (row,) = audited(project).clusters
    assert (row.paid_in_window, row.overflow_in_window) == (480, pytest.approx(4 * 24 * 6.88))


def test_a_fee_on_the_bill_replaces_the_contracts_rate_on_its_days_alone() -> None:
    """$120 for one day of a contract of 4 at $2.50, which costs $240 on the other."""
    fee = use("H100", COMMITTED, [3] * 24, 120 / 72)
    found = audited(project_of([fee], [make_contract("k", 4, "2.5")]))
    (row,), (contract,) = found.clusters, found.contracts
    assert (row.paid_in_window, contract.inputs.contract.rate) == pytest.approx((360, 360 / (4 * HOURS)))
    assert row.unallocated_in_window == pytest.approx(360 * (4 * HOURS - 72) / (4 * HOURS))


def test_a_commitment_without_a_fee_on_the_bill_leaves_contracts_at_their_own_rate() -> None:
    found = audited(project_of([use("H100", COMMITTED, [3] * 24, 0.0)], [make_contract("k", 4, "2.5")]))
    assert found.clusters[0].paid_in_window == pytest.approx(4 * HOURS * 2.5)


def test_lines_of_a_day_count_in_sums_and_in_no_figure_of_single_hours() -> None:
    """Over half of the GPU-hours without hours: stranded is unknown. Under half: they are left out of it."""
    contract = make_contract("k", 4, "2.5")
    daily = use("H100", ON_DEMAND, [4] * 24, 5.0, is_daily=True)
    (row,) = audited(project_of([daily], [contract], [1] * HOURS)).clusters
    assert (row.stranded_metered, row.stranded_audit) == (None, None)
    assert row.paid_in_window == pytest.approx(480 + 480)
    (row,) = audited(project_of([daily], [contract], [4] * HOURS)).clusters
    assert (row.stranded_metered, row.inputs.non_training_paid) == (0, 4 * HOURS * GPU_HOUR)


@pytest.mark.parametrize(
    ("exchange", "rate"), [((), None), ((ExchangeRate("EUR", Decimal("1.25"), "2026-07-01"),), 6.25)]
)
def test_a_bill_in_another_currency_needs_its_exchange_rate(
    exchange: tuple[ExchangeRate, ...], rate: float | None
) -> None:
    project = replace(project_of([use("H100", ON_DEMAND, [1], 5.0, currency="EUR")], []), exchange=exchange)
    (hours,) = dispatch_window(project, [Pool.INFERENCE] * 2)
    (part,) = hours.contracts
    assert isinstance(part, BilledPart) and part.rate == rate


def test_what_a_plan_no_longer_asks_for_costs_nothing() -> None:
    """Half of the billed use runs: half of it is paid. What came is told by the hours asked for."""
    project = project_of([use("H100", ON_DEMAND, [4] * 24, 5.0)], [])
    less = replace(project, cube=replace(project.cube, milli_gpu_seconds=project.cube.milli_gpu_seconds // 2))
    (row,) = audited(less).clusters
    assert row.paid_in_window == pytest.approx(240)
    clusters = dispatch_window(project, [Pool.INFERENCE] * 2)
    came = [(part.rate, gpu_hours) for part, gpu_hours in billed_in(clusters, slice(12, 48))]
    assert came == [(5.0, 48.0)]
