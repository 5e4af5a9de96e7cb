"""Answers about the past at their edges: leaks, workloads, runs and hours, on the small past with changed rows.

The window is 100 h, 0.137 months; k1 has 8 H100 at $2, and an H100 costs $4 on demand (`tests/domain/worlds.py`)."""

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.chargeback import Charged, IdleShare
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.leak_claims import EqualTerms
from gpuplanner.domain.audit.leak_list import LEAK_RULES
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.audit.unit_costs import BusinessCost
from gpuplanner.domain.evidence import past, unit_costs
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of, hours_in, scope_words
from gpuplanner.domain.evidence.money import priced_per_month
from gpuplanner.domain.evidence.trace import MOST_ROWS, Amount, Trace, TraceRow, figure, plus, summed
from gpuplanner.domain.evidence.workloads import network_subject
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.figures.mix import MODEL_PREMIUM, RUN_KIND
from gpuplanner.domain.fit.other_hardware import FAST, SLOW, NetworkCost, OnNetwork
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

STEPS = ((FAST, 1.0), (SLOW, 1.5))
SFT, CHAT, DEV = "atlas/team/sft", "atlas/team/chat", "bora/team/dev"


def ask(figure_id: str, evidence: Evidence | None = None) -> Trace:
    return ANSWERS.answer(worlds.evidence_of_past() if evidence is None else evidence, figure_id)


def names(trace: Trace) -> list[str]:
    return [str(row.name) for row in trace.rows]


# --- Overflow and what it costs


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


# --- Leaks, with parts that are written here


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


# --- Workloads in review, of all classes, by their light


def judged(*rows: tuple[str, float, str, float | None, int]) -> Evidence:
    """Workloads with confidence, source, $ a month and jobs."""
    evidence = worlds.evidence_of_past()
    works, todays = [], []
    for (name, confidence, source, usd, jobs), work, today in zip(
        rows, evidence.project.workloads, evidence.audit.workloads, strict=True
    ):
        works.append(replace(work, gpu_jobs=jobs, name=name))
        of = replace(today.classification, confidence=confidence, source=source)
        todays.append(replace(today, usd_per_month=usd, classification=of))
    project = replace(evidence.project, workloads=tuple(works))
    return Evidence(project, replace(evidence.audit, workloads=tuple(todays)), evidence.past)


def test_what_waits_for_a_decision_is_unsure_unsettled_and_has_jobs() -> None:
    below = worlds.past().project.assumptions.review_below
    unsure = below - 0.01
    for rows, listed in (
        ((("a", unsure, "score", 1.0, 1),) * 3, 3),
        ((("a", below, "score", 1.0, 1), ("b", unsure, "label", 1.0, 1), ("c", unsure, "score", 1.0, 0)), 0),
    ):
        assert len(ask("review::", judged(*rows)).rows) == listed
    order = (("a", unsure, "score", None, 1), ("b", unsure, "score", 0.5, 1), ("c", unsure, "score", 2.0, 1))
    trace = ask("review::", judged(*order))
    assert names(trace) == ["c", "b", "a"] and trace.value is None
    tied = (("a", unsure, "score", 1.0, 1),) * 3
    assert [row.opens for row in ask("review::", judged(*tied)).rows] == [
        figure("workload_cost", key) for key in (CHAT, SFT, DEV)
    ]


@pytest.mark.parametrize(
    ("kind", "is_money"), [("workloads_of_all", False), ("jobs_of_all", False), ("workloads_cost", True)]
)
def test_money_of_all_classes_is_unknown_where_one_is_and_says_of_what_it_is(
    kind: str, is_money: bool
) -> None:
    evidence = worlds.evidence_of_past()
    classes = {
        pool: replace(row, cost_per_month=None) if pool is Pool.BURST else row
        for pool, row in evidence.audit.classes.items()
    }
    changed = replace(evidence, audit=replace(evidence.audit, classes=classes))
    trace = ask(f"{kind}::", changed)
    assert trace.value == (None if is_money else 3)
    assert ("workloads" in str(trace.title).split()[1:]) is is_money


