"""The card of the bridge from the bill to stranded spend, as a waterfall and a table."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import lacking_sentences
from gpuplanner.ui.kit.card_frame import EmptyState
from gpuplanner.ui.kit.layout import add, share
from gpuplanner.ui.state.plan_notice import NONE_RAN
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.state.waterfall_steps import Amount, steps_of
from gpuplanner.ui.tables.cells import Cell, Filled, filled_rows
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_twins import ChartCard
from gpuplanner.ui.tables.seen_chart import new_waterfall
from gpuplanner.ui.words.contract_use import is_paid

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import Step


NAME: Final = worded("From the bill to stranded spend")
NOTE: Final = worded("Audit = (1 \u2212 used share) \u00d7 cost, as if no hour had training")


def _step_cell(step: "Step") -> Cell:
    return Cell(text=step.label, tip=step.tip, figure_id=step.figure_id if step.amount is not None else "")


STEP_COLUMNS: "Final[tuple[Filled[Step], ...]]" = (
    Filled(
        title="",
        is_figure=False,
        cell=lambda step: Cell(text=f"{step.name} {step.note}".strip(), is_strong=True),
    ),
    Filled(title="\n$ per month", cell=_step_cell),
)


class BridgeCard(ChartCard[Any]):
    """Told what is shown; the chart is made when the page is seen first."""

    def __init__(self, import_files: Callable[[], None]) -> None:
        super().__init__(NAME, worded("$ per month"), 214, partial(new_waterfall, NAME), sheet=self._sheet)
        self._shown: ViewState | None = None
        self.empty = EmptyState(
            tr("No contracts yet"),
            tr("Import contracts to see idle cost."),
            tr("Import contracts"),
            import_files,
        )
        self.apart = EmptyState(
            NONE_RAN, tr("Import a log and contracts of one period."), tr("Import files"), import_files
        )
        add(self.frame.body, share(self.twins), share(self.apart), share(self.empty))

    def _sheet(self) -> Any:
        """The bridge to be shown large: chart and twin table; None without contracts."""
        plot = self.seen.plot
        if plot is None or self._shown is None or not self._shown.evaluation.project.has_spend:
            return None
        make = self.seen.drawn(lambda made, _: made.show_steps(plot.steps))
        source = source_words(self._shown)
        unit = tr("$ per month. {note}", note=NOTE)
        return sheet_of(NAME, unit, source, make, ("", tr("$ per month")), plot.table, 320)

    def show_state(self, shown: ViewState) -> None:
        """Show the bridge of all clusters."""
        self._shown = shown
        has_contracts = shown.evaluation.project.has_spend
        has_spend = has_contracts and is_paid(shown.evaluation.audit)
        self.twins.show_both(has_spend)
        self.empty.setVisible(not has_contracts)
        self.apart.setVisible(has_contracts and not has_spend)
        self.frame.note(NOTE if has_spend else "")
        steps = steps_of(bridge_amounts(shown.evaluation.audit))
        self.chart.show_steps(steps)
        self.table.show_rows(STEP_COLUMNS, filled_rows(STEP_COLUMNS, steps))


def bridge_amounts(audit: Audit) -> tuple[Amount, ...]:
    """Six bars from what is paid to what is stranded, metered, and on to the audit's reading of it."""

    def less(usd: float | None) -> float | None:
        """The amount as a step down; unknown stays unknown."""
        return None if usd is None else -usd

    bridge, month = audit.bridge, tr("$ per month")
    return (
        Amount(
            name=tr(titles.PAID),
            note=month,
            usd=bridge.cost_per_month,
            kind="start",
            tip=lacking_sentences(audit.paid_parts) or tr("Monthly cost of all contracts, used or not"),
            figure_id=figure("cost"),
            known=audit.paid_parts,
        ),
        Amount(
            name=tr(titles.ALLOCATED),
            note=tr("to jobs"),
            usd=less(bridge.allocated_per_month),
            kind="step",
            tip=tr("Allocated GPU-hours at contract rates"),
            figure_id=figure("served"),
        ),
        Amount(
            name=tr("Idle while"),
            note=tr("training ran"),
            usd=less(bridge.idle_while_training),
            kind="step",
            tip=tr("Idle while training runs: available to it, not stranded"),
            figure_id=figure("idle", "", "busy"),
        ),
        Amount(
            name=tr("Stranded"),
            note=tr("(metered)"),
            usd=bridge.stranded_metered,
            kind="result",
            tip=tr("Paid, not allocated, in hours without training: adds up to the invoice"),
            figure_id=figure("idle", "", "idle"),
        ),
        Amount(
            name=tr("Scaled to"),
            note=tr("all hours"),
            usd=bridge.scaled_to_all_hours,
            kind="scaled",
            tip=tr("Added by treating every hour as without training; not invoiced"),
            figure_id=figure("scaled"),
        ),
        Amount(
            name=tr("Stranded"),
            note=tr("(audit estimate)"),
            usd=bridge.stranded_audit,
            kind="result",
            tip=tr("Σ over clusters ((1 − used share in hours without training) × cost)"),
            figure_id=figure("stranded_audit"),
        ),
    )
