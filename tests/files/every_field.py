"""A project with something in every field that a project can have, and one change of each of these fields."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from decimal import Decimal
from enum import Enum
from types import UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

import numpy as np

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.billed import BilledUse
from gpuplanner.domain.model.book.exchange import ExchangeRate
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.domain.model.cube import Cube, IdleGap, IdleGaps, RunningJobs
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.intake import (
    DataQuality,
    LargestJob,
    LogGap,
    LoggedRun,
    RejectedRow,
    SuspiciousValue,
)
from gpuplanner.domain.model.places import (
    MeasuredPoint,
    Places,
    ServedModel,
    ServingChoice,
    Traffic,
    WeekRates,
    places_of,
)
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import DoneDecision
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.trained import (
    Layout,
    Method,
    Recompute,
    Sharding,
    Stack,
    StatedRun,
    TrainedModel,
)
from gpuplanner.domain.model.window import HOURS_OF_WEEK
from tests.files.project.test_project_file import rich

WORDS = ("roce", "renew", "queue", "owner", "as_today", "free", "SEK", "2026-09-01", "2026-07", "1" * 64)
"""For fields that have some words alone."""


def full() -> Project:
    """`rich`, with what hangs on it filled too."""
    base = rich()
    quality = DataQuality(
        jobs=9,
        hours=100,
        busy_hours=50,
        gaps=(LogGap(7200, 10800),),
        shorter_gap_hours=1,
        with_id=8,
        with_name=7,
        with_user=6,
        naive=5,
        zero_length=4,
        gpu_time=1e6,
        with_model=5e5,
        with_activity=25e4,
        long_running=1,
        clock_skew=2,
        suspicious=(SuspiciousValue("user", "none", 3),),
        read_shares=(("id_coverage", 0.5), ("activity_coverage", None)),
        clusters=("c", "d"),
    )
    running = (RunningJobs(0, "H100", 8000, 3600), RunningJobs(0, "L40S", 1, 60), RunningJobs(0, None, 1, 60))
    idle_gaps = IdleGaps(60, (IdleGap("c", 7200, running), IdleGap("d", 7200, ())))
    read, noted = (
        base.intake[0],
        RejectedRow(row=5, code="x", message=worded("y"), text="t", cells=("1", "2")),
    )
    first, second = base.workloads
    first = replace(first, model_time=(("H100", 5), ("L40S", 2)))
    plan = replace(
        base.scenarios[1],
        spells={"e//x": Spell(0, 7200)},
        changes=(
            DemandChange(target="all", keys=(), factor=2.0, from_s=3600),
            DemandChange(target="d//x", keys=("d//x", "e//x"), factor=0.5, from_s=0, by=True),
        ),
        price_changes=(PriceChange("H100", 0.8, 3600), PriceChange("L40S", 1.1, 7200, True)),
        planned=(PlannedWork(name="batch", pool=Pool.BURST, gpu_model="H100", gpus=4.0),),
        only={"e//x": Only("Fern", "eu-1"), "e//y": Only(not_provider="Fern")},
        shares={Only("Fern", "eu-1"): 0.4},
        scratch_of="Plan A",
        notice_given=("k1", "k2"),
        runs_on=("k3", "k4"),
        left_terms=frozenset({(Pool.BURST, None, 12), (Pool.TRAINING, "H100", 36)}),
        kept=("k5", "k6"),
        ended=("k7", "k8"),
        provider_ends={"Fern": 1_800_000_000},
        accepted=("right_size", "idle_ended"),
        decision_numbers={"contract:k5": 1, "contract:k7": 2},
        postponed=frozenset({"contract:k5"}),
        at_list_price=frozenset({"order:inference:H100:m36:36:1"}),
        done=(
            DoneDecision(
                decision_id="contract:k7:done:2",
                number=2,
                kind="end",
                subject=worded("k7 ({gpus} H100)", gpus="8"),
                provider="nebula",
                by_s=86_400,
                usd_12_months=5.0,
                committed_usd=0.0,
                contract_ids=("k7",),
                is_placed=True,
                end_s=172_800,
                renews_months=1,
            ),
        ),
        order_numbers={"order:burst:H100:o3:12:1": 1, "order:burst:H100:o3:12:2": 2},
    )
    committed = Offer(
        offer_id="o3",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal("2.10"),
    )
    return replace(
        base,
        cube=Cube(
            hours=2160,
            gpu_models=("H100", "L40S", "A100"),
            workload_index=np.array([0, 0, 0, 1]),
            model_index=np.array([-1, 0, 1, 1]),
            offsets=np.array([0, 2, 4, 6, 7]),
            hour=np.arange(7),
            milli_gpu_seconds=np.arange(5, 12),
        ),
        workloads=(first, replace(second, cluster="c"), replace(second, key="e//x")),
        contracts=(replace(base.contracts[0], slices=((0.0, 8.0), (8.0, 9.5))), *base.contracts[1:]),
        jobs=replace(
            base.jobs,
            quality=quality,
            idle_gaps=idle_gaps,
            models_written=(("c", "H100", 5),),
            queues=(("c", "q", 5),),
            largest=(
                LargestJob(key="e//x", gpu_model=None, job_id="7", milli_gpus=5, start_s=0, end_s=9),
                LargestJob(key="d//x", gpu_model="H100", job_id="8", milli_gpus=1, start_s=0, end_s=9),
            ),
            gaps=(LogGap(3600, 99999), LogGap(0, 7)),
            restart_delays_s=(60, 7200),
            runs=(
                LoggedRun(
                    key="d//x",
                    gpu_model="H100",
                    job_id="8",
                    milli_gpus=1000,
                    start_s=0,
                    end_s=9,
                    state="FAILED",
                ),
            ),
            billed=(
                BilledUse(
                    cluster="c",
                    gpu_model="H100",
                    pricing_category=PricingCategory.DYNAMIC,
                    currency="EUR",
                    is_daily=True,
                    amount=2.5,
                    spans=((0, 2, 7), (7200, 1, 9)),
                ),
            ),
        ),
        intake=(
            replace(
                read, jobs_in_window=7, columns=("a", "b"), noted=(noted,), rejected=(*read.rejected, noted)
            ),
        ),
        traffic={
            "c/ann/chat": Traffic(
                start_s=0,
                end_s=7200,
                hours=((0, 5, 6), (3600, 7, 8)),
                source="t.csv",
                requests=((1, 2, 3), (4, 5, 6)),
            )
        },
        serving={
            "": ServingChoice(
                model=ServedModel(
                    name="m",
                    parameters=10**9,
                    layers=8,
                    kv_heads=2,
                    head_dim=128,
                    active_parameters=10**8,
                    experts=8,
                    experts_per_token=2,
                    kv_values_per_layer=576,
                    source="card",
                ),
                week=WeekRates((0.5, None, *(1.0,) * (HOURS_OF_WEEK - 2)), "w.csv"),
                gpu_model="H100",
                precision="FP8",
                tensor_parallel=4,
                measured=(
                    MeasuredPoint(
                        model="m",
                        gpu_model="H100",
                        tensor_parallel=1,
                        precision="FP8",
                        concurrency=8,
                        input_tokens=10,
                        output_tokens=20,
                        tokens_per_s=5.0,
                        source="own.csv",
                    ),
                ),
                rates=(("L4", 1200.0),),
            )
        },
        offers=(*base.offers, committed),
        earlier_offers=(replace(committed, rate_usd_per_gpu_hour=Decimal("2.30"), as_of="2026-01-15"),),
        currency="EUR",
        budgets={"chat": 60_000.0, "hr": 50.0},
        business=(BusinessFigure("orders", "2026-08", 120_000.0), BusinessFigure("users", "2026-08", 0.5)),
        runs=(
            StatedRun(
                model=TrainedModel(
                    name="m",
                    parameters=1e9,
                    active=5e8,
                    layers=8,
                    hidden=1024,
                    attention_layers=8,
                    attention_width=1024,
                    vocabulary=32_000,
                    experts_per_token=2,
                    expert_share=0.25,
                ),
                tokens=1e12,
                gpu_model="H100",
                gpus=64,
                deadline_h=720.0,
                layout=Layout(
                    tp=2,
                    pp=2,
                    cp=2,
                    ep=2,
                    sharding=Sharding.ZERO1,
                    micro_batch=1.0,
                    recompute=Recompute.FULL,
                    interleave=2,
                ),
                batch=512.0,
                sequence=4096,
                precision="BF16",
                stack=Stack.PLAIN,
                method=Method.LORA,
                nic_gbps=3200.0,
                is_rdma=False,
                storage_gb_per_s=5.0,
                virtual_low=2.0,
                virtual_high=8.0,
                measured_h=40.0,
                measured_gpus=64,
                measured_doubling=0.98,
                fixed=("sharding", "tp"),
            ),
        ),
        exchange=tuple(ExchangeRate(code, Decimal("1.2"), "2026-10-01") for code in ("CHF", "EUR")),
        same=(Same(SameKind.MODEL, "H100 SXM", "H100"),),
        scenarios=(base.scenarios[0], plan),
    )


class Change(NamedTuple):
    """Where in a project something is changed, and what it may become: the first that is sound counts."""

    path: str
    candidates: tuple[Any, ...]


def changes_of(value: Any, hint: Any) -> Iterator[Change]:
    """One change of each field of a value, and of all that hangs on it."""
    if is_dataclass(value) and not isinstance(value, type):
        hints = get_type_hints(type(value))
        for each in (each for each in fields(value) if each.init):
            inner = changes_of(getattr(value, each.name), hints[each.name])
            yield from _put(f".{each.name}", inner, lambda new, name=each.name: _with(value, name, new))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        hints = get_type_hints(type(value))
        for name in value._fields:
            inner = changes_of(getattr(value, name), hints[name])
            yield from _put(f".{name}", inner, lambda new, name=name: value._replace(**{name: new}))
    elif isinstance(value, np.ndarray):
        yield Change("", tuple(_nudged(value)))
    elif isinstance(value, Mapping):
        yield Change("", _unlike(value, dict(list(value.items())[:-1])))
        for key, held in value.items():
            yield from _put(f"[{key!r}]", changes_of(held, None), lambda new, key=key: {**value, key: new})
    elif isinstance(value, tuple):
        more = ("z",) if value and isinstance(value[-1], str) else value[:1]
        yield Change("", _unlike(value, value[:-1], value[::-1], (*value, *more)))
        for at, held in enumerate(value):
            if is_dataclass(held) or hasattr(held, "_fields"):
                yield from _put(
                    f"[{at}]", changes_of(held, None), lambda new, at=at: (*value[:at], new, *value[at + 1 :])
                )
    else:
        yield Change("", _unlike(value, *_others(value, hint)))


def _with(value: Any, name: str, new: Any) -> Any:
    changed = replace(value, **{name: new})
    if not isinstance(changed, Places):
        return changed
    return places_of(changed.cities, changed.sites, changed.measured, changed.residency)  # in their order


def _unlike(value: Any, *candidates: Any) -> tuple[Any, ...]:
    return tuple(new for new in candidates if repr(new) != repr(value))


def _put(step: str, inner: Iterable[Change], make: Callable[[Any], Any]) -> Iterator[Change]:
    for path, candidates in inner:
        made = []
        for candidate in candidates:
            try:
                made.append(make(candidate))
            except (PlannerError, ValueError, TypeError):
                continue  # no such value can be
        yield Change(f"{step}{path}", tuple(made))


def _nudged(values: Any) -> Iterator[Any]:
    for at in range(len(values)):
        for step in (1, -1):
            new = values.copy()
            new[at] += step
            yield new


def _others(value: Any, hint: Any) -> Iterator[Any]:
    if isinstance(value, frozenset):
        yield frozenset(list(value)[1:])
    elif isinstance(value, Enum):
        yield from (other for other in type(value) if other is not value)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, value + 3600, value // 2)
    elif isinstance(value, float):
        yield from (value / 2 + 0.0625, value / 4, 0.96, value + 0.25)
    elif isinstance(value, Decimal):
        yield value + 1
    elif isinstance(value, Message):
        yield joined((f"{value}x",))
    elif isinstance(value, str):
        yield from (f"{value}x", *WORDS)
    kinds = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    if type(None) in kinds:
        yield None
    for kind in kinds if value is None else ():
        if isinstance(kind, type) and issubclass(kind, Enum):
            yield from kind
        elif kind in (str, int, float, bool, Decimal):
            yield from {
                str: ("x", *WORDS),
                int: (1, 3600),
                float: (0.5,),
                bool: (True,),
                Decimal: (Decimal(1),),
            }[kind]


def project_changes(project: Project) -> tuple[Change, ...]:
    """One change of each field of a project and of what hangs on it; those of the window's hours go with the cube's."""
    found = {change.path: change.candidates for change in changes_of(project, Project)}
    hours = project.window.hours + 1
    longer = replace(
        project, window=replace(project.window, hours=hours), cube=replace(project.cube, hours=hours)
    )
    found[".window.hours"] = found[".cube.hours"] = (longer,)
    return tuple(Change(path, candidates) for path, candidates in found.items())


def types_within(row_type: Any, seen: set[type]) -> set[type]:
    """Dataclasses and named tuples that can hang on a value of a type, by what its fields say."""
    for inner in (row_type, *get_args(row_type)):
        if inner is not row_type:
            types_within(inner, seen)
        elif (
            isinstance(inner, type)
            and (is_dataclass(inner) or hasattr(inner, "_fields"))
            and inner not in seen
        ):
            seen.add(inner)
            for hint in get_type_hints(inner).values():
                types_within(hint, seen)
    return seen


def types_in(value: Any) -> set[type]:
    """The same of what is really there."""
    if is_dataclass(value) and not isinstance(value, type):
        held = [getattr(value, each.name) for each in fields(value) if each.init]
    elif isinstance(value, Mapping):
        held = [*value.keys(), *value.values()]
    elif isinstance(value, tuple | list | frozenset):
        held = list(value)
    else:
        return set()
    own = {type(value)} if is_dataclass(value) or hasattr(value, "_fields") else set()
    return own.union(*map(types_in, held))
