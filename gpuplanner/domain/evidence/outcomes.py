"""Answers about what becomes of an evaluated plan: its award, what came, payments by quarter and month, waits."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from gpuplanner.domain.audit.series import MonthRow
from gpuplanner.domain.award.award import Award, Vendor
from gpuplanner.domain.award.deciding import line_key
from gpuplanner.domain.commitment import term_mix
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.layers import idle_name, layer_row
from gpuplanner.domain.evidence.trace import Amount, Trace, TraceRow, column_of, figure, read, titled
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.award import AWARD, OF_VENDOR, QUOTE, VENDOR
from gpuplanner.domain.figures.cash import CASH, OWED
from gpuplanner.domain.figures.changes import BURN_DOWN, TRACK, TRACK_QUARTER, TRACK_WORKLOAD
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.figures.window import CLASS, SERIES
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.tables import POOL_TITLES, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.queue.rows import QueueRow, WaitsBy
from gpuplanner.domain.queue.sentences import name_of
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import SHARES
from gpuplanner.domain.reports import plan_layers
from gpuplanner.domain.reports.cash import EXTRAS_OF_PLAN, PAID, RESTARTS, RUN_WAYS
from gpuplanner.domain.reports.report import Column, Report
from gpuplanner.domain.reports.series import OF_MONTH
from gpuplanner.domain.reports.waiting import LOG_WAITS, POOL_WAITS, SIZES, WINDOWS
from gpuplanner.domain.track.track import BURN_INPUTS, WHAT, BurnDown, Track, TrackRow
from gpuplanner.lazy_dataclass import dataclass

# --- Answers about an award: what a line costs in all, what a quote saves and is worth, what a vendor saves and has

OF_AWARD: Final = Answers[Award]()
_COST_INPUTS: Final = ("bought_gpus", "rate", "upfront_per_gpu", "term_hours")


@OF_AWARD.explains(AWARD, "liability")
def cost(award: Award, scope: str, subject: str) -> Inputs:
    """What a line costs over its term."""
    awarded = next(line for line in award.awarded if line_key(line) == subject)
    title = worded("{row}, {offer}", row=awarded.row.name, offer=awarded.offer.offer_id)
    return Inputs(values={key: getattr(awarded, key) for key in _COST_INPUTS}, name=subject, title=title)


@OF_AWARD.gives("award_saves")
def saves(award: Award, scope: str, subject: str) -> Trace:
    """What the award would cost more without a quote; scope OF_VENDOR: without all of a vendor's."""
    costs: tuple[float | None, float | None]
    if scope == OF_VENDOR:
        vendor = _vendor(award, subject)
        subjects, name, costs = VENDOR, _name(vendor), (vendor.cost_with, vendor.cost_without)
    else:
        quote = next(row for row in award.quotes if row.offer.offer_id == subject)
        subjects, name, costs = QUOTE, "", (quote.cost_with, quote.cost_without)
    note = worded("The award recalculated without it.")
    given = dict(zip(("cost_with", "cost_without"), costs, strict=True))
    return explained(subjects, "saves", Inputs(values=given, name=subject, title=name, note=note))


@OF_AWARD.explains(VENDOR, "awarded_share")
def share(award: Award, scope: str, subject: str) -> Inputs:
    """Which share of the award a vendor has."""
    vendor = _vendor(award, subject)
    whole = sum(vendor.awarded for vendor in award.vendors) if award.shared is None else award.shared
    return Inputs(
        values={"awarded": vendor.awarded, "awarded_in_all": whole}, name=subject, title=_name(vendor)
    )


@OF_AWARD.lists(
    worded("{figure} of {name}", figure=QUOTE["worth_rate"].title),
    QUOTE["worth_rate"].unit,
    worded("{figure} = highest rate at which the plan still orders it", figure=QUOTE["worth_rate"].title),
    (
        trace.TraceColumn(titles.RATE, QUOTE["worth_rate"].unit.key),
        trace.TraceColumn(worded("The advice"), "text"),
    ),
    trace.Reached(),
    note=worded("Recalculated per rate, all else unchanged; orders of 12 months count."),
    kind="award_worth",
)
def worth(award: Award, scope: str, subject: str) -> Listed:
    """Up to which rate a quote is worth signing: the highest of the rates that were tried at which the advice signs."""
    quote = next(row for row in award.quotes if row.offer.offer_id == subject)
    unit = QUOTE["worth_rate"].unit.key
    amount = Amount(quote.worth_rate, unit)
    above = Amount(min((rate for rate, is_signed in quote.tried if not is_signed), default=None), unit)
    rows = [
        TraceRow(
            worded("as quoted") if rate == quote.rate else worded("tried"),
            (Amount(rate, unit), worded("signs it") if is_signed else worded("does not sign it")),
        )
        for rate, is_signed in sorted(quote.tried)
    ]
    symbols = (amount, worded(" signed, "), above, worded(" not"), " = ", amount)
    return Listed(value=quote.worth_rate, rows=rows, name=subject, symbols=symbols)


