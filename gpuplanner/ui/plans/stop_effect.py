"""Effect of stopping workloads: savings and idle GPUs, before it is done."""

from typing import Final

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.translation import by_count, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon, plan_usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.evidence.answering import Inputs, explained
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures.plan import PLAN, STOP
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import column
from gpuplanner.ui.tables.cells import Cell, Column, Row, asked, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers

Values = dict[str, float | None]
SAVES: Final = ("stop_saves", "stop_saves_in_year")
COLUMNS: Final = (
    Column(title="", is_figure=False),
    Column(title=worded("First month, $"), is_figure=True, width=128),
    Column(title=worded("12 months, $"), is_figure=True, width=128),
)
LEAST_GPUS: Final = 0.05
UNKNOWN_YET: Final[Values] = dict.fromkeys(
    ("plan", "plan_in_year", "plan_after_stop", "after_stop_in_year", "stop_saves", "stop_saves_in_year")
)


class StopEffect(QtWidgets.QWidget):
    """Told the plan as it is and as it would be; a figure that is asked about has its `trace`."""

    figure_opened = QtCore.Signal(
        str, object, object
    )  # figure id, the widget it stands in, and where (QRect)

    def __init__(self) -> None:
        super().__init__()
        self.values: Values = UNKNOWN_YET
        self._is_awaited = False
        self.table = FigureTable(tr("What stopping saves"))
        self.table.pass_on(self.figure_opened)
        self.freed = dialogs.note_label(2, "muted")
        column(self.table, self.freed, on=self, margins=(0, 4, 0, 0), spacing=8)
        self._show(UNKNOWN_YET)

    def show_working(self) -> None:
        """It is being worked out; what was known of another choice stays until then."""
        self._is_awaited = True
        self.freed.setText(tr("Calculating…"))

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
        # Why stopping saves so much. called: who would stop. Errors: KeyError where the figure is none of
        # these.
        if (key := figure_id.partition(":")[0]) not in SAVES:
            raise KeyError(figure_id)
        given = {name: value for name, value in self.values.items() if name not in SAVES}
        return explained(
            STOP, key, Inputs(values=given, name="", title=called, opens={"plan": figure("plan_usd")})
        )

    def _show(self, values: Values) -> None:
        self.values = values
        self.table.show_rows(COLUMNS, stop_rows(values))
        heading = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(heading + 3 * self.table.row_height + 4)


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

    def usd(key: str, of: str = "") -> Cell:
        return written(numbers.whole, values[key], figure_id=asked(values[key], of) if of else "")

    month, year = SAVES
    saves = (Cell(text=STOP[month].title), usd(month, month), usd(year, year))
    return [
        Row((Cell(text=PLAN["plan"].title), usd("plan", "plan_usd"), usd("plan_in_year"))),
        Row((Cell(text=STOP["plan_after_stop"].title), usd("plan_after_stop"), usd("after_stop_in_year"))),
        Row(saves, is_total=True),
    ]


def freed_words(before: Advice, after: Advice) -> str:
    """What existing contracts are then paid for and nobody uses, in the first month; that nothing is where it is so."""
    gpus = sum(row.gpus for row in after.idle_existing) - sum(row.gpus for row in before.idle_existing)
    usd = [known_sum(row.cost_per_month for row in of.idle_existing) for of in (before, after)]
    if gpus < LEAST_GPUS:
        return tr("No contract GPUs become idle in the first month.")
    written = by_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=numbers.gpus(gpus))
    if usd[0] is not None and usd[1] is not None:
        written = f"{written}, {numbers.dollars(usd[1] - usd[0])}"
    return tr("Idle contract GPUs in the first month, paid to the end: {gpus}.", gpus=written)
