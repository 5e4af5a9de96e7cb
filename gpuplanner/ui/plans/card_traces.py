"""Answers to 'Why this number?' in dialogs that divide, merge or move cards."""

from collections.abc import Iterable, Sequence

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import Number, Trace, TraceColumn, TraceRow, figure, product, summed
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.files.system.resources import long_text

WHOLE = worded("Rows are rounded to add up; one may differ by 1.")
CARDS = (TraceColumn(worded("GPU-h\nper month"), "gpu_hours"), TraceColumn(worded("$ per\nmonth"), "usd"))
MOVE, MOVES = "move_usd", "moves_usd"
STAYS, GOES = "part_stays", "part_goes"
MERGED_USD, MERGED_HOURS = "merging_usd", "merging_hours"


def trace_rows(cards: Iterable[tuple[CardFigures, float | None]]) -> list[TraceRow]:
    """Cards with what each costs."""
    return [
        TraceRow(card.name, (card.gpu_hours_per_month, usd), figure("card_usd", card.key))
        for card, usd in cards
    ]


def move_trace(card: CardFigures, usd: float | None, written: int | None) -> Trace:
    """What a card costs that would move, as it is written among the others."""
    value: Number = usd if written is None else written
    return summed(
        tr("Cost of {name} in its current pool", name=card.name),
        value,
        "usd",
        tr("Cost = monthly cost of the card in the plan before the move"),
        trace_rows([(card, usd)]),
        columns=CARDS,
        column=1,
        said_as=tr("per month"),
        note=WHOLE if written is not None and usd is not None and written != round(usd) else "",
    )


def moves_trace(cards: Sequence[tuple[CardFigures, float | None]]) -> Trace:
    """What all cards cost together that would move."""
    return summed(
        tr("Total of the moves"),
        known_sum(usd for _, usd in cards),
        "usd",
        tr("Total = Σ of the monthly cost of cards to move"),
        trace_rows(cards),
        columns=CARDS,
        column=1,
        said_as=tr("per month"),
        note=tr("Moved cost, not savings: see the headline. One undo step."),
    )


def part_trace(kind: str, name: str, first: float, second: float, written: int, how: str) -> Trace:
    """GPU-hours per month of one of two parts. how: what the second part is, in words."""
    whole = first + second
    own = first if kind == STAYS else second
    which = tr("First") if kind == STAYS else tr("Second")
    return product(
        tr("{which} part of {name}", which=which, name=name),
        written,
        "gpu_hours",
        tr(long_text("split_part", which=which, how=how)),
        (
            (tr("GPU-hours per month of the card"), whole, "gpu_hours"),
            (tr("Share of them"), own / whole if whole else 0.0, "exact"),
        ),
        said_as=tr("per month"),
        note="" if written == round(own) else tr("Rounded to add up; may differ by 1 GPU-h."),
    )
