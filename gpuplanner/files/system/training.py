"""Training as it ships: chips, factors and models; and what comes of stated runs with them, at a plan's offers."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import log2
from typing import Final

from gpuplanner.domain.audit.energy import rated_power
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import TrainedNeed
from gpuplanner.domain.model.trained import StatedRun, TrainedModel
from gpuplanner.domain.training.answer import Answer, answer_of, models_to_try
from gpuplanner.domain.training.finish import MeasuredRun
from gpuplanner.domain.training.memory import usual_model
from gpuplanner.domain.training.run import Chip, Efficiency, Factors
from gpuplanner.domain.training.workloads import need_of_run, run_of_model
from gpuplanner.files.system.resources import (
    float_or_none,
    gpu_families,
    int_or_none,
    read_calibration,
    read_tables,
    rows_of,
)

USUAL_DOMAIN: Final = 8


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """What ships: chips by GPU model, factors, models by name. node_gpus: of the machine a chip is usual in."""

    chips: Mapping[str, Chip]
    factors: Factors
    models: Mapping[str, TrainedModel]
    node_gpus: Mapping[str, int]


@cache
def training_facts() -> TrainingFacts:
    """Source: resources/training_chips.csv, training_factors.csv, training_models.csv; gpu_models.csv (BF16), and
    serving_gpus.csv (FP8, FP4).
    """
    known = {model.name: model for model in read_tables().gpu_models}
    serving = read_calibration().chips
    chips, nodes, alike = {}, {}, {}
    for row in rows_of("training_chips.csv"):
        name, model = row["gpu_model"], known.get(row["gpu_model"])
        memory = float_or_none(row["training_memory_gb"]) or (None if model is None else model.memory_gb)
        if not memory:
            continue
        bf16 = float_or_none(row["bf16_tflops"]) or (None if model is None else model.tflops)
        served = serving.get(name.casefold())
        narrow = {} if served is None else served.tflops
        peaks = {
            "BF16": bf16,
            "FP8": float_or_none(row["fp8_tflops"]) or narrow.get("FP8"),
            "FP4": float_or_none(row["fp4_tflops"]) or narrow.get("FP4"),
        }
        nodes[name] = int(row["node_gpus"] or USUAL_DOMAIN)
        linked = int(row["link_gpus"] or 1)
        nic = float_or_none(row["node_nic_gbps"])
        chips[name] = Chip(
            name,
            memory,
            {precision: peak for precision, peak in peaks.items() if peak},
            2 ** int(log2(linked)),
            None if nic is None else nic / nodes[name],
        )
        if row["alike"]:
            alike[name] = row["alike"]
    shares = {
        (row["gpu_model"], row["precision"], row["kind"]): Efficiency(float(row["share"]))
        for row in rows_of("training_factors.csv")
    }
    models = {row["name"]: _model(row) for row in rows_of("training_models.csv")}
    return TrainingFacts(chips, Factors(shares, alike), models, nodes)


def _model(row: Mapping[str, str]) -> TrainedModel:
    chosen, experts = int_or_none(row["experts_per_token"]), int_or_none(row["experts"])
    return TrainedModel(
        row["name"],
        float(row["parameters_billion"]) * 1e9,
        float(row["active_billion"]) * 1e9,
        int_or_none(row["layers"]),
        int_or_none(row["hidden"]),
        int_or_none(row["attention_layers"]),
        int_or_none(row["attention_width"]),
        int_or_none(row["vocabulary"]),
        chosen,
        chosen / experts if chosen and experts else None,
    )


def model_of_catalogue(name: str) -> TrainedModel | None:
    """A model of the shipped table, whatever case and signs; None where there is none of the name."""
    wanted = _folded(name)
    return next((model for model in training_facts().models.values() if _folded(model.name) == wanted), None)


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold().rpartition("/")[2])


def chip_of(written: str) -> tuple[Chip | None, int]:
    """The chip that a text names, by the variant where that has facts of its own, and the GPUs of its usual node."""
    facts = training_facts()
    read = gpu_families().read(written.partition("(")[0])
    names = () if read is None else (f"{read.family} {read.form}", read.family)
    for name in (written, *names):
        if name in facts.chips:
            return facts.chips[name], facts.node_gpus[name]
    return None, USUAL_DOMAIN


NEAR_SIZE: Final = 0.1
"""A model of the table counts for one whose size a name says where the two are so near."""


def trained_need(
    billion: float, gpu_model: str | None, gpus: float, slow_gbps: float | None, name: str
) -> TrainedNeed:
    """What the largest job of a workload needs, as TrainedOf asks it: of the model of the table that its name holds,
    else of one of usual proportions.
    """
    facts = training_facts()
    chip, node_gpus = chip_of(gpu_model) if gpu_model else (None, USUAL_DOMAIN)
    held = [
        model
        for model in facts.models.values()
        if _folded(model.name) in _folded(name) and abs(model.parameters / 1e9 / billion - 1) < NEAR_SIZE
    ]
    model = max(held, key=lambda one: len(one.name), default=usual_model(billion * 1e9))
    return need_of_run(run_of_model(model, chip, node_gpus, gpus, name), slow_gbps, facts.factors)


# --- What comes of runs that are stated ----------------------------------------------------------


def trained_answer(
    run: StatedRun,
    offers: Sequence[Offer],
    assumptions: Assumptions,
    contracts: Sequence[Contract],
    now_s: int,
    measured: MeasuredRun | None = None,
) -> Answer:
    """What comes of a run at the offers and assumptions of a plan, and on what is held. now_s: epoch seconds.

    measured: the run as it went on so many GPUs.
    """
    facts = training_facts()
    names = models_to_try(run, offers, facts.factors, chip_of)
    power = rated_power(names, read_tables().gpu_models, gpu_families())
    draw = assumptions.power_share * assumptions.pue
    kw = {chip.name: one.kw * draw for name, one in power.items() if (chip := chip_of(name)[0]) is not None}
    return answer_of(run, offers, chip_of, facts.factors, kw, now_s, contracts, measured)


def answers_in(project: Project, scenario: str, now_s: int) -> tuple[Answer, ...]:
    """What comes of all runs of a project in one of its plans, or today."""
    offers, assumptions = project.offers, project.assumptions
    if scenario != TODAY:
        plan = project.scenario(scenario)
        offers, assumptions = project.offers_in(plan), project.assumptions_in(plan)
    return tuple(trained_answer(run, offers, assumptions, project.contracts, now_s) for run in project.runs)
