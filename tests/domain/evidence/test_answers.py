"""Every figure of the audit has its rows, and they arrive at it, down to what job rows must add up to."""

from dataclasses import replace

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.quarter import flat_rates, quarter
from gpuplanner.domain.audit.use_by import cell_of_hour
from gpuplanner.domain.audit.utilization.dispatch import served_by_model
from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of
from gpuplanner.domain.evidence.money import PART_COLUMNS
from gpuplanner.domain.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Counts,
    Divides,
    Multiplies,
    Quotient,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    parts_of,
)
from gpuplanner.domain.evidence.workloads import SCOPES as SCOPES_OF_FIT
from gpuplanner.domain.evidence.workloads import network_subject
from gpuplanner.domain.figures.writing import GPU_HOURS, GPU_TIME
from gpuplanner.domain.fit.other_hardware import FAST, SLOW, network_cost
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.reports.use import row_key
from gpuplanner.files.system.resources import read_tables
from tests.arrived import arrived
from tests.domain.audit.conftest import START_S
from tests.domain.serving.small_places import city, site, world
from tests.oracle.crafted import CRAFTED
from tests.oracle.projects import Case, random_case
from tests.some_of import some_of

SCOPES = ("", "idle", "busy", "day-3", "hour-0-0", "hour-3-14")


def evidence_of_case(case: Case) -> Evidence:
    project: Project = case.project
    found = audit(project, case.classifications)
    return evidence_of(project, found, fit_project(project, found, read_tables()))


def figures_of(evidence: Evidence) -> dict[str, float | int | None]:
    """Figures that the page shows, with the value that the audit has for them."""
    found: dict[str, float | int | None] = {
        figure("spend"): evidence.audit.spend,
        figure("utilization"): evidence.audit.effective_utilization,
        figure("contracts_unused"): evidence.audit.unused_per_month,
        figure("lock_in_now"): evidence.audit.lock_in_now_months,
    }
    found[figure("leaks")] = evidence.audit.leaks_total.counted_per_month
    found[figure("leaks_hours")] = evidence.audit.leaks_total.counted_gpu_hours_per_month
    for leak in evidence.audit.leaks:
        found[figure("leak", leak.leak_id)] = leak.leaked_per_month
        found[figure("leak_hours", leak.leak_id)] = leak.gpu_hours_per_month
        for key in PART_COLUMNS:
            found[figure("leak_sum", leak.leak_id, key)] = getattr(leak, key)
    for row in evidence.audit.clusters:
        name = row.cluster
        found |= {
            figure("cost", name): row.cost_per_month,
            figure("served", name): row.allocated_per_month,
            figure("idle", name): row.unallocated_per_month,
            figure("scaled", name): row.scaled_to_all_hours,
            figure("idle", name, "idle"): row.stranded_metered,
            figure("stranded_audit", name): row.stranded_audit,
            figure("utilization", name): row.utilization,
            figure("utilization", name, "idle"): row.non_training_utilization,
            figure("used", name): row.used_gpu_hours,
            figure("used", name, "idle"): row.non_training_used_gpu_hours,
            figure("paid_hours", name, "idle"): row.non_training_paid_gpu_hours,
            figure("idle_hours", name): row.non_training_hours,
            figure("activity", name): row.activity,
        }
    for contract in evidence.audit.contracts:
        name = contract.contract_id
        found |= {
            figure("contract_utilization", name): contract.utilization,
            figure("contract_used", name): contract.used_gpu_hours,
            figure("contract_paid_hours", name): contract.paid_gpu_hours,
            figure("contract_unused", name): contract.unused_per_month,
            figure("break_even", name): contract.break_even_utilization,
            figure("contract_gpus", name): contract.gpus,
        }
    assert evidence.audit.use is not None
    for use in evidence.audit.use.clusters:
        held = [one for one in evidence.audit.contracts if one.cluster == use.name]
        if len(held) > 1:  # of one contract it is the contract's own
            found[figure("cluster_break_even", use.name or "")] = use.break_even_utilization
    for pool in POOLS:
        share = evidence.audit.classes[pool]
        found |= {
            figure("class_workloads", pool): share.workloads,
            figure("class_jobs", pool): share.jobs,
            figure("class_share", pool): share.share,
        }
    for place, workload in enumerate(evidence.project.workloads):
        found[figure("workload_cost", workload.key)] = evidence.audit.workloads[place].usd_per_month
    return found


