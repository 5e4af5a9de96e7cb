"""Random workloads by name and shape: their classes, and what rules and cuts come to, as golden tables."""

import random
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final

import numpy as np

from gpuplanner.domain.demand import demand_cuts, model_names, own_rules, pools, rule_preview
from gpuplanner.domain.demand.classification import classify
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.splits import ShareSplit, TimeSplit, WeekSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.system.resources import read_tables
from tests.golden.tables import Table
from tests.shown import class_lines, refusal, refusal_lines, shown, shown_fields

FOLDER: Final = "tables_demand"
HOURS: Final = 21 * 24
START_S: Final = 1_767_225_600
NAMES: Final = (
    "train-llama-70b",
    "pretrain",
    "sft-mixtral",
    "vllm-chat",
    "embed",
    "tgi-llama3-70b",
    "jupyter",
    "notebook-ann",
    "dev",
    "eval",
    "agent-rollouts",
    "sweep-17",
    "hpo",
    "render",
    "data-prep",
    "x",
    "triton-server",
    "batch inference",
)
RULES: Final = tuple(
    ClassRule(
        rule_id=name, field=field, pattern=pattern, pool=pool, subtype=subtype, confidence=0.97, reason=""
    )
    for name, field, pattern, pool, subtype in (
        ("runs", "name", "rollouts?", Pool.BURST, "rollouts"),
        ("evals", "name", "eval", Pool.TRAINING, ""),
        ("ann", "owner", "ann", Pool.INFERENCE, ""),
        ("fast", "queue", "prio*", Pool.INFERENCE, ""),
    )
)


