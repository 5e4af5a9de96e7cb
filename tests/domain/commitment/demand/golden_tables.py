"""Levels, growth, volatility, slices and streams of demand, as golden tables over random logs and random worlds."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.cache import AdviceCache, Scratch
from gpuplanner.domain.commitment.demand import (
    demand_levels,
    growth,
    slicing,
    streams,
    volatility,
    weekly_means,
)
from gpuplanner.domain.commitment.demand.model_demand import (
    Capacity,
    Flow,
    ModelDemand,
    Site,
    Stream,
    leftover,
    one_jobs,
    prepared,
    without_one_job,
)
from gpuplanner.domain.commitment.demand.slicing import Peaks, Slicing
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.model.book.only import Only, Row
from gpuplanner.domain.model.project import with_nodes
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import instant_s
from tests.domain.commitment.conftest import Load, case, contract, offer
from tests.domain.random_worlds import world
from tests.golden.tables import Table
from tests.shown import shown

FOLDER: Final = "tables_commitment_demand"
SEEDS: Final = tuple(map(str, range(16)))

# --- Weeks of a log: levels, growth, volatility, steps -------------------------------------------


def random_log(seed: str) -> Floats:
    """Return GPUs by hour of 1 to 30 weeks that walk, grow, step or stand idle, and of some hours before them."""
    chance = np.random.default_rng(int(seed))
    weeks = int(chance.choice((1, 2, 3, 4, 5, 8, 13, 26, 30)))
    logs = np.cumsum(chance.normal(0.0, float(chance.choice((0.02, 0.1, 0.4))), weeks))
    logs += chance.normal(0.0, float(chance.choice((0.0, 0.15))), weeks)
    logs += np.arange(weeks) * float(chance.choice((0.0, 0.02, -0.03)))
    logs[weeks // 2 :] += float(chance.choice((0.0, 0.7, -0.6)))
    gpus = 8 * np.exp(logs)
    if chance.random() < 0.2:
        gpus[int(chance.integers(weeks))] = 0.0
    before = np.full(int(chance.choice((0, 1, 60, 167))), 99.0)
    return np.concatenate((before, np.repeat(gpus, 168)))


def log_text(seed: str) -> str:
    """Return what a random log shows: weeks, trend, volatility and steps. seed: of the log."""
    hourly = random_log(seed)
    weekly = weekly_means.weekly_means(hourly)
    seen = volatility.seen_volatility(hourly)
    lines = [f"{len(hourly)} hours, weeks {shown(weekly)}", f"logs {shown(weekly_means.week_logs(weekly))}"]
    if len(weekly) > 1:
        lines.append(f"changes {shown(weekly_means.squared_changes(weekly_means.week_logs(weekly)))}")
    trend = growth.fitted_growth(hourly)
    lines.append(f"trend {shown(trend)} clear {trend is not None and trend.is_clear}")
    lines.append(f"seen {shown(seen)} from {volatility.source_of(seen)}")
    lines += (
        f"steps beside noise {noise:g}: {shown(weekly_means.steps_of(hourly, noise))}"
        for noise in (0.0, 0.02, 0.2)
    )
    return "\n".join(lines)


def level_text(sigma: str) -> str:
    """Return the grid of levels of a volatility: its factors, and chances in one month and in three."""
    value = float(sigma)
    factors, once = demand_levels.level_factors(value), demand_levels.transition(value)
    thrice = demand_levels.after_months(value, 3)
    middle = len(factors) // 2
    places = sorted({0, min(1, middle), middle, len(factors) - 1})
    lines = [f"step {shown(demand_levels.level_step(value))} factors {shown(factors[places])}"]
    lines += (
        f"{place}: {shown(once[place][once[place] > 0])} mean {shown(once[place] @ factors)}"
        for place in places
    )
    lines += (f"{place} in 3: {shown(thrice[place][thrice[place] > 0])}" for place in places)
    return "\n".join(lines)


def growth_text(_: str) -> str:
    """Return what demand grows to, for some growths, fades and months; and quantiles of Student's t."""
    lines = [
        f"{rate:g} {fade:g} {months}: {shown(growth.grown(rate, fade, months))}"
        for rate, fade, months in (
            (0.0, 0.9, 3),
            (0.05, 1.0, 5),
            (0.05, 0.5, 5),
            (-0.1, 0.9, 12),
            (0.2, 0.0, 4),
            (0.2, 0.9, 1),
            (0.2, 0.9, 0),
        )
    ]
    lines.append(f"student {shown([growth.compute_student_90(freedom) for freedom in (1, 2, 3, 5, 10, 30)])}")
    for weeks in (5, 6, 9):
        around = growth.measure_around_line(weeks)
        lines.append(
            f"{weeks} weeks: {shown(around.slope_weights)} {shown(around.noise)} {shown(around.walk)}"
        )
        lines.append(f"  {shown(around.walk_slope)} {shown(float(np.abs(around.rest).sum()))}")
    return "\n".join(lines)


