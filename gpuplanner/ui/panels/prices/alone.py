"""Who could serve all with one provider: each provider of the price book alone, beside the plan."""

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.commitment.uncertainty.one_provider import ProviderPlan
from gpuplanner.domain.reports.plan.one_provider import PROVIDERS_ALONE
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr


class ProvidersAloneView(QWidget):
    """Told a plan with each provider alone."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.shown: Sequence[ProviderPlan] = ()
        self.said = muted_label()
        self.table = FigureTable(spoken(PROVIDERS_ALONE.title), palette)
        self.note = muted_label(spoken(PROVIDERS_ALONE.note))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 6, 12, 8)
        layout.setSpacing(6)
        for part in (self.said, self.table, self.note):
            layout.addWidget(part)
        layout.addStretch(1)

    def say(self, words: str) -> None:
        """Say why there is nothing to show."""
        self.shown = ()
        self.said.setText(spoken(words))
        self.table.hide()
        self.note.hide()

    def show_plans(self, found: Sequence[ProviderPlan]) -> None:
        """Show what was worked out: who serves all, and the cheapest of them in words."""
        self.shown = found
        self.said.setText(_words(found))
        self.table.show_rows(table_columns(PROVIDERS_ALONE), table_rows(PROVIDERS_ALONE, found))
        self.table.fit_height()
        self.table.setVisible(bool(found))
        self.note.setVisible(bool(found))

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)


def _words(found: Sequence[ProviderPlan]) -> str:
    """How many could serve all, and what the cheapest of them costs beside the plan."""
    if not found:
        return tr("No offer names its provider.")
    able = [one for one in found if one.serves_all]
    if not able:
        return tr("No provider of the price book could serve all of the plan alone.")
    first = able[0]
    many = numbers.counted(len(found), "provider")
    if first.beside_plan is None:
        return tr("{able} of {many} could serve all alone.", able=numbers.whole(len(able)), many=many)
    side = tr("more") if first.beside_plan >= 0 else tr("less")
    return tr(
        "{able} of {many} could serve all alone. The cheapest, {provider}, costs {usd} {side} than the plan over "
        "twelve months.",
        able=numbers.whole(len(able)),
        many=many,
        provider=first.provider,
        usd=numbers.dollars(abs(first.beside_plan)),
        side=side,
    )
