"""Answers about an award, and about a plan against what came: costs and worth, causes, and what is left."""

from typing import Final

from gpuplanner.domain.award.award import Award, Vendor
from gpuplanner.domain.award.deciding import line_key
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.trace import Amount, Reached, Trace, TraceColumn, TraceRow, column_of, figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.award import AWARD, OF_VENDOR, QUOTE, VENDOR
from gpuplanner.domain.figures.changes import BURN_DOWN, TRACK, TRACK_QUARTER, TRACK_WORKLOAD
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.tables import POOL_TITLES
from gpuplanner.domain.track.track import BURN_INPUTS, WHAT, BurnDown, Track, TrackRow

# --- Answers about an award: what a line costs in all, what a quote saves and is worth, what a vendor saves and has

OF_AWARD: Final = Answers[Award]()
_COST_INPUTS: Final = ("bought_gpus", "rate", "upfront_per_gpu", "term_hours")


@OF_AWARD.explains(AWARD, "liability")
def cost(award: Award, scope: str, subject: str) -> Inputs:
    """What a line costs over its term."""
    one = next(line for line in award.awarded if line_key(line) == subject)
    title = worded("{row}, {offer_id}", row=one.row.name, offer_id=one.offer.offer_id)
    return Inputs({key: getattr(one, key) for key in _COST_INPUTS}, subject, title)


@OF_AWARD.gives("award_saves")
def saves(award: Award, scope: str, subject: str) -> Trace:
    """What the award would cost more without a quote; scope OF_VENDOR: without all of a vendor's."""
    costs: tuple[float | None, float | None]
    if scope == OF_VENDOR:
        vendor = _vendor(award, subject)
        subjects, name, costs = VENDOR, _name(vendor), (vendor.cost_with, vendor.cost_without)
    else:
        quote = next(one for one in award.quotes if one.offer.offer_id == subject)
        subjects, name, costs = QUOTE, "", (quote.cost_with, quote.cost_without)
    note = worded("The award is divided anew without what is left out, all else alike.")
    given = dict(zip(("cost_with", "cost_without"), costs, strict=True))
    return explained(subjects, "saves", Inputs(given, subject, name, note=note))


@OF_AWARD.explains(VENDOR, "awarded_share")
def share(award: Award, scope: str, subject: str) -> Inputs:
    """Which share of the award a vendor has."""
    vendor = _vendor(award, subject)
    whole = sum(one.awarded for one in award.vendors) if award.shared is None else award.shared
    return Inputs({"awarded": vendor.awarded, "awarded_in_all": whole}, subject, _name(vendor))


@OF_AWARD.lists(
    worded("{figure} of {name}", figure=QUOTE["worth_rate"].title),
    QUOTE["worth_rate"].unit,
    worded(
        "{figure} = the highest rate tried at which the advice signs it", figure=QUOTE["worth_rate"].title
    ),
    (TraceColumn(titles.RATE, QUOTE["worth_rate"].unit.key), TraceColumn(worded("The advice"), "text")),
    Reached(),
    note=worded(
        "For each rate the plan is worked out anew, with all other offers and the quote's upfront payment as they are; "
        "signed is what it takes in its first twelve months."
    ),
    kind="award_worth",
)
def worth(award: Award, scope: str, subject: str) -> Listed:
    """Up to which rate a quote is worth signing: the highest of the rates that were tried at which the advice signs."""
    quote = next(one for one in award.quotes if one.offer.offer_id == subject)
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
    return Listed(quote.worth_rate, rows, subject, symbols=symbols)


def _vendor(award: Award, subject: str) -> Vendor:
    """The provider of a name; "": offers that name none."""
    return next(one for one in award.vendors if (one.provider or "") == subject)


def _name(vendor: Vendor) -> Text:
    """How a title calls it."""
    return joined((vendor.provider or worded("offers without a provider"),))


# --- Answers about a plan against what came: what a cause moved in a place, and what is left of a contract

OF_TRACK: Final = Answers[Track]()
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


def _place_words(row: TrackRow) -> Message:
    """Training H100."""
    pool: Text = worded("all pools") if row.pool is None else POOL_TITLES[row.pool]
    return joined((pool, row.gpu_model or worded("unknown model")), " ")


@OF_TRACK.explains(TRACK, "moved")
def moved(track: Track, scope: str, subject: str) -> Inputs:
    """What a cause moved: what the place costs with it, less what it costs before it."""
    row = next(one for one in track.rows if one.key == subject)
    at = WHAT.index(row.what)
    labels = {"before": COSTS[at], "after": COSTS[at + 1]}
    return Inputs(
        {"after": row.after, "before": row.before}, subject, _place_words(row), labels=labels, note=NOTE
    )


@OF_TRACK.sums("", TRACK["moved"].unit, worded("Σ over pools and GPU models"), kind="track_step", note=NOTE)
def step(track: Track, scope: str, what: str) -> Listed:
    """What was planned, what a cause moved, or what came, by pool and GPU model."""
    cause, side = {"planned": (WHAT[0], "before"), "actual": (WHAT[-1], "after")}.get(what, (what, "usd"))
    value = track.moved(what) if what in WHAT else getattr(track, what)
    why = TRACK["moved"].why if side == "usd" else ""
    rows = [
        TraceRow(_place_words(one), (getattr(one, side),), why and figure(why, one.key))
        for one in track.rows
        if one.what == cause
    ]
    return Listed(value, rows, TRACK_QUARTER[what].title)


@OF_TRACK.sums_of(
    TRACK_WORKLOAD["more"],
    worded("Σ over GPU models of (GPU-h that came − planned GPU-h) × planned rate"),
    tuple(map(column_of, TRACK_WORKLOAD.figures)),
    3,
)
def of_workload(track: Track, scope: str, key: str) -> Listed:
    """What a workload took beyond what was planned, by GPU model."""
    row = next(one for one in track.by_workload if one.key == key)
    models = row.by_model.items()
    parts = [TraceRow(name or worded("unknown model"), tuple(part.values())) for name, part in models]
    return Listed(row.figures["more"], parts, key)


@OF_TRACK.explains(TRACK_QUARTER, "actual")
def of_quarter(track: Track, scope: str, subject: str) -> Inputs:
    """What came of a quarter: what was planned for it, and what each cause moved."""
    row = next(one for one in track.quarters if one.key == subject)
    return Inputs(row.figures, subject, note=NOTE)


def _contract(track: Track, subject: str) -> BurnDown:
    return next(one for one in track.contracts if one.contract_id == subject)


@OF_TRACK.explains(BURN_DOWN, "committed_gpu_hours", "left_cost")
def burn_down(track: Track, scope: str, subject: str) -> Inputs:
    """What figures of a contract are worked out from."""
    figures = _contract(track, subject).figures
    return Inputs({key: figures[key] for key in BURN_INPUTS}, subject)


@OF_TRACK.sums(
    worded("{figure} of {name}", figure=BURN_DOWN["used_gpu_hours"].title),
    "gpu_hours",
    worded("{figure} = Σ over the hours that were logged", figure=BURN_DOWN["used_gpu_hours"].title),
    kind="burn_used_hours",
)
def burn_used(track: Track, scope: str, subject: str) -> Listed:
    """GPU-hours used of a contract: those of the plan's log, and of the later one."""
    row = _contract(track, subject)
    rows = [TraceRow(WINDOWS[place], (amount,)) for place, amount in row.used_in]
    return Listed(row.figures["used_gpu_hours"], rows, subject)
