"""Names, numbers, moments and random logs: what the model reads of them, as golden tables."""

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from gpuplanner.domain.model import (
    amounts,
    assumptions,
    calendar_months,
    cube,
    hardware_needs,
    intake,
    places,
    trained,
    unmatched,
    window,
)
from gpuplanner.domain.model.hardware_needs import NEED_SPECS
from gpuplanner.domain.model.plan.changes import (
    DemandChange,
    PriceChange,
    check_demand_change,
    check_price_change,
    factor_in,
)
from gpuplanner.domain.model.plan.planned_work import ALWAYS, PlannedWork, check_planned
from gpuplanner.domain.model.plan.spells import Spell, check_spell
from gpuplanner.domain.model.plan.splits import week_words
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.system.resources import gpu_families
from tests.domain.model.test_unmatched import project_of
from tests.domain.training.stated_run import STATED
from tests.golden.tables import Table
from tests.shown import refusal, shown, shown_fields, shown_properties

FOLDER: Final = "tables_model"
START_S: Final = 1_767_225_600


def _each(calls: Mapping[str, Callable[[Any], Any]], values: Iterable[Any]) -> list[str]:
    """Return a line for each value: what each call returns for it."""
    return [
        f"{shown(value)}: "
        + ", ".join(f"{name} {refusal(partial(call, value))}" for name, call in calls.items())
        for value in values
    ]


# --- Names of GPUs -------------------------------------------------------------------------------

GPUS: Final = (
    "H100",
    "NVIDIA H100 80GB HBM3",
    "h100sxm5",
    "H100x8",
    "8x H100",
    "NVIDIA-A100-SXM4-40GB",
    "A100",
    "A100 80GB PCIe",
    "a100l",
    "A100-PG509-200",
    "V100M32",
    "Tesla V100-SXM2-32GB",
    "NVIDIAA100",
    "mig-1g-5gb",
    "A100 MIG 3g.20gb",
    "H100 MIG 1g.10gb",
    "H100-SHARED",
    "A40-8Q",
    "RTX 4090",
    "RTX A6000",
    "RTX 6000 Ada",
    "L40S",
    "L4",
    "T4",
    "MI300X",
    "MI250",
    "Gaudi2",
    "B200",
    "GB200",
    "H20",
    "H200 NVL",
    "GH200",
    "K80",
    "P100",
    "GPU",
    "",
    "gpu:h100",
    "nvidia_h100_nvl",
    "A10G",
    "TPU v5e",
    "H100 or A100",
)


def gpu_lines(_: str) -> str:
    """Return what written names of GPU models mean."""
    families = gpu_families()
    lines = []
    for name in GPUS:
        read = families.read(name)
        lines.append(
            f"{name!r}: " + ("-" if read is None else f"{shown_fields(read)}; {shown_properties(read)}")
        )
    lines.append(
        shown([families.read("H100").may_be(other) for name in GPUS if (other := families.read(name))])
    )
    return "\n".join(lines)


# --- Typed numbers -------------------------------------------------------------------------------

TYPED: Final = (
    "",
    "0",
    "1",
    "8",
    "2.5",
    "-1",
    "15T",
    "1,024",
    "1,5T",
    "2%",
    "98%",
    "0.98",
    "1e12",
    "300B",
    "x",
    "inf",
    "nan",
    "1000000",
    "12 months",
    "yes",
    "no",
    "true",
    "0.5",
    "100%",
    "1e400",
)


def run_lines(_: str) -> str:
    """Return how texts are read as numbers of a run, and what they change."""
    lines = []
    for field in trained.RUN_FIELDS:
        results = [f"{text!r} {refusal(partial(trained.typed_number, field, text))}" for text in TYPED[:15]]
        lines.append(f"{field.name}: {', '.join(results)}")
    for name, value in (
        ("tp", 4),
        ("pp", 2),
        ("pp", None),
        ("gpus", 64),
        ("sharding", trained.Sharding.FSDP),
        ("recompute", trained.Recompute.NONE),
    ):
        run = trained.run_with(STATED, name, value)
        lines.append(
            f"{name} {shown(value)}: {shown_fields(run)}; {shown_properties(run)}; {shown(trained.value_in(run, name))}"
        )
    measured = (
        replace(STATED, measured_h=hours, measured_gpus=gpus, measured_doubling=kept, gpu_model=model)
        for hours, gpus, kept, model in (
            (40.0, None, None, "H100"),
            (None, 16, None, "H100"),
            (None, None, 0.9, ""),
            (40.0, 16, 0.9, "H100"),
            (None, None, None, ""),
        )
    )
    lines += [shown_properties(run) for run in measured]
    lines += _each({"short": trained.short_count}, (0.0, 900.0, 999.9, 1000.0, 3.5e11, 1e12, 15e12))
    return "\n".join(lines)


