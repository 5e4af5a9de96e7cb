"""Leaks: each rule on a small case worked out by hand, and the total that counts no GPU-hour twice."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.leak_claims import Part, PartOf, listed
from gpuplanner.domain.audit.leak_list import (
    dismissed_leaks,
    leak_parts,
    most_expensive_first,
    remedy_of,
    totals_by_status,
    worth_of,
)
from gpuplanner.domain.audit.result import Audit, Leak, LeakPart
from gpuplanner.domain.message import Message, Text, joined
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.scenario import LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.reports.leaks import LEAKS, LONGEST_WHERE, LeakRow
from gpuplanner.domain.reports.report import Medium
from tests.domain.audit.conftest import START_S, make_project
from tests.oracle.crafted import CRAFTED

# --- Leaks: each rule on a small case worked out by hand, and the total that counts no GPU-hour twice

GPU_HOUR = 3_600_000
MONTHS = 730


def leaks(answer: Audit, code: str) -> list[Leak]:
    return [leak for leak in answer.leaks if leak.code == code]


def test_an_idle_tail_runs_from_the_end_of_training_to_the_next_rise(world: Any) -> None:
    rows = [(0, 0, hour, 8 * GPU_HOUR) for hour in (0, 1, 2, 8)] + [
        (1, 0, hour, 2 * GPU_HOUR) for hour in range(10)
    ]
    workloads = [world.workload("sft"), world.workload("chat")]
    project = world.project(10, workloads, rows, [world.contract("k", 10, "2")])
    answer = audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE))
    (leak,) = leaks(answer, "idle_tail")
    assert leak.gpu_hours == pytest.approx((5 + 1) * 8)  # hours 3..7 until training again, and hour 9
    assert str(leak.subject) == "atlas: 2 tails"
    assert leak.leaked_per_month == pytest.approx(48 * 2 * MONTHS / 10)
    patient = replace(
        project, assumptions=replace(project.assumptions, idle_tail_minutes=60)
    )  # hour 9 is no more
    answer = audit(patient, world.classified(Pool.TRAINING, Pool.INFERENCE))
    assert leaks(answer, "idle_tail")[0].gpu_hours == pytest.approx(40)


@pytest.mark.parametrize(
    ("activity", "longest_h", "held"),
    [(0.05, 30, 30), (0.20, 30, 0), (None, 30, 0), (None, 80, 80), (0.05, 20, 0)],
)
def test_development_held_long_without_activity(
    world: Any, activity: float | None, longest_h: int, held: int
) -> None:
    rows = [(0, 0, hour, 2 * GPU_HOUR) for hour in range(longest_h)] + [(0, 0, 100, GPU_HOUR)]
    box = world.workload("devbox", activity=activity, longest_job_s=longest_h * 3600)
    project = world.project(120, [box], rows, [world.contract("k", 4, "1")])
    found = leaks(audit(project, world.classified(Pool.BURST, subtype="development")), "persistent_dev")
    assert sum(leak.gpu_hours for leak in found) == pytest.approx(2 * held)


def reservation(world: Any, days: int, used: float, start_day: int = -30) -> Any:
    hours = days * 24
    rows = [(0, 0, hour, round(used * 10 * GPU_HOUR)) for hour in range(hours)] if used else []
    contract = world.contract("k", 10, "1", start_s=START_S + start_day * 86_400)
    return world.project(hours, [world.workload("w")], rows, [contract])


@pytest.mark.parametrize(
    ("days", "used", "start_day", "is_found"),
    [
        (90, 0.05, -30, True),
        (90, 0.10, -30, False),
        (90, 0.0, 40, True),
        (90, 0.0, 70, False),
        (20, 0.0, -30, False),
        (45, 0.02, -30, True),
    ],
)
def test_a_reservation_that_never_materialised(
    world: Any, days: int, used: float, start_day: int, is_found: bool
) -> None:
    answer = audit(reservation(world, days, used, start_day), world.classified(Pool.BURST))
    found = leaks(answer, "unmaterialised")
    assert bool(found) is is_found
    if is_found:
        assert found[0].leaked_per_month == pytest.approx(answer.contracts[0].unused_per_month)


def test_one_used_block_of_thirty_days_is_enough_to_have_materialised(world: Any) -> None:
    rows = [(0, 0, hour, 10 * GPU_HOUR) for hour in range(100)]
    project = world.project(2160, [world.workload("w")], rows, [world.contract("k", 10, "1", start_s=0)])
    assert not leaks(audit(project, world.classified(Pool.BURST)), "unmaterialised")


def test_peak_provisioned_is_what_is_held_beyond_the_target_rounded_up(world: Any) -> None:
    rows = [(0, 0, hour, 8 * GPU_HOUR) for hour in range(24)]
    for activity, spare in ((0.26, 8 - 4), (0.325, 8 - 4), (0.33, 8 - 5), (0.70, 0)):
        project = world.project(
            24, [world.workload("api", activity=activity)], rows, [world.contract("k", 8, "2")]
        )
        found = leaks(audit(project, world.classified(Pool.INFERENCE)), "peak_provisioned")
        assert sum(leak.gpu_hours for leak in found) == pytest.approx(24 * spare)


def test_inference_that_follows_its_load_is_not_peak_provisioned(world: Any) -> None:
    rows = [(0, 0, hour, (1 + 7 * (hour % 2)) * GPU_HOUR) for hour in range(24)]
    project = world.project(24, [world.workload("api", activity=0.2)], rows, [world.contract("k", 8, "2")])
    assert not leaks(audit(project, world.classified(Pool.INFERENCE)), "peak_provisioned")


def test_failed_work_costs_what_its_workload_cost(world: Any) -> None:
    workload = world.workload("sft", failed_milli_gpu_seconds=3 * GPU_HOUR)
    project = world.project(10, [workload], [(0, 0, 0, 6 * GPU_HOUR)], [world.contract("k", 8, "2")])
    (leak,) = leaks(audit(project, world.classified(Pool.TRAINING)), "failed_work")
    assert (leak.gpu_hours, leak.leaked_per_month) == (3, pytest.approx(3 * 2 * MONTHS / 10))
    assert str(leak.subject) == "atlas: sft"


def test_a_service_that_its_time_limit_restarts_has_lost_no_work(world: Any) -> None:
    """Known answer 55: TIMEOUT is failed work but for inference; what else failed of a service counts."""
    workloads = [
        world.workload(
            name, failed_milli_gpu_seconds=each * GPU_HOUR, timed_out_milli_gpu_seconds=timed_out * GPU_HOUR
        )
        for name, each, timed_out in (("sft", 1, 1), ("chat", 3, 2), ("api", 4, 4))
    ]
    rows = [(at, 0, 0, 4 * GPU_HOUR) for at in (0, 1, 2)]
    project = world.project(10, workloads, rows, [world.contract("k", 12, "2")])
    pools = (Pool.TRAINING, Pool.INFERENCE, Pool.INFERENCE)
    (leak,) = leaks(audit(project, world.classified(*pools)), "failed_work")
    assert leak.gpu_hours == 1 + 1


def test_runs_that_started_again_after_their_limit_are_told_apart(world: Any) -> None:
    """Of 5 failed GPU-hours of training 3 timed out, 2 of them with a restart: 3 count, 2 are said."""
    workloads = [
        world.workload(
            name,
            failed_milli_gpu_seconds=5 * GPU_HOUR,
            timed_out_milli_gpu_seconds=3 * GPU_HOUR,
            restarted_milli_gpu_seconds=2 * GPU_HOUR,
        )
        for name in ("sft", "chat")
    ]
    rows = [(at, 0, 0, 6 * GPU_HOUR) for at in (0, 1)]
    project = world.project(10, workloads, rows, [world.contract("k", 12, "2")])
    (leak,) = leaks(audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE)), "failed_work")
    assert leak.gpu_hours == 3 + 2  # of the service all that timed out is none
    assert isinstance(leak.action, Message) and str(leak.action.values["hours"]) == "2.0"


def test_contention_is_demand_beyond_the_gpus_of_its_model(world: Any) -> None:
    workloads = [world.workload("sft"), world.workload("chat")]
    rows = [(0, 0, 0, 8 * GPU_HOUR), (1, 0, 0, 4 * GPU_HOUR), (1, 0, 1, 2 * GPU_HOUR)]
    offers = [world.offer("o", "6.88")]
    project = world.project(2, workloads, rows, [world.contract("k", 9, "2")], offers)
    answer = audit(project, world.classified(Pool.TRAINING, Pool.INFERENCE))
    (leak,) = leaks(answer, "contention")
    assert (str(leak.subject), leak.gpu_hours) == ("atlas: sft", pytest.approx(3))
    assert leak.leaked_per_month == pytest.approx(3 * 6.88 * MONTHS / 2)
    assert [check.code for check in answer.checks if check.severity == "amber"] == ["contention"]


def test_the_consolidation_premium_is_the_rate_paid_above_the_cheapest_that_fits(world: Any) -> None:
    offers = [
        world.offer("on-demand", "6.88"),
        world.offer("metal", "2.00", pricing_category="COMMITTED", term_months=12),
        world.offer("spot", "1.00", pricing_category="DYNAMIC"),
    ]
    rows = [(0, 0, hour, 4 * GPU_HOUR) for hour in range(10)]
    project = world.project(10, [world.workload("chat")], rows, [world.contract("k", 4, "3")], offers)
    (leak,) = leaks(audit(project, world.classified(Pool.INFERENCE)), "consolidation_premium")
    assert (leak.gpu_hours, leak.leaked_per_month) == (40, pytest.approx(40 * (3 - 2) * MONTHS / 10))
    assert "metal" in str(leak.action)


def test_burst_on_a_term_longer_than_it_is_active(world: Any) -> None:
    rows = [(0, 0, hour, 2 * GPU_HOUR) for hour in range(5)]
    for term, is_found in ((12, True), (None, True)):
        contract = world.contract("k", 2, "1", term_months=term)
        project = world.project(10, [world.workload("lr-sweep")], rows, [contract])
        found = leaks(audit(project, world.classified(Pool.BURST)), "permanent_burst")
        assert bool(found) is is_found
        assert found[0].gpu_hours == pytest.approx(10)
    brief = world.contract("k", 2, "1", start_s=START_S, end_s=START_S + 5 * 3600)
    project = world.project(10, [world.workload("lr-sweep")], rows, [brief])
    assert not leaks(audit(project, world.classified(Pool.BURST)), "permanent_burst")


entries = st.lists(
    st.tuples(st.integers(0, 3), st.integers(-1, 1), st.integers(0, 11), st.integers(1, 8 * GPU_HOUR)),
    max_size=40,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    rows=entries, pools=st.tuples(*[st.sampled_from(POOLS)] * 4), activity=st.sampled_from((None, 0.05, 0.5))
)
def test_the_total_counts_no_gpu_hour_twice(
    world: Any, rows: Any, pools: Any, activity: float | None
) -> None:
    workloads = [
        world.workload(f"w{n}", activity=activity, longest_job_s=100 * 3600, failed_milli_gpu_seconds=0)
        for n in range(4)
    ]
    offers = [world.offer("o", "6.88"), world.offer("a", "1.00", gpu_model="A100")]
    held = [world.contract("k", 4, "2"), world.contract("l", 2, "1", gpu_model="A100")]
    project = world.project(12, workloads, rows, held, offers)
    answer = audit(project, world.classified(*pools, subtype="notebook"))
    each = sum(leak.gpu_hours for leak in answer.leaks)
    idle = sum(row.paid_gpu_hours - row.used_gpu_hours for row in answer.contracts)
    ran = sum(amount for *_, amount in rows) / GPU_HOUR
    assert answer.leaks_total.counted_gpu_hours <= each + 1e-9
    assert answer.leaks_total.counted_gpu_hours <= idle + ran + 1e-9
    assert answer.leaks_total.counted_gpu_hours == sum(leak.counted_gpu_hours for leak in answer.leaks)
    assert answer.leaks_total.counted_per_month == known_sum(leak.counted_per_month for leak in answer.leaks)
    assert len({leak.leak_id for leak in answer.leaks}) == len(answer.leaks)
    decided = [
        LeakDecision(leak_id=leak.leak_id, status=status, at_s=0)
        for leak, status in zip(answer.leaks, LeakStatus, strict=False)
    ]
    by_status = totals_by_status(answer.leaks, Scenario(name="Plan A", leak_decisions=tuple(decided)), 1.0)
    assert sum(total.leaks for total in by_status.values()) == len(answer.leaks)
    assert sum(total.counted_gpu_hours for total in by_status.values()) == pytest.approx(
        answer.leaks_total.counted_gpu_hours
    )
    assert (
        totals_by_status(answer.leaks, None, 1.0)["open"].counted_gpu_hours
        == answer.leaks_total.counted_gpu_hours
    )
    known = [
        leak.leaked_per_month
        for leak in most_expensive_first(answer.leaks)
        if leak.leaked_per_month is not None
    ]
    assert known == sorted(known, reverse=True)
    for leak in answer.leaks:
        assert leak.gpu_hours == sum(part.gpu_hours for part in leak.parts)
        assert leak.leaked_per_month == known_sum(part.leaked_per_month for part in leak.parts)
        assert leak.counted_gpu_hours == sum(part.counted_gpu_hours for part in leak.parts)
        assert all(0 <= part.counted_gpu_hours <= part.gpu_hours for part in leak.parts)
        assert {part.kind for part in leak.parts} <= {"workload", "contract"}
        assert all(part.id.startswith(f"{leak.cluster}/") for part in leak.parts if part.kind == "workload")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows=entries, pools=st.tuples(*[st.sampled_from(POOLS)] * 4), order=st.permutations(range(4)))
def test_leaks_do_not_depend_on_the_order_of_workloads(world: Any, rows: Any, pools: Any, order: Any) -> None:
    def found(places: Any) -> Audit:
        workloads = [world.workload(f"w{n}", activity=0.05, longest_job_s=100 * 3600) for n in places]
        moved = [(places.index(one), *rest) for one, *rest in rows]
        offers = [world.offer("o", "6.88"), world.offer("a", "1.00", gpu_model="A100")]
        held = [world.contract("k", 4, "2"), world.contract("l", 2, "1", gpu_model="A100")]
        project = world.project(12, workloads, moved, held, offers)
        return audit(project, world.classified(*(pools[n] for n in places), subtype="notebook"))

    one, other = found([0, 1, 2, 3]), found(list(order))
    assert [leak.leak_id for leak in one.leaks] == [leak.leak_id for leak in other.leaks]
    assert one.leaks_total.counted_gpu_hours == pytest.approx(other.leaks_total.counted_gpu_hours)
    assert one.leaks_total.counted_per_month == pytest.approx(other.leaks_total.counted_per_month)


def test_a_brief_says_where_up_to_its_longest_line_and_of_more_the_most_expensive() -> None:
    def part(name: str, usd: float | None) -> LeakPart:
        return LeakPart(
            kind="workload",
            id=f"atlas/team/{name}",
            gpu_hours=1.0,
            gpu_hours_per_month=1.0,
            leaked_in_window=usd,
            leaked_per_month=usd,
            counted_gpu_hours=1.0,
            counted_gpu_hours_per_month=1.0,
            counted_per_month=usd,
            rate=2.0,
            left_gpu_hours=1.0,
        )

    def said(subject: Text, *parts: LeakPart, cluster: str = "atlas") -> str:
        leak = Leak(
            code="idle_tail",
            subject=subject,
            action="",
            leak_id="idle_tail:atlas",
            cluster=cluster,
            parts=parts,
        )
        names = {one.id: one.id.rpartition("/")[2].upper() for one in parts}
        (where,) = (one for one in LEAKS.columns_in(Medium.BRIEF) if one.name == "where")
        assert where.value is not None
        return str(where.value(LeakRow(leak=leak, number=1, decision=None, decided="", names=names)))

    parts = (part("a", 3.0), part("b", 5.0), part("c", None))
    longest = "atlas: ".ljust(LONGEST_WHERE, "w")
    assert said(longest, *parts) == longest
    assert re.fullmatch(r"atlas: B \D*2 \w+", said(longest + "w", *parts))
    of_none = (joined(("", "w" * count), ": ") for count in (LONGEST_WHERE + 1, LONGEST_WHERE))
    assert re.fullmatch(r"B \D*2 \w+", said(next(of_none), *parts, cluster=""))
    assert said(next(of_none), *parts, cluster="") == "w" * LONGEST_WHERE
    assert said(longest + "w", parts[0]) == longest + "w"


def test_one_name_more_than_are_listed_is_named_and_not_counted() -> None:
    assert str(listed("abcd")).split(", ") == list("abcd")
    assert re.fullmatch(r"a, b, c\D* 2 \w+", str(listed("abcde")))


# --- What acting on the audit is worth: open and dismissed leaks add up to all, each GPU-hour once


@pytest.mark.parametrize("status", list(LeakStatus))
def test_open_and_dismissed_add_up_to_the_total_of_the_list(status: LeakStatus) -> None:
    case = CRAFTED["two_clusters"]()
    found = audit(case.project, case.classifications)
    assert len(found.leaks) > 1
    decision = LeakDecision(leak_id=found.leaks[0].leak_id, status=status, at_s=0, reason="not ours")
    plan = replace(case.project.scenarios[0], leak_decisions=(decision,))
    worth = worth_of(replace(case.project, scenarios=(plan,)), found)
    assert worth.all.counted_per_month == pytest.approx(found.leaks_total.counted_per_month)
    assert worth.all.counted_gpu_hours == pytest.approx(found.leaks_total.counted_gpu_hours)
    assert worth.open.counted_gpu_hours + worth.dismissed.counted_gpu_hours == pytest.approx(
        worth.all.counted_gpu_hours
    )
    is_dismissed = status is LeakStatus.DISMISSED
    assert worth.dismissed.leaks == int(is_dismissed), "what was accepted is still to be acted on"
    assert worth.dismissed.counted_per_month == pytest.approx(
        found.leaks[0].counted_per_month if is_dismissed else 0.0
    )


# --- Totals of leaks


def test_each_gpu_hour_counts_once_and_for_the_first() -> None:
    """Of 10 idle GPU-h the first part takes 6 and the second what is left; of 5 an unknown rate takes all."""
    left = {("contract", "k"): 10.0, ("workload", "w"): 5.0}
    (first,) = leak_parts([Part(PartOf("contract", "k"), 6.0, 2.0)], left, 0.5)
    assert (first.counted_gpu_hours, left["contract", "k"]) == (6.0, 4.0)
    second, unknown = leak_parts(
        [Part(PartOf("contract", "k"), 7.0, 2.0), Part(PartOf("workload", "w"), 9.0, None)], left, 0.5
    )
    assert (second.gpu_hours, second.counted_gpu_hours, unknown.counted_gpu_hours) == (7.0, 4.0, 5.0)
    assert (left["contract", "k"], left["workload", "w"]) == (0.0, 0.0)
    with pytest.raises(KeyError):
        leak_parts([Part(PartOf("contract", "z"), 1.0, 1.0)], left, 0.5)


def leak(name: str, usd: float | None, counted: float = 1.0) -> Any:
    return SimpleNamespace(
        leak_id=name, leaked_per_month=usd, counted_per_month=usd, counted_gpu_hours=counted
    )


def test_leaks_are_listed_by_dollars_and_added_up_by_what_was_decided() -> None:
    leaks = [leak("a", 3.0), leak("b", None), leak("c", 9.0, 4.0), leak("d", 3.0), leak("e", 0.0)]
    assert [item.leak_id for item in most_expensive_first(leaks)] == ["c", "a", "d", "e", "b"]
    decisions = (
        LeakDecision(leak_id="a", status=LeakStatus.ACCEPTED, at_s=START_S),
        LeakDecision(leak_id="c", status=LeakStatus.DISMISSED, at_s=START_S),
    )
    plan = Scenario(name="A", leak_decisions=decisions)
    totals = totals_by_status(leaks, plan, 0.5)
    assert {status: (row.leaks, row.counted_per_month) for status, row in totals.items()} == {
        "open": (3, None),
        str(LeakStatus.ACCEPTED): (1, 3.0),
        str(LeakStatus.DISMISSED): (1, 9.0),
    }
    assert totals[str(LeakStatus.DISMISSED)].counted_gpu_hours_per_month == pytest.approx(8.0)
    everything = totals_by_status(leaks, None, 0.5)
    assert (everything["open"].leaks, everything[str(LeakStatus.ACCEPTED)].leaks) == (5, 0)
    other = Scenario(
        name="B", leak_decisions=(LeakDecision(leak_id="c", status=LeakStatus.ACCEPTED, at_s=START_S),)
    )
    project = replace(make_project(365, [], []), scenarios=(plan, other))
    assert dismissed_leaks(project) == {"c"}
    worth = worth_of(project, SimpleNamespace(leaks=leaks))  # type: ignore[arg-type]
    assert (worth.all.leaks, worth.open.leaks, worth.dismissed.leaks) == (5, 4, 1)
    assert (worth.dismissed.counted_per_month, worth.open.counted_per_month) == (9.0, None)


def test_a_remedy_moves_workloads_of_its_class_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule with a pool moves workloads that are taken for it; a cluster called as a workload is, stays."""
    rules = {"moves": SimpleNamespace(pool=Pool.BURST), "noted": SimpleNamespace(pool=None)}
    monkeypatch.setattr("gpuplanner.domain.audit.leak_list.LEAK_RULES", rules)
    classes = {"a": Pool.BURST, "b": Pool.TRAINING, "c": Pool.BURST}
    parts = [
        SimpleNamespace(kind="workload", id="a"),
        SimpleNamespace(kind="workload", id="b"),
        SimpleNamespace(kind="contract", id="c"),
        SimpleNamespace(kind="workload", id="nobody's"),
    ]

    def remedy(code: str, *places: int) -> tuple[Pool | None, tuple[str, ...]]:
        leak: Any = SimpleNamespace(code=code, parts=[parts[place] for place in places])
        moved = remedy_of(leak, classes)
        return moved.pool, moved.keys

    assert remedy("moves", 0, 1, 2, 3) == (Pool.BURST, ("a",))
    assert remedy("moves", 1, 2) == (None, ())
    assert remedy("noted", 0, 1, 2, 3) == (None, ())