def _vendor(award: Award, subject: str) -> Vendor:
    """The provider of a name; "": offers that name none."""
    return next(vendor for vendor in award.vendors if (vendor.provider or "") == subject)


def _name(vendor: Vendor) -> Text:
    """How a title calls it."""
    return joined((vendor.provider or worded("offers without a provider"),))


# --- Answers about a plan against what came: what a cause moved in a place, and what is left of a contract

OF_TRACK: Final = Answers[Track]()
COSTS: Final[tuple[Text, ...]] = (
    worded("as planned"),
    worded("with the actual GPU-hours"),
    worded("in their actual hours and clusters"),
    worded("with the orders placed"),
    worded("at paid rates"),
    worded("as billed"),
)
"""What a place costs, step by step: before the first cause, then with each of WHAT."""
LOGS: Final = (worded("in the plan's log"), worded("in the later log"))
NOTE: Final = worded("Both hour by hour: committed GPUs, used or not, remaining demand on demand.")


def _place_words(row: TrackRow) -> Message:
    """Training H100."""
    pool: Text = worded("all pools") if row.pool is None else POOL_TITLES[row.pool]
    return joined((pool, row.gpu_model or worded("unknown model")), " ")


@OF_TRACK.explains(TRACK, "moved")
def moved(track: Track, scope: str, subject: str) -> Inputs:
    """What a cause moved: what the place costs with it, less what it costs before it."""
    row = next(moved_row for moved_row in track.rows if moved_row.key == subject)
    at = WHAT.index(row.what)
    labels = {"before": COSTS[at], "after": COSTS[at + 1]}
    return Inputs(
        values={"after": row.after, "before": row.before},
        name=subject,
        title=_place_words(row),
        labels=labels,
        note=NOTE,
    )


@OF_TRACK.sums("", TRACK["moved"].unit, worded("Σ over pools and GPU models"), kind="track_step", note=NOTE)
def step(track: Track, scope: str, key: str) -> Listed:
    """What was planned, what a cause moved, or what came, by pool and GPU model."""
    cause, side = {"planned": (WHAT[0], "before"), "actual": (WHAT[-1], "after")}.get(key, (key, "usd"))
    value = track.moved(key) if key in WHAT else getattr(track, key)
    why = TRACK["moved"].why if side == "usd" else ""
    rows = [
        TraceRow(_place_words(row), (getattr(row, side),), why and figure(why, row.key))
        for row in track.rows
        if row.what == cause
    ]
    return Listed(value=value, rows=rows, name=TRACK_QUARTER[key].title)


@OF_TRACK.sums_of(
    TRACK_WORKLOAD["more"],
    worded("Σ over GPU models ((actual − planned GPU-h) × planned rate)"),
    tuple(map(column_of, TRACK_WORKLOAD.figures)),
    3,
)
def of_workload(track: Track, scope: str, key: str) -> Listed:
    """What a workload took beyond what was planned, by GPU model."""
    row = next(work for work in track.by_workload if work.key == key)
    models = row.by_model.items()
    parts = [TraceRow(name or worded("unknown model"), tuple(part.values())) for name, part in models]
    return Listed(value=row.figures["more"], rows=parts, name=key)


@OF_TRACK.explains(TRACK_QUARTER, "actual")
def of_quarter(track: Track, scope: str, subject: str) -> Inputs:
    """What came of a quarter: what was planned for it, and what each cause moved."""
    row = next(quarter for quarter in track.quarters if quarter.key == subject)
    return Inputs(values=row.figures, name=subject, note=NOTE)


def _contract(track: Track, subject: str) -> BurnDown:
    return next(contract for contract in track.contracts if contract.contract_id == subject)