def beside(evidence: Evidence) -> list[str]:
    """Figures that the audit keeps no value of: what is shown is what the trace says."""
    clusters = ["", *(row.cluster for row in evidence.audit.clusters)]
    contracts = [row.contract_id for row in evidence.audit.contracts]
    ids = [figure(kind, name) for kind in ("scaled", "stranded_audit", "gpus", "cost") for name in clusters]
    ids += [figure("idle", name, scope) for name in clusters for scope in ("", "idle", "busy")]
    ids += [figure("utilization", name, scope) for name in clusters for scope in SCOPES]
    ids += [figure("served", name) for name in clusters]
    ids += [figure("contract_idle_hours", name, scope) for name in contracts for scope in SCOPES[:3]]
    ids += [figure(kind, pool) for kind in ("class_gpu_hours", "class_cost") for pool in POOLS]
    ids += [
        figure(kind) for kind in ("workloads_of_all", "jobs_of_all", "workloads_cost", "classes", "below_40")
    ]
    ids += [figure(kind) for kind in ("worth", "worth_hours", "leaks_dismissed", "leaks_dismissed_hours")]
    ids += [
        figure(kind, pool, light) for kind in ("fit", "fit_cost") for pool in POOLS for light in SCOPES_OF_FIT
    ]
    ids += [figure(kind, name) for kind in ("training_workloads", "overflow") for name in clusters[1:]]
    for fit in evidence.fit:
        if fit.network is not None and fit.network.has:
            for network in (FAST, SLOW):
                subject = network_subject(fit.key, network)
                ids += [figure("on_network", subject, line) for line in ("step", "hours", "gpu_hours", "usd")]
                ids += [figure("on_network", subject, line) for line in ("month_hours", "month_usd")]
    energy = evidence.audit.energy
    taken = ["", *(row_key(row) for row in (*energy.workloads, *energy.contracts, *energy.overflow))]
    ids += [figure(kind, of) for kind in ("energy_kwh", "energy_co2") for of in taken]
    steps = quarter(evidence.project, evidence.audit)
    ids += [figure("quarter_usd", str(step.step)) for step in steps if step.usd_per_month is not None]
    of_each = [row.provider for row in flat_rates(evidence.past)]
    ids += [
        figure(kind, provider)
        for kind in ("flat_served", "flat_usd", "flat_same_work")
        for provider in of_each
    ]
    ids.append(figure("energy_peak"))
    return [*ids, figure("review"), figure("longest_now")]


def check(evidence: Evidence, trace: Trace) -> None:
    """The rows arrive at the figure; those that jobs stand behind say what the jobs must add up to."""
    came = arrived(trace)
    if isinstance(trace.value, int) and isinstance(came, int):
        assert came == trace.value, trace.figure_id
    else:
        assert came == (None if trace.value is None else pytest.approx(trace.value, rel=1e-9, abs=1e-4)), (
            trace.figure_id
        )
    if any(
        one.unit == "usd" for one in trace.columns
    ):  # of a month: GPU-hours beside it say of what they are
        said = [
            f"{one.title} {trace.note}" for one in trace.columns if one.unit in (GPU_TIME.key, GPU_HOURS.key)
        ]
        assert all("lookback period" in one or "month" in one for one in said), (trace.figure_id, said)
    asked_at = [at for at, one in enumerate(trace.columns) if one.unit == "milli_gpu_seconds"]
    for row in trace.rows:
        kind, scope, key = parts_of(row.opens)
        assert len(row.values) == len(trace.columns), trace.figure_id
        if kind == JOBS and asked_at:
            assert row.values[asked_at[0]] == evidence.asked(scope, key), (trace.figure_id, row.name)


def walk(evidence: Evidence, roots: list[str]) -> set[str]:
    """Every figure that can be come to from the roots, each checked once; the ids of jobs that it ends at."""
    left, seen, jobs = list(roots), set(roots), set()
    while left:
        trace = ANSWERS.answer(evidence, left.pop())
        check(evidence, trace)
        for opens in (*(row.opens for row in trace.rows), *(one for _, one in trace.more)):
            if opens.startswith(f"{JOBS}:"):
                jobs.add(opens)
            elif opens and opens not in seen:
                seen.add(opens)
                left.append(opens)
    return jobs


@pytest.mark.parametrize("name", some_of(sorted(CRAFTED), quick=8))
def test_rows_arrive_at_every_figure_of_crafted_projects(name: str) -> None:
    evidence = evidence_of_case(CRAFTED[name]())
    shown = figures_of(evidence)
    for figure_id, value in shown.items():
        said = ANSWERS.answer(evidence, figure_id).value
        assert said == (None if value is None else pytest.approx(value, rel=1e-9, abs=1e-4)), figure_id
    jobs = walk(evidence, [*shown, *beside(evidence)])
    ran = {workload.key for workload in evidence.project.workloads if workload.milli_gpu_seconds}
    assert {parts_of(one)[2] for one in jobs if not parts_of(one)[1]} >= ran, (
        "every workload's jobs are reached"
    )


@pytest.mark.parametrize("seed", some_of(range(12), quick=4))
def test_rows_arrive_at_every_figure_of_random_projects(seed: int) -> None:
    evidence = evidence_of_case(random_case(seed))
    walk(evidence, [*figures_of(evidence), *beside(evidence)])


