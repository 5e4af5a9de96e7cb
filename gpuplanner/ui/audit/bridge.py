"""From the bill to stranded spend: the bridge as a waterfall, with a table as its twin."""

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedLayout, QToolButton, QWidget

from gpuplanner.domain.audit.bridge import StrandedBridge
from gpuplanner.domain.audit.trace import figure
from gpuplanner.ui.audit.card import CardFrame, EmptyState
from gpuplanner.ui.chart_colours import chart_colours
from gpuplanner.ui.figure_table import Cell, Column, FigureTable, Row
from gpuplanner.ui.icons import icon
from gpuplanner.ui.shown import Shown
from gpuplanner.ui.theme import Palette
from gpuplanner.ui.waterfall_steps import Amount, steps_of

NAME: Final = "From the bill to stranded spend"
NOTE: Final = "Audit = (1 \u2212 used share) \u00d7 cost, as if every hour were one without training"


class BridgeCard:
    """Told what is shown; the chart is made when the page is seen first."""

    def __init__(self, palette: Palette, import_files: Callable[[], None]) -> None:
        self.frame = CardFrame(NAME, "$ per month")
        self.turn = QToolButton()
        self.turn.setAccessibleName("Show as table or chart")
        self.turn.setToolTip("Show as table or as chart (Ctrl+T)")
        self.turn.setIconSize(QSize(14, 14))
        self.turn.setFixedSize(22, 18)  # no higher than the title beside it
        self.turn.clicked.connect(self.show_twin)
        self.frame.head.addWidget(self.turn)
        self.table = FigureTable(NAME, palette)
        self.plot: Any = None
        self._palette = palette
        self._stack = _Twins(self)
        self.empty = EmptyState(
            "No contracts yet",
            "Import contracts to see what is paid for, what of it serves jobs, and what is stranded.",
            "Import contracts",
            import_files,
        )
        self.frame.body.addWidget(self._stack, 1)
        self.frame.body.addWidget(self.empty, 1)
        self.show_palette(palette)

    def make_plot(self) -> Any:
        """The chart; charts are imported when the first one is shown."""
        from gpuplanner.charts.waterfall import WaterfallPlot

        if self.plot is None:
            self.plot = WaterfallPlot(NAME, chart_colours(self._palette))
            self._stack.put(self.plot, self.table)
        return self.plot

    def show_shown(self, shown: Shown) -> None:
        """Show the bridge of all clusters."""
        has_contracts = bool(shown.evaluation.project.contracts)
        for part in (self._stack, self.turn):
            part.setVisible(has_contracts)
        self.empty.setVisible(not has_contracts)
        self.frame.note(NOTE if has_contracts else "")
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

    def show_twin(self) -> None:
        """The other of chart and table."""
        self._stack.turn()

    def as_text(self) -> str:
        """Its rows as text."""
        return self.table.as_text()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.table.show_palette(palette)
        self.turn.setIcon(icon("group", palette.muted))
        if self.plot is not None:
            self.plot.show_colours(chart_colours(palette))


class _Twins(QWidget):
    """A chart and its table, one of them in sight; Ctrl+T turns."""

    def __init__(self, card: BridgeCard) -> None:
        super().__init__()
        self._card = card
        self._layout = QStackedLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.setMinimumHeight(214)

    def put(self, chart: QWidget, table: QWidget) -> None:
        """Show these two, the chart first."""
        self._layout.addWidget(chart)
        self._layout.addWidget(table)

    def turn(self) -> None:
        """Show the other one, and give it the keyboard."""
        self._layout.setCurrentIndex(1 - self._layout.currentIndex())
        self._layout.currentWidget().setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_T and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.turn()
        else:
            super().keyPressEvent(event)


def bridge_amounts(bridge: StrandedBridge) -> tuple[Amount, ...]:
    """Six bars from what is paid to what is stranded, metered, and on to the audit's reading of it."""

    def less(usd: float | None) -> float | None:
        return None if usd is None else -usd

    return (
        Amount(
            "Paid",
            "$ per month",
            bridge.paid_usd_per_month,
            "start",
            "What all contracts cost a month, used or not",
            figure("cost"),
        ),
        Amount(
            "Allocated",
            "to jobs",
            less(bridge.served_usd_per_month),
            "step",
            "GPU-hours that served jobs, at the rates of the contracts that served them",
            figure("served"),
        ),
        Amount(
            "Idle while",
            "training ran",
            less(bridge.idle_while_training_usd_per_month),
            "step",
            "Paid and not allocated in hours with training: free beside it, and not stranded",
            figure("idle", "", "busy"),
        ),
        Amount(
            "Stranded,",
            "metered",
            bridge.metered_usd_per_month,
            "result",
            "Paid and not allocated in hours without training: it adds up to the invoice",
            figure("idle", "", "idle"),
        ),
        Amount(
            "Scaled to",
            "all hours",
            bridge.scaled_usd_per_month,
            "scaled",
            "What reading every hour as one without training adds; not on the invoice",
            figure("scaled"),
        ),
        Amount(
            "Stranded,",
            "audit",
            bridge.audit_usd_per_month,
            "result",
            "(1 \u2212 used share in hours without training) \u00d7 cost, summed over clusters",
            figure("stranded_audit"),
        ),
    )
