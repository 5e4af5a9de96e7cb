"""Random training runs: their layouts, costs, memory and answers, as golden tables."""

import random
from dataclasses import replace
from decimal import Decimal
from typing import Final

from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, StatedRun
from gpuplanner.domain.training import memory
from gpuplanner.domain.training.run import Run, step_of
from tests.domain.training.stated_run import CHIP, FACTORS, HOUR, MIX, OTHER, SMALL, STATED, answered
from tests.golden.tables import Table
from tests.shown import class_lines, refusal, shown, shown_fields

FOLDER: Final = "tables_training"
OFFERS: Final = (
    HOUR,
    replace(HOUR, offer_id="h2", gpu_model="H200", rate_usd_per_gpu_hour=Decimal(4)),
    replace(HOUR, offer_id="small", max_gpus=16, rate_usd_per_gpu_hour=Decimal(2)),
)


def random_layout(chance: random.Random) -> Layout:
    return Layout(
        tp=chance.choice((1, 2, 4, 8)),
        pp=chance.choice((1, 1, 2, 4)),
        cp=chance.choice((1, 1, 2)),
        ep=chance.choice((1, 1, 2)),
        sharding=chance.choice(list(Sharding)),
        micro_batch=chance.choice((1.0, 2.0)),
        recompute=chance.choice(list(Recompute)),
        interleave=chance.choice((1, 2)),
    )


def run_lines(_: str) -> str:
    """Return step, memory and layout of random runs."""
    lines = []
    for seed in range(24):
        chance = random.Random(f"run {seed}")
        run = Run(
            model=chance.choice((SMALL, MIX, replace(SMALL, parameters=2.0**36, active=2.0**36, layers=80))),
            chip=chance.choice((CHIP, OTHER)),
            gpus=chance.choice((8, 16, 64, 256)),
            layout=random_layout(chance),
            batch=chance.choice((16.0, 512.0)),
            sequence=chance.choice((4096, 32_768)),
        )
        lines.append(
            shown_fields(run.layout) + f", {run.gpus} {run.chip.name}, batch {run.batch:g}, {run.sequence}"
        )
        lines.append(f"  {refusal(lambda run=run: step_of(run, FACTORS))}")
        lines.append(f"  {refusal(lambda run=run: memory.memory_of(run))}")
        lines.append(f"  {refusal(lambda run=run: memory.largest_model(run))}")
        lines.append(f"  {refusal(lambda run=run: memory.need_of_run(run, 100.0, FACTORS))}")
        lines.append(f"  {refusal(lambda run=run: shown(memory.fitting(run)).replace(shown(run.model), ''))}")
    return "\n".join(lines)


def answer_lines(case: str) -> str:
    """Return the answer to a random question, a line for each class of the result."""
    chance = random.Random(f"answer {case}")
    stated: StatedRun = replace(
        STATED,
        model=chance.choice((SMALL, MIX)),
        gpus=chance.choice((None, None, 16, 64)),
        deadline_h=chance.choice((None, 100.0, 2000.0)),
        batch=chance.choice((None, 256.0)),
        stack=chance.choice(list(Stack)),
        method=chance.choice(list(Method)),
        precision=chance.choice(("BF16", "FP8")),
        storage_gb_per_s=chance.choice((5.0, 50.0)),
        measured_h=chance.choice((None, 40.0)),
        measured_gpus=16,
        virtual_low=chance.choice((None, 2.0)),
        layout=chance.choice((Layout(), random_layout(chance))),
        fixed=chance.choice(((), ("tp",), ("tp", "pp", "sharding"))),
    )
    return class_lines(answered(stated, "H100", "H200", "h100 sxm", "GPU of nobody", offers=OFFERS))


TABLES: Final = {
    "runs.txt": Table(text_of=run_lines, cases=("random runs",)),
    "answers.txt": Table(text_of=answer_lines, cases=tuple(map(str, range(10)))),
}
