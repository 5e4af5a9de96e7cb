"""A small project of which every text is hostile: pictures, links, ampersands, places, bidi and control signs."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

import numpy as np

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts, RejectedRow
from gpuplanner.domain.model.places import (
    MeasuredTransit,
    ResidencyRule,
    ServedModel,
    ServingChoice,
    Site,
    UserCity,
    WeekRates,
    places_of,
)
from gpuplanner.domain.model.plan_inputs import Decision, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule, Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, Window

PICTURE: Final = '<img src="//host/x">'
HOSTILE: Final = (
    f"{PICTURE}<b>bold <a href='//host/y'>link</a> &amp; &File %1 {{0}} {{name}} \u202e\u2066 \x1b[2J\x07 "
)
LONG: Final = "W" * 5000
HOURS, GPU_HOUR = 24 * 30, 3_600_000
WINDOW: Final = Window(1_700_000_000 // 3600 * 3600, HOURS)


def hostile(name: str) -> str:
    """A name that is all that, and still tells one thing from another."""
    return f"{HOSTILE}{name}"


CLUSTERS: Final = (hostile("fir"), hostile("oak"))
MODELS: Final = (hostile("model-a"), hostile("model-b"))
NAMES: Final = tuple(
    hostile(name) for name in ("train pretrain", "vllm serve", "sweep", "notebook", f"etl {LONG}", "other")
)
ENDPOINT: Final = 1
KEYS: Final = tuple(f"{at}/{name}" for at, name in enumerate(NAMES))
POOLS: Final = (Pool.TRAINING, Pool.INFERENCE, Pool.BURST, Pool.BURST, Pool.TRAINING)


def hostile_project() -> Project:
    """Six workloads of two clusters over 30 days, the last in review; two plans; sites, prices, rules, a log."""
    rng = np.random.default_rng(5)
    index = np.repeat(np.arange(len(NAMES)), HOURS)
    amounts = rng.integers(0, 9, len(index)) * GPU_HOUR
    hours = np.tile(np.arange(HOURS), len(NAMES))
    cube = cube_from_entries(HOURS, MODELS, index, index % 2, hours, amounts)
    workloads = tuple(
        Workload(
            KEYS[at], name, CLUSTERS[at % 2], hostile("owner"), None, 90, 90, int(amounts[index == at].sum()), 8000,
            2, 8000, 72_000, 3600, failed_milli_gpu_seconds=10**9, queue=hostile("queue"),
            sample_name=hostile("sample"), activity=0.1, model_time=((hostile("Llama"), 10**9),),
        )
        for at, name in enumerate(NAMES)
    )  # fmt: skip
    start_s, end_s = WINDOW.start_s - 90 * DAY_S, WINDOW.end_s + 90 * DAY_S
    contracts = tuple(
        Contract(
            hostile(name), CLUSTERS[at], MODELS[at], 16_000, Decimal("2.75"), start_s, end_s, hostile("provider"),
            PricingCategory.COMMITTED, 12, 1, 30, hostile("region"),
        )
        for at, name in enumerate(("contract-a", "contract-b"))
    )  # fmt: skip
    offers = tuple(
        Offer(
            hostile(f"{kind.value} {at}"), MODELS[at], kind, months, Decimal(rate), hostile("seller"),
            Decimal(rate) / 2, Decimal(rate) * 2, gpu_memory_gb=80.0, region=hostile("region"),
            source=hostile("list"), as_of="2026-10-01",
        )
        for at in (0, 1)
        for kind, months, rate in (
            (PricingCategory.STANDARD, 0, "6.88"),
            (PricingCategory.COMMITTED, 12, "3.10"),
            (PricingCategory.DYNAMIC, 0, "2.20"),
        )
    )  # fmt: skip
    issue = worded("{cell} is no time", cell=hostile("cell"))
    intake = FileIntake(
        f"/tmp/{hostile('jobs')}.csv", "jobs", "sacct", 100, 90, 5, 3, 2, (Issue("bad_time", 5, 4, issue),),
        (RejectedRow(4, "bad_time", issue, hostile("row"), (hostile("cell"),)),), columns=(hostile("heading"),),
    )  # fmt: skip
    moved = worded("Move {name} to {pool}", name=NAMES[2], pool=Pool.INFERENCE)
    first = Scenario(
        hostile("Plan A"),
        decisions=(Decision(WINDOW.end_s, moved, hostile("reason")),),
        merges={"<b>both": tuple(sorted(KEYS[2:4]))},
    )
    second = replace(
        first, name=hostile("Plan B"), pools={KEYS[0]: Pool.INFERENCE}, pinned=frozenset(KEYS[:1])
    )
    places = places_of(
        (
            UserCity(hostile("Berlin"), hostile("DE"), 52.5, 13.4, Decimal(500)),
            UserCity(hostile("Delhi"), hostile("IN"), 28.6, 77.2, Decimal(200)),
        ),
        (
            Site(hostile("here"), hostile("Ashburn"), hostile("US"), 39.0, -77.5, Decimal(1000), True),
            Site(hostile("there"), hostile("Frankfurt"), hostile("DE"), 50.1, 8.7, Decimal(2500)),
        ),
        (MeasuredTransit(hostile("Berlin"), hostile("here"), Decimal(150)),),
        (ResidencyRule(hostile("DE"), (hostile("DE"), hostile("US"))),),
    )
    served = ServedModel(hostile("served"), 8_000_000_000, 32, 8, 128, source=hostile("source"))
    week = WeekRates(tuple(10.0 for _ in range(168)), hostile("week.csv"))
    total = sum(one.milli_gpu_seconds for one in workloads)
    return Project(
        WINDOW, cube, workloads,
        JobFacts(540, 540, total, 40_000, WINDOW.start_s, WINDOW.end_s, 3),
        contracts, tuple(sorted(offers, key=lambda one: one.offer_id)), (intake,),
        labels=dict(zip(KEYS, POOLS, strict=False)),
        scenarios=(first, second),
        title=hostile("title"),
        rules=(ClassRule("own", "owner", "zebra", Pool.BURST, hostile("kind"), 0.9, hostile("why")),),
        notes={KEYS[0]: hostile("note")},
        mappings=(ModelMapping(*MODELS, 1.5),),
        serving={KEYS[ENDPOINT]: ServingChoice(served, week)},
        places=places,
    )  # fmt: skip
