"""Answers about overflow and leaks, on the small past with rows that are written here.

The window is 100 h, 0.137 months; k1 has 8 H100 at $2, and an H100 costs $4 on demand (`tests/domain/worlds.py`).
"""

from dataclasses import replace

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain.audit.audit import audit, without_contracts
from gpuplanner.domain.audit.leak_list import LEAK_RULES
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of
from gpuplanner.domain.evidence.money import priced_per_month
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.model.tables import Pool
from tests.domain import worlds
from tests.domain.audit.conftest import (
    GPU_HOUR,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.domain.tables import plain

SFT, CHAT, DEV = "atlas/team/sft", "atlas/team/chat", "bora/team/dev"


def ask(figure_id: str, evidence: Evidence | None = None) -> Trace:
    return ANSWERS.answer(worlds.evidence_of_past() if evidence is None else evidence, figure_id)


def names(trace: Trace) -> list[str]:
    return [str(row.name) for row in trace.rows]


def overflowed(demand: float, rate: str | None) -> Evidence:
    """One hour in which 1 H100 is paid for and more are asked for."""
    project = make_project(
        10,
        [make_workload("run")],
        [(0, 0, 3, round(demand * GPU_HOUR))],
        [make_contract("k", 1, "2")],
        [] if rate is None else [make_offer("od", rate)],
    )
    return evidence_of(project, audit(project, classified(Pool.TRAINING)))


def test_a_little_overflow_is_priced_too() -> None:
    """Half a GPU-hour at $4 in 10 h: 73 times as much in a month."""
    trace = ask("overflow::atlas", overflowed(1.5, "4"))
    assert trace.value == pytest.approx(146.0)
    assert [row.values for row in trace.rows] == [pytest.approx((0.5, 4.0, 146.0))]
    assert ask("overflow::atlas", overflowed(1.0, "4")).rows == ()
    unpriced = ask("overflow::atlas", overflowed(1.5, None))
    assert unpriced.value is None and unpriced.rows[0].values == (0.5, None, None)


@pytest.mark.parametrize(
    ("hours", "rate", "usd"), [(0.0, None, 0.0), (2.0, None, None), (2.0, 3.0, 12.0), (0.0, 3.0, 0.0)]
)
def test_without_a_rate_only_nothing_costs_nothing(
    hours: float, rate: float | None, usd: float | None
) -> None:
    assert priced_per_month(hours, rate, 0.5) == usd


def test_a_workload_costs_by_the_weeks_of_the_window() -> None:
    """GPU-hours in the first, second and third week of 21 days, each at $2, in 504 h."""
    at = (0, 200, 500)
    project = make_project(
        504, [make_workload("run")], [(0, 0, hour, GPU_HOUR) for hour in at], [make_contract("k", 1, "2")]
    )
    trace = ask(
        "workload_cost::atlas/team/run", evidence_of(project, audit(project, classified(Pool.TRAINING)))
    )
    assert [plain(row.name) for row in trace.rows] == ["1", "2", "3"]
    assert [row.values for row in trace.rows] == [pytest.approx((1.0, 2.0, 2 * 730 / 504))] * 3


def part(kind: str, of: str, hours: float, rate: float | None, left: float | None = None) -> LeakPart:
    """A tenth of a month: what leaks in one is ten times what leaks in the window."""
    usd = None if rate is None else hours * rate
    counted = hours if left is None else min(hours, left)
    of_counted = None if rate is None else 10 * counted * rate
    per_month = None if usd is None else 10 * usd
    still = hours if left is None else left
    return LeakPart(
        kind=kind,
        id=of,
        gpu_hours=hours,
        gpu_hours_per_month=10 * hours,
        leaked_in_window=usd,
        leaked_per_month=per_month,
        counted_gpu_hours=counted,
        counted_gpu_hours_per_month=10 * counted,
        counted_per_month=of_counted,
        rate=rate,
        left_gpu_hours=still,
    )


def leaking(code: str, *parts: LeakPart) -> tuple[Evidence, Leak]:
    evidence = worlds.evidence_of_past()
    old = next(leak for leak in evidence.audit.leaks if leak.code == code)
    leak = replace(old, parts=parts)
    return replace(evidence, audit=replace(evidence.audit, leaks=(leak,))), leak


PARTS = (part("workload", CHAT, 1.0, 0.05), part("workload", DEV, 2.0, None), part("workload", SFT, 3.0, 4.0))


def test_parts_of_a_leak_are_sorted_by_their_dollars_and_what_is_unknown_is_last() -> None:
    """$0.50, unknown and $120 a month."""
    evidence, leak = leaking("contention", *PARTS)
    column = ask(figure("leak_sum", leak.leak_id, "gpu_hours"), evidence)
    assert names(column) == ["sft", "chat", "dev"]
    assert [row.values for row in column.rows] == [(3.0,), (1.0,), (2.0,)]
    whole = ask(figure("leak", leak.leak_id), evidence)
    assert names(whole) == ["sft", "chat", "dev"] and whole.value is None
    free = (
        part("workload", DEV, 2.0, None),
        part("workload", CHAT, 1.0, 0.05),
        part("workload", SFT, 3.0, 0.0),
    )
    evidence, leak = leaking("contention", *free)
    assert names(ask(figure("leak", leak.leak_id), evidence)) == ["chat", "dev", "sft"]
    assert names(ask(figure("leak_sum", leak.leak_id, "gpu_hours"), evidence)) == ["chat", "sft", "dev"]


def test_a_leak_is_of_workloads_or_of_contracts_and_its_rate_may_have_a_name_of_its_own() -> None:
    for code in ("contention", "idle_tail"):
        evidence = worlds.evidence_of_past()
        leak = next(leak for leak in evidence.audit.leaks if leak.code == code)
        rule = LEAK_RULES[code]
        words = str(ask(figure("leak_sum", leak.leak_id, "gpu_hours")).words)
        assert (rule.claims in words) and ({"workload", "contract"} - {rule.claims}).pop() not in words
        trace = ask(figure("leak", leak.leak_id))
        of_rate = str(trace.columns[3].title)
        assert of_rate.startswith(str(rule.rate) or str(LEAK["rate"].title))
        others = [str(column.title) for column in (*trace.columns[1:3], *trace.columns[4:])]
        assert not rule.rate or not any(str(rule.rate) in title for title in others)
        assert "0.137" in str(trace.symbols[-2]) and "0.13699" not in str(trace.symbols[-2])


def test_a_part_says_what_its_rule_is_about_or_what_its_figure_says() -> None:
    evidence, leak = leaking(
        "contention", part("workload", SFT, 3.0, 4.0), part("workload", CHAT, 1.0, 4.0, 0.5)
    )
    rule = LEAK_RULES["contention"].words
    ids = {
        key: figure("leak_part", f"{leak.leak_id}\t{SFT}", key) for key in ("gpu_hours", "leaked_per_month")
    }
    assert [str(ask(figure_id, evidence).note) for figure_id in ids.values()] == [str(rule)] * 2
    assert "jobs" in str(ask(ids["gpu_hours"], evidence).words)
    of_contract, other = leaking("idle_tail", part("contract", "k1", 3.0, 2.0))
    assert "jobs" not in str(ask(figure("leak_part", f"{other.leak_id}\tk1", "gpu_hours"), of_contract).words)
    counted = figure("leak_part", f"{leak.leak_id}\t{SFT}", "counted_gpu_hours")
    assert str(ask(counted, evidence).note) == str(COUNTED_ONCE)


def test_a_part_is_written_so_that_all_of_them_add_up() -> None:
    """1.4 and 1.4 GPU-h are 3 together, so the first is written as 2 and 0.6 are rounded."""
    evidence, leak = leaking("contention", part("workload", SFT, 1.4, 4.0), part("workload", CHAT, 1.4, 4.0))
    up = ask(figure("leak_part", f"{leak.leak_id}\t{SFT}", "gpu_hours"), evidence)
    assert (up.value, [row.values[0] for row in up.rows]) == (2, [1.4, pytest.approx(0.6)])
    assert str(up.rows[0].name) == str(up.title) and up.rows[0].opens == figure("jobs", SFT)
    down = ask(figure("leak_part", f"{leak.leak_id}\t{CHAT}", "gpu_hours"), evidence)
    assert down.value == 1.4 and len(down.rows) == 1
    usd = ask(figure("leak_part", f"{leak.leak_id}\t{SFT}", "leaked_per_month"), evidence)
    assert usd.value is not None


def test_the_spend_of_a_log_without_contracts_is_its_overflow() -> None:
    """3 GPU-hours at $2 in 2 h, 365 times as much in a month; what is paid is unknown, and no part of the sum."""
    project = make_project(
        2, [make_workload("run")], [(0, 0, 0, 3 * GPU_HOUR)], [], offers=[make_offer("od", "2")]
    )
    past = without_contracts(audit(project, classified(Pool.BURST)))
    trace = ask("spend", evidence_of(project, past))
    assert trace.value == pytest.approx(2190.0)
    assert [row.values for row in trace.rows] == [pytest.approx((3.0, 2190.0))]