def assumption_lines(_: str) -> str:
    """Return how texts are read as assumptions and needs."""
    lines = []
    for name, item in assumptions.SPEC_BY_NAME.items():
        lines.append(f"{name}: usually {shown(item.default)}, {shown(item.low)} to {shown(item.high)}")
        results = [
            refusal(partial(assumptions.parse_assumption, name, text))
            for text in ("", "0", "1", "2.5", "12%", "-1", "yes", "1e9")
        ]
        lines.append(
            f"{name}: "
            + " | ".join(
                result.removesuffix(" ").replace(f"refused: usage {name}", "refused") for result in results
            )
        )
    for spec in NEED_SPECS:
        lines.append(f"{spec.name}: {shown(spec.low)} to {shown(spec.high)}")
        results = [
            refusal(partial(hardware_needs.parse_need, spec.name, text))
            for text in ("", "0", "1", "80", "1.5", "yes", "roce", "-1", "1e9")
        ]
        lines.append(f"{spec.name}: {' | '.join(results)}")
    lines += _each(
        {"share": assumptions.read_share}, ("", "0", "40%", "0.4", "1", "100%", "101%", "-1", "x", "40")
    )
    lines += _each({"rates": places.rates_of}, ("H100=12", "H100=12,L4=3.5", "H100=0", "H100", "", "a=1,a=2"))
    return "\n".join(lines)


# --- Moments and planned work --------------------------------------------------------------------

MOMENTS: Final = (0, -1, START_S, START_S + 90 * DAY_S + 5 * HOUR_S, START_S + 59 * DAY_S, 86_399, 10**9 + 1)


def moment_lines(_: str) -> str:
    """Return days, hours of the week and months of moments and texts."""
    calls: dict[str, Callable[[Any], Any]] = {
        "day": window.day_of,
        "week hour": window.week_hour_of,
        "calendar": window.has_calendar,
        "utc": window.iso_utc,
        "iso": window.iso_day,
        "in 1": lambda at_s: window.months_on(at_s, 1),
        "in 13": lambda at_s: window.months_on(at_s, 13),
        "month": calendar_months.month_of,
    }
    lines = _each(calls, MOMENTS)
    texts: dict[str, Callable[[Any], Any]] = {
        "day": window.is_day,
        "after 1": lambda text: window.months_after(text, 1),
        "after 25": lambda text: window.months_after(text, 25),
        "before": lambda text: window.months_after(text, -1),
    }
    lines += _each(
        texts, ("2026-01-31", "2024-02-29", "2026-12-15T10:30:00Z", "2026-13-01", "soon", "", "2026-1-5")
    )
    lines += _each({"bounds": calendar_months.month_bounds}, ("2026-01", "2026-12", "2026-02"))
    logs = (Window(START_S, 24 * 90), Window(START_S + 5 * DAY_S, 24 * 70), Window(START_S + DAY_S, 24 * 20))
    lines += [
        f"{shown_fields(log)}; {shown_properties(log)}; {shown(list(calendar_months.month_windows(log)))}"
        for log in logs
    ]
    return "\n".join(lines)


def work_lines(_: str) -> str:
    """Return when random planned work runs, and the factors of random changes."""
    lines = []
    for seed in range(16):
        chance = random.Random(f"work {seed}")
        work = PlannedWork(
            name="w",
            pool=Pool.TRAINING,
            gpu_model="H100",
            gpus=4.0,
            begins_s=chance.choice((None, START_S - 5 * DAY_S, START_S + 40 * DAY_S)),
            ends_s=chance.choice((None, START_S + 41 * DAY_S, START_S + 100 * DAY_S)),
            hours=chance.choice((ALWAYS, tuple(range(8, 20)))),
            length_hours=chance.choice((None, 50, 800)),
            every_hours=chance.choice((None, None, 168)),
        )
        calls: dict[str, Callable[[PlannedWork], Any]] = {
            "check": lambda item: check_planned(item) == item,
            "spell": lambda item: item.spell(START_S),
            "pieces": lambda item: item.pieces(item.spell(START_S), START_S, START_S + 30 * DAY_S)[:4],
            "month": lambda item: item.month_share(START_S),
            "mean": lambda item: item.mean_gpu_hours,
        }
        lines += _each(calls, (work,))
        changes = [
            PriceChange(
                "H100",
                chance.choice((0.5, 2.0)),
                START_S + chance.choice((-1, 0, 45, 200)) * DAY_S,
                chance.random() < 0.5,
            )
            for _ in range(2)
        ]
        factors = [
            factor_in(changes, START_S + month * window.MONTH_S, month, START_S) for month in (0, 1, 2, 7, 12)
        ]
        lines.append(f"  {shown(changes)}: {shown(factors)}")
    lines += _each(
        {"check": lambda spell: check_spell("k", spell)},
        (Spell(0, 3600), Spell(3600, 3600), Spell(None, 1800), Spell(5, None)),
    )
    lines += _each(
        {"check": check_demand_change},
        [
            DemandChange(target="all", keys=(), factor=factor, from_s=0)
            for factor in (-0.1, 0.0, 1.0, 1000.0, 1000.1)
        ],
    )
    lines += _each(
        {"check": check_price_change},
        [PriceChange("H100", factor, 0) for factor in (0.0, 0.1, 1000.0, 1000.1)],
    )
    weeks = ((), tuple(range(8, 20)), (0, 1, 25), tuple(range(24)), tuple(range(120, 168)))
    lines += _each({"words": week_words}, weeks[1:])
    return "\n".join(lines)


