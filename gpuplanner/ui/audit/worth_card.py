"""The card of the audit's worth: open leaks per month, next to stranded spend."""

from typing import Final, NamedTuple

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.audit.leak_list import Worth, worth_of
from gpuplanner.domain.audit.result import Audit, LeakTotal
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK, TOTALS
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.cards import TablesCard, usd_cell
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import STRETCH, add
from gpuplanner.ui.kit.page_parts import muted_label
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.contract_use import is_paid

COLUMNS: Final = (
    Column(title="", is_figure=False, is_cut_at_end=True),
    Column(title=LEAK["counted_gpu_hours_per_month"].heading("\n")),
    Column(title=LEAK["counted_per_month"].heading("\n")),
)


class _Beside(NamedTuple):
    """An amount that stands beside and is not added."""

    name: str
    usd_per_month: float | None
    figure_id: str


BESIDE_COLUMNS: Final[tuple[Filled[_Beside], ...]] = (
    Filled(title="In addition, not added", is_figure=False, is_cut_at_end=True, cell=lambda row: row.name),
    Filled(title="\n$ per month", cell=lambda row: usd_cell(row.usd_per_month, row.figure_id)),
)


class WorthCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.table = FigureTable(tr("Value of acting"))
        self.beside = FigureTable(tr("In addition"))
        frame = CardFrame(tr("Value of acting"), tr("per month"))
        super().__init__(frame, self.table, self.beside)
        self.assumed = muted_label()
        add(frame.body, self.table, 6, self.beside, 6, self.assumed, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show what open leaks come to, what is stranded, and what both assume."""
        evaluation = shown.evaluation
        audit, project = evaluation.audit, evaluation.project
        self.table.show_whole(COLUMNS, worth_rows(worth_of(project, audit)))
        unused, bridge = audit.unused_per_month if is_paid(audit) else None, audit.bridge
        metered = None if unused is None else bridge.stranded_metered
        amounts = (
            _Beside(tr(CLUSTER["stranded_metered"].title), metered, figure("idle", "", "idle")),
            _Beside(tr(CLUSTER["stranded_audit"].title), bridge.stranded_audit, figure("stranded_audit")),
            _Beside(tr("Idle cost of all contracts"), unused, figure("contracts_unused")),
        )
        self.beside.show_whole(BESIDE_COLUMNS, filled_rows(BESIDE_COLUMNS, amounts))
        self.assumed.setText(assumed(project, audit))

    def as_text(self) -> str:
        """Its rows as text, and what they assume."""
        return f"{super().as_text()}\n{self.assumed.text()}"


def worth_rows(worth: Worth) -> tuple[Row, ...]:
    """All leaks, less those that were dismissed; each GPU-hour once."""
    rows = [_row("leaks", worth.all)]
    if worth.dismissed.leaks:
        rows.append(_row("leaks_dismissed", worth.dismissed, is_less=True))
    return (*rows, replace(_row("worth", worth.open), is_total=True))


def _row(kind: str, total: LeakTotal, *, is_less: bool = False) -> Row:
    """A row of what leaks are worth, counted once; `is_less` for those that are taken off."""
    sign = -1 if is_less else 1
    hours = sign * total.counted_gpu_hours_per_month
    usd = None if total.counted_per_month is None else sign * total.counted_per_month
    title, leaks = TOTALS[kind], numbers.counted(total.leaks, "leak")
    name = tr("{title}: {value}", title=title, value=leaks) if is_less else tr(title)
    tip = tr("{hours} GPU-h per month", hours=numbers.one_decimal(hours))
    hours_cell = written(numbers.whole, hours, tip=tip, figure_id=figure(f"{kind}_hours"))
    return Row((Cell(text=name, tip=COUNTED_ONCE), hours_cell, usd_cell(usd, figure(kind), is_strong=True)))


def assumed(project: Project, audit: Audit) -> str:
    """What the amounts hold under: savings are never shown without it."""
    values = project.assumptions
    has_burst = any(leak.code == "permanent_burst" for leak in audit.leaks)
    minutes, activity = numbers.significant(values.idle_tail_minutes), numbers.percent(values.target_activity)
    sentences = [tr("Value of acting on all of it, at today's demand and rates.")]
    sentences.append(tr(long_text("leak_assumed", minutes=minutes, activity=activity)))
    sentences += [tr("Burst counts at contract cost; renting instead is not deducted.")] if has_burst else []
    return " ".join((*sentences, tr("Additional rows overlap with leaks; not added.")))
