"""From the bill to stranded spend: the bridge as a waterfall, with a table as its twin."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtWidgets import QWidget

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.money.bridge import StrandedBridge
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit.card_frame import CardFrame, EmptyState
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.twins import Twins
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.plan_notice import NONE_RAN
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.state.waterfall_steps import Amount, steps_of
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.contracts_that_ran import ran_count
from gpuplanner.ui.words.translation import tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

NAME: Final = worded("From the bill to stranded spend")
NOTE: Final = worded("Audit = (1 \u2212 used share) \u00d7 cost, as if no hour had training")


class BridgeCard:
    """Told what is shown; the chart is made when the page is seen first."""

    def __init__(self, palette: Palette, import_files: Callable[[], None]) -> None:
        self.frame = CardFrame(NAME, worded("$ per month"))
        self.table = FigureTable(tr(NAME), palette)
        self.plot: WaterfallPlot | None = None
        self._palette = palette
        self._shown: ViewState | None = None
        self.twins = Twins(self.frame, 214)
        self.empty = EmptyState(
            tr("No contracts yet"),
            tr("Import contracts to see what is paid for, what of it serves jobs, and what is stranded."),
            tr("Import contracts"),
            import_files,
        )
        self.apart = EmptyState(
            NONE_RAN,
            tr(
                "Import a log and contracts of the same time to see what is paid for, "
                "what of it serves jobs, and what is stranded."
            ),
            tr("Import files"),
            import_files,
        )
        self.frame.body.addWidget(self.twins, 1)
        self.frame.body.addWidget(self.apart, 1)
        self.frame.body.addWidget(self.empty, 1)
        self.show_palette(palette)

    def make_plot(self) -> "WaterfallPlot":
        """The chart; charts are imported when the first one is shown."""
        from gpuplanner.charts.plots.waterfall import WaterfallPlot

        if self.plot is None:
            self.plot = WaterfallPlot(NAME, chart_colours(self._palette))
            self.twins.put(self.plot, self.table)
            self._menu = ChartMenu(
                self.plot, self._palette, self._sheet, turn=self.twins.turn, is_floating=False
            )
            self.frame.head.addWidget(self._menu.button)
        return self.plot

    def _sheet(self) -> Any:
        """The bridge to be shown large: chart and twin table; None without contracts."""
        plot = self.plot
        if plot is None or self._shown is None or not self._shown.evaluation.project.contracts:
            return None

        def make(palette: Palette) -> QWidget:
            """The waterfall drawn anew in the large sheet's colours."""
            from gpuplanner.charts.plots.waterfall import WaterfallPlot

            made = WaterfallPlot(NAME, chart_colours(palette))
            made.show_steps(plot.steps)
            return made

        source = source_words(self._shown)
        unit = tr("$ per month. {note}", note=NOTE)
        return sheet_of(NAME, unit, source, make, ("", tr("$ per month")), plot.table, 320)

    def show_state(self, shown: ViewState) -> None:
        """Show the bridge of all clusters."""
        self._shown = shown
        has_contracts = bool(shown.evaluation.project.contracts)
        has_spend = has_contracts and bool(ran_count(shown.evaluation.audit))
        self.twins.show_both(has_spend)
        self.empty.setVisible(not has_contracts)
        self.apart.setVisible(has_contracts and not has_spend)
        self.frame.note(NOTE if has_spend else "")
        steps = steps_of(bridge_amounts(shown.evaluation.audit.bridge))
        self.make_plot().show_steps(steps)
        self.table.show_rows(
            (Column("", False), Column("\n$ per month")),
            [
                Row(
                    (
                        Cell(f"{step.name} {step.note}".strip(), is_strong=True),
                        Cell(
                            step.label,
                            tip=step.tip,
                            figure_id=step.figure_id if step.amount is not None else "",
                        ),
                    )
                )
                for step in steps
            ],
        )

    def as_text(self) -> str:
        """Its rows as text."""
        return self.table.as_text()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.table.show_palette(palette)
        self.twins.show_palette(palette)
        if self.plot is not None:
            self.plot.show_colours(chart_colours(palette))
            self._menu.show_palette(palette)


def bridge_amounts(bridge: StrandedBridge) -> tuple[Amount, ...]:
    """Six bars from what is paid to what is stranded, metered, and on to the audit's reading of it."""

    def less(usd: float | None) -> float | None:
        """The amount as a step down; unknown stays unknown."""
        return None if usd is None else -usd

    return (
        Amount(
            tr(titles.PAID),
            tr("$ per month"),
            bridge.cost_per_month,
            "start",
            tr("What all contracts cost per month, used or not"),
            figure("cost"),
        ),
        Amount(
            tr(titles.ALLOCATED),
            tr("to jobs"),
            less(bridge.allocated_per_month),
            "step",
            tr("GPU-hours that served jobs, at the rates of the contracts that served them"),
            figure("served"),
        ),
        Amount(
            tr("Idle while"),
            tr("training ran"),
            less(bridge.idle_while_training),
            "step",
            tr("Paid and not allocated in hours with training: free beside it, and not stranded"),
            figure("idle", "", "busy"),
        ),
        Amount(
            tr("Stranded,"),
            tr("metered"),
            bridge.stranded_metered,
            "result",
            tr("Paid and not allocated in hours without training: it adds up to the invoice"),
            figure("idle", "", "idle"),
        ),
        Amount(
            tr("Scaled to"),
            tr("all hours"),
            bridge.scaled_to_all_hours,
            "scaled",
            tr("What reading every hour as one without training adds; not on the invoice"),
            figure("scaled"),
        ),
        Amount(
            tr("Stranded,"),
            tr("audit"),
            bridge.stranded_audit,
            "result",
            tr("(1 \u2212 used share in hours without training) \u00d7 cost, summed over clusters"),
            figure("stranded_audit"),
        ),
    )