@OF_TRACK.explains(BURN_DOWN, "committed_gpu_hours", "left_cost")
def burn_down(track: Track, scope: str, subject: str) -> Inputs:
    """What figures of a contract are worked out from."""
    figures = _contract(track, subject).figures
    return Inputs(values={key: figures[key] for key in BURN_INPUTS}, name=subject)


@OF_TRACK.sums(
    worded("{figure} of {name}", figure=BURN_DOWN["used_gpu_hours"].title),
    "gpu_hours",
    worded("{figure} = Σ over logged hours", figure=BURN_DOWN["used_gpu_hours"].title),
    kind="burn_used_hours",
)
def burn_used(track: Track, scope: str, subject: str) -> Listed:
    """GPU-hours used of a contract: those of the plan's log, and of the later one."""
    row = _contract(track, subject)
    rows = [TraceRow(LOGS[place], (amount,)) for place, amount in row.used_in]
    return Listed(value=row.figures["used_gpu_hours"], rows=rows, name=subject)


# --- What is owed and paid by quarter of a plan, and each month of the log

OF_PAYMENTS: Final = Answers[Evaluation]()
_READ_FROM: Final = {
    "gpus": worded("the contract"),
    "rate": worded("the contract"),
    "hours_left": worded("its end in the plan, or after notice"),
    "at_once": worded("upfront and setup on the order day"),
    "by_hour": worded("contracts, orders and use of its hours"),
}
_SUMS: Final = {
    "owed": worded("Remaining commitment = Σ over contracts in force"),
    "cash": worded("Cash = \u03a3 over the quarters"),
}


@OF_PAYMENTS.gives_each(
    {
        asked.why: (report_name, asked.key)
        for report_name, subject in (("owed", OWED), ("cash", CASH))
        for asked in subject.figures
    }
)
def paid(kind: tuple[str, str], of: Evaluation, scope: str, subject: str) -> Trace:
    """A figure of a contract that is owed or of a quarter; of all of them where none is named."""
    (name, key), figures_of = kind, OWED if kind[0] == "owed" else CASH
    rows, asked = PAID[name].rows(of), figures_of[key]
    if not subject:
        listed = [TraceRow(row.name, (row.figures[key],), figure(asked.why, row.key)) for row in rows]
        total = known_sum(row.figures[key] for row in rows)
        return trace.summed(asked.title, total, asked.unit.key, _SUMS[key], listed, (column_of(asked),))
    row = next(row for row in rows if row.key == subject)
    if asked.formula is None:
        return read(titled(asked, row.name), row.figures[key], asked.unit.key, _READ_FROM[key])
    return explained(figures_of, key, Inputs(values=row.figures, name=row.key, title=row.name))


_LINES: Final = {
    column.figure.why: (of, column, column.figure)
    for of in (EXTRAS_OF_PLAN, RUN_WAYS, RESTARTS)
    for column in of.columns
    if column.figure is not None
}


@OF_PAYMENTS.gives_each(_LINES)
def of_line(asked: tuple[Report, Column, Figure], of: Evaluation, scope: str, subject: str) -> Trace:
    """A line of a report that says from where its figures are."""
    report, column, declared = asked
    rows = [*report.rows(of), *([report.total(of)] if report.total else [])]
    row = next(line for line in rows if str(report.key(line)) == subject)
    title = titled(declared, report.columns[0].of(row))
    return read(title, column.of(row), declared.unit, report.note)


# --- How work is bought

_TERM_FROM: Final = {
    "present_days": worded("first to last hour with GPU time"),
    "median_run_hours": worded("its jobs"),
    "committed_months_left": worded("its contracts, by GPU time"),
}


@OF_PAYMENTS.gives_each({asked.why: asked for asked in plan_layers.OF_TERM})
def of_term(asked: Figure, of: Evaluation, scope: str, key: str) -> Trace:
    """How long a workload was there, its jobs ran, or its contracts still bind."""
    row = next(match for match in plan_layers.TERM_MATCH.rows(of) if match.key == key)
    opens, title = figure(trace.JOBS, key), titled(asked, row.name)
    return read(title, getattr(row, asked.key), asked.unit, _TERM_FROM[asked.key], opens=opens)


