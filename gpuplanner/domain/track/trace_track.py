"""Traces of a plan against what came: what a cause moved in a place, and what is left of a contract."""

from collections.abc import Callable, Mapping
from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure, parts_of
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.figures.costs.track import BURN_DOWN, TRACK, TRACK_QUARTER
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.pool import POOL_TITLES
from gpuplanner.domain.track.track import WHAT, Track, TrackRow

COSTS: Final[tuple[Text, ...]] = (
    worded("as planned"),
    worded("with as many GPU-hours as came"),
    worded("in the hours and clusters in which they came"),
    worded("with what was signed"),
    worded("at the rates that were paid"),
    worded("as the bill has it"),
)
"""What a place costs, step by step: before the first cause, then with each of WHAT."""
WINDOWS: Final = (worded("in the log of the plan"), worded("in the log that came"))
NOTE: Final = worded(
    "Both are worked out hour by hour: what is held, used or not, and what it leaves over, paid by use."
)


def answer(track: Track, figure_id: str) -> Trace:
    """Why a figure of a comparison is what it is. Errors: KeyError for a kind, StopIteration for a row, not there."""
    kind, _, subject = parts_of(figure_id)
    return ANSWERS[kind](track, subject)


def moved(track: Track, subject: str) -> Trace:
    """What a cause moved: what the place costs with it, less what it costs before it."""
    row = next(one for one in track.rows if one.key == subject)
    at = WHAT.index(row.what)
    given = Inputs(
        {"after": row.after, "before": row.before},
        subject,
        _place(row),
        labels={"before": COSTS[at], "after": COSTS[at + 1]},
    )
    return explained(TRACK, "moved", given, NOTE)


def _place(row: TrackRow) -> Message:
    """Training H100."""
    pool: Text = worded("all pools") if row.pool is None else POOL_TITLES[row.pool]
    return joined((pool, row.gpu_model or worded("unknown model")), " ")


def of_quarter(track: Track, subject: str) -> Trace:
    """What came of a quarter: what was planned for it, and what each cause moved."""
    row = next(one for one in track.quarters if one.key == subject)
    return explained(TRACK_QUARTER, "actual", Inputs(row.figures, subject), NOTE)


def of_contract(key: str) -> Callable[[Track, str], Trace]:
    """What explains a figure that is worked out from what a contract is."""

    def found(track: Track, subject: str) -> Trace:
        row = next(one for one in track.contracts if one.contract_id == subject)
        return explained(BURN_DOWN, key, Inputs(row.inputs, subject))

    return found


def used(track: Track, subject: str) -> Trace:
    """GPU-hours used of a contract: those of the plan's log, and of the later one."""
    row, one = next(row for row in track.contracts if row.contract_id == subject), BURN_DOWN["used_gpu_hours"]
    return summed(
        figure(one.why, subject),
        worded("{figure} of {name}", figure=one.title, name=subject),
        row.used_gpu_hours,
        one.unit.key,
        worded("{figure} = \u03a3 over the hours that were logged", figure=one.title),
        [TraceRow(WINDOWS[place], (amount,)) for place, amount in row.used_in],
    )


ANSWERS: Final[Mapping[str, Callable[[Track, str], Trace]]] = {
    "track_moved": moved,
    "track_quarter": of_quarter,
    "burn_committed_hours": of_contract("committed_gpu_hours"),
    "burn_used_hours": used,
    "burn_left": of_contract("left_cost"),
}
"""Kind of figure -> what answers for it; as the table of the audit's answers."""
