"""Hardware that fits random and crafted worlds, and sizes of random endpoints, as golden tables."""

import random
from dataclasses import replace
from typing import Any, Final

from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.hardware import Hardware, with_own_memory
from gpuplanner.domain.fit.needs import less_quoted
from gpuplanner.domain.fit.pool_fit import pool_fits
from gpuplanner.domain.fit.provisioned import provisioned_cost
from gpuplanner.domain.fit.rules import eligible_offers, hardware_fit, need_of, steady_offers
from gpuplanner.domain.fit.sized_endpoints import gpus_in_log, shape_in_log, size_choice
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import NO_PLACES, ServingChoice
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_served_models, read_serving_tables, read_tables
from tests.domain.fit.stated_endpoint import NEAR_AND_FAR, offer
from tests.domain.model.random_book import random_offers
from tests.domain.random_worlds import evaluation_of
from tests.domain.serving.golden_tables import random_load
from tests.golden.tables import Table
from tests.shown import class_lines, shown

FOLDER: Final = "tables_fit"
WORLDS: Final = ("edge 4", "edge 8", "edge 9", "new 11", "new 30", "random 6", "two_clusters")
NAMES: Final = ("train-llama-70b", "vllm-mixtral-8x7b", "sft", "chat", "gpt-175b 4 nodes", "")


def world_lines(case: str) -> str:
    """Return the fit of each workload of a world, and of its pools."""
    evaluation = evaluation_of(case)
    fits = fit_project(evaluation.project, evaluation.audit, read_tables())
    costs = {row.key: row.usd_per_month for row in evaluation.audit.workloads}
    logged = [
        f"{workload.key}: {shown(gpus_in_log(evaluation.project, workload.key))}, by hour of the week "
        f"{shown(shape_in_log(evaluation.project, workload.key)[:30])}"
        for workload in evaluation.project.workloads
    ]
    return "\n".join((class_lines((fits, pool_fits(fits, costs))), *logged))


def offer_lines(case: str) -> str:
    """Return how random offers fit each need."""
    offers = random_offers(int(case), 10)
    lines = []
    for pool in Pool:
        for name in NAMES:
            need = need_of(pool, name or None, "nodes" in name)
            fits = [f"{row.offer_id} {shown(hardware_fit(row, need)[0])}" for row in offers]
            chosen = [row.offer_id for row in eligible_offers(offers, need)]
            lines.append(f"{pool} {name!r}: {', '.join(fits)}; eligible {shown(chosen)}")
    lines.append(f"steady {shown([row.offer_id for row in steady_offers(offers)])}")
    return "\n".join(lines)


def endpoint_lines(case: str) -> str:
    """Return the sizing of a random model under a random load."""
    chance = random.Random(f"endpoint {case}")
    models = read_served_models()
    choice = ServingChoice(
        model=chance.choice(models) if chance.random() < 0.8 else None,
        rates=chance.choice(((), (), (("H100", 12.0), ("L40S", 3.0)))),
        term_months=chance.choice((None, 0, 12)),
        gpu_model=chance.choice(("", "H100")),
    )
    if choice.model is None and not choice.rates:
        choice = replace(choice, rates=(("H100", 8.0),))
    offers = (
        offer("h", chance.choice(("2.5", "3")), max_gpus=chance.choice((None, 16))),
        offer("y", "1.9", 12),
        offer("h2", "3.4", model="H200"),
        offer("l", None, model="L40S"),
        offer("a", "0.9", 36, model="A100", sla_percent=99.9),
    )
    assumptions = replace(
        Assumptions(),
        serving_api_usd_in=chance.choice((None, 0.5)),
        serving_api_usd_out=2.0,
        serving_usd_per_request=chance.choice((None, 0.01)),
        serving_replicas_spare=chance.choice((None, 1)),
    )
    places: Any = chance.choice((NO_PLACES, NEAR_AND_FAR))
    held = chance.choice((None, ("H100", 6.0)))
    sizing = size_choice(
        "k", choice, random_load(int(case)), assumptions, places, offers, read_serving_tables(), held=held
    )
    parts = [
        (cost, sizing.api(cost), sizing.replay(cost))
        for cost in (sizing.drawn, sizing.best)
        if cost is not None
    ]
    return class_lines(
        (sizing.costs[:6], sizing.best, sizing.ratios, sizing.shorter_ways, sizing.cheaper, parts)
    )