def test_workloads_of_a_light_are_sorted_by_their_dollars_and_then_by_name() -> None:
    evidence = worlds.evidence_of_past()
    usd = (None, 0.5, 0.0)
    fit = tuple(replace(of, light=evidence.fit[0].light, pool=Pool.TRAINING) for of in evidence.fit)
    todays = tuple(
        replace(today, usd_per_month=of) for today, of in zip(evidence.audit.workloads, usd, strict=True)
    )
    changed = replace(evidence, fit=fit, audit=replace(evidence.audit, workloads=todays))
    trace = ask(figure("fit_cost", "training", "red"), changed)
    assert names(trace) == ["chat", "dev", "sft"] and trace.value is None
    alike = tuple(replace(of, usd_per_month=1.0) for of in todays)
    level = replace(changed, audit=replace(changed.audit, workloads=alike))
    assert names(ask(figure("fit_cost", "training", "red"), level)) == ["chat", "dev", "sft"]


def test_rated_power_is_that_of_models_in_use_or_under_contract() -> None:
    evidence = worlds.evidence_of_past()
    powers: Any = {
        name: SimpleNamespace(kw=kw, is_of_gpu_alone=is_alone)
        for name, kw, is_alone in (
            ("H100", 1.5, False),
            ("Z9", 9.5, False),
            ("L4", 0.25, True),
            ("A100", 0.5, True),
        )
    }
    held = (*evidence.project.contracts, make_contract("k3", 1, "1", gpu_model="L4"))
    changed = replace(
        evidence,
        project=replace(evidence.project, contracts=held),
        audit=replace(evidence.audit, energy=replace(evidence.audit.energy, powers=powers)),
    )
    note = str(ask("energy_peak::", changed).note)
    assert "9.5" not in note
    rated = note.split("Rated: ")[1].split(", ")
    assert [part.split()[0] for part in rated] == ["A100", "H100", "L4"]
    assert ["rated power" in part for part in rated] == [True, False, True]


@pytest.mark.parametrize("is_of_model", [True, False])
def test_a_step_is_worked_out_of_a_model_or_assumed(is_of_model: bool) -> None:
    evidence = worlds.evidence_of_past()
    of_step = {
        network: OnNetwork(
            network=network,
            step_s=step_s,
            run_hours=1.0,
            run_gpu_hours=None,
            run_usd=None,
            gpu_hours_per_month=1.0,
            usd_per_month=None,
        )
        for network, step_s in STEPS
    }
    cost = NetworkCost(
        has=FAST,
        run_hours=1.0,
        run_gpus=8.0,
        usd_per_gpu_hour=2.0,
        infiniband=of_step[FAST],
        ethernet=of_step[SLOW],
        is_of_model=is_of_model,
    )
    changed = replace(evidence, fit=(replace(evidence.fit[0], network=cost), *evidence.fit[1:]))
    for network, step_s in STEPS:
        trace = ask(figure("on_network", network_subject(evidence.fit[0].key, network), "step"), changed)
        assert trace.value == step_s
        assert ("assumption" in str(trace.rows[0].name)) is not is_of_model


# --- Hours


def test_a_scope_is_said_with_its_cluster_where_there_is_one() -> None:
    for scope in ("idle", "busy"):
        alone, on_atlas = str(scope_words(scope)), str(scope_words(scope, "atlas"))
        assert on_atlas == f"{alone} on atlas"
    assert str(scope_words("hour-3-9")).count("09:00") == 1 and "10:00" in str(scope_words("hour-3-9"))
    assert "Thursday" in str(scope_words("day-3", "atlas")) and str(scope_words("", "atlas")) == ""


