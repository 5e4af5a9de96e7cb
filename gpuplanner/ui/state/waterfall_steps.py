"""Amounts of a bridge as steps of a waterfall, in whole dollars that add up."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gpuplanner.charts.kit.translation import speak, tr
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import NOTHING_KNOWN, PartSum, largest_remainder
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import Step, StepKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """One bar before it is written: two lines of a name, $ (None: unknown), its kind, and what it says on hover.

    known: its parts, of which some may be known where it is not.
    """

    name: Text
    note: Text
    usd: float | None
    kind: "StepKind"
    tip: Text = ""
    figure_id: str = ""
    known: PartSum = NOTHING_KNOWN

    def __post_init__(self) -> None:
        speak(self, "name", "note", "tip")


def steps_of(amounts: Sequence[Amount], of_what: Message = worded("per month")) -> "tuple[Step, ...]":
    """Steps whose written dollars add up from each start or result to the next one.

    Between two bars that stand on zero the changes are rounded by largest remainder to the difference of the
    two as they are written. An unknown amount is written as a dash.
    """
    from gpuplanner.charts.plots.waterfall import Step  # charts are imported when the first one is shown

    return tuple(
        Step(
            name=amount.name,
            note=amount.note,
            amount=amount.usd,
            kind=amount.kind,
            label=_label(amount, usd),
            tip=_tip(amount, of_what),
            figure_id=amount.figure_id,
        )
        for amount, usd in zip(amounts, whole_amounts(amounts), strict=True)
    )


def whole_amounts(amounts: Sequence[Amount]) -> list[int | None]:
    """The dollars as they are written; None is unknown.

    Law: where a result is the bar before it plus the steps between, it is so as they are written.
    """
    whole: list[int | None] = [None] * len(amounts)
    begin: int | None = None  # the last bar on zero, as it is written
    between: list[int] = []
    for at, amount in enumerate(amounts):
        if amount.kind not in ("start", "result"):
            between.append(at)
            continue
        end = None if amount.usd is None else round(amount.usd)
        whole[at] = end
        _round(whole, amounts, between, None if begin is None or end is None else end - begin)
        begin, between = end, []
    _round(whole, amounts, between, None)
    return whole


def _round(whole: list[int | None], amounts: Sequence[Amount], places: list[int], total: int | None) -> None:
    """Rounds some of the amounts so that they add up to a total, if they do so before rounding."""
    values = [amounts[at].usd for at in places]
    known = [value for value in values if value is not None]
    adds_up = total is not None and None not in values and abs(sum(known) - total) <= 1
    rounded = largest_remainder(values, float(total) if adds_up and total is not None else None)
    for at, value in zip(places, rounded, strict=True):
        whole[at] = value


def _label(amount: Amount, usd: int | None) -> str:
    """A total as it is, or what it is at least; a step with its sign."""
    if amount.known.is_at_least:
        return numbers.sum_of(amount.known, numbers.whole)
    return numbers.whole(usd) if amount.kind in ("start", "result") else numbers.change(usd)


def _tip(amount: Amount, of_what: Message) -> str:
    """An amount to the cent, or that it is unknown."""
    name = f"{amount.name} {amount.note}".strip()
    if amount.usd is None:
        return tr("{name}: unknown. {tip}", name=name, tip=amount.tip).strip()
    money = numbers.cents(amount.usd)
    sign = "+" if amount.kind in ("step", "scaled") and amount.usd > 0 else ""
    return tr("{name}: {sign}{money} {of_what}", name=name, sign=sign, money=money, of_what=of_what) + (
        f"\n{amount.tip}" if amount.tip else ""
    )