@OF_PAYMENTS.gives_each({asked.why: at for at, asked in enumerate(plan_layers.OF_MIX)})
def of_mix(at: int, of: Evaluation, scope: str, subject: str) -> Trace:
    """GPU-hours or $ of a class that are paid one way: today by contract and cluster, in the plan by layer."""
    asked, first = plan_layers.OF_MIX[at], at // 2 * 2
    row = next(each for each in plan_layers.MIX.rows(of) if plan_layers.MIX.key(each) == subject)
    of_row, asked_ids = row[:2], of.audit.unknown_contracts
    if first:
        words = worded("{title} = Σ over first-month layers and idle GPUs", title=asked.title)
        planned = (part[1:] for part in term_mix.parts_planned(of.advised) if part[0] == of_row)
        rows = [
            layer_row(*by, *paid) if isinstance(by, tuple) else TraceRow(idle_name(by), paid)
            for by, paid in planned
        ]
    else:
        words = worded("{title} = Σ over contracts and overflow", title=asked.title)
        now = (part for hours in of.past.clusters for part in term_mix.parts_now(of.past, hours, asked_ids))
        rows = [TraceRow(name, paid) for key, name, paid in now if key == of_row and paid != (0.0, 0.0)]
    names = (POOL_TITLES.get(row.pool, titles.IDLE), plan_layers.CATEGORIES[row.category], asked.title)
    columns, title = list(map(column_of, plan_layers.OF_MIX[first : first + 2])), joined(names, ", ")
    return trace.summed(title, row[2 + at], asked.unit, words, rows, columns, at - first)


# Each month of the log

OF_MONTHS: Final = Answers[Evaluation]()
ITS_AUDIT: Final = worded("this month's audit; set it as lookback period to see a figure's jobs")


@OF_MONTHS.gives_each({asked.why: asked for asked in OF_MONTH})
def of_month(asked: Figure, evaluation: Evaluation, scope: str, month: str) -> Trace:
    """A figure of a month: of its audit."""
    return read(titled(asked, month), getattr(_month(evaluation, month), asked.key), asked.unit, ITS_AUDIT)


def _month(evaluation: Evaluation, month: str) -> MonthRow:
    return next(row for row in evaluation.months or () if row.month == month)


@OF_MONTHS.gives_each({"month_usd_share": True, "month_gpu_hours_share": False})
def share_of_class(is_of_usd: bool, evaluation: Evaluation, pool: str, month: str) -> Trace:
    """What a class is of all in a month."""
    row = _month(evaluation, month)
    of_class, name = row.classes[Pool(pool)], joined((POOL_TITLES[Pool(pool)], month), ", ")
    if is_of_usd:
        usd = {"class_usd": of_class.usd, "classes_usd": known_sum(each.usd for each in row.classes.values())}
        return explained(SERIES, "usd_share", Inputs(values=usd, name=month, title=name))
    hours = {"gpu_hours": of_class.gpu_hours, "all_gpu_hours": row.gpu_hours}
    return explained(
        CLASS, "share", Inputs(values=hours, name=month, title=name, opens=dict.fromkeys(hours, ""))
    )


# --- What each figure of a wait was worked out from


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """What a window tells of waits: a replay (None: not yet), and the log's own, by whatever they are listed by."""

    waiting: Waiting | None
    of_log: Sequence[WaitsBy]


ON: Final[Mapping[str, tuple[Text, Callable[[Waiting], Sequence[QueueRow]]]]] = {
    "plan": (worded("on the plan's GPUs"), attrgetter("by_model")),
    "today": (worded("on today's GPUs"), lambda of: of.today if of.is_planned else of.by_model),
}
"""By the scope of their figures where rows of pools are from."""
OF_WAITS: Final = Answers[Told]()
COUNTED: Final = {
    "jobs": worded("jobs eligible and started in the lookback period"),
    "gpus": worded("today, plan, target, and sizes from mean to peak use"),
    "never": worded("jobs larger than all GPUs or waiting at the log's end"),
    "window_usd_per_month": worded("mean month on dedicated GPUs, at today's cheapest rates"),
    "waited_gpu_hours": worded("Σ over jobs (GPUs × lookback wait)"),
    "waited_gpus_most": worded("most GPUs waited for at a time"),
    "contended_hours": worded("hours when a cluster of these jobs exceeded its contracts"),
}
"""What is counted and not worked out."""


