"""Reports of many plans: each provider alone, and the value of each term on offer."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.award.offer_worths import OfferWorth
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan
from gpuplanner.domain.reports.report import Medium, Report
from gpuplanner.ui.kit.layout import STRETCH, column
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.panels.prices.offer_rows import AROUND_VIEW
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers


class PlanReportView(QWidget):
    """Told the rows of a report of a plan. words: what they come to."""

    def __init__(self, of: Report, words: Callable[[Any], str]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.shown: Sequence[Any] = ()
        self.said = muted_label()
        self.table = FigureTable(spoken(of.title))
        self.note = muted_label(spoken(of.note))
        self._of, self._words = of, words
        column(self.said, self.table, self.note, STRETCH, on=self, margins=AROUND_VIEW, spacing=6)

    def say(self, words: str) -> None:
        """Say why there is nothing to show."""
        self.shown = ()
        self.said.setText(spoken(words))
        self.table.hide()
        self.note.hide()

    def show_plans(self, plans: Sequence[Any]) -> None:
        """Show what was worked out, and what it comes to in words."""
        self.shown = plans
        self.said.setText(self._words(plans))
        shown = self._of.with_columns(*self._of.columns_of(Medium.WINDOW, plans))
        self.table.show_all(table_columns(shown), table_rows(shown, plans))
        self.note.setVisible(bool(plans))


def worth_words(worths: Sequence[OfferWorth]) -> str:
    """How many are signed at the rate that they have."""
    if not worths:
        return tr("No offer has a term and a rate.")
    signed = sum(row.worth_rate is not None and row.worth_rate >= row.rate for row in worths)
    return tr(
        "Value of each term: {signed} of {many} pay off at their rate.",
        signed=numbers.whole(signed),
        many=numbers.counted(len(worths), "offer"),
    )


def alone_words(plans: Sequence[ProviderPlan]) -> str:
    """How many could serve all, and what the cheapest of them costs beside the plan."""
    if not plans:
        return tr("No offer names its provider.")
    if not (able := [plan for plan in plans if plan.serves_all]):
        return tr("No provider could serve the whole plan alone.")
    first = able[0]
    many = numbers.counted(len(plans), "provider")
    words = tr("{able} of {many} could serve the whole plan.", able=numbers.whole(len(able)), many=many)
    if first.beside_plan is None:
        return words
    side = tr("more") if first.beside_plan >= 0 else tr("less")
    usd = numbers.dollars(abs(first.beside_plan))
    provider = first.provider
    costs = tr(
        "Cheapest over 12 months: {provider}, {usd} {side} than the plan.",
        provider=provider,
        usd=usd,
        side=side,
    )
    return f"{words} {costs}"