# --- Hours and months ----------------------------------------------------------------------------

ENDS: Final = (
    "2026-03-01",
    "2026-03-01T01:00",
    "2026-03-31",
    "2026-04-01",
    "2026-04-15T23:00",
    "2026-04-16",
    "2026-04-16T01:00",
    "2028-03-01",
    "2026-02-15",
    "2026-02-14T12:00",
    "2026-12-31T23:00",
)


def months_text(end: str) -> str:
    """Return hours and shares of each whole month back from an end, for logs of 700 to 3,000 hours."""
    lines = []
    for hours in (700, 744, 1500, 3000):
        months, share = slicing.months_back(hours, instant_s(end) if end else 90_000_000)
        counts = np.bincount(months).tolist()
        sums = np.bincount(months, share).tolist()
        middles = share[months == 1][[0, -1]].tolist() if counts[1:] else []
        lines.append(f"{hours}: {shown(counts)} {shown(sums)} {shown(float(share.min()))} {shown(middles)}")
    return "\n".join(lines)


def weights_text(case: str) -> str:
    """Return weights of 1,700 hours by week or by month. case: half-life in days, and what is left out."""
    half_life, left_out, by_month = case.split()
    missing = None if left_out == "-" else np.arange(1700) % int(left_out) == 0
    end_s = instant_s("2026-04-10") if by_month == "months" else None
    weights = slicing.hour_weights(1700, None if half_life == "-" else float(half_life), missing, end_s)
    hourly = np.sqrt(np.arange(1700.0))
    mean = shown(slicing.weighted_mean(hourly, weights))
    if weights is None:
        return f"none, mean {mean}"
    places = [0, 1, 19, 20, 355, 356, 1363, 1364, 1531, 1532, 1698, 1699]
    return f"{shown(weights[places] * 1700)} sum {shown(float(weights.sum()))} mean {mean}"


# --- Slices --------------------------------------------------------------------------------------

PEAKS: Final = (
    (0, 0, 0),
    (1, 1, 1),
    (7.5, 8, 9),
    (8, 8, 8),
    (16, 40, 90),
    (100, 300, 900),
    (384, 385, 400),
    (512, 600, 700),
    (513, 700, 2000),
    (2, 500, 3000),
    (0, 0.5, 20),
)


def slices_text(_: str) -> str:
    """Return slicings of peaks, in blocks of 1 and 8 GPUs, with and without levels set by hand."""
    lines = []
    for peaks in PEAKS:
        for block, at_least in ((1, 0), (8, 0), (8, 60)):
            wide = slicing.block_for(peaks[0], block)
            cut = slicing.slicing_of(Peaks(*map(float, peaks)), wide, at_least)
            lines.append(f"{peaks} {block} {at_least}: {shown(cut)} {shown(cut.widths)} {shown(cut.edges)}")
    lines += (
        f"{shown(cut)}: {shown([*map(cut.below, range(cut.count + 1))])} gpus {shown(cut.gpus(2, cut.count))}"
        for cut in (Slicing(8, 3), Slicing(2, 2, 4), Slicing(1, 0, 5))
    )
    return "\n".join(lines)


