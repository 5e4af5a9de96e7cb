"""Cards of spend on the audit page: the bridge, this quarter, leaks, contracts under 40%, and what acting is worth."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.audit.leak_list import Worth, worth_of
from gpuplanner.domain.audit.result import Audit, LeakTotal
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK, TOTALS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import lacking_sentences
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.reports.clusters import CONTRACTS
from gpuplanner.domain.reports.leaks import LEAKS, decisions, leak_list
from gpuplanner.domain.reports.mix import QUARTER
from gpuplanner.domain.reports.report import Medium
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.audit.cards import TablesCard, usd_cell
from gpuplanner.ui.kit.layout import STRETCH, add, share
from gpuplanner.ui.kit.page_parts import CardFrame, EmptyState, muted_label
from gpuplanner.ui.state.plan_money import Amount, steps_of
from gpuplanner.ui.state.plan_words import NONE_RAN
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.chart_menu import ChartCard, new_waterfall, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable, LimitedTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import none_under_40_sentence, ran_count, why_unknown

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import Step

# --- From the bill to stranded spend: the bridge as a waterfall, with a table as its twin --------

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
        if plot is None or self._shown is None or not self._shown.evaluation.project.contracts:
            return None
        make = self.seen.drawn(lambda made, _: made.show_steps(plot.steps))
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


# --- This quarter: four steps, each with its state, its figure and what comes next


class QuarterCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.table = FigureTable(tr(QUARTER.title))
        super().__init__(CardFrame(tr(QUARTER.title)), self.table)
        self.frame.note(QUARTER.note)
        add(self.frame.body, self.table)

    def show_state(self, shown: ViewState) -> None:
        """Show the steps of an audit."""
        columns = [replace(column, is_cut_at_end=not column.is_figure) for column in table_columns(QUARTER)]
        self.table.show_whole(columns, table_rows(QUARTER, shown.evaluation))


# --- Leaks of the audit, most expensive first: what, where, GPU-hours, $ a month, what to do; a row opens its sheet

CUT_AT_END: Final = frozenset(("where", "action", "decided"))

MOST_LEAKS: Final = 10
NOTHING: Final = worded("No leaks found.")


class LeaksCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.limited = LimitedTable(tr(LEAKS.title))
        super().__init__(CardFrame(tr(LEAKS.title), tr("most expensive first")), self.limited)
        self.is_narrow = False
        self._nothing: Text = NOTHING
        self.said = muted_label(tr(NOTHING), is_wrapped=False)
        add(self.frame.body, self.said, self.limited)

    def show_state(self, shown: ViewState) -> None:
        """Show the leaks of an audit, with what plans decided about them."""
        audit, project = shown.evaluation.audit, shown.evaluation.project
        self.frame.note(tr("Leaks overlap; their sum is not stranded spend") if audit.leaks else "")
        self._nothing = why_unknown(audit) or NOTHING
        self.said.setText(spoken(tr(self._nothing)))
        self.said.setVisible(not audit.leaks)
        self.limited.setVisible(bool(audit.leaks))
        leaks = leak_list(project, audit)
        has_decisions = bool(decisions(project.scenarios))
        of_report = LEAKS.columns_in(Medium.WINDOW)
        kept = [
            at
            for at, column in enumerate(of_report)
            if (column.form != "part" or not (self.is_narrow or has_decisions))
            and (column.name != "decided" or has_decisions)
        ]
        columns = [
            replace(
                column,
                width=22 if of.name == "number" else column.width,
                is_cut_at_end=of.name in CUT_AT_END,
                is_figure=column.is_figure or of.name == "number",
            )
            for of, column in zip(of_report, table_columns(LEAKS), strict=True)
        ]
        rows = tuple(
            replace(row, cells=tuple(row.cells[at] for at in kept))
            for row in table_rows(LEAKS, leaks, are_opened=True)
        )
        self.limited.show_rows([columns[at] for at in kept], rows, MOST_LEAKS, tr("more leaks"))

    def as_text(self) -> Text:
        """Its rows as text, or that there are none."""
        return super().as_text() if self.limited.rows else self._nothing


# --- Contracts under 40%: named, with the flag and break-even beside what was used, and what they are paid unused

MOST_CONTRACTS: Final = 8


class ContractsCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.limited = LimitedTable(CONTRACTS.title)
        super().__init__(CardFrame(tr("Contracts under 40%")), self.limited)
        self.said = muted_label()
        add(self.frame.body, self.said, self.limited, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show the contracts of an audit, those under 40% first."""
        audit = shown.evaluation.audit
        flagged = sum(bool(row.below_40_percent) for row in audit.contracts)
        count = len(audit.contracts)
        self.frame.say(tr("{shown} of {total}", shown=flagged, total=count) if count else "")
        self.said.show_text("" if flagged else none_under_40_sentence(audit))
        limit = min(flagged, MOST_CONTRACTS) if flagged else min(count, 3)
        rows = table_rows(CONTRACTS, audit)
        self.limited.show_rows(table_columns(CONTRACTS), rows, limit, tr("more contracts"))


# --- What acting on the audit would be worth a month: open leaks counted once, beside what is stranded and assumed

COLUMNS: Final = (
    Column(title="", is_figure=False, is_cut_at_end=True),
    Column(title=LEAK["counted_gpu_hours_per_month"].heading("\n")),
    Column(title=LEAK["counted_per_month"].heading("\n")),
)
BESIDE_COLUMNS: Final[tuple[Filled[tuple[str, float | None, str]], ...]] = (
    Filled(title="In addition, not added", is_figure=False, is_cut_at_end=True, cell=lambda row: row[0]),
    Filled(title="\n$ per month", cell=lambda row: usd_cell(row[1], row[2])),
)
"""An amount that stands beside and is not added: its name, $ per month, and the figure it is."""


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
        unused, bridge = audit.unused_per_month if ran_count(audit) else None, audit.bridge
        metered = None if unused is None else bridge.stranded_metered
        amounts = (
            (tr(CLUSTER["stranded_metered"].title), metered, figure("idle", "", "idle")),
            (tr(CLUSTER["stranded_audit"].title), bridge.stranded_audit, figure("stranded_audit")),
            (tr("Idle cost of all contracts"), unused, figure("contracts_unused")),
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
