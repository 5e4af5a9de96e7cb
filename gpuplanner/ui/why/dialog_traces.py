"""Why figures of dialogs are what they are: of what is not done yet, so that no plan answers for it."""

from collections.abc import Sequence

from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import Number, product, summed
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.words.translation import tr

WHOLE = worded("In whole amounts the rows add up to their sum, so one of them may be off by 1.")
CARDS = (TraceColumn(worded("GPU-h\nper month"), "gpu_hours"), TraceColumn(worded("$ per\nmonth"), "usd"))
MOVE, MOVES = "move_usd", "moves_usd"
STAYS, GOES = "part_stays", "part_goes"
MERGED_USD, MERGED_HOURS = "merging_usd", "merging_hours"


def move_trace(card: CardFigures, usd: float | None, written: int | None) -> Trace:
    """What a card costs that would move, as it is written among the others."""
    rows = (TraceRow(card.name, (card.gpu_hours_per_month, usd), figure("card_usd", card.key)),)
    value: Number = usd if written is None else written
    return summed(
        figure(MOVE, card.key),
        tr("Cost of {name}, where it stands", name=card.name),
        value,
        "usd",
        tr("Cost = what the card costs per month in the plan as it is, before it moves"),
        rows,
        columns=CARDS,
        column=1,
        said_as=tr("per month"),
        note=WHOLE if written is not None and usd is not None and written != round(usd) else "",
    )


def moves_trace(cards: Sequence[tuple[CardFigures, float | None]]) -> Trace:
    """What all cards cost together that would move."""
    rows = [
        TraceRow(card.name, (card.gpu_hours_per_month, usd), figure("card_usd", card.key))
        for card, usd in cards
    ]
    return summed(
        figure(MOVES),
        tr("What would move, together"),
        known_sum(usd for _, usd in cards),
        "usd",
        tr("Together = \u03a3 over the cards that would move of what they cost per month, as they stand now"),
        rows,
        columns=CARDS,
        column=1,
        said_as=tr("per month"),
        note=tr(
            "It is what moves, not what moving saves: the headline says that once it is done, and Undo takes it back."
        ),
    )


def part_trace(kind: str, name: str, first: float, second: float, written: int, how: str) -> Trace:
    """GPU-hours per month of one of two parts. how: what the second part is, in words."""
    whole = first + second
    own = first if kind == STAYS else second
    which = tr("First") if kind == STAYS else tr("Second")
    return product(
        figure(kind),
        tr("{which} part of {name}", which=which, name=name),
        written,
        "gpu_hours",
        tr(
            "{which} part = GPU-hours per month of the card \u00d7 its share of them; the second part is {how}",
            which=which,
            how=how,
        ),
        (
            (tr("GPU-hours per month of the card"), whole, "gpu_hours"),
            (tr("Share of them"), own / whole if whole else 0.0, "exact"),
        ),
        said_as=tr("per month"),
        note=""
        if written == round(own)
        else tr("Both parts add up in whole GPU-hours, so this one may be one off."),
    )


def merge_trace(kind: str, cards: Sequence[CardFigures], usd: Sequence[float | None]) -> Trace:
    """What cards are together that would stand as one."""
    rows = [
        TraceRow(card.name, (card.gpu_hours_per_month, one), figure("card_usd", card.key))
        for card, one in zip(cards, usd, strict=True)
    ]
    is_usd = kind == MERGED_USD
    return summed(
        figure(kind),
        tr("The cards together"),
        known_sum(usd) if is_usd else sum(card.gpu_hours_per_month for card in cards),
        "usd" if is_usd else "gpu_hours",
        tr("Together = \u03a3 over the cards that would be merged"),
        rows,
        columns=CARDS,
        column=1 if is_usd else 0,
        said_as=tr("per month"),
    )