def shares_text(seed: str) -> str:
    """Return how busy slices are of random demand in two states, with equal and other weights. seed: of the demand."""
    chance = np.random.default_rng(int(seed))
    cut = Slicing(int(chance.choice((1, 4))), int(chance.integers(0, 6)), int(chance.integers(0, 5)))
    top = float(cut.edges[-1] / cut.block) if cut.count else 1.0
    demand = np.round(chance.uniform(0.0, 1.3 * top, (2, 40)), 2)
    demand[0, :6] = (0.0, 1.0, top, top + 1, max(top - 0.5, 0.0), float(cut.even))
    weights = chance.uniform(0.0, 1.0, 40)
    lines = [shown(cut), f"filled {shown(cut.in_slices(demand.copy())[0, :10])}"]
    for by in (None, weights / weights.sum()):
        if cut.count:
            shares = slicing.shares_of_slices(cut, demand.copy(), by, Scratch())
            lines += (f"  {shown(row)}" for row in shares)
    return "\n".join(lines)


def blocks_text(_: str) -> str:
    """Return GPUs of a slice, and offers in nodes, where units are stated and where they are not."""
    offers = (
        offer("a", 12, 2.0),
        offer("b", 12, 2.0, unit_gpus=4),
        offer("c", 12, 2.0, bare_metal=False),
        offer("od", 0, 3.0),
        offer("d", 12, 2.0, gpu_model="A100"),
    )
    project = case([Load(pool=Pool.TRAINING, gpus=[4.0] * 24)], (), offers).project
    project = with_nodes(project, {"H100": 8})
    nodes = slicing.usual_units(project, None)
    lines = [f"{shown(nodes)} {shown(slicing.usual_units(project, 2))}"]
    for peak in (7.9, 8.0, 99.0):
        units = {sold.offer_id: sold.unit_gpus for sold in slicing.in_nodes(offers, nodes, peak)}
        lines.append(f"peak {peak:g}: {shown(units)}")
    lines += (f"block {block}: {slicing.asked_block(block, offers)}" for block in (None, 2))
    return "\n".join((*lines, f"nothing on offer: {slicing.asked_block(None, ())}"))


# --- What contracts leave over -------------------------------------------------------------------

HOURS: Final = 10
FLOWS: Final = tuple(
    Flow(grows_with, group, row)
    for grows_with in (Pool.TRAINING, Pool.BURST)
    for group in (0, 1)
    for row in (0, 1)
)


def random_model(chance: np.random.Generator) -> ModelDemand:
    """Return demand of two rows on one to three clusters."""
    sites = []
    for number in range(int(chance.integers(1, 4))):
        flows = [FLOWS[place] for place in chance.integers(0, len(FLOWS), int(chance.integers(1, 5)))]
        parts = tuple(
            Stream(
                row=flow.row,
                grows_with=flow.grows_with,
                demand=chance.integers(0, 9, HOURS).astype(np.float64),
                group=flow.group,
            )
            for flow in flows
        )
        sites.append(Site(f"c{number}", parts))
    return ModelDemand("H100", (Row(Pool.TRAINING, "H100"), Row(Pool.BURST, "H100")), tuple(sites))


def random_capacities(chance: np.random.Generator, sites: int) -> list[Capacity]:
    """Return capacities of each site, of which some have none, and now and then what serves all sites."""

    def amount() -> Any:
        kind = chance.random()
        if kind < 0.3:
            return chance.integers(0, 7, HOURS).astype(np.float64).tobytes()
        return np.ones(3).tobytes() if kind < 0.4 else float(chance.integers(0, 7))

    rows = ((0,), (1,), (0, 1))
    capacities: list[Capacity] = [
        tuple((rows[int(chance.integers(3))], amount()) for _ in range(int(chance.integers(0, 3))))
        for _ in range(sites)
    ]
    if chance.random() < 0.6:
        cut: Any = ((1.0, 3.0), (4.0, 6.0))
        capacities.append((((0, 1), amount()), ((int(chance.integers(2)),), cut)))
    return capacities