def _wait(known: Told, scope: str, subject: str) -> tuple[Any, Text]:
    """A row of a table, and what it is called. Errors: StopIteration where there is none."""
    if scope == LOG_WAITS.scope:
        of_log = next(row for row in known.of_log if LOG_WAITS.key(row) == subject)
        return of_log, name_of(of_log)
    if (waiting := known.waiting) is None:
        raise StopIteration(subject)
    if scope == WINDOWS.scope:
        again = next(run for run in waiting.windows if WINDOWS.key(run) == subject)
        return again, again.work.name
    report, rows = (SIZES, waiting.frontier) if scope == SIZES.scope else (POOL_WAITS, ON[scope][1](waiting))
    row: Any = next(candidate for candidate in rows if report.key(candidate) == subject)
    where = ON[scope][0] if report is POOL_WAITS else worded("on {gpus} GPUs", gpus=whole(row.gpus))
    return row, joined((part for part in (POOL_TITLES[row.pool], row.gpu_model, where) if part), " ")


@OF_WAITS.explains(WAITING, "share_over_1h", "mean_h", "utilization", "waited_with_room", "usd_per_month")
def worked_out(known: Told, scope: str, subject: str) -> Inputs:
    """What a share, a mean or $ were worked out from."""
    row, name = _wait(known, scope, subject)
    values = {key: getattr(row.waits, key) for key in ("jobs", "over_1h", "waited_h")} | {
        key: getattr(row, key)
        for key in ("room_h", "used_gpu_time", "held_gpu_time", "gpus", "rate", "sent_out_usd", "hours")
        if hasattr(row, key)
    }
    opens = dict.fromkeys(values, "") | {"jobs": trace.figure(WAITING["jobs"].why, subject, scope)}
    return Inputs(values=values | {"month_hours": HOURS_PER_MONTH}, name=subject, title=name, opens=opens)


@OF_WAITS.gives_each({WAITING[f"p{percent}_h"].why: percent for percent in SHARES})
def quantile(percent: int, known: Told, scope: str, subject: str) -> trace.Trace:
    """Whose wait it is in the order of all, with the other quantiles; of a size what the log makes of it."""
    row, name = _wait(known, scope, subject)
    asked, jobs = WAITING[f"p{percent}_h"], row.waits.jobs
    places = {each: max(1, -(-jobs * each // 100)) for each in SHARES}
    rows = [
        trace.TraceRow(worded("P{each}: job {place}", each=str(each), place=whole(place)), (wait,))
        for (each, place), wait in zip(places.items(), row.waits.quantiles, strict=True)
    ]
    place, value = whole(places[percent]), getattr(row.waits, asked.key)
    span = getattr(row, "likely", None) if percent == 90 else None
    ends = (
        ()
        if span is None
        else ((worded("At least, by the log"), span.low_h), (worded("At most, by the log"), span.high_h))
    )
    return trace.listed(
        trace.titled(asked, name),
        value,
        asked.unit,
        worded(
            "At least {percent}% of jobs wait this long or less: job {place} of {jobs} by wait",
            percent=str(percent),
            place=place,
            jobs=whole(jobs),
        ),
        rows,
        (trace.column_of(asked),),
        trace.Reached(),
        symbols=(worded("wait of job {place} = ", place=place), trace.Amount(value, asked.unit.key)),
        readings=tuple((words, trace.Amount(wait, asked.unit.key)) for words, wait in ends),
    )


@OF_WAITS.gives_each(
    {WAITING[key].why: key for key in ("sent_out_jobs", "sent_out_gpu_hours", "sent_out_usd")}
)
def sent_out(key: str, known: Told, scope: str, subject: str) -> trace.Trace:
    """What went out, offer by offer."""
    row, name = _wait(known, scope, subject)
    asked, rows = WAITING[key], [trace.TraceRow(each.offer_id, (getattr(each, key),)) for each in row.out]
    words = worded("Σ over offers of jobs moved to on demand")
    return trace.summed(
        trace.titled(asked, name), getattr(row, key), asked.unit, words, rows, (trace.column_of(asked),)
    )


@OF_WAITS.gives_each({WAITING[key].why: key for key in COUNTED})
def counted(key: str, known: Told, scope: str, subject: str) -> trace.Trace:
    """What is counted."""
    row, name = _wait(known, scope, subject)
    value = row.waits.jobs if key == "jobs" else getattr(row, key.removeprefix("window_"))
    return trace.read(trace.titled(WAITING[key], name), value, WAITING[key].unit, COUNTED[key])
