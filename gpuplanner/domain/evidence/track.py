"""Answers about plan vs. actual: how much a cause moved in a place, and the rest of a contract."""

from typing import Final

from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed
from gpuplanner.domain.evidence.trace import TraceRow, column_of, figure
from gpuplanner.domain.figures.changes import BURN_DOWN, TRACK, TRACK_QUARTER, TRACK_WORKLOAD
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.track.track import BURN_INPUTS, WHAT, BurnDown, Track, TrackRow

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
    place = WHAT.index(row.what)
    labels = {"before": COSTS[place], "after": COSTS[place + 1]}
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
