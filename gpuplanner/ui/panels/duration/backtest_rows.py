"""Rows of the panel Backtest: each way to buy next to hindsight, and other settings."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.advice_backtest import HINDSIGHT, WAYS, Backtest, Variant
from gpuplanner.domain.message import Message, worded
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, asked, filled_rows, written
from gpuplanner.ui.words import numbers

WAY_TIPS: Final = words_table("way_tip")
NO_PRICE: Final = worded("Unknown: add an on-demand rate for each GPU model.")


def way_table(answer: Backtest) -> tuple[Sequence[Column], list[Row]]:
    """One row a way of buying, sums over all months; the advice and hindsight first."""
    best = answer.totals[HINDSIGHT]

    def name(way: str) -> Cell:
        return Cell(text=advice_backtest.WAY_NAMES[way], is_strong=way == "advice", tip=WAY_TIPS[way])

    def over(way: str) -> Cell:
        if way == HINDSIGHT:
            return Cell(text=worded("n/a"), role="muted", tip=worded("Baseline of the comparison."))
        usd = answer.totals[way]
        share = usd / best - 1 if usd is not None and best else None
        return Cell(text=_over(share), figure_id=asked(share, "way_over", way))

    columns: tuple[Filled[str], ...] = (
        Filled(title="Way of buying", is_figure=False, cell=name),
        Filled(
            title="Paid\n$",
            cell=lambda way: _paid(answer.totals[way], "way_paid", way, is_strong=way == "advice"),
        ),
        Filled(title="Over hindsight\n%", cell=over),
    )
    return columns, filled_rows(columns, WAYS, str)


def _paid(usd: float | None, kind: str, of: str, *, is_strong: bool = False) -> Cell:
    tip = NO_PRICE if usd is None else ""
    return written(numbers.whole, usd, is_strong=is_strong, tip=tip, figure_id=asked(usd, kind, of))


def _over(share: float | None) -> str:
    if share is None:
        return numbers.UNKNOWN
    return f"{'+' if share > 0 else ''}{numbers.percent(share)}".replace("-", "\u2212")


def variant_table(variants: Sequence[Variant]) -> tuple[Sequence[Column], list[Row]]:
    """One row a setting; what it would have cost beside the settings in force."""
    as_set = next((variant.usd for variant in variants if variant.is_as_set), None)

    def name(variant: Variant) -> Cell:
        return Cell(text=variant.title, is_strong=variant.is_as_set, tip=settings_text(variant))

    def beside(variant: Variant) -> Cell:
        if variant.is_as_set:
            return Cell()
        change = None if variant.usd is None or as_set is None else variant.usd - as_set
        role = "green" if change is not None and change < -0.5 else "text"
        return written(numbers.change, change, role, figure_id=asked(change, "variant_beside", variant.name))

    columns: tuple[Filled[Variant], ...] = (
        Filled(title="Setting", is_figure=False, is_cut_at_end=True, cell=name),
        Filled(title="Paid\n$", cell=lambda variant: _paid(variant.usd, "variant_paid", variant.name)),
        Filled(title="Against settings\n$", cell=beside),
    )
    return columns, filled_rows(columns, variants, lambda variant: variant.name)


def settings_text(one: Variant) -> str:
    """What choosing a setting would change, in words."""
    if one.is_as_set:
        return tr("Assumptions in force.")
    if not one.settings:
        return tr("No change: the log shows no clear trend.")
    return "; ".join(f"{spoken(_words(name))} {_value(name, value)}" for name, value in one.settings.items())


def _words(name: str) -> Message:
    from gpuplanner.domain.model.assumptions import SPEC_BY_NAME

    return SPEC_BY_NAME[name].title


def _value(name: str, value: object) -> str:
    from gpuplanner.domain.model.assumptions import SPEC_BY_NAME

    spec = SPEC_BY_NAME[name]
    if spec.kind == "ratio" and isinstance(value, float):
        return tr("{first} {second}", first=numbers.percent(value), second=spec.unit).replace("-", "\u2212")
    if isinstance(value, int | float):
        return tr("{first} {second}", first=numbers.significant(value), second=spec.unit)
    return str(value)
