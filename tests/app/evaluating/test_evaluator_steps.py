"""The evaluator with the product's own steps: after any walk it knows what a fresh evaluation says."""

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.evaluating.evaluation_steps import steps_of
from gpuplanner.app.evaluating.evaluator import KEPT_AUDITS, Evaluator
from gpuplanner.app.evaluating.kept_answers import KEPT_BYTES, Newest, held_bytes, weighed
from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import read_tables

HOURS, GPU_HOUR = 24 * 30, 3_600_000
NAMES = ("dev", "sweep", "train", "vllm")


def loaded() -> Project:
    """Four workloads on one cluster, 30 days, with a contract and two offers."""
    rng = np.random.default_rng(3)
    index = np.repeat(np.arange(len(NAMES)), HOURS)
    amounts = rng.integers(0, 9, len(index)) * GPU_HOUR
    cube = cube_from_entries(
        HOURS, ("H100",), index, index * 0, np.tile(np.arange(HOURS), len(NAMES)), amounts
    )
    totals = [int(amounts[index == number].sum()) for number in range(len(NAMES))]
    workloads = tuple(
        Workload(
            key=f"c/o/{name}",
            name=name,
            cluster="c",
            owner="o",
            label=None,
            jobs=9,
            gpu_jobs=9,
            milli_gpu_seconds=total,
            peak_milli_gpus=8000,
            max_nodes=1,
            max_milli_gpus=8000,
            median_milli_gpus=7200,
            longest_job_s=3600,
        )
        for name, total in zip(NAMES, totals, strict=True)
    )
    return Project(
        window=Window(1_700_000_000 // 3600 * 3600, HOURS),
        cube=cube,
        workloads=workloads,
        contracts=(
            Contract(
                contract_id="k",
                cluster="c",
                gpu_model="H100",
                milli_gpus=8000,
                rate_usd_per_gpu_hour=Decimal("2.75"),
                start_s=1_600_000_000,
                end_s=1_720_000_000,
            ),
        ),
        offers=(
            Offer(
                offer_id="od",
                gpu_model="H100",
                pricing_category=PricingCategory.STANDARD,
                term_months=0,
                rate_usd_per_gpu_hour=Decimal("6.88"),
                gpu_memory_gb=80.0,
            ),
            Offer(
                offer_id="y1",
                gpu_model="H100",
                pricing_category=PricingCategory.COMMITTED,
                term_months=12,
                rate_usd_per_gpu_hour=Decimal("3.10"),
                gpu_memory_gb=80.0,
            ),
        ),
    )


@pytest.mark.long
def test_after_moves_undo_and_previews_the_figures_are_those_of_a_fresh_evaluation(qtbot: QtBot) -> None:
    tables = read_tables()
    evaluator = Evaluator(steps_of(tables))
    start = loaded()
    moved = edits.workloads.move_workloads(start, "Plan A", ["c/o/dev"], Pool.INFERENCE)
    churned = edits.plans.set_assumption(moved, "Plan A", "lambda", 0.03)
    fuller = edits.plans.set_assumption(moved, "Plan A", "demand_inference", 2.5)
    for project, scenario in (
        (start, "Plan A"),
        (moved, "Plan A"),
        (start, TODAY),
        (churned, "Plan A"),
        (fuller, "Plan A"),
        (moved, "Plan A"),
    ):
        evaluator.evaluate_soon(project, scenario)
        evaluator.preview(["c/o/sweep"], Pool.TRAINING)
        qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
        known, fresh = evaluator.evaluation, evaluate(project, scenario, tables)
        assert known is not None
        assert known.project is project
        assert known.advice is not None
        assert fresh.advice is not None
        assert known.figures.pools == fresh.figures.pools
        assert known.figures.cards == fresh.figures.cards
        assert known.advice.totals == fresh.advice.totals
        assert known.advice.workload_usd == fresh.advice.workload_usd
        assert known.outlook is not None
        assert fresh.outlook is not None
        assert known.outlook.uncertainty == fresh.outlook.uncertainty
    evaluator.close()


@pytest.mark.long
def test_hardware_fit_follows_the_needs_and_nothing_else_is_worked_out_again(qtbot: QtBot) -> None:
    evaluator = Evaluator(steps_of(read_tables()))
    start = loaded()
    changed = edits.needs.set_need(start, ["c/o/train"], "memory_gb_per_gpu", 20.0)
    moved = edits.workloads.move_workloads(changed, "Plan A", ["c/o/dev"], Pool.INFERENCE)
    seen = []
    for project in (start, changed, moved, start):
        evaluator.evaluate_soon(project, "Plan A")
        qtbot.waitUntil(lambda: evaluator.is_settled and evaluator.evaluation is not None, timeout=60_000)
        assert evaluator.evaluation is not None and evaluator.evaluation.fit is not None
        seen.append(evaluator.evaluation)
    fresh = evaluate(changed, "Plan A", read_tables())
    assert seen[1].fit == fresh.fit != seen[0].fit
    assert seen[1].audit is seen[0].audit and seen[1].advice is seen[0].advice
    assert seen[2].fit is seen[1].fit
    assert seen[3].fit is seen[0].fit
    evaluator.close()


def test_no_outlook_is_begun_while_something_is_dragged(qtbot: QtBot) -> None:
    evaluator = Evaluator(steps_of(read_tables()))
    evaluator.hold_outlook(is_held=True)
    evaluator.evaluate_soon(loaded(), "Plan A")
    qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
    assert evaluator.evaluation is not None
    assert evaluator.evaluation.advice is not None
    assert evaluator.evaluation.outlook is None
    evaluator.hold_outlook(is_held=False)
    qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
    assert evaluator.evaluation.outlook is not None
    evaluator.close()


# --- Memory: what is kept is bounded by what it holds


def test_the_oldest_answers_go_where_all_hold_more_than_is_kept() -> None:
    kept = Newest[list[object]]()
    fifth = KEPT_BYTES // 5
    audit, other = (evaluate(loaded(), "Plan A", read_tables()).audit for _ in range(2))
    for number in range(40):
        answer = weighed(lambda: [number, np.zeros(fifth, np.int8)], kept.held(audit))  # noqa: B023
        kept.keep(answer[0], audit, answer[1])
        assert sum(map(held_bytes, kept)) <= KEPT_BYTES
    assert [answer[0] for answer in kept] == [39, 38, 37, 36]
    assert kept.held(other) is None
    larger = weighed(lambda: [40, np.zeros(2 * KEPT_BYTES, np.int8)], None)
    kept.keep(larger[0], other, larger[1])
    assert [answer[0] for answer in kept] == [40]


def test_what_the_project_holds_too_is_not_counted() -> None:
    project = loaded()
    assert held_bytes((project, project.workloads[0], project.contracts[0])) < 200


def acts(start: Project) -> Iterator[Project]:
    """What a planner does: cards moved, and now and then a rate typed, which asks for another audit."""
    project = start
    for number in count():
        key, pool = (
            f"c/o/{NAMES[number % len(NAMES)]}",
            (Pool.INFERENCE, Pool.TRAINING, Pool.BURST)[number % 3],
        )
        project = edits.workloads.move_workloads(project, "Plan A", [key], pool)
        if number % 5 == 4:
            rate = Decimal(200 + number) / 100
            contracts = tuple(replace(one, rate_usd_per_gpu_hour=rate) for one in project.contracts)
            project = replace(project, contracts=contracts)
        yield project


@pytest.mark.long
def test_answers_of_audits_that_are_forgotten_go_with_them(qtbot: QtBot) -> None:
    evaluator, rates = Evaluator(steps_of(read_tables())), range(KEPT_AUDITS + 2)
    for number, project in zip(range(5 * len(rates)), acts(loaded()), strict=False):
        if number % 5 == 4:
            evaluator.evaluate_soon(project, "Plan A")
            qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
    audits = {id(audit) for _, audit in evaluator.audits.values()}
    assert {id(one.audit) for one in evaluator.advised} <= audits and len(audits) == KEPT_AUDITS
    assert len(list(evaluator.outlooks)) <= KEPT_AUDITS
    evaluator.close()


@pytest.mark.long
def test_two_hundred_acts_hold_level(qtbot: QtBot) -> None:
    evaluator, held_mb = Evaluator(steps_of(read_tables())), []
    for number, project in zip(range(200), acts(loaded()), strict=False):
        evaluator.evaluate_soon(project, "Plan A")
        qtbot.waitUntil(lambda: evaluator.is_settled, timeout=60_000)
        if number in (70, 199):
            held_mb.append(int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 10**6)
    assert held_mb[1] < held_mb[0] + 30
    evaluator.close()