def test_workloads_that_a_contract_served_nothing_are_left_out() -> None:
    """Two contracts of one GPU: sft asks for 1 while dev asks for none; in another hour both ask, for 2."""
    project = make_project(
        10,
        [make_workload("one"), make_workload("two", cluster="bora"), make_workload("three")],
        [(0, 0, 1, GPU_HOUR), (0, 0, 2, GPU_HOUR), (2, 1, 2, GPU_HOUR), (1, 0, 3, GPU_HOUR)],
        [make_contract("a", 1, "2"), make_contract("b", 1, "3"), make_contract("c", 1, "1", cluster="bora")],
    )
    evidence = evidence_of(project, audit(project, classified(*[Pool.TRAINING] * 3)))
    everybody = evidence.shares("", "atlas")
    assert [(share.place, share.asked) for share in everybody] == [(0, 2 * GPU_HOUR), (2, GPU_HOUR)]
    served = {place: [share.place for share in evidence.shares("", "atlas", place)] for place in (0, 1)}
    hours = evidence.hours("atlas")
    by_model = hours.served.sum(axis=1)
    for place, shares in served.items():
        total = sum(share.served_gpu_hours for share in evidence.shares("", "atlas", place))
        assert total == pytest.approx(float(by_model[place]) / GPU_HOUR)
        assert 2 not in shares  # an A100 is no H100
    assert evidence.shares("", "bora")[0].place == 1
    empty = replace(project, workloads=(), cube=make_project(10, [], []).cube)
    bare = Evidence(empty, evidence.audit, evidence.past)
    assert bare.shares("", "atlas") == ()


def test_hours_of_a_scope_are_those_of_its_day_and_its_hour() -> None:
    """The window begins on Wednesday 1 July 2026 at midnight."""
    evidence = worlds.evidence_of_past()
    window, hours = evidence.project.window, evidence.hours("atlas")
    assert np.flatnonzero(hours_in("hour-2-10", window, hours)).tolist() == [10]
    assert np.flatnonzero(hours_in("hour-3-0", window, hours)).tolist() == [24]
    assert np.flatnonzero(hours_in("day-3", window, hours)).tolist() == list(range(24, 48))
    assert hours_in("", window, hours).all()


# --- Costs of single things


def costs(**changes: Any) -> unit_costs.CostEvidence:
    return replace(worlds.evidence_of_costs(), **changes)


def cost_of(figure_id: str, evidence: unit_costs.CostEvidence) -> Trace:
    return unit_costs.WHY.answer(evidence, figure_id)


def test_a_run_is_served_in_its_own_hours_alone() -> None:
    """sft asks for 4 GPUs from hour 10 to hour 30 and is served all: 4 x 20 h."""
    of = worlds.evidence_of_costs()
    for span, hours in (
        (range(10, 30), 80.0),
        (range(11, 30), 76.0),
        (range(10, 29), 76.0),
        (range(11), 4.0),
    ):
        rows = list(unit_costs.served_by(of, SFT, "atlas", span))
        assert [row.values for row in rows] == [pytest.approx((hours, 2.0, 2 * hours))]
    assert list(unit_costs.served_by(of, SFT, "atlas", range(10))) == []
    assert list(unit_costs.served_by(of, SFT, "atlas", range(30, 60))) == []


@pytest.mark.parametrize(("is_known", "is_assumed"), [(True, False), (True, True), (False, False)])
def test_tokens_say_that_they_are_assumed_or_not_known(is_known: bool, is_assumed: bool) -> None:
    of = worlds.evidence_of_costs()
    (row,) = of.unit.endpoints
    assert row.tokens is not None
    tokens = replace(row.tokens, is_assumed=is_assumed) if is_known else None
    unit = replace(of.unit, endpoints=(replace(row, tokens=tokens),))
    trace = cost_of(figure("endpoint_tokens", row.key), costs(unit=unit))
    note, declared = str(trace.note), str(unit_costs.TRAFFIC["cost_per_million_tokens"].note)
    assert (note == str(unit_costs.ASSUMED_TOKENS)) is is_assumed
    assert (note == declared) is (is_known and not is_assumed)
    assert (trace.value is None) is not is_known


