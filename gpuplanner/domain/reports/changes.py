"""What changed: between two periods, and a plan against what came, each cause with its money."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from typing import Final

from gpuplanner.domain.audit.cost_result import ClusterVariance, ContractPart, VolumePart
from gpuplanner.domain.figures.changes import (
    BURN_DOWN,
    CELLS,
    CHANGE,
    CONTRACT_CHANGE,
    PERIOD,
    TRACK,
    TRACK_QUARTER,
    TRACK_WORKLOAD,
    WORKLOAD_CHANGE,
)
from gpuplanner.domain.figures.typed import amount, day, whole
from gpuplanner.domain.figures.writing import MONEY
from gpuplanner.domain.message import Message, Part, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.reports import report
from gpuplanner.domain.track.holdings import quarter_start_s
from gpuplanner.domain.track.track import WHAT, BurnDown, Track, TrackQuarter, TrackRow
from gpuplanner.lazy_dataclass import dataclass

# --- What changed between two periods: clusters, and behind them their workloads and contracts ---

READ: Final = report.WINDOW | report.TERMINAL
PARTS_SHOWN: Final = 200


PERIOD_COST: Final = (
    *report.of_subject(PERIOD, "used_gpu_hours", "paid_gpu_hours", "inefficiency", "rate"),
    *report.of_subject(PERIOD, "paid_cost", "cost_per_month", "overflow_cost"),
)
"""Of one cluster in one of the two periods."""


def _of_contracts(clusters: Sequence[ClusterVariance]) -> list[ContractPart]:
    return [part for row in clusters for part in row.contracts]


def _most_volume(part: VolumePart) -> tuple[float, float, str]:
    """Key for sorting: most $ either way first, then most GPU-hours."""
    return -abs(part.volume_per_month or 0.0), -abs(part.gpu_hours_per_month), part.key


WORKLOAD_PARTS: Final = report.Report(
    title=worded("Behind the volume"),
    rows=lambda clusters: [part for row in clusters for part in row.workloads],
    scope_of=lambda part: part.cluster,
    order={report.Medium.WINDOW: _most_volume},
    limits={report.Medium.WINDOW: PARTS_SHOWN},
    media=report.WINDOW | report.DOCUMENT_ALONE,
).with_columns(
    report.text("key", worded("Behind the volume"), tip=attrgetter("key")),
    report.Column(figure=WORKLOAD_CHANGE["gpu_hours_per_month"], form="change"),
    report.Column(figure=WORKLOAD_CHANGE["volume_per_month"], form="change"),
)
"""About some clusters; rows are their workloads."""
CONTRACT_PARTS: Final = report.Report(
    title=worded("Contracts"),
    rows=_of_contracts,
    key=attrgetter("contract_id"),
    media=report.WINDOW | report.DOCUMENT_ALONE,
).with_columns(
    report.text("contract_id", worded("Contract"), tip=attrgetter("contract_id")),
    report.named(CONTRACT_CHANGE["paid_gpu_hours_per_month"]),
    report.Column(figure=CONTRACT_CHANGE["idle_gpu_hours_per_month"], form="change"),
    report.named(CONTRACT_CHANGE["price_per_month"]),
    report.Column(figure=CONTRACT_CHANGE["efficiency_per_month"], form="change"),
    report.Column(figure=CONTRACT_CHANGE["price_per_month"], media=report.WINDOW, form="change"),
)
"""About some clusters; rows are their contracts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllClusters:
    """The row under all clusters, $ a month."""

    cost_before: float | None
    volume_per_month: float | None
    efficiency_per_month: float | None
    price_per_month: float | None
    cost_after: float | None
    cluster: Text = worded("Total")


CHANGES: Final = report.Report(
    title=worded("What changed"),
    rows=lambda variance: variance.clusters,
    key=lambda row: row.cluster if isinstance(row, ClusterVariance) else "",  # of all together no name
    total=lambda variance: AllClusters(**{key: getattr(variance, key) for key in CELLS}),
    media=READ | report.DOCUMENT_ALONE,
).with_columns(
    report.text("cluster", worded("Cluster, $\nper month"), media=report.WINDOW),
    report.text("cluster", worded("Cluster"), media=report.TERMINAL | report.DOCUMENT_ALONE),
    report.inside("before", PERIOD_COST),
    report.inside("after", PERIOD_COST),
    report.named(CHANGE["change_per_month"]),
    report.Column(figure=CHANGE["cost_before"], media=READ),
    report.Column(figure=CHANGE["volume_per_month"], form="change"),
    report.Column(figure=CHANGE["efficiency_per_month"], form="change"),
    report.Column(figure=CHANGE["price_per_month"], form="change"),
    report.Column(figure=CHANGE["cost_after"], media=READ),
    report.listed("workloads", WORKLOAD_PARTS, lambda row: (row,)),
    report.listed("contracts", CONTRACT_PARTS, lambda row: (row,)),
    report.named("note"),
)
TOTALS: Final = (
    *report.of_subject(CHANGE, "cost_before", "cost_after", "change_per_month"),
    *report.of_subject(
        CHANGE, "volume_per_month", "efficiency_per_month", "price_per_month", "mix_per_month"
    ),
)
"""Of all clusters together."""


