"""Rows of the Backtest panel: each way of buying beside hindsight, and the settings that were tried."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.commitment.backtest.advice_backtest import HINDSIGHT, WAYS, Backtest
from gpuplanner.domain.commitment.backtest.variants import Variant
from gpuplanner.domain.commitment.words.backtest_words import WAY_NAMES
from gpuplanner.domain.message import Message, worded
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

WAY_TIPS: Final = {
    "advice": worded("Signed month after month on the log so far, carried until each term ended."),
    "hindsight": worded("The same arithmetic, knowing every hour that came. Nobody can do better."),
    "lookback_7": worded("The level worth committing to by the last 7 days, with the shortest term."),
    "lookback_28": worded("The level worth committing to by the last 28 days, with the shortest term."),
    "lookback_56": worded("The level worth committing to by the last 56 days, with the shortest term."),
    "lookback_7_cheapest": worded("By the last 7 days, with the term that is cheapest at its level."),
    "lookback_28_cheapest": worded("By the last 28 days, with the term that is cheapest at its level."),
    "lookback_56_cheapest": worded("By the last 56 days, with the term that is cheapest at its level."),
    "peak": worded("Enough GPUs for the busiest hour so far, with the shortest term."),
    "mean": worded("Enough GPUs for the mean hour so far, with the shortest term."),
    "on_demand": worded("Nothing signed."),
}
NO_PRICE: Final = worded(
    "Unknown: some demand has no price. Add an on-demand rate for every GPU model of the log."
)
MEASURE: Final = worded("The other ways are held against it.")
WAY_COLUMNS: Final = (Column("Way of buying", False), Column("Paid\n$"), Column("Over hindsight\n%"))
VARIANT_COLUMNS: Final = (
    Column("Setting", False, is_cut_at_end=True),
    Column("Paid\n$"),
    Column("Beside as set\n$"),
)


def way_rows(answer: Backtest) -> tuple[Row, ...]:
    """One row a way of buying, sums over all months; the advice and hindsight first."""
    best = answer.totals[HINDSIGHT]
    rows = []
    for way in WAYS:
        usd = answer.totals[way]
        over = usd / best - 1 if usd is not None and best else None
        rows.append(
            Row(
                (
                    Cell(WAY_NAMES[way], is_strong=way == "advice", tip=WAY_TIPS[way]),
                    Cell(
                        numbers.whole(usd),
                        is_strong=way == "advice",
                        tip=NO_PRICE if usd is None else "",
                        figure_id="" if usd is None else figure("way_paid", way),
                    ),
                    Cell("n/a", "muted", tip=MEASURE)
                    if way == HINDSIGHT
                    else Cell(_over(over), figure_id="" if over is None else figure("way_over", way)),
                ),
                key=way,
            )
        )
    return tuple(rows)


def _over(share: float | None) -> str:
    if share is None:
        return numbers.UNKNOWN
    return f"{'+' if share > 0 else ''}{numbers.percent(share)}".replace("-", "\u2212")


def variant_rows(variants: Sequence[Variant]) -> tuple[Row, ...]:
    """One row a setting; what it would have cost beside the settings in force."""
    as_set = next((one.usd for one in variants if one.is_as_set), None)
    rows = []
    for one in variants:
        change = None if one.usd is None or as_set is None else one.usd - as_set
        is_better = change is not None and change < -0.5
        rows.append(
            Row(
                (
                    Cell(one.title, is_strong=one.is_as_set, tip=settings_text(one)),
                    Cell(
                        numbers.whole(one.usd),
                        tip=NO_PRICE if one.usd is None else "",
                        figure_id="" if one.usd is None else figure("variant_paid", one.name),
                    ),
                    Cell(
                        "" if one.is_as_set else numbers.change(change),
                        "green" if is_better else "text",
                        figure_id=""
                        if one.is_as_set or change is None
                        else figure("variant_beside", one.name),
                    ),
                ),
                key=one.name,
            )
        )
    return tuple(rows)


def settings_text(one: Variant) -> str:
    """What choosing a setting would change, in words."""
    if one.is_as_set:
        return tr("The assumptions in force.")
    if not one.settings:
        return tr("It changes nothing: the log shows no trend that is clear.")
    return "; ".join(f"{spoken(_words(name))} {_value(name, value)}" for name, value in one.settings.items())


def _words(name: str) -> Message:
    from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME

    return SPEC_BY_NAME[name].title


def _value(name: str, value: object) -> str:
    from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME

    spec = SPEC_BY_NAME[name]
    if spec.kind == "ratio" and isinstance(value, float):
        return tr("{value} {unit}", value=numbers.percent(value), unit=spec.unit).replace("-", "\u2212")
    return (
        tr("{value} {unit}", value=numbers.significant(value), unit=spec.unit)
        if isinstance(value, int | float)
        else str(value)
    )