def test_what_a_used_gpu_hour_costs_is_said_in_four_places() -> None:
    trace = cost_of(figure("endpoint_premium", CHAT), worlds.evidence_of_costs())
    # $938.353 and $604 for 200 GPU-h
    assert "$4.6918" in str(trace.note) and "$3.0200" in str(trace.note)


def test_a_part_of_a_premium_is_named_by_its_model_and_the_offer() -> None:
    part_of = EqualTerms(
        gpu_model="H100", gpu_hours=1.0, rate=2.0, utilization=0.5, offer=make_offer("od", "4")
    )
    assert str(unit_costs._part_name(part_of, True)) == "H100"
    assert str(unit_costs._part_name(part_of, False)) == "H100, od"
    bare = replace(part_of, offer=None, gpu_model=None)
    assert [str(unit_costs._part_name(bare, paid)) for paid in (True, False)] == ["unknown model"] * 2


def test_idle_gpus_are_shared_by_what_is_held_or_are_an_owners() -> None:
    """Of $90 of atlas the team bears 1 of 3 parts; bora is its own contracts', and a nameless place all of it."""
    shares = (
        IdleShare(
            cluster="atlas",
            team="team",
            owner=None,
            held=GPU_HOUR,
            all_held=3 * GPU_HOUR,
            shared_in_window=90.0,
            idle_in_window=30.0,
        ),
        IdleShare(
            cluster="bora",
            team="team",
            owner="team",
            held=1,
            all_held=1,
            shared_in_window=20.0,
            idle_in_window=20.0,
        ),
        IdleShare(
            cluster="", team="team", owner=None, held=1, all_held=1, shared_in_window=7.0, idle_in_window=7.0
        ),
        IdleShare(
            cluster="atlas",
            team="other",
            owner=None,
            held=2 * GPU_HOUR,
            all_held=3 * GPU_HOUR,
            shared_in_window=90.0,
            idle_in_window=60.0,
        ),
        IdleShare(
            cluster="two",
            team="team",
            owner=None,
            held=1,
            all_held=2,
            shared_in_window=8.0,
            idle_in_window=4.0,
        ),
    )
    of = worlds.evidence_of_costs()
    charged: Charged = replace(of.charged, shares=shares)
    trace = cost_of(figure("charge_idle", "=team", ChargeBy.TEAM), costs(charged=charged))
    assert [row.values[1:] for row in trace.rows[:4]] == [
        (1.0, 3.0, 30.0),
        (None, None, 20.0),
        (None, None, 7.0),
        (1 / GPU_HOUR, 2 / GPU_HOUR, 4.0),
    ]
    assert [plain(row.name) for row in trace.rows] == ["atlas", "bora", "no cluster", "two"]
    assert [str(row.name) in ("atlas", "bora", "two") for row in trace.rows] == [True, False, False, True]


def test_idle_gpus_that_no_workload_bears_are_named_by_their_cluster() -> None:
    for cluster, name in (("atlas", "atlas"), ("", "no cluster")):
        part_of: Any = SimpleNamespace(cluster=cluster)
        assert plain(unit_costs._unborne(part_of)) == name


def business(held_from: str) -> BusinessCost:
    (row, *_) = worlds.evidence_of_costs().business
    return replace(row, held_from=held_from, month="2026-12")


