"""Who pays: rows add up to what is paid and what overflowed, whoever they are of and however idle GPUs are shared."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.chargeback import (
    Charge,
    ChargePart,
    RowName,
    charged,
    charges,
    choose_spellings,
    find_row_team,
)
from gpuplanner.domain.audit.cost_result import EVERYTHING, NO_JOB, NOBODY, SEVERAL_TEAMS, UNNAMED, ChargeBy
from gpuplanner.domain.audit.unit_costs.audited_past import past_of
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.assumptions import IdleRule
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.tables import Pool
from tests.oracle.projects import random_case
from tests.some_of import some_of

GPU_HOUR = 3_600_000
TEAMS = ("", "ml", "vision", "Speech", "hr")


def asked(project, classifications, rule=IdleRule.GPU_HOURS):
    project = replace(project, assumptions=replace(project.assumptions, idle_shared_by=rule))
    answer = audit(project, classifications)
    past = past_of(project, answer)
    return answer, charged(past, answer), past


def rows_of(project, classifications, rule=IdleRule.GPU_HOURS, by=ChargeBy.TEAM, budgets=None):
    _, found, past = asked(replace(project, budgets=budgets or {}), classifications, rule)
    return charges(past.project, found, by).rows


def of_teams(case, seed):
    """A random world whose workloads and contracts are of several teams, nobody and no team of the log."""
    r = random.Random(seed)
    project = case.project
    return replace(
        project,
        workloads=tuple(replace(one, owner=r.choice(TEAMS)) for one in project.workloads),
        contracts=tuple(
            replace(one, owner=r.choice([None, "ML", "vision", "nobody", "finance"]))
            for one in project.contracts
        ),
    )


@pytest.mark.parametrize("rule", IdleRule)
@pytest.mark.parametrize("seed", some_of(range(8), quick=3))
def test_rows_add_up_to_what_is_paid_and_what_overflowed(seed, rule):
    case = random_case(seed)
    project = of_teams(case, seed)
    answer, found, past = asked(project, case.classifications, rule)
    paid = known_sum(row.paid_in_window for row in answer.clusters)
    overflow = known_sum(row.overflow_in_window for row in answer.clusters)
    asked_for = sum(workload.gpu_hours for workload in project.workloads)
    for by in ChargeBy:
        answered = charges(past.project, found, by)
        rows = answered.rows
        assert answered.whole.total_in_window == (
            None if paid is None or overflow is None else pytest.approx(paid + overflow, abs=0.004)
        )
        assert sum(row.gpu_hours for row in rows) == pytest.approx(asked_for)
        assert known_sum(row.overflow_in_window for row in rows) == (
            None if overflow is None else pytest.approx(overflow, abs=0.004)
        )
        used = known_sum(known_sum((row.direct_in_window, row.idle_in_window)) for row in rows)
        assert used == (None if paid is None else pytest.approx(paid, abs=0.004))
        assert [row.subject for row in rows] == sorted({row.subject for row in rows}, key=order)
    usd = {row.key: row.usd_per_month for row in answer.workloads}
    for row in found.workloads:  # the audit's own amounts, in two parts
        own = known_sum((row.direct, row.overflow))
        assert usd[row.key] == (None if own is None else pytest.approx(own / found.months, abs=0.004))


def order(subject):
    return subject == "nobody", subject == "unnamed", subject


@pytest.mark.parametrize("rule", IdleRule)
def test_a_team_bears_the_same_however_its_work_is_put_together(rule):
    case = random_case(3)
    _, found, past = asked(of_teams(case, 3), case.classifications, rule)
    teams = {row.team: row for row in charges(past.project, found, ChargeBy.TEAM).rows}
    for by in ChargeBy:
        borne = {}
        for row in charges(past.project, found, by).rows:
            for part in row.parts:
                borne[part.team] = known_sum((borne.get(part.team, 0.0), part.idle_in_window))
        assert borne == {team: pytest.approx(teams[team].idle_in_window) for team in borne}


@pytest.mark.parametrize("rule", IdleRule)
def test_one_team_alone_pays_for_everything(rule):
    case = random_case(5)
    project = case.project  # all of one team
    clusters = {workload.cluster for workload in project.workloads if workload.milli_gpu_seconds}
    assert {contract.cluster for contract in project.contracts} <= clusters
    (row,) = rows_of(project, case.classifications, rule)
    assert (row.team, row.is_nobodys) == ("team", False)


def test_the_largest_hour_is_looked_for_hour_by_hour():
    case = random_case(4)
    project = of_teams(case, 4)
    answer, found, _ = asked(project, case.classifications, IdleRule.PEAK)
    unallocated = {row.cluster: row.unallocated_in_window for row in answer.clusters}
    peaks = {}
    for place, workload in enumerate(project.workloads):
        where = (workload.cluster, workload.owner)
        peaks[where] = peaks.get(where, 0) + project.cube.hourly_of(place)
    peaks = {where: int(np.max(hourly)) for where, hourly in peaks.items() if hourly.any()}
    shares = {(one.cluster, one.team): one.idle_in_window for one in found.shares}
    assert unallocated
    for (cluster, team), peak in peaks.items():
        whole = sum(other for (of, _), other in peaks.items() if of == cluster)
        if cluster in {one.cluster for one in found.shares}:
            assert shares[cluster, team] == pytest.approx(unallocated[cluster] * peak / whole)


@pytest.fixture
def made(world):
    """Ten hours. atlas: 4 GPUs at $2, and 2 at $5 that vision answers for; ml holds 3 GPUs for all of it, vision 1 for
    five hours. borea has a GPU at $1 and no job, cirrus a job of nobody and no contract; on demand $4."""
    workloads = (
        Workload(
            key="a/ml/sft", name="sft", cluster="atlas", owner="ml", model_time=(("llama", 20 * GPU_HOUR),)
        ),
        Workload(
            key="a/vision/chat",
            name="chat",
            cluster="atlas",
            owner="vision",
            model_time=(("Llama", 5 * GPU_HOUR),),
        ),
        Workload(key="c//try", name="try", cluster="cirrus", owner=""),
    )
    entries = [(0, 0, hour, 3 * GPU_HOUR) for hour in range(10)]
    entries += [(1, 0, hour, GPU_HOUR) for hour in range(5)]
    entries += [(2, 0, hour, 2 * GPU_HOUR) for hour in range(3)]
    return world.project(
        10,
        workloads,
        entries,
        [
            world.contract("k1", 4, "2"),
            world.contract("k2", 2, "5", owner="Vision"),
            world.contract("k3", 1, "1", cluster="borea"),
        ],
        [world.offer("od", "4")],
    ), world.classified(Pool.TRAINING, Pool.INFERENCE, Pool.BURST)


def amounts(rows):
    return {
        row.name if not row.is_nobodys else "nobody": tuple(
            round(value, 6)
            for value in (row.gpu_hours, row.direct_in_window, row.idle_in_window, row.overflow_in_window)
        )
        for row in rows
    }


@pytest.mark.parametrize(
    ("rule", "of_ml", "of_vision"),
    [  # k1 idles for $10, k2 for $100
        (IdleRule.GPU_HOURS, 110 * 30 / 35, 110 * 5 / 35),
        (IdleRule.PEAK, 110 * 3 / 4, 110 * 1 / 4),
        (IdleRule.OWNER, 10 * 30 / 35, 10 * 5 / 35 + 100),
    ],
)
def test_by_hand(made, rule, of_ml, of_vision):
    assert amounts(rows_of(*made, rule)) == {
        "ml": (30, 60, round(of_ml, 6), 0),
        "vision": (5, 10, round(of_vision, 6), 0),
        "nobody": (6, 0, 10, 24),
    }


def test_by_workload_model_and_endpoint_by_hand(made):
    ml, vision = round(110 * 30 / 35, 6), round(110 * 5 / 35, 6)
    assert amounts(rows_of(*made, by=ChargeBy.WORKLOAD)) == {
        "a/ml/sft": (30, 60, ml, 0),
        "a/vision/chat": (5, 10, vision, 0),
        "c//try": (6, 0, 0, 24),
        "nobody": (0, 0, 10, 0),
    }
    models = rows_of(*made, by=ChargeBy.MODEL)
    assert amounts(models) == {
        "llama": (25, 50, round(110 * (20 + 5) / 35, 6), 0),
        None: (16, 20, round(110 * 10 / 35, 6), 24),
        "nobody": (0, 0, 10, 0),
    }
    assert [row.team for row in models] == [None, None, ""]
    endpoints = rows_of(*made, by=ChargeBy.ENDPOINT)
    assert amounts(endpoints) == {
        "a/vision/chat": (5, 10, vision, 0),
        None: (36, 60, ml, 24),
        "nobody": (0, 0, 10, 0),
    }
    assert [row.team for row in endpoints] == ["vision", None, ""]


def test_an_owner_without_a_job_there_bears_its_contract_and_no_contract_falls_back_to_gpu_hours(made):
    project, classes = made
    k1, k2, k3 = project.contracts
    nobodys = replace(project, contracts=(k1, replace(k2, owner=None), k3))
    assert amounts(rows_of(nobodys, classes, IdleRule.OWNER)) == amounts(rows_of(*made))
    finance = replace(project, contracts=(k1, replace(k2, owner="finance"), replace(k3, owner="ml")))
    assert amounts(rows_of(finance, classes, IdleRule.OWNER)) == {
        "finance": (0, 0, 100, 0),
        "ml": (30, 60, round(10 * 30 / 35 + 10, 6), 0),  # of borea too, where it has no job
        "vision": (5, 10, round(10 * 5 / 35, 6), 0),
        "nobody": (6, 0, 0, 24),
    }
    assert amounts(rows_of(finance, classes, IdleRule.OWNER, ChargeBy.WORKLOAD))["nobody"] == (0, 0, 110, 0)


def test_without_a_rate_what_needs_it_is_unknown(made):
    project, classes = made
    k1, k2, k3 = project.contracts
    no_price = replace(project, offers=())
    rows = {row.team: row for row in rows_of(no_price, classes)}
    assert (rows[""].overflow_in_window, rows[""].total_in_window, rows[""].idle_in_window) == (
        None,
        None,
        10,
    )
    assert rows["ml"].overflow_in_window == 0
    no_rate = replace(project, contracts=(k1, replace(k2, rate_usd_per_gpu_hour=None), k3))
    rows = {row.team: row for row in rows_of(no_rate, classes, IdleRule.OWNER)}
    assert rows["vision"].direct_in_window == pytest.approx(10)
    assert rows["vision"].idle_in_window is None
    assert rows["ml"].idle_in_window == pytest.approx(10 * 30 / 35)


def test_budgets_are_of_teams_and_a_team_without_a_job_has_a_row(made):
    budgets = {"ML": 73_000.0, "hr": 730.0, "Nobody": 7_300.0}
    rows = rows_of(*made, budgets=budgets)
    idle = 110 * 30 / 35
    assert [(row.team, row.budget_in_window, row.left_in_window) for row in rows] == [
        ("hr", 10, 10),
        ("ml", 1_000, pytest.approx(1_000 - 60 - idle)),
        ("vision", None, None),
        ("", 100, 100 - 34),
    ]
    assert {row.budget_per_month for row in rows_of(*made, by=ChargeBy.MODEL, budgets=budgets)} == {None}


def test_a_row_is_looked_up_by_its_subject(world):
    """2 GPU-hours of a team and 1 of work without one, at $2."""
    works = [world.workload("a"), replace(world.workload("b"), owner="")]
    entries = [(0, 0, 0, 2 * GPU_HOUR), (1, 0, 0, GPU_HOUR)]
    project = world.project(1, works, entries, [world.contract("k", 3, "2")])
    _, found, past = asked(project, world.classified(*[Pool.TRAINING] * 2))
    answered = charges(past.project, found, ChargeBy.TEAM)
    subjects = ("=team", "nobody", "all")
    assert [row.subject for row in answered.rows] == list(subjects[:2])
    direct = [answered.row(subject).direct_in_window for subject in subjects]
    assert direct == pytest.approx([4.0, 2.0, 6.0])
    assert [answered.row(subject).gpu_hours for subject in subjects] == [2.0, 1.0, 3.0]
    with pytest.raises(StopIteration):
        answered.row("=hr")


def test_a_model_is_spelled_as_most_of_its_gpu_time_is() -> None:
    row: Any = None
    drafts = [
        (RowName(0, "LLaMA"), row, 5),
        (RowName(0, "llama"), row, 9),
        (RowName(0, "Llama"), row, 7),
        (RowName(1, ""), row, 1),
    ]
    assert choose_spellings(drafts) == {
        RowName(0, "llama"): RowName(0, "llama"),
        RowName(1, ""): RowName(1, ""),
    }
    assert choose_spellings(drafts[::2]) == {RowName(0, "llama"): RowName(0, "Llama")}
    assert choose_spellings([(RowName(0, "Zed"), row, 0)]) == {RowName(0, "zed"): RowName(0, "Zed")}


def test_a_row_is_of_a_team_where_all_of_it_is() -> None:
    parts = [
        ChargePart(
            key="a",
            cluster="c",
            team=team,
            gpu_hours=1.0,
            direct_in_window=1.0,
            idle_in_window=1.0,
            overflow_in_window=1.0,
        )
        for team in ("ml", "ml", "hr")
    ]
    assert find_row_team(RowName(0, "x"), ChargeBy.MODEL, parts[:2]) == "ml"
    assert find_row_team(RowName(0, "x"), ChargeBy.MODEL, parts) is None
    assert find_row_team(RowName(0, "x"), ChargeBy.TEAM, parts) == "x"
    assert (
        find_row_team(RowName(2, ""), ChargeBy.MODEL, parts)
        == find_row_team(RowName(2, ""), ChargeBy.TEAM, parts)
        == ""
    )
    assert parts[0].total_in_window == 3.0
    for name in ("direct_in_window", "idle_in_window", "overflow_in_window"):
        assert replace(parts[0], **{name: None}).total_in_window is None


@pytest.mark.parametrize(
    ("by", "name", "team", "is_nobodys", "is_all", "called", "whose", "subject"),
    [
        (ChargeBy.MODEL, "llama", "ml", False, False, "llama", "ml", "=llama"),
        (ChargeBy.MODEL, "llama", None, False, False, "llama", SEVERAL_TEAMS, "=llama"),
        (ChargeBy.MODEL, "llama", "", False, False, "llama", NOBODY, "=llama"),
        (ChargeBy.MODEL, None, "ml", False, False, UNNAMED[ChargeBy.MODEL], "ml", "unnamed"),
        (ChargeBy.MODEL, None, "", True, False, NO_JOB, "", "nobody"),
        (ChargeBy.TEAM, None, "", True, False, NOBODY, "", "nobody"),
        (ChargeBy.TEAM, None, "ml", False, True, EVERYTHING, "", "all"),
        (ChargeBy.TEAM, None, "", True, True, EVERYTHING, "", "all"),
    ],
)
def test_a_row_is_called_by_its_name_and_is_of_a_team(
    by: ChargeBy,
    name: str | None,
    team: str | None,
    is_nobodys: bool,
    is_all: bool,
    called: Text,
    whose: Text,
    subject: str,
) -> None:
    row = Charge(
        by=by,
        name=name,
        team=team,
        is_nobodys=is_nobodys,
        gpu_hours=1.0,
        direct_in_window=None,
        idle_in_window=None,
        overflow_in_window=None,
        total_in_window=None,
        budget_per_month=None,
        budget_in_window=None,
        left_in_window=None,
        parts=(),
        is_all=is_all,
    )
    assert (row.called, row.whose, row.subject) == (called, whose, subject)