UNIT_FIELDS: Final = ("gpus_peak", "gpu_hours_per_month_flat", "cost_per_month", "api_from", "hosting_from")


def provisioned_lines(case: str) -> str:
    """Return what units of an API cost under a random load, from which traffic they and hosting pay. case: a seed."""
    chance = random.Random(f"provisioned {case}")
    sizing = size_choice(
        "k",
        replace(ServingChoice(), model=chance.choice(read_served_models()[:6])),
        random_load(int(case)),
        replace(
            Assumptions(),
            serving_api_usd_in=chance.choice((None, 0.5, 3.0)),
            serving_api_usd_out=chance.choice((2.0, 12.0)),
        ),
        NO_PLACES,
        (offer("h", "2.5"), offer("y", "1.9", 12)) if chance.random() < 0.8 else (),
        read_serving_tables(),
    )
    lines = []
    for rate, least, term in (("30", None, 0), ("9.5", 3, 0), ("20", 40, 1), ("4", 1, 0)):
        sold = offer("unit", rate, term, min_gpus=least)
        for per_unit in (2_000.0, 150_000.0):
            cost = provisioned_cost(sizing, sold, per_unit)
            told = (getattr(cost, name) for name in UNIT_FIELDS)
            row = f"{cost.row.replicas_peak} units of {shown(cost.row.replicas_asked)}"
            lines.append(f"{rate} from {least} at {per_unit:g}: {row} {' '.join(map(shown, told))}")
    return "\n".join(lines)


QUOTED_FROM: Final = (
    "",
    "",
    "Quote RFQ-20260101-AAAA R1 for 2026-02-10",
    "Quote RFQ-20260101-AAAA R2 for 2026-02-10",
)


def quoted_lines(case: str) -> str:
    """Return what quotes leave of lists for so many GPUs. case: a seed."""
    chance = random.Random(f"quoted {case}")
    offers = tuple(
        offer(
            f"o{number}",
            chance.choice(("1.9", "2", "2.1")),
            chance.choice((12,) * 5 + (6,)),
            model=chance.choice(("H100",) * 5 + ("A100",)),
            max_gpus=chance.choice((None, 2, 4, 6, 9, 9)),
            source=chance.choice(QUOTED_FROM) or None,
            starts="2026-02-10",
        )
        for number in range(chance.randint(3, 8))
    )
    project = replace(evaluation_of(WORLDS[0]).project, offers=offers)
    given = [
        f"{row.offer_id} {row.gpu_model} {row.term_months} ${shown(row.rate)} {shown(row.max_gpus)} "
        f"{(row.source or '')[24:26] or 'list'}"
        for row in offers
    ]
    left = [f"{row.offer_id} {shown(row.max_gpus)}" for row in less_quoted(project).offers]
    return f"{'; '.join(given)}\n{', '.join(left)} same {less_quoted(project) is project}"


def memory_lines(_: str) -> str:
    """Return what a card holds beside what is stated of its model."""
    stated = Hardware(contract_or_offer="k", gpu_model="H100", memory_gb=80.0, memory_source="table")
    rows = (stated, replace(stated, memory_gb=None))
    return "\n".join(
        f"{shown(row.memory_gb)} {shown(gib)}: {shown(with_own_memory(row, gib).usable_gb)}"
        for row in rows
        for gib in (None, 40.0, 63.9, 64.0, 71.9, 72.1, 79.6, 80.0, 87.9, 88.1, 96.1, 141.0)
    )


TABLES: Final = {
    "worlds.txt": Table(text_of=world_lines, cases=WORLDS),
    "offers.txt": Table(text_of=offer_lines, cases=tuple(map(str, range(6)))),
    "provisioned.txt": Table(text_of=provisioned_lines, cases=tuple(map(str, range(8)))),
    "quoted.txt": Table(text_of=quoted_lines, cases=tuple(map(str, range(20)))),
    "memory.txt": Table(text_of=memory_lines, cases=("cards",)),
    "endpoints.txt": Table(text_of=endpoint_lines, cases=tuple(map(str, range(10)))),
}
