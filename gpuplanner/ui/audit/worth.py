"""What acting on the audit would be worth a month: open leaks counted once, beside what is stranded and assumed."""

from typing import Final

from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.audit.leaks.worth import Worth, worth_of
from gpuplanner.domain.audit.result import Audit, LeakTotal
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK, TOTALS
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

COLUMNS: Final = (
    Column("", False, is_cut_at_end=True),
    Column(LEAK["counted_gpu_hours_per_month"].heading("\n")),
    Column(LEAK["counted_per_month"].heading("\n")),
)
BESIDE_COLUMNS: Final = (Column("Beside it, not added", False, is_cut_at_end=True), Column("\n$ per month"))
NO_RATE: Final = worded("Unknown: a rate is missing. Import contracts and prices.")


class WorthCard:
    """Told what is shown."""

    def __init__(self, palette: Palette) -> None:
        self.frame = CardFrame(tr("What acting on it is worth"), tr("per month"))
        self.table = FigureTable(tr("What acting on it is worth"), palette)
        self.beside = FigureTable(tr("Beside it"), palette)
        self.assumed = muted_label("", is_wrapped=False)
        self.assumed.setWordWrap(True)
        self.frame.body.addWidget(self.table)
        self.frame.body.addSpacing(6)
        self.frame.body.addWidget(self.beside)
        self.frame.body.addSpacing(6)
        self.frame.body.addWidget(self.assumed)
        self.frame.body.addStretch(1)

    def show_state(self, shown: ViewState) -> None:
        """Show what open leaks come to, what is stranded, and what both assume."""
        evaluation = shown.evaluation
        audit, project = evaluation.audit, evaluation.project
        self.table.show_rows(COLUMNS, worth_rows(worth_of(project, audit)))
        self.table.fit_height()
        bridge = audit.bridge
        self.beside.show_rows(
            BESIDE_COLUMNS,
            [
                _beside(
                    tr(CLUSTER["stranded_metered"].title),
                    None if audit.unused_per_month is None else bridge.stranded_metered,
                    figure("idle", "", "idle"),
                ),
                _beside(tr(CLUSTER["stranded_audit"].title), bridge.stranded_audit, figure("stranded_audit")),
                _beside(
                    tr("Unused of all contracts"),
                    audit.unused_per_month,
                    figure("contracts_unused"),
                ),
            ],
        )
        self.beside.fit_height()
        self.assumed.setText(assumed(project, audit))

    def as_text(self) -> str:
        """Its rows as text."""
        return f"{self.table.as_text()}\n{self.beside.as_text()}\n{self.assumed.text()}"

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)
        self.beside.show_palette(palette)


def worth_rows(worth: Worth) -> tuple[Row, ...]:
    """All leaks, less those that were dismissed; each GPU-hour once."""
    rows = [_row("leaks", worth.all)]
    if worth.dismissed.leaks:
        rows.append(_row("leaks_dismissed", worth.dismissed, is_less=True))
    return (*rows, Row(_row("worth", worth.open).cells, is_total=True))


def _row(kind: str, total: LeakTotal, *, is_less: bool = False) -> Row:
    """A row of what leaks are worth, counted once; `is_less` for those that are taken off."""
    sign = -1 if is_less else 1
    hours = sign * total.counted_gpu_hours_per_month
    usd = None if total.counted_per_month is None else sign * total.counted_per_month
    title = TOTALS[kind]
    leaks = numbers.counted(total.leaks, "leak")
    return Row(
        (
            Cell(
                tr("{title}: {leaks}", title=title, leaks=leaks) if is_less else tr(title),
                tip=COUNTED_ONCE,
            ),
            Cell(
                numbers.whole(hours),
                tip=tr("{gpu_hours} GPU-h per month", gpu_hours=numbers.one_decimal(hours)),
                figure_id=figure(f"{kind}_hours"),
            ),
            Cell(
                numbers.whole(usd),
                is_strong=True,
                tip=NO_RATE if usd is None else numbers.cents(usd),
                figure_id=figure(kind) if usd is not None else "",
            ),
        )
    )


def _beside(name: str, usd: float | None, figure_id: str) -> Row:
    """An amount that stands beside and is not added."""
    return Row(
        (
            Cell(name),
            Cell(
                numbers.whole(usd),
                tip=NO_RATE if usd is None else numbers.cents(usd),
                figure_id=figure_id if usd is not None else "",
            ),
        )
    )


def assumed(project: Project, audit: Audit) -> str:
    """What the amounts hold under: savings are never shown without it."""
    values = project.assumptions
    has_burst = any(leak.code == "permanent_burst" for leak in audit.leaks)
    burst = tr(" Burst counts at what its contracts cost; what renting it costs instead is not taken off.")
    return tr(
        "Worth it if all of it is acted on, at today's demand and rates. Assumes: idle tails over "
        "{idle_tail_minutes} min, target activity {target_activity}, overflow at the cheapest "
        "on-demand rate that fits, inference at the cheapest offer that fits whatever its term, all "
        "of its GPUs used.{burst} What stands beside it overlaps with leaks and is not added.",
        idle_tail_minutes=numbers.significant(values.idle_tail_minutes),
        target_activity=numbers.percent(values.target_activity),
        burst=burst if has_burst else "",
    )
