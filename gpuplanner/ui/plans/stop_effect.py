"""What stopping some workloads would save, and which GPUs it leaves idle: a table and words, before it is done."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, figure
from gpuplanner.domain.commitment.comparison.horizons import Horizon, plan_usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import PLAN, STOP
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import by_count, tr

Values = dict[str, float | None]
SAVES: Final = ("stop_saves", "stop_saves_in_year")
COLUMNS: Final = (
    Column("", False),
    Column(worded("First month, $"), True, 128),
    Column(worded("12 months, $"), True, 128),
)
LEAST_GPUS: Final = 0.05
UNKNOWN_YET: Final[Values] = dict.fromkeys(
    ("plan", "plan_in_year", "plan_after_stop", "after_stop_in_year", "stop_saves", "stop_saves_in_year")
)


class StopEffect(QWidget):
    """Told the plan as it is and as it would be; a figure that is asked about has its `trace`."""

    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.values: Values = UNKNOWN_YET
        self._is_awaited = False
        self.table = FigureTable(tr("What stopping saves"), palette)
        self.table.figure_opened.connect(
            lambda figure_id, place: self.figure_opened.emit(figure_id, self.table, place)
        )
        self.freed = PlainLabel()
        self.freed.setWordWrap(True)
        self.freed.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.table)
        layout.addWidget(self.freed)
        self._show(UNKNOWN_YET)
        self.freed.setMinimumHeight(2 * self.freed.fontMetrics().lineSpacing() + 4)

    def show_working(self) -> None:
        """It is being worked out; what was known of another choice stays until then."""
        self._is_awaited = True
        self.freed.setText(tr("Working out what it saves"))

    def show_plans(self, before: Advice, after: Advice) -> None:
        """The plan as it is, and as it would be; not shown beside a choice that is refused by now."""
        if not self._is_awaited:
            return
        self._show(stop_values(before, after))
        self.freed.setText(freed_words(before, after))

    def show_unknown(self, why: str) -> None:
        """Why nobody can say yet what it would do."""
        self._is_awaited = False
        self._show(UNKNOWN_YET)
        self.freed.setText(why)

    def trace(self, figure_id: str, called: Text) -> Trace:
        """Why a figure of the table is what it is. called: who would stop. Errors: KeyError where it is none of it."""
        return stop_trace(figure_id, self.values, called)

    def _show(self, values: Values) -> None:
        self.values = values
        self.table.show_rows(COLUMNS, stop_rows(values))
        self.table.setFixedHeight(
            self.table.horizontalHeader().sizeHint().height() + 3 * self.table.row_height + 4
        )


def stop_values(before: Advice, after: Advice) -> Values:
    """What goes into the figures of STOP, and what comes out, by key."""
    given: Values = {
        "plan": before.totals.plan,
        "plan_in_year": plan_usd_in(before, Horizon.TWELVE_MONTHS),
        "plan_after_stop": after.totals.plan,
        "after_stop_in_year": plan_usd_in(after, Horizon.TWELVE_MONTHS),
    }
    return given | STOP.row(given, list(SAVES))


def stop_rows(values: Values) -> list[Row]:
    """The plan, the plan without them, and what stopping saves, in the first month and in twelve."""

    def row(
        title: Text, month: str, year: str, ids: tuple[str, str] = ("", ""), *, is_total: bool = False
    ) -> Row:
        return Row(
            (
                Cell(title),
                Cell(numbers.whole(values[month]), figure_id=ids[0] if values[month] is not None else ""),
                Cell(numbers.whole(values[year]), figure_id=ids[1] if values[year] is not None else ""),
            ),
            is_total=is_total,
        )

    return [
        row(PLAN["plan"].title, "plan", "plan_in_year", (figure("plan_usd"), "")),
        row(STOP["plan_after_stop"].title, "plan_after_stop", "after_stop_in_year"),
        row(STOP["stop_saves"].title, *SAVES, (figure(SAVES[0]), figure(SAVES[1])), is_total=True),
    ]


def stop_trace(figure_id: str, values: Values, called: Text) -> Trace:
    """Why stopping saves so much. called: who would stop. Errors: KeyError where the figure is none of these."""
    key = figure_id.partition(":")[0]
    if key not in SAVES:
        raise KeyError(figure_id)
    given = {name: value for name, value in values.items() if name not in SAVES}
    return explained(STOP, key, Inputs(given, "", called, opens={"plan": figure("plan_usd")}))


def freed_words(before: Advice, after: Advice) -> str:
    """What existing contracts are then paid for and nobody uses, in the first month; that nothing is where it is so."""
    gpus = sum(row.gpus for row in after.idle_existing) - sum(row.gpus for row in before.idle_existing)
    usd = [known_sum(row.cost_per_month for row in of.idle_existing) for of in (before, after)]
    if gpus < LEAST_GPUS:
        return tr("No GPUs under contract are left idle by it in the first month.")
    written = numbers.gpus(gpus)
    if usd[0] is None or usd[1] is None:
        return by_count(
            gpus,
            "{gpus} GPU under contract is left idle in the first month: it stays paid until the contract ends.",
            "{gpus} GPUs under contract are left idle in the first month: they stay paid until their contracts end.",
            gpus=written,
        )
    return by_count(
        gpus,
        "{gpus} GPU under contract is left idle in the first month: {usd} stay paid until the contract ends.",
        "{gpus} GPUs under contract are left idle in the first month: {usd} stay paid until their contracts end.",
        gpus=written,
        usd=numbers.dollars(usd[1] - usd[0]),
    )
