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
from gpuplanner.domain.model.plan.scenario import Decision, Scenario
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
            key=KEYS[at],
            name=name,
            cluster=CLUSTERS[at % 2],
            owner=hostile("owner"),
            label=None,
            jobs=90,
            gpu_jobs=90,
            milli_gpu_seconds=int(amounts[index == at].sum()),
            peak_milli_gpus=8000,
            max_nodes=2,
            max_milli_gpus=8000,
            median_milli_gpus=72_000,
            longest_job_s=3600,
            failed_milli_gpu_seconds=10**9,
            queue=hostile("queue"),
            sample_name=hostile("sample"),
            activity=0.1,
            model_time=((hostile("Llama"), 10**9),),
        )
        for at, name in enumerate(NAMES)
    )
    start_s, end_s = WINDOW.start_s - 90 * DAY_S, WINDOW.end_s + 90 * DAY_S
    contracts = tuple(
        Contract(
            contract_id=hostile(name),
            cluster=CLUSTERS[at],
            gpu_model=MODELS[at],
            milli_gpus=16_000,
            rate_usd_per_gpu_hour=Decimal("2.75"),
            start_s=start_s,
            end_s=end_s,
            provider=hostile("provider"),
            pricing_category=PricingCategory.COMMITTED,
            term_months=12,
            min_term_months=1,
            notice_days=30,
            region=hostile("region"),
        )
        for at, name in enumerate(("contract-a", "contract-b"))
    )
    offers = tuple(
        Offer(
            offer_id=hostile(f"{kind.value} {at}"),
            gpu_model=MODELS[at],
            pricing_category=kind,
            term_months=months,
            rate_usd_per_gpu_hour=Decimal(rate),
            provider=hostile("seller"),
            rate_low=Decimal(rate) / 2,
            rate_high=Decimal(rate) * 2,
            gpu_memory_gb=80.0,
            region=hostile("region"),
            source=hostile("list"),
            as_of="2026-10-01",
        )
        for at in (0, 1)
        for kind, months, rate in (
            (PricingCategory.STANDARD, 0, "6.88"),
            (PricingCategory.COMMITTED, 12, "3.10"),
            (PricingCategory.DYNAMIC, 0, "2.20"),
        )
    )
    issue = worded("{cell} is no time", cell=hostile("cell"))
    intake = FileIntake(
        path=f"/tmp/{hostile('jobs')}.csv",
        kind="jobs",
        format="sacct",
        rows_read=100,
        rows_accepted=90,
        rows_rejected=5,
        rows_duplicate=3,
        rows_ignored=2,
        issues=(Issue("bad_time", 5, 4, issue),),
        rejected=(
            RejectedRow(row=4, code="bad_time", message=issue, text=hostile("row"), cells=(hostile("cell"),)),
        ),
        columns=(hostile("heading"),),
    )
    moved = worded("Move {name} to {pool}", name=NAMES[2], pool=Pool.INFERENCE)
    first = Scenario(
        name=hostile("Plan A"),
        decisions=(Decision(WINDOW.end_s, moved, hostile("reason")),),
        merges={"<b>both": tuple(sorted(KEYS[2:4]))},
    )
    second = replace(
        first, name=hostile("Plan B"), pools={KEYS[0]: Pool.INFERENCE}, pinned=frozenset(KEYS[:1])
    )
    places = places_of(
        (
            UserCity(
                city=hostile("Berlin"),
                country=hostile("DE"),
                latitude=52.5,
                longitude=13.4,
                users=Decimal(500),
            ),
            UserCity(
                city=hostile("Delhi"),
                country=hostile("IN"),
                latitude=28.6,
                longitude=77.2,
                users=Decimal(200),
            ),
        ),
        (
            Site(
                site_id=hostile("here"),
                city=hostile("Ashburn"),
                country=hostile("US"),
                latitude=39.0,
                longitude=-77.5,
                usd_per_month=Decimal(1000),
                is_current=True,
            ),
            Site(
                site_id=hostile("there"),
                city=hostile("Frankfurt"),
                country=hostile("DE"),
                latitude=50.1,
                longitude=8.7,
                usd_per_month=Decimal(2500),
            ),
        ),
        (MeasuredTransit(hostile("Berlin"), hostile("here"), Decimal(150)),),
        (ResidencyRule(hostile("DE"), (hostile("DE"), hostile("US"))),),
    )
    served = ServedModel(
        name=hostile("served"),
        parameters=8_000_000_000,
        layers=32,
        kv_heads=8,
        head_dim=128,
        source=hostile("source"),
    )
    week = WeekRates(tuple(10.0 for _ in range(168)), hostile("week.csv"))
    total = sum(one.milli_gpu_seconds for one in workloads)
    return Project(
        window=WINDOW,
        cube=cube,
        workloads=workloads,
        jobs=JobFacts(
            count=540,
            gpu_jobs=540,
            milli_gpu_seconds=total,
            peak_milli_gpus=40_000,
            first_start_s=WINDOW.start_s,
            last_end_s=WINDOW.end_s,
            clipped=3,
        ),
        contracts=contracts,
        offers=tuple(sorted(offers, key=lambda one: one.offer_id)),
        intake=(intake,),
        labels=dict(zip(KEYS, POOLS, strict=False)),
        scenarios=(first, second),
        title=hostile("title"),
        rules=(
            ClassRule(
                rule_id="own",
                field="owner",
                pattern="zebra",
                pool=Pool.BURST,
                subtype=hostile("kind"),
                confidence=0.9,
                reason=hostile("why"),
            ),
        ),
        notes={KEYS[0]: hostile("note")},
        mappings=(ModelMapping(*MODELS, 1.5),),
        serving={KEYS[ENDPOINT]: ServingChoice(model=served, week=week)},
        places=places,
    )