def _hourly(chance: random.Random) -> np.ndarray:
    """Return milli-GPU-seconds in each hour: level, by day, in bursts, or now and then."""
    hours = np.arange(HOURS)
    gpus = chance.choice((1, 4, 8, 32))
    match chance.randrange(5):
        case 0:
            held = np.full(HOURS, gpus)
        case 1:
            held = np.where((hours % 24 >= 8) & (hours % 24 < 20), gpus, chance.choice((0, 1)))
        case 2:
            held = np.where((hours // 24) % 7 < 5, gpus, 0)
        case 3:
            held = np.where(hours % chance.choice((7, 50, 200)) == 0, gpus, 0)
        case _:
            begin = chance.randrange(HOURS - 100)
            held = np.where((hours >= begin) & (hours < begin + chance.choice((5, 90))), gpus, 0)
    return held.astype(np.int64) * 3_600_000


@cache
def random_project(seed: int) -> Project:
    """Return workloads of random names and shapes, in the order of their keys."""
    chance = random.Random(f"workloads {seed}")
    names = sorted(chance.sample(NAMES, 9))
    workloads, entries = [], []
    for place, name in enumerate(names):
        hourly = _hourly(chance)
        busy = np.flatnonzero(hourly)
        total, owner = int(hourly.sum()), chance.choice(("ann", "bob", ""))
        longest_s = chance.choice((600, 7200, 86_400, 500_000))
        workloads.append(
            Workload(
                key=f"atlas/{owner}/{place}-{name}",
                name=name,
                cluster="atlas",
                owner=owner,
                jobs=chance.choice((1, 5, 300)),
                gpu_jobs=chance.choice((1, 5, 300)),
                milli_gpu_seconds=total,
                peak_milli_gpus=int(hourly.max()) // 3600,
                max_nodes=chance.choice((None, 1, 4)),
                max_milli_gpus=int(hourly.max()) // 3600,
                median_milli_gpus=chance.choice((None, 1000, 8000)),
                longest_job_s=longest_s,
                median_job_s=longest_s // chance.choice((1, 4)),
                failed_milli_gpu_seconds=chance.choice((0, total // 3)),
                queue=chance.choice(("", "prio-gpu", "interactive", "long")),
                sample_name=name,
                activity=chance.choice((None, 0.05, 0.6, 0.95)),
                first_start_s=START_S + int(busy[0]) * 3600,
                last_end_s=START_S + int(busy[-1]) * 3600 + 3600,
            )
        )
        entries += [(place, place % 2, int(hour), int(hourly[hour])) for hour in busy]
    order = sorted(range(len(workloads)), key=lambda place: workloads[place].key)
    position = {old: new for new, old in enumerate(order)}
    columns = np.array(
        [(position[place], model, hour, amount) for place, model, hour, amount in entries], dtype=np.int64
    ).T
    return Project(
        window=Window(START_S, HOURS),
        cube=cube_from_entries(HOURS, ("H100", "A100"), *columns),
        workloads=tuple(workloads[place] for place in order),
        rules=RULES,
    )


def class_text(case: str) -> str:
    """Return the class of each workload by name and shape, and with the rules of the planner."""
    project = random_project(int(case))
    tables = read_tables()
    lines = []
    classes = classify(project.workloads, project.cube, {}, tables)
    ruled = classify(project.workloads, project.cube, {project.workloads[0].key: Pool.BURST}, tables, RULES)
    for workload, own, by_rule in zip(project.workloads, classes, ruled, strict=True):
        lines += [workload.key, f"  {shown_fields(own)}"]
        if shown_fields(by_rule) != shown_fields(own):
            lines.append(f"  by rule {shown_fields(by_rule)}")
    pool_of = [row.pool for row in classes]
    calls: dict[str, Callable[[], Any]] = {
        "mix": lambda: model_names.model_mix(project.workloads, pool_of),
        "named": lambda: model_names.models_named(project.workloads, pool_of),
        "clusters": lambda: pools.cluster_classes(project, classes),
        "pools of clusters": lambda: pools.cluster_pools(project, classes),
        "hours": lambda: pools.pool_hours(project.cube, pool_of),
        "flat": lambda: demand_cuts.flat_activities(project, classes),
        "idle": lambda: [
            demand_cuts.is_idle_dev(*pair) for pair in zip(project.workloads, classes, strict=True)
        ],
    }
    lines.append(refusal_lines(calls.items()))
    return "\n".join(lines)


def part_text(case: str) -> str:
    """Return what splits and planned work make of the workloads and their cube."""
    seed = int(case)
    project = random_project(seed)
    first, second, third = (workload.key for workload in project.workloads[:3])
    splits = {
        first: ShareSplit(250 + seed),
        second: TimeSplit(START_S + 100 * 3600),
        third: WeekSplit(tuple(range(8, 20))),
    }
    parted = pools.parted(project, splits)
    assert parted is not None
    after = parted.put_in(project)
    lines = [
        f"{workload.key}: {shown_fields(workload)}" for workload in after.workloads if "#" in workload.key
    ]
    lines.append(class_lines(after.cube))
    work = PlannedWork(
        name="new",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=4.0,
        begins_s=START_S + 50 * 3600,
        length_hours=30 + seed,
    )
    amounts = pools.planned_amounts(work, project.window)
    lines.append(shown(amounts))
    lines.append(shown_fields(pools.make_planned_workload(work, amounts)))
    held = np.array([8.0, 8.0, 4.0, 0.0, 1.0])
    lines.append(shown([demand_cuts.needed_gpus(held, activity, 0.8) for activity in (0.1, 0.4, 0.8, 0.95)]))
    units = [pools.newsvendor_units(held, ratio) for ratio in (0.0, 0.2, 0.21, 0.5, 0.8, 1.0)]
    return "\n".join((*lines, shown(units)))


def rule_text(case: str) -> str:
    """Return rules that are proposed for workloads, and what each changes."""
    project = random_project(int(case))
    tables = read_tables()
    classes = classify(project.workloads, project.cube, {}, tables, RULES[:2])
    lines = []
    for workload in project.workloads[:5]:
        for pool in Pool:
            proposed = refusal(
                partial(
                    rule_preview.propose_rules,
                    project.workloads,
                    (workload.key,),
                    pool,
                    rules=RULES,
                    classifications=classes,
                )
            )
            lines.append(f"{workload.key} {pool}: {proposed}")
    lines += [f"{rule.rule_id}: {shown_fields(rule)}" for rule in RULES]
    lines += [
        f"{text!r} {field}: {shown(own_rules.readings(text, field))}"
        for text in ("Agent Rollouts 17", "vllm*", "", "prio-gpu", "eval|sft", "(x")
        for field in ("name", "queue", "owner")
    ]
    costs = {workload.key: float(place) * 100 or None for place, workload in enumerate(project.workloads)}
    lines.append(class_lines(rule_preview.rule_preview(project, RULES, tables, classes, costs)))
    lines.append(class_lines(own_rules.rule_hits(project.workloads, RULES)))
    return "\n".join(lines)


SEEDS: Final = tuple(map(str, range(6)))
TABLES: Final = {
    "classes.txt": Table(text_of=class_text, cases=SEEDS),
    "parts.txt": Table(text_of=part_text, cases=SEEDS[:4]),
    "rules.txt": Table(text_of=rule_text, cases=SEEDS[:3]),
}