def leftover_text(seed: str) -> str:
    """Return what is left over of random demand, at two levels, from the first hour and from the third. seed: of it."""
    chance = np.random.default_rng(int(seed))
    model = random_model(chance)
    capacities = random_capacities(chance, len(model.sites))
    factors = {flow: chance.choice((0.0, 0.5, 1.0, 2.0), 2) for flow in FLOWS}
    lines = [f"flows {len(model.flows)} grow with {shown(model.grows_with)} pools {shown(model.pools)}"]
    lines.append(
        f"hourly {shown(model.hourly(HOURS, lambda cluster, stream: (cluster == 'c0') + stream.group / 2))}"
    )
    for first in (0, 3):
        ready = prepared(model, capacities, HOURS, 2.0, first)
        counts = f"{len(ready.uncovered)} {len(ready.covered)} {len(ready.shared)} {shown(ready.cuts)}"
        lines.append(f"from {first}: {ready.rows} rows {ready.hours} hours {counts}")
        lines += (f"  {shown(row)}" for row in leftover(ready, factors, Scratch()).reshape(-1, HOURS - first))
    flow = model.sites[0].streams[0].flow
    less = without_one_job(model, flow, "c0", np.full(HOURS, 3.0))
    lines.append(f"less {shown(less.hourly(HOURS, lambda *_: 1.0))}")
    return "\n".join(lines)


# --- Streams of whole projects -------------------------------------------------------------------

WORLDS: Final = (
    "nothing_on_demand",
    "untyped_cluster",
    "two_clusters",
    "new 0",
    "new 2",
    "new 11",
    "new 24",
    "new 36",
    "new 46",
    "edge 4",
    "edge 9 stated",
    "random 3 stated",
)
MILLI: Final = 3_600_000


def amounts_text(amounts: Any) -> str:
    """Return GPU-hours in all, in the first quarter, and in the busiest hour."""
    hourly = np.asarray(amounts, dtype=np.float64) / MILLI
    return f"{shown(float(hourly.sum()))} {shown(float(hourly[: len(hourly) // 4].sum()))} {shown(float(hourly.max()))}"


def by_name(values: Mapping[Any, Any], text: Callable[[Any], str] = shown) -> str:
    """Return values by what they are of, in the order of their names."""
    return ", ".join(
        sorted(
            f"{shown(tuple(key) if isinstance(key, tuple) else key)}: {text(values[key])}" for key in values
        )
    )


def streams_text(name: str) -> str:
    """Return the streams of a world by model, row and cluster, and whose GPU time they are. name: of the world."""
    made = world(name)
    project, pools, _ = made.on_board
    ground = ground_of(project, made.plan, pools, AdviceCache())
    lines = []
    for model in ground.plan.models:
        lines.append(f"{model.gpu_model} rows {shown([tuple(row) for row in model.rows])}")
        for site in model.sites:
            lines += (
                f"  {site.cluster} row {stream.row} {stream.grows_with} group {stream.group} split {stream.is_split} "
                f"{amounts_text(stream.demand)}"
                for stream in site.streams
            )
    users = {row: (spent / MILLI)[spent > 0] for row, spent in ground.plan.users.items()}
    lines.append(f"users {by_name(users)}")
    lines.append(f"served {by_name({key: spent / MILLI for key, spent in ground.plan.served.items()})}")
    lines.append(f"several {by_name(streams.several_nodes(project.workloads, ground.plan.users))}")
    largest = one_jobs(project, ground.plan.users, dict.fromkeys(Pool, 1.5))
    lines.append(
        f"largest jobs {by_name(largest, lambda of: f'{of.place} {shown(of.factor)} {shown(of.share)}')}"
    )
    gaps = slicing.gaps_of(project, made.plan)
    missing = slicing.missing_hours(project, replace(made.plan, is_gap_missing=True))
    lines.append(f"gaps {len(gaps)}, hours of them {0 if missing is None else int(missing.sum())}")
    return "\n".join(lines)


