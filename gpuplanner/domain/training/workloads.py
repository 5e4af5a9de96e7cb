"""What a workload's run needs where its model is known: memory of a GPU, and its step by network."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.tables import TrainedNeed
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Stack, TrainedModel
from gpuplanner.domain.training.memory import fit_of
from gpuplanner.domain.training.run import Chip, Factors, Run
from gpuplanner.domain.training.step import BAND, step_of

SEQUENCE: Final = 4096
SLOW_GBPS: Final = 100.0
"""Of a node: one port, where nothing is stated of a slow network."""
ANY_CHIP: Final = Chip("", 0.0, {})


def run_of_model(model: TrainedModel, chip: Chip | None, node_gpus: int, gpus: float, name: str) -> Run:
    """As logs have most of them: plain and fully sharded, a sequence a GPU; `lora` in its name: adapters."""
    folded, count = name.casefold(), max(1, round(gpus))
    method = Method.QLORA if "qlora" in folded else Method.LORA if "lora" in folded else Method.FULL
    return Run(
        model,
        chip or ANY_CHIP,
        count,
        Layout(),
        float(count),
        SEQUENCE,
        "BF16",
        Stack.PLAIN,
        method,
        node_gpus,
    )


def need_of_run(run: Run, slow_gbps: float | None, factors: Factors) -> TrainedNeed:
    """Memory of a GPU and the step on its node's usual network and on a slow one, Gb/s a node; what does not fit is
    worked out again. Source: docs/formulas.md, Training.
    """
    fit = fit_of(run)
    if fit.light is Light.RED:
        fit = fit_of(replace(run, layout=replace(run.layout, recompute=Recompute.FULL)))
    slow = replace(fit.run, nic_gbps=slow_gbps or SLOW_GBPS)
    steps = [step_of(one, factors) for one in (fit.run, slow)]
    fast_s, slow_s = (None if step is None else step.step_s for step in steps)
    band = BAND[run.model.is_dense]
    return TrainedNeed(fit.memory.gib, fast_s, slow_s, run.chip.memory_gb or None, band)
