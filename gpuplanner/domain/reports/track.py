"""A plan against what came: from what was planned to what was paid, each cause by pool and model, and each contract."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from gpuplanner.domain.figures.costs.track import BURN_DOWN, TRACK, TRACK_QUARTER
from gpuplanner.domain.figures.typed import amount, day, whole
from gpuplanner.domain.figures.units import MONEY
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOL_TITLES
from gpuplanner.domain.reports.entries import fields, named
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, TERMINAL, WINDOW, Column, Medium, Report, Unknown
from gpuplanner.domain.track.burn_down import BurnDown
from gpuplanner.domain.track.spans import quarter_start_s
from gpuplanner.domain.track.track import WHAT, Track, TrackQuarter, TrackRow

READ: Final = TERMINAL | WINDOW
NAMES: Final[Mapping[str, Text]] = {what: TRACK_QUARTER[what].title for what in WHAT}
MEANS: Final[Mapping[str, Message]] = {
    "demand": worded("more or fewer GPU-hours than planned, in the plan's pattern"),
    "mix": worded("the hours and clusters in which they came"),
    "decision": worded("what was signed, beside what was planned"),
    "price": worded("the rates that were paid, beside those of the plan"),
    "rest": worded("what the bill says beside that"),
}
LISTED_IN_TERMINAL: Final = 40
WRITTEN: Final = 0.5
"""$: what is less is written as 0, and not listed for people."""


@dataclass(frozen=True, slots=True)
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
            "planned", TRACK["planned"].title, worded("contracts, orders and use of the plan"), None, level
        )
    ]
    for what in WHAT:
        moved = track.moved(what)
        level = known_sum([level, moved])
        steps.append(TrackStep(what, NAMES[what], MEANS[what], moved, level))
    return [*steps, TrackStep("actual", TRACK["actual"].title, worded("what was paid"), None, track.actual)]


def _no_change(step: TrackStep) -> Unknown:
    """Where nothing is moved there is nothing to write."""
    return Unknown("") if step.is_change else Unknown("", "")


STEPS: Final = Report(
    title=worded("The plan against what came"),
    one="step",
    many="steps",
    rows=steps_of,
    key=lambda step: step.what,
    columns=(
        Column(key="name", title=worded("Step"), form="name", value=lambda step: step.name),
        Column(key="means", title=worded("Through"), form="aside", value=lambda step: step.means),
        Column(TRACK["moved"], form="change", unknown=_no_change),
        Column(TRACK["level"]),
    ),
    unit_once=MONEY,
    media=TERMINAL,
    adds_up=False,
)
"""About a track; in the window it is a chart."""


def _listed(track: Track) -> list[TrackRow]:
    """Every place that a cause moved, the largest first within each."""
    rows = [row for row in track.rows if row.usd is None or abs(row.usd) >= WRITTEN]
    return sorted(rows, key=lambda row: (WHAT.index(row.what), -abs(row.usd or 0.0)))


def _pool(row: TrackRow) -> Text:
    """Inference; of a contract that serves all pools, all."""
    return worded("all") if row.pool is None else POOL_TITLES[row.pool]


def _model(row: TrackRow) -> Text:
    return row.gpu_model or worded("unknown model")


MOVED: Final = Report(
    title=worded("What moved it, by pool and GPU model"),
    one="row",
    many="rows",
    rows=_listed,
    key=lambda row: row.key,
    columns=(
        Column(key="what", title=worded("Cause"), form="name", value=lambda row: NAMES[row.what]),
        Column(key="pool", title=worded("Pool"), value=_pool),
        Column(key="gpu_model", title=worded("GPU model"), value=_model),
        Column(TRACK["moved"], form="change", value=lambda row: row.usd),
    ),
    unit_once=MONEY,
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=READ,
    adds_up=False,
)
"""About a track: places that moved by less than is written are left out."""

ROW_ENTRIES: Final = Report(
    title=worded("What moved it, by pool and GPU model"),
    one="row",
    many="rows",
    rows=lambda track: track.rows,
    key=lambda row: row.what,
    columns=(
        named("what"),
        named("pool", lambda row: None if row.pool is None else row.pool.value),
        named("gpu_model"),
        named(TRACK["moved"], "usd"),
    ),
    media=DOCUMENT_ALONE,
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
    return worded("{quarter}, {start} to {end}", quarter=quarter, start=day(row.start_s), end=day(row.end_s))


QUARTERS: Final = Report(
    title=worded("Quarter by quarter"),
    one="quarter",
    many="quarters",
    rows=_several,
    key=lambda row: row.key,
    columns=(
        Column(key="quarter", title=worded("Quarter"), form="name", value=_quarter),
        Column(TRACK_QUARTER["planned"]),
        *(Column(TRACK_QUARTER[what], form="change") for what in WHAT),
        Column(TRACK_QUARTER["actual"]),
    ),
    unit_once=MONEY,
    media=READ,
)
"""About a track: each calendar quarter of the time that is compared, where it is several."""

OF_QUARTER: Final = fields(
    named("start", "start_s", "date"),
    named("end", "end_s", "date"),
    *TRACK_QUARTER.figures,
)
"""A quarter in a document."""


def _runs_out(row: BurnDown) -> Text:
    """The day with its year: contracts run for several."""
    return "\u2014" if row.runs_out_s is None else joined((day(row.runs_out_s),))


BURN_DOWNS: Final = Report(
    title=worded("What is left of each contract"),
    one="contract",
    many="contracts",
    rows=lambda track: track.contracts,
    key=lambda row: row.contract_id,
    columns=(
        Column(key="contract_id", title=worded("Contract"), form="name"),
        Column(BURN_DOWN["committed_gpu_hours"]),
        Column(BURN_DOWN["used_gpu_hours"]),
        Column(BURN_DOWN["committed_cost"], media=TERMINAL | DOCUMENT_ALONE),
        Column(BURN_DOWN["used_cost"], media=TERMINAL | DOCUMENT_ALONE),
        Column(BURN_DOWN["left_cost"]),
        Column(
            key="runs_out",
            title=worded("Runs out"),
            media=TERMINAL | DOCUMENT_ALONE,
            form="date",
            value=lambda row: row.runs_out_s,
        ),
        Column(key="runs_out", title=worded("Runs out"), media=WINDOW, value=_runs_out),
    ),
    media=READ | DOCUMENT_ALONE,
    adds_up=False,
)
"""About a track: contracts by id."""


def headline(track: Track) -> Message:
    """From when to when, what was planned and what was paid."""
    when = worded(
        "{plan}, {start} to {end}",
        plan=track.plan,
        start=day(track.window.start_s),
        end=day(track.window.end_s),
    )
    if track.actual is None:
        return worded("{when}: a rate is missing, so what it cost is unknown", when=when)
    if track.planned is None:
        paid = amount(track.actual)
        return worded(
            "{when}: {actual} came; a rate is missing, so what the plan expected is unknown",
            when=when,
            actual=paid,
        )
    planned, actual = amount(track.planned), amount(track.actual)
    more = round(track.actual) - round(track.planned)  # of what is written, so that the line adds up
    if more == 0:
        return worded("{when}: {planned} planned, and that is what came", when=when, planned=planned)
    if more > 0:
        return worded(
            "{when}: {planned} planned, {actual} came, {more} more",
            when=when,
            planned=planned,
            actual=actual,
            more=amount(more),
        )
    return worded(
        "{when}: {planned} planned, {actual} came, {less} less",
        when=when,
        planned=planned,
        actual=actual,
        less=amount(-more),
    )


def beside(track: Track) -> Message:
    """What the same plan says now, and what knowing everything would have cost."""
    said = []
    if track.advice_now is not None:
        said.append(
            worded(
                "The same plan on what came costs {usd} per month from now on", usd=amount(track.advice_now)
            )
        )
    if track.hindsight is not None:
        said.append(
            worded(
                "bought knowing every hour, on terms no longer than this time, it would have cost {usd}",
                usd=amount(track.hindsight),
            )
        )
    return joined(said, "; ")