# --- Names that only one side has ---------------------------------------------------------------

CLUSTERS: Final = ("atlas", "bora", "Atlas-1", "lab")
MODELS: Final = ("H100", "A100", "gpu-large", "H200", "h100 sxm", "RTX 9999")


def name_lines(_: str) -> str:
    """Return what is asked about random names of jobs and of contracts, and the names of each side."""
    families = gpu_families()
    lines = []
    for seed in range(16):
        chance = random.Random(f"names {seed}")
        ran, paid = (
            [(chance.choice(CLUSTERS), chance.choice(MODELS)) for _ in range(chance.randint(1, 4))]
            for _ in range(2)
        )
        asked_project = project_of(ran, paid)
        result = unmatched.unmatched(asked_project, families)
        lines += [f"ran {shown(ran)}, paid {shown(paid)}: {shown_fields(result)}"]
        lines += [f"  {shown(unmatched.asked_words(question))}" for question in result.questions]
        lines += [f"  {shown_fields(row)}" for row in unmatched.name_rows(asked_project, families)]
    return "\n".join(lines)


# --- Random logs and sums ------------------------------------------------------------------------


def quality_lines(_: str) -> str:
    """Return the quality of random logs: gaps, busy hours and shares."""
    lines = []
    for seed in range(10):
        chance = random.Random(f"quality {seed}")
        hours, hour = [], 490_000
        while len(hours) < 60:
            hour += chance.choice((1, 1, 1, 2, 12, 13, 14, 60 if chance.random() < 0.3 else 1))
            hours.append(hour)
        starts = np.array([chance.choice((0, 1, 5, 12)) for _ in hours])
        ends = np.array([chance.choice((0, 1, 5, 12)) for _ in hours])
        facts = intake.LogFacts(
            hour=np.array(hours),
            starts=starts,
            ends=ends,
            jobs=int(starts.sum()),
            with_id=40,
            with_name=0,
            with_user=7,
            naive=3,
            zero_length=1,
            long_running=2,
            clock_skew=0,
            clusters=("atlas",),
            milli_gpu_seconds=1e9,
            with_model=1.1e9,
            with_activity=2e8,
        )
        quality = intake.data_quality(facts)
        assert quality is not None
        lines += [shown_fields(quality), f"  {shown_properties(quality)}"]
        lines += [f"  {shown(gap)}" for gap in intake.quality_gaps(quality)]
        busy = np.array([chance.random() < 0.05 for _ in range(300)])
        lines.append(f"  {shown(intake.quiet_gaps(busy, Window(START_S, 300)))}")
    return "\n".join(lines)


def sum_lines(_: str) -> str:
    """Return sums with unknown parts, rounded parts, and what a log of some hours supports."""
    values = (
        (),
        (1.5, None),
        (1.4, 1.4, 1.4),
        (0.5, 0.5, None),
        (10.0, -3.3, 2.7),
        (None, None),
        (1e6 / 3,) * 3,
    )
    lines = _each(
        {
            "sum": amounts.known_sum,
            "rounded": amounts.largest_remainder,
            "of 7": lambda parts: amounts.largest_remainder(parts, 7.0),
            "parts": lambda parts: amounts.part_sum(
                [(f"p{place}", part) for place, part in enumerate(parts)]
            ),
            "missing": lambda parts: amounts.missing_words(
                amounts.part_sum([(f"p{place}", part) for place, part in enumerate(parts)])
            ),
        },
        values,
    )
    sums = [amounts.part_sum([(name, part)]) for name, part in (("A", None), ("", None), ("B", 2.0))]
    for several in ((), sums[:1], sums[1:2], sums[:2], sums[1:], sums):
        lines.append(f"{shown(list(several))}: {shown(amounts.in_all(several))}")
    support: dict[str, Callable[[Any], Any]] = {
        "support": lambda hours: list(cube.log_support(hours)),
        "advice": cube.short_advice,
        "cannot": cube.cannot_support,
        "days": cube.days_words,
    }
    return "\n".join(
        (*lines, *_each(support, (1, 24, 7 * 24 - 1, 7 * 24, 14 * 24, 28 * 24, 60 * 24, 400 * 24)))
    )


TABLES: Final = {
    f"{name}.txt": Table(text_of=lines, cases=(case,))
    for name, case, lines in (
        ("gpus", "names of GPU models", gpu_lines),
        ("runs", "numbers of runs", run_lines),
        ("assumptions", "assumptions and needs", assumption_lines),
        ("moments", "days and months", moment_lines),
        ("names", "names of one side alone", name_lines),
        ("work", "planned work and changes", work_lines),
        ("quality", "random logs", quality_lines),
        ("sums", "sums and short logs", sum_lines),
    )
}
