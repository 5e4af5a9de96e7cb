"""Take or pay: the share that is paid, by the use of each calendar month."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.utilization.paid_contracts import held_contracts, paid_contracts
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.domain.audit.conftest import GPU_HOUR, Entry, make_contract, make_project, make_workload

TRAINING, INFERENCE, BURST = Pool.TRAINING, Pool.INFERENCE, Pool.BURST


def take_or_pay(percent: float | None, hours: int, entries: list[Entry], **more: object) -> Project:
    contract = replace(make_contract("t", 2, "2", **more), take_or_pay_percent=percent)
    bare = make_contract("u", 1, "1", gpu_model="A100")
    return make_project(hours, [make_workload("w")], entries, [contract, bare])


def test_what_is_take_or_pay_pays_its_share_or_what_is_used() -> None:
    """10 h of 2 GPUs, half to be paid; 2 of them used in 4 h are 8 of 20, in 7 h 14 of 20."""
    for ran, paid, used in ((4, 0.5, 0.4), (7, 0.7, 0.7), (0, 0.5, 0.0)):
        project = take_or_pay(50.0, 10, [(0, 0, hour, 2 * GPU_HOUR) for hour in range(ran)])
        contract, bare = paid_contracts(project)
        assert (contract.paid_share, contract.used_share) == (pytest.approx(paid), pytest.approx(used))
        assert (bare.paid_share, bare.used_share) == (1.0, 0.0)
        assert [item.contract_id for item in held_contracts(project)] == ["t", "u"]
        undated = replace(project, window=Window(0, 10))  # without a calendar
        assert paid_contracts(undated)[0].paid_share == pytest.approx(paid)
        assert paid_contracts(undated)[0].used_share == pytest.approx(used)
    whole = take_or_pay(None, 10, [])
    assert paid_contracts(whole) is whole.contracts


def test_each_calendar_month_pays_for_itself() -> None:
    """July and August have 744 h each. July is used for 558 h, which it pays; August pays its half, 372 h."""
    entries = [(0, 0, hour, 2 * GPU_HOUR) for hour in range(558)]
    contract, _ = paid_contracts(take_or_pay(50.0, 1488, entries))
    assert contract.used_share == pytest.approx(558 / 1488)
    assert contract.paid_share == pytest.approx((558 + 372) / 1488)


def test_planned_work_has_used_nothing_yet() -> None:
    project = take_or_pay(50.0, 10, [(0, 0, hour, 2 * GPU_HOUR) for hour in range(8)])
    (work,) = project.workloads
    plan = Scenario(
        name="A",
        planned=(PlannedWork(name=work.name, pool=TRAINING, gpu_model="H100", gpus=1.0, cluster="atlas"),),
    )
    planned = replace(project, scenarios=(plan,))
    assert paid_contracts(planned)[0].paid_share == pytest.approx(0.8)  # another key: it is of the log
    same = replace(work, key=plan.planned[0].key)
    logged, unlogged = (replace(planned, workloads=(replace(same, jobs=jobs),)) for jobs in (1, 0))
    assert paid_contracts(logged)[0].paid_share == pytest.approx(0.8)
    assert paid_contracts(unlogged)[0].paid_share == pytest.approx(0.5)
    unnamed = replace(unlogged, workloads=(replace(work, jobs=0),))
    assert paid_contracts(unnamed)[0].paid_share == pytest.approx(0.8)