# --- A plan against what came: from what was planned to what was paid, each cause by pool and model, and each contract

TRACK_READ: Final = report.TERMINAL | report.WINDOW | report.SHEET
NAMES: Final[Mapping[str, Text]] = {cause: TRACK_QUARTER[cause].title for cause in WHAT}
MEANS: Final[Mapping[str, Message]] = {
    "demand": worded("more or fewer GPU-hours, in the plan's pattern"),
    "mix": worded("their hours and clusters"),
    "decision": worded("orders placed, against the plan"),
    "price": worded("paid rates, against the plan"),
    "rest": worded("the bill, against both"),
}
LISTED_IN_TERMINAL: Final = 40
WRITTEN: Final = 0.5
"""$: what is less is written as 0, and not listed for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrackStep:
    """One bar from what was planned to what was paid. what: planned, a cause, or actual; $, None: unknown.

    moved: by a cause, None of the other two; level: what it then comes to.
    """

    what: str
    name: Text
    means: Text
    moved: float | None
    level: float | None

    @property
    def is_change(self) -> bool:
        """Whether it moves what stands before it."""
        return self.what in NAMES


def steps_of(track: Track) -> list[TrackStep]:
    """Planned, the five causes, actual. Law: the causes lead from the first to the last, to the cent."""
    level = track.planned
    steps = [
        TrackStep(
            what="planned",
            name=TRACK["planned"].title,
            means=worded("the plan's contracts, orders and use"),
            moved=None,
            level=level,
        )
    ]
    for cause in WHAT:
        moved = track.moved(cause)
        level = known_sum([level, moved])
        steps.append(TrackStep(what=cause, name=NAMES[cause], means=MEANS[cause], moved=moved, level=level))
    return [
        *steps,
        TrackStep(
            what="actual",
            name=TRACK["actual"].title,
            means=worded("what was paid"),
            moved=None,
            level=track.actual,
        ),
    ]


def _no_change(step: TrackStep) -> report.Unknown:
    """Where nothing is moved there is nothing to write."""
    return report.Unknown("") if step.is_change else report.Unknown("", "")


STEPS: Final = report.Report(
    title=worded("Plan vs. actual"),
    rows=steps_of,
    key=lambda step: step.what,
    unit_once=MONEY,
    media=report.TERMINAL | report.SHEET,
).with_columns(
    report.text("name", worded("Step"), "name", form="name"),
    report.text("means", worded("Through"), "means", form="aside"),
    report.Column(figure=TRACK["moved"], form="change", unknown=_no_change),
    report.Column(figure=TRACK["level"]),
)
"""About a track; in the window it is a chart."""


def _listed(track: Track) -> list[TrackRow]:
    """Every place that a cause moved, the largest first within each."""
    rows = [row for row in track.rows if row.usd is None or abs(row.usd) >= WRITTEN]
    return sorted(rows, key=lambda row: (WHAT.index(row.what), -abs(row.usd or 0.0)))


def _pool(row: TrackRow) -> Text:
    """Inference; of a contract that serves all pools, all."""
    return worded("all") if row.pool is None else POOL_TITLES[row.pool]


MOVED: Final = report.Report(
    title=worded("Causes by pool and GPU model"),
    rows=_listed,
    unit_once=MONEY,
    limits={report.Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=TRACK_READ,
).with_columns(
    report.text("what", worded("Cause"), lambda row: NAMES[row.what], form="name"),
    report.text("pool", worded("Pool"), _pool),
    report.text("gpu_model", worded("GPU model"), lambda row: row.gpu_model or worded("unknown model")),
    report.Column(figure=TRACK["moved"], form="change", value="usd"),
)
"""About a track: places that moved by less than is written are left out."""

ROW_ENTRIES: Final = report.Report(
    title=worded("Causes by pool and GPU model"),
    rows=lambda track: track.rows,
    key=lambda row: row.what,
    media=report.DOCUMENT_ALONE,
    adds_up=True,
).with_columns(
    report.named("what"),
    report.named("pool", "pool.value"),
    report.named("gpu_model"),
    report.named(TRACK["moved"], "usd"),
)
"""About a track: every cause in every place."""


def _several(track: Track) -> Sequence[TrackQuarter]:
    """None where the time that is compared lies in one: that is the whole of it."""
    return track.quarters if len(track.quarters) > 1 else ()


def _quarter(row: TrackQuarter) -> Text:
    """Q4 2026; where a part of it is compared, from when to when."""
    first = datetime.fromtimestamp(row.start_s, UTC)
    quarter = worded("Q{number} {year}", number=whole((first.month + 2) // 3), year=str(first.year))
    if row.start_s == quarter_start_s(row.start_s) and row.end_s == quarter_start_s(row.start_s, 1):
        return quarter
    return worded(
        "{quarter}, {start} to {end}", quarter=quarter, start=day(row.start_s), end=day(row.end_s - 1)
    )


QUARTERS: Final = report.Report(
    title=worded("Quarter by quarter"), rows=_several, unit_once=MONEY, media=TRACK_READ, adds_up=True
).with_columns(
    report.text("quarter", worded("Quarter"), _quarter, form="name"),
    report.Column(figure=TRACK_QUARTER["planned"]),
    *(report.Column(figure=TRACK_QUARTER[cause], form="change") for cause in WHAT),
    report.Column(figure=TRACK_QUARTER["actual"]),
)
"""About a track: each calendar quarter of the time that is compared, where it is several."""

OF_QUARTER: Final = report.fields(
    report.named("start", "start_s", "date"), report.named("end", "end_s", "date"), *TRACK_QUARTER.figures
)
"""A quarter in a document."""


def _last_s(row: BurnDown) -> int | None:
    """On the last day that it runs, as the ends of contracts are read."""
    return None if row.runs_out_s is None else row.runs_out_s - 1


def _runs_out(row: BurnDown) -> Text:
    """The day with its year: contracts run for several."""
    return "\u2014" if row.runs_out_s is None else joined((day(_last_s(row)),))


LISTED: Final = report.TERMINAL | report.DOCUMENT_ALONE | report.SHEET
BURN_DOWNS: Final = report.Report(
    title=worded("Remaining commitment by contract"),
    rows=lambda track: track.contracts,
    key=lambda row: row.contract_id,
    note=worded("Used as logged. Past its notice, it renewed and is paid until then."),
    media=TRACK_READ | report.DOCUMENT_ALONE,
).with_columns(
    report.text("contract_id", worded("Contract"), form="name"),
    *report.of_subject(BURN_DOWN, "committed_gpu_hours", "used_gpu_hours", media=report.EVERYWHERE),
    *report.of_subject(BURN_DOWN, "committed_cost", "used_cost", media=LISTED),
    report.Column(figure=BURN_DOWN["left_cost"]),
    report.named("runs_out", "runs_out_s", "date"),
    report.text("runs_out", worded("Runs out"), _last_s, media=LISTED - report.DOCUMENT_ALONE, form="date"),
    report.text("runs_out", worded("Runs out"), _runs_out, media=report.WINDOW),
)
"""About a track: contracts by id."""


WORKLOADS_LISTED: Final = 20
BY_WORKLOAD: Final = report.Report(
    title=worded("Workloads against their plan"),
    rows=lambda track: track.by_workload,
    key=lambda row: row.key,
    note=worded("At the plan's cost per GPU-hour of the model, used or not. Not billed."),
    limits={report.Medium.TERMINAL: WORKLOADS_LISTED},
    media=TRACK_READ | report.DOCUMENT_ALONE,
).with_columns(
    report.text("key", worded("Workload"), form="name"),
    *report.of_subject(TRACK_WORKLOAD, "planned_gpu_hours", "came_gpu_hours", media=report.EVERYWHERE),
    report.Column(figure=TRACK_WORKLOAD["more"], form="change"),
)
"""About a track: the farthest off first."""


TRACK_REPORTS: Final = (STEPS, MOVED, QUARTERS, BY_WORKLOAD, BURN_DOWNS)
"""From the whole to its parts."""


def headline(track: Track) -> Message:
    """From when to when, what was planned and what was paid."""
    start, end = day(track.window.start_s), day(track.window.end_s)
    when = worded("{plan}, {start} to {end}", plan=track.plan, start=start, end=end)
    if track.actual is None:
        return worded("{when}: cost unknown, a rate is missing", when=when)
    if track.planned is None:
        paid = amount(track.actual)
        return worded("{when}: actual {actual}; plan unknown, a rate is missing", when=when, actual=paid)
    both: dict[str, Part] = {"when": when, "planned": amount(track.planned), "actual": amount(track.actual)}
    more = round(track.actual) - round(track.planned)  # of what is written, so that the line adds up
    if more == 0:
        return worded("{when}: {planned}, as planned", when=when, planned=both["planned"])
    if more > 0:
        return worded("{when}: {planned} planned, {actual} actual, {more} more", **both, more=amount(more))
    return worded("{when}: {planned} planned, {actual} actual, {less} less", **both, less=amount(-more))


def beside(track: Track) -> Message:
    """What the same plan says now, and what knowing everything would have cost."""
    now, knowing = amount(track.advice_now), amount(track.hindsight)
    sentences = (
        worded("The same plan on actual demand costs {usd} per month from now", usd=now),
        worded("with every hour known, terms within this time would have cost {usd}", usd=knowing),
    )
    known = zip(sentences, (track.advice_now, track.hindsight), strict=True)
    return joined([words for words, usd in known if usd is not None], "; ")