def test_a_count_of_the_business_is_of_its_month_or_stays_at_another() -> None:
    of_log, own, kept = map(business, ("", "2026-12", "2026-07"))
    notes = [
        cost_of(figure("business_each", row.subject), costs(business=(row,))).note
        for row in (of_log, own, kept)
    ]
    assert plain(notes[2]) == "2026-07" and len({str(note) for note in notes}) == 3
    assert "12" not in str(notes[0]) and "12" in str(notes[1])
    sources = [
        str(cost_of(figure("business_usd", row.subject), costs(business=(row,))).rows[0].name)
        for row in (of_log, own)
    ]
    assert ["100" in source for source in sources] == [True, False]


@pytest.mark.parametrize(("gaps", "more"), [(2, ""), (24, ""), (25, "1"), (30, "6"), (0, "")])
def test_the_longest_gaps_between_runs_are_counted(
    gaps: int, more: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = tuple(float(at) for at in range(gaps, 0, -1))
    row = SimpleNamespace(key=SFT, name="sft", gaps_days=days, days_between=1.0)
    monkeypatch.setattr(unit_costs, "retraining_of", lambda runs, window: [row])
    trace = cost_of(figure("retrain_days", SFT), worlds.evidence_of_costs())
    note = str(trace.note)
    named = [word.strip(",.") for word in note.split() if word.strip(",.").endswith(".0")]
    assert named == [f"{at}.0" for at in range(1, min(gaps, 24) + 1)]
    assert ("And" in note) is bool(more) and (not more or f"And {more} " in note)
    hours = worlds.evidence_of_costs().unit.run_gap_hours
    assert f" {hours:.0f} h " in str(trace.rows[0].name)


# --- Sums


def test_a_sum_of_up_to_two_hundred_rows_lists_all_of_them() -> None:
    for count, others in ((MOST_ROWS - 1, False), (MOST_ROWS, False), (MOST_ROWS + 1, True)):
        rows = [TraceRow(str(at), (1.0,)) for at in range(count)]
        trace = summed("Sum", float(count), "usd", "words", rows)
        assert len(trace.rows) == count
        assert ("other" in str(trace.rows[-1].name)) is others


def test_words_and_what_is_unknown_are_the_smallest_rows_of_a_sum() -> None:
    values: Sequence[Any] = ["words", *[0.5] * MOST_ROWS, "more words"]
    trace = summed("Sum", None, "usd", "words", [TraceRow(str(at), (of,)) for at, of in enumerate(values)])
    assert all(row.values == (0.5,) for row in trace.rows[:MOST_ROWS])
    assert trace.rows[-1].values == (0.0,)


@pytest.mark.parametrize(("count", "is_written"), [(0, False), (1, True), (4, True), (5, False)])
def test_up_to_four_parts_are_written_out(count: int, is_written: bool) -> None:
    total = Amount(float(count), "usd")
    symbols = plus([1.0] * count, total)
    assert symbols[-1] is total
    assert (sum(isinstance(part, Amount) for part in symbols) == count + 1) is is_written or count == 0
    assert len(symbols) == (2 * count + 1 if is_written else 2)


# --- Kinds of runs, and GPU models beside each other


def run(name: str, cost: float | None, hours: float) -> Any:
    return SimpleNamespace(name=name, cost=cost, hours=hours, start_s=0, end_s=round(3600 * hours))


@pytest.mark.parametrize(
    ("kind", "names_of", "value"),
    [("runs", ["..."], 4), ("median_usd", ["b", "c"], 25.0), ("median_hours", ["b", "c"], 2.5)],
)
def test_the_middle_of_a_kind_of_runs_is_one_run_or_two(
    kind: str, names_of: list[str], value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Runs of $10 to $40 and of one hour to four: of three the second, of four the middle two."""
    runs = [run("d", 40.0, 4.0), run("a", 10.0, 1.0), run("c", 30.0, 3.0), run("b", 20.0, 2.0)]
    answers = {}
    for count in (4, 3, 1):
        kept = sorted(runs, key=lambda item: item.cost)[:count]
        monkeypatch.setattr(past.mix, "runs_of_kinds", lambda of, kept=kept: {"7B": kept[::-1]})
        answers[count] = past.WHY.answer(worlds.past().past, figure(RUN_KIND[kind].why, "7B"))
    assert answers[4].value == value
    if kind == "runs":
        assert [answer.value for answer in answers.values()] == [4, 3, 1]
    else:
        assert names(answers[4]) == names_of and names(answers[3]) == ["b"] and names(answers[1]) == ["a"]
        assert sum(row.values[0] for row in answers[4].rows) == value
        assert answers[3].rows[0].values == (20.0 if kind == "median_usd" else 2.0,)


@pytest.mark.parametrize(
    # of ten runs P10 is the first, P90 the ninth
    ("kind", "name", "value"),
    [("low_usd", "1", 10.0), ("high_usd", "9", 90.0), ("low_hours", "1", 1.0), ("high_hours", "9", 9.0)],
)
def test_an_end_of_a_kind_of_runs_is_the_run_that_stands_there(
    kind: str, name: str, value: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [run(str(at), 10.0 * at, float(at)) for at in range(10, 0, -1)]
    monkeypatch.setattr(past.mix, "runs_of_kinds", lambda of: {"7B": runs})
    trace = past.WHY.answer(worlds.past().past, figure(RUN_KIND[kind].why, "7B"))
    assert (trace.value, names(trace), trace.rows[0].values) == (value, [name], (value,))


@pytest.mark.parametrize("kind", ["median_usd", "low_usd", "high_usd"])
def test_a_run_without_a_cost_leaves_the_middle_of_its_kind_unknown(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [run("a", 10.0, 1.0), run("b", None, 2.0), run("c", 30.0, 3.0)]
    monkeypatch.setattr(past.mix, "runs_of_kinds", lambda of: {"7B": runs})
    trace = past.WHY.answer(worlds.past().past, figure(RUN_KIND[kind].why, "7B"))
    assert trace.value is None and [(row.name, row.values) for row in trace.rows] == [("b", (None,))]
    hours = past.WHY.answer(worlds.past().past, figure(RUN_KIND["median_hours"].why, "7B"))
    assert hours.value == 2.0 and names(hours) == ["b"]


@pytest.mark.parametrize(
    # k1 and k2 are paid 100 h at $2 and 300 h at $1: $1.25 on average; the cheapest offer asks $3
    ("key", "is_paid", "is_offered", "value", "rows"),
    [
        ("gpu_hours", True, True, 400.0, 2),
        ("gpu_hours", False, True, 0.0, 0),
        ("rate", True, True, 1.25, 2),
        ("rate", False, True, 3.0, 1),
        ("rate", False, False, 0.0, 0),
        ("against_rate", True, True, 3.0, 1),
        ("against_rate", True, False, 1.25, 2),
    ],
)
def test_a_model_costs_what_is_paid_for_it_and_its_offer_where_nothing_is(
    key: str, is_paid: bool, is_offered: bool, value: float, rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = "B" if key == "against_rate" else "A"
    held = [
        (SimpleNamespace(contract_id=name, rate=rate), hours)
        for name, rate, hours in (("k1", 2.0, 100.0), ("k2", 1.0, 300.0))
    ]
    paid = {model: {"gpu_hours": 400.0, "rate": 1.25}} if is_paid else {}
    monkeypatch.setattr(past.model_rates, "paid_models", lambda of: paid)
    monkeypatch.setattr(past.model_rates, "offered_models", lambda of: {model: 3.0} if is_offered else {})
    monkeypatch.setattr(
        past.model_rates, "contracts_of", lambda of, name: held if is_paid and name == model else []
    )
    trace = past.WHY.answer(worlds.past().past, figure(MODEL_PREMIUM[key].why, "A\tB"))
    assert (trace.value, len(trace.rows)) == (value, rows)
    if rows == 2:
        assert [row.values for row in trace.rows] == [(100.0, 2.0, 200.0), (300.0, 1.0, 300.0)]