def random_cluster(chance: random.Random) -> tuple[list[Load], list[Any]]:
    """Return workloads of known, limited and unknown models on a cluster, and contracts of which some are pinned."""
    loads = [
        Load(
            pool=chance.choice(list(Pool)),
            gpus=[float(chance.choice((0, 1, 2, 5, 8))) for _ in range(6)],
            model=model,
        )
        for model in ("H100", "A100", None, None)
    ]
    held = [
        contract(
            f"k{number}",
            chance.choice((1, 2, 4)),
            chance.choice((1.0, 2.0)),
            None,
            6,
            gpu_model=chance.choice(("H100", "A100")),
            pool=chance.choice((None, None, *Pool)),
            provider=chance.choice((None, "Ada")),
        )
        for number in range(chance.randint(0, 4))
    ]
    return loads, held


def split_text(seed: str) -> str:
    """Return how contracts serve a cluster, and which models unknown demand counts with. seed: of the cluster."""
    chance = random.Random(f"split {seed}")
    loads, held = random_cluster(chance)
    made = case(loads, held)
    keys = [workload.key for workload in made.project.workloads]
    only = {chance.choice(keys): Only("Ada")} if chance.random() < 0.5 else {}
    plan = replace(made.project.scenarios[0], only=only)
    project = streams.with_limited_demand(made.project, plan, AdviceCache())
    found = streams.streams_of(project.cube, project.workloads, made.pools)
    usual = streams.usual_model("c1", project.contracts)
    split = streams.split_cluster("c1", found.cells, project.contracts, usual, 6)
    lines = [f"usual {usual} clusters {streams.clusters_of(found)}"]
    lines += (
        f"{by_cell(cell)} {shown(found.cells[cell] / MILLI)}" for cell in sorted(found.cells, key=by_cell)
    )
    for name, cells in (("part", split.parts), ("unserved", split.unserved)):
        lines += (
            f"{name} {by_cell(cell)} {shown(cells[cell] / MILLI)}" for cell in sorted(cells, key=by_cell)
        )
    lines.append(f"served {by_name({key: value / MILLI for key, value in split.served.items()})}")
    totals = np.add.reduceat(project.cube.milli_gpu_seconds, project.cube.offsets[:-1])
    users = streams.gpu_time_by_row(found, split.parts, totals)
    lines.append(f"users {by_name({row: spent / MILLI for row, spent in users.items()})}")
    twice = streams.scaled_streams(found, {**dict.fromkeys(Pool, 1.0), Pool.BURST: 0.25}, streams.scaled)
    lines.append(f"scaled {by_name({by_cell(cell): of.sum() / MILLI for cell, of in twice.cells.items()})}")
    return "\n".join(lines)


def by_cell(cell: streams.Cell) -> str:
    """Return the name of a cell."""
    return f"{cell.pool} {cell.cluster} {cell.name}"


def table(text_of: Callable[[str], str], cases: Sequence[str] = SEEDS) -> Table:
    return Table(text_of=text_of, cases=tuple(cases))


ONE_CASE: Final = {"growth": growth_text, "slices": slices_text, "blocks": blocks_text}
HALF_LIVES: Final = (
    "- - weeks",
    "7 - weeks",
    "30 7 weeks",
    "- 5 weeks",
    "30 - months",
    "- - months",
    "90 9 months",
)
TABLES: Final = {
    "logs.txt": table(log_text),
    "levels.txt": table(level_text, ("0", "0.03", "0.1", "0.4")),
    "numbers.txt": Table(text_of=lambda name: ONE_CASE[name](name), cases=tuple(ONE_CASE)),
    "months.txt": Table(
        text_of=lambda end: months_text("" if end == "no calendar" else end), cases=(*ENDS, "no calendar")
    ),
    "weights.txt": table(weights_text, HALF_LIVES),
    "shares.txt": table(shares_text),
    "leftover.txt": table(leftover_text),
    "streams.txt": table(streams_text, WORLDS),
    "splits.txt": table(split_text),
}
