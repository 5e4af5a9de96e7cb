"""A random walk of edits, undos, redos and scenarios: what the evaluator knows is always what a fresh one would say."""

from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Final

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.document import Document
from gpuplanner.app.evaluating.evaluation_steps import steps_of
from gpuplanner.app.evaluating.evaluator import Evaluator
from gpuplanner.domain.edits import cards, contracts, inputs, money, needs, plans, workloads
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.scenario import TODAY, HandLayer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import read_tables

HOURS: Final = 24 * 10
NAMES: Final = ("dev", "sweep", "train", "embed", "mystery", "vllm")  # as their keys are sorted
START_S: Final = 1_700_000_000 // 3600 * 3600
END_S: Final = START_S + HOURS * 3600

Edit = Callable[[np.random.Generator, Project, str], Project]


def loaded() -> Project:
    """Six workloads of two models on two clusters, one contract that ends and one that runs on, five offers."""
    rng = np.random.default_rng(3)
    workload = np.repeat(np.arange(len(NAMES)), HOURS)
    amounts = rng.integers(0, 9, len(workload)) * MILLI_GPU_SECONDS_PER_GPU_HOUR
    hours = np.tile(np.arange(HOURS), len(NAMES))
    cube = cube_from_entries(HOURS, ("A100", "H100"), workload, workload % 2, hours, amounts)
    work = tuple(
        Workload(
            key=f"{cluster}/o/{name}",
            name=name,
            cluster=cluster,
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
        for number, name in enumerate(NAMES)
        for cluster in ("east" if number < 3 else "west",)
        for total in (int(amounts[workload == number].sum()),)
    )
    return Project(
        window=Window(START_S, HOURS),
        cube=cube,
        workloads=work,
        contracts=(
            Contract(
                contract_id="east-1",
                cluster="east",
                gpu_model="H100",
                milli_gpus=8000,
                rate_usd_per_gpu_hour=Decimal("2.75"),
                start_s=START_S - 900 * 3600,
                end_s=END_S + 900 * 3600,
            ),
            Contract(
                contract_id="west-1",
                cluster="west",
                gpu_model="A100",
                milli_gpus=6000,
                rate_usd_per_gpu_hour=Decimal("1.80"),
                start_s=START_S - 900 * 3600,
                end_s=None,
            ),
        ),
        offers=tuple(
            Offer(
                offer_id=f"{model}-{term}",
                gpu_model=model,
                pricing_category=category,
                term_months=term,
                rate_usd_per_gpu_hour=Decimal(rate),
                gpu_memory_gb=80.0,
            )
            for model, dear in (("H100", 2), ("A100", 1))
            for term, category, rate in (
                (0, PricingCategory.STANDARD, 3 * dear),
                (1, PricingCategory.COMMITTED, 2 * dear),
                (12, PricingCategory.COMMITTED, dear),
            )
        ),
    )


def _one(rng: np.random.Generator, choices: Iterable[Any]) -> Any:
    chosen = tuple(choices)
    return chosen[int(rng.integers(len(chosen)))]


def _keys(rng: np.random.Generator, project: Project) -> list[str]:
    count = int(rng.integers(1, 4))
    return [project.workloads[at].key for at in rng.choice(len(project.workloads), count, replace=False)]


def _with_rate(rng: np.random.Generator, project: Project) -> Project:
    offer = project.offers[int(rng.integers(len(project.offers)))]
    rate = Decimal(int(rng.integers(50, 900))) / 100
    return money.change_offer(project, offer.offer_id, "rate_usd_per_gpu_hour", rate)


def _with_layers(rng: np.random.Generator, project: Project, plan: str) -> Project:
    pool, model = _one(rng, POOLS), _one(rng, ("H100", "A100"))
    layers = (HandLayer(12, int(rng.integers(0, 6))),) if rng.random() < 0.7 else None
    return plans.set_hand_layers(project, plan, pool, model, layers)


def _with_plan(rng: np.random.Generator, project: Project, scenario: str) -> Project:
    if len(project.scenarios) == 4:
        return project
    return plans.add_plan(project, plans.next_plan_name(project), None if scenario == TODAY else scenario)


def _separated(rng: np.random.Generator, project: Project, plan: str) -> Project:
    tables = read_tables()
    found = {row.key: row.classification for row in evaluate(project, TODAY, tables).audit.workloads}
    return workloads.separate_automatically(project, plan, found)


IN_A_PLAN: Final[dict[str, Edit]] = {
    "move": lambda rng, project, plan: workloads.move_workloads(project, plan, _keys(rng, project), _one(rng, POOLS)),
    "pin": lambda rng, project, plan: workloads.pin_workloads(project, plan, _keys(rng, project)),
    "unpin": lambda rng, project, plan: workloads.unpin_workloads(project, plan, _keys(rng, project)),
    "separate": _separated,
    "greenfield": lambda rng, project, plan: plans.set_greenfield(project, plan, bool(rng.integers(2))),
    "churn": lambda rng, project, plan: plans.set_assumption(project, plan, "lambda", _one(rng, (0.0, 0.01, 0.05))),
    "growth": lambda rng, project, plan: plans.set_assumption(project, plan, "growth", _one(rng, (0.0, 0.02))),
    "demand": lambda rng, project, plan: plans.set_assumption(project, plan, "demand_inference", _one(rng, (1.0, 2.5))),
    "merge cards": lambda rng, project, plan: cards.merge_cards(
        project, plan, _keys(rng, project), f"Card {rng.integers(2)}", _one(rng, POOLS)
    ),
    "take apart": lambda rng, project, plan: cards.take_apart(project, plan, _keys(rng, project)),
    "decision": lambda rng, project, plan: plans.add_decision(project, plan, 0, "decided", "for a reason"),
    "levels": _with_layers,
    "price case": lambda rng, project, plan: plans.set_price_case(project, plan, _one(rng, PriceCase)),
    "delete plan": lambda rng, project, plan: plans.delete_plan(project, plan),
}  # fmt: skip
ANYWHERE: Final[dict[str, Edit]] = {
    "label": lambda rng, project, _: workloads.label_workloads(project, _keys(rng, project), _one(rng, (*POOLS, None))),
    "need": lambda rng, project, _: needs.set_need(
        project, _keys(rng, project), "memory_gb_per_gpu", float(rng.integers(20, 200))
    ),
    "rate": lambda rng, project, _: _with_rate(rng, project),
    "wacc": lambda rng, project, _: plans.set_assumption(project, None, "wacc", _one(rng, (0.05, 0.1))),
    "title": lambda rng, project, _: inputs.set_title(project, f"Quarter {rng.integers(9)}"),
    "contracts": lambda rng, project, _: contracts.replace_contracts(project, project.contracts[: rng.integers(1, 3)]),
    "new plan": _with_plan,
}  # fmt: skip


def differences(one: object, other: object, path: str = "") -> list[str]:
    """Where two values differ, bit by bit; nan is nan."""
    if type(one) is not type(other):
        return [f"{path}: {type(one).__name__} and {type(other).__name__}"]
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return [] if one.dtype == other.dtype and one.tobytes() == other.tobytes() else [path]
    if is_dataclass(one) and not isinstance(one, type):
        if one is other:
            return []
        named = ((field.name, getattr(one, field.name), getattr(other, field.name)) for field in fields(one))
        return [found for name, a, b in named for found in differences(a, b, f"{path}.{name}")]
    if isinstance(one, dict) and isinstance(other, dict):
        if list(one) != list(other):
            return [f"{path}: keys"]
        return [found for key in one for found in differences(one[key], other[key], f"{path}[{key}]")]
    if isinstance(one, partial) and isinstance(other, partial):  # what is worked out when it is shown
        given = [(call.func, call.args, call.keywords) for call in (one, other)]
        return differences(*given, path)
    if isinstance(one, (tuple, list)) and isinstance(other, (tuple, list)):
        if len(one) != len(other):
            return [f"{path}: {len(one)} and {len(other)}"]
        pairs = enumerate(zip(one, other, strict=True))
        return [found for at, (a, b) in pairs for found in differences(a, b, f"{path}[{at}]")]
    same = one == other or (isinstance(one, float) and np.isnan(one) and np.isnan(other))  # type: ignore[call-overload]
    return [] if same else [f"{path}: {one!r} and {other!r}"]


def walk(qtbot: QtBot, seed: int, steps: int, look_every: int) -> int:
    """Take a walk; how often the state was held against a fresh evaluation."""
    rng, tables = np.random.default_rng(seed), read_tables()
    document, evaluator = Document(loaded()), Evaluator(steps_of(tables))
    failures: list[Exception] = []
    evaluator.failed.connect(failures.append)
    scenario, before, looks = "Plan A", [document.project], 0
    for step in range(steps):
        names = [plan.name for plan in document.project.scenarios]
        if scenario not in (TODAY, *names):
            scenario = TODAY
        gesture = rng.random()
        if gesture < 0.15:
            document.undo_stack.undo()
        elif gesture < 0.25:
            document.undo_stack.redo()
        elif gesture < 0.3:
            document.undo_stack.setIndex(int(rng.integers(document.undo_stack.count() + 1)))
        elif gesture < 0.4:
            scenario = str(_one(rng, (TODAY, *names)))
        else:
            allowed = ANYWHERE if scenario == TODAY else IN_A_PLAN | ANYWHERE
            name = str(_one(rng, allowed))
            at = document.undo_stack.index()
            try:
                after = allowed[name](rng, document.project, scenario)
            except PlannerError:  # refused in words, such as the last plan's end: nothing happens
                after = document.project
            if after is not document.project:
                del before[at + 1 :]
                before.append(after)
            document.edit(name, after)
        assert document.project is before[document.undo_stack.index()]  # exact: the very object
        names = [plan.name for plan in document.project.scenarios]
        scenario = scenario if scenario in (TODAY, *names) else TODAY
        evaluator.evaluate_soon(document.project, scenario)
        if rng.random() < 0.2:  # a card that hovers, and is not waited for
            evaluator.preview(_keys(rng, document.project), Pool.BURST)
        if step % look_every:
            continue
        qtbot.waitUntil(lambda: evaluator.is_settled, timeout=120_000)
        known, fresh = evaluator.evaluation, evaluate(document.project, scenario, tables)
        assert known is not None
        assert not failures
        for part in ("audit", "advice", "outlook", "fit"):
            assert differences(getattr(known, part), getattr(fresh, part), part) == []
        for part in ("cards", "pools", "hourly"):
            assert differences(getattr(known.figures, part), getattr(fresh.figures, part), part) == []
        looks += 1
    evaluator.close()
    return looks


@pytest.mark.long
def test_a_short_walk_ends_where_a_fresh_evaluation_does(qtbot: QtBot) -> None:
    assert walk(qtbot, seed=1, steps=80, look_every=10) == 8


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 10))
def test_a_long_walk_never_leaves_what_a_fresh_evaluation_says(qtbot: QtBot, seed: int) -> None:
    """Every fourth step is compared: to evaluate anew takes a second, to walk on takes milliseconds.

    Several walks, as a test that takes five minutes has its stack written, which may end the process.
    """
    assert walk(qtbot, seed=seed, steps=250, look_every=4) == 63