def test_the_walk_comes_to_every_kind_of_answer() -> None:
    evidence = evidence_of_case(CRAFTED["two_clusters"]())
    seen: set[str] = set()
    left = [*figures_of(evidence), *beside(evidence)]
    while left:
        figure_id = left.pop()
        seen.add(parts_of(figure_id)[0])
        trace = ANSWERS.answer(evidence, figure_id)
        left += [row.opens for row in trace.rows if row.opens and parts_of(row.opens)[0] not in {JOBS, *seen}]
    of_places = {"transit", "set_way", "set_both", "set_usd", "city_users", "city_way", "city_both"}
    # of users and sites: below, and in tests/ui/why/test_why_last_panels.py, which has a network too
    assert seen >= set(ANSWERS) - of_places - {"on_network"}


def test_a_run_on_either_network_is_what_its_factors_come_to() -> None:
    """16 GPUs for 10 h at $3 on InfiniBand, whose step lasts 1.1 s; over Ethernet, 1.5 s, 13.64 h and $654.55."""
    evidence = evidence_of_case(CRAFTED["two_clusters"]())
    one = replace(
        evidence.project.workloads[0],
        longest_job_s=36_000,
        max_milli_gpus=16_000,
        milli_gpu_seconds=3_600_000_000,
    )
    network = network_cost(
        one, [FAST], 3000.0, 1.0, Assumptions(step_seconds_infiniband=1.1, step_seconds_ethernet=1.5)
    )
    seen = replace(evidence, fit=(replace(evidence.fit[0], network=network),))
    found = {
        line: ANSWERS.answer(seen, figure("on_network", network_subject(one.key, SLOW), line))
        for line in ("hours", "gpu_hours", "usd", "month_hours", "month_usd")
    }
    assert {line: trace.value for line, trace in found.items()} == pytest.approx(
        {
            "hours": 10 * 1.5 / 1.1,
            "gpu_hours": 160 * 1.5 / 1.1,
            "usd": 480 * 1.5 / 1.1,
            "month_hours": 1000 * 1.5 / 1.1,
            "month_usd": 3000 * 1.5 / 1.1,
        }
    )
    assert all(arrived(trace) == pytest.approx(trace.value) for trace in found.values())


def test_what_contracts_serve_by_model_adds_up_to_what_they_serve() -> None:
    for case in CRAFTED.values():
        evidence = evidence_of_case(case())
        for hours in evidence.past.clusters:
            by_model = served_by_model(hours)
            assert (by_model.sum(axis=0) == hours.served).all()
            assert (by_model.sum(axis=1) == hours.served_demand).all()


def test_scopes_split_the_window() -> None:
    evidence = evidence_of_case(CRAFTED["two_clusters"]())
    for hours in evidence.past.clusters:
        busy, idle = (evidence.inside(scope, hours.cluster) for scope in ("busy", "idle"))
        assert (busy ^ idle).all()
        cells = [
            evidence.inside(f"hour-{day}-{hour}", hours.cluster) for day in range(7) for hour in range(24)
        ]
        assert (sum(cell.astype(int) for cell in cells) == 1).all()
    assert evidence.project.window.start_s != START_S
    assert cell_of_hour(evidence.project.window)[0] == 3 * 24  # 1 January 2026 was a Thursday


def test_arrivals_by_hand() -> None:
    def trace(arrival, *values):  # type: ignore[no-untyped-def]
        rows = tuple(TraceRow("", each) for each in values)
        return Trace(
            title="",
            value=0,
            unit="usd",
            said_as="",
            words="",
            symbols=(),
            columns=(TraceColumn("", "usd"),) * 2,
            rows=rows,
            arrival=arrival,
        )

    assert arrived(trace(Adds(0), (1, 0), (2, 0))) == 3
    assert arrived(trace(Adds(0), (1, 0), (None, 0))) is None
    assert arrived(trace(Divides(0, 1), (1, 4), (2, 8))) == 0.25
    assert arrived(trace(Divides(0, 1), (1, 0))) is None
    assert arrived(trace(Quotient(0), (3, 0), (4, 0))) == 0.75
    assert arrived(trace(Multiplies(0), (Amount(0.5, "share"), 0), (8, 0))) == 4
    assert arrived(trace(Counts(), (1, 0), (2, 0))) == 2
    assert parts_of(figure("leak", "idle_tail:atlas", "day-3")) == ("leak", "day-3", "idle_tail:atlas")


def test_the_way_to_users_is_what_its_cities_come_to():
    places = world(
        [city("A", 60, longitude=1), city("B", 30, longitude=2), city("C", 10)],
        [site("s", is_current=True)],
        [("A", "s", "79.9"), ("B", "s", "80.2")],
    )
    evidence = evidence_of_case(CRAFTED["two_clusters"]())
    evidence = Evidence(replace(evidence.project, places=places), evidence.audit, evidence.past, evidence.fit)
    found = ANSWERS.answer(evidence, figure("transit"))
    assert arrived(found) == pytest.approx(found.value) == pytest.approx(80.0)
    assert [str(row.name).split(", ")[0] for row in found.rows] == ["A", "B"]
    assert all(" s, " in str(row.name) for row in found.rows)
    nowhere = Evidence(
        replace(evidence.project, places=world([city("A", 1)], [])), evidence.audit, evidence.past
    )
    assert ANSWERS.answer(nowhere, figure("transit")).value is None
