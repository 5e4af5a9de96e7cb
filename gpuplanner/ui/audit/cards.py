"""Cards of the audit: classes and what they stand on; what is paid and does nothing, and what acting is worth."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.charts.kit.plain_text import sentence, spoken, tr
from gpuplanner.domain.audit.leak_list import Worth, worth_of
from gpuplanner.domain.audit.result import Audit, ClassShare, LeakTotal
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.evidence.workloads import SCOPES
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK, TOTALS
from gpuplanner.domain.figures.waiting import WITH_ROOM
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import PoolFit, WorkloadFit, pool_fits
from gpuplanner.domain.message import Text, lowered, worded
from gpuplanner.domain.model.amounts import lacking_sentences
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.queue.rows import WaitsBy
from gpuplanner.domain.reports.clusters import CLASSES, CONTRACTS
from gpuplanner.domain.reports.leaks import LEAKS, decisions, leak_list
from gpuplanner.domain.reports.report import Medium
from gpuplanner.domain.reports.waiting import BY_TITLES, LOG_WAITS
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.layout import STRETCH, add, row, share
from gpuplanner.ui.kit.page_parts import CardFrame, EmptyState, choice_of, muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.state.plan_money import Amount, steps_of
from gpuplanner.ui.state.plan_words import NONE_RAN
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import Cell, Column, Filled, Row, filled_rows, written
from gpuplanner.ui.tables.chart_menu import ChartCard, chart_colours, sheet_of
from gpuplanner.ui.tables.figure_table import SLACK, FigureTable, LimitedTable
from gpuplanner.ui.tables.report_table import Named, table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of, none_under_40_sentence, ran_count, why_unknown

if TYPE_CHECKING:
    from gpuplanner.charts.plots.waterfall import Step, WaterfallPlot


# --- What cards of the audit share: tables in a frame, and dollars that say what they lack -------

NO_RATE: Final = worded("Unknown: a rate is missing. Import contracts and prices.")


class TablesCard:
    """A frame with tables in it, in the order in which they are read."""

    def __init__(self, frame: CardFrame, *tables: FigureTable | LimitedTable) -> None:
        self.frame, self._tables = frame, tables

    def as_text(self) -> Text:
        """Its rows as text."""
        return "\n".join(table.as_text() for table in self._tables)


def usd_cell(usd: float | None, figure_id: str, *, is_strong: bool = False) -> Cell:
    """Whole dollars a month, with the cents in the tip; of unknown ones what is missing."""
    tip = NO_RATE if usd is None else numbers.cents(usd)
    asked = "" if usd is None else figure_id
    return written(numbers.whole, usd, is_strong=is_strong, tip=tip, figure_id=asked)


# --- Classes of the audit: workloads, jobs, GPU-hours, share and $ a month of each ---------------


class ClassesCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.table = FigureTable(tr(CLASSES.title))
        super().__init__(CardFrame(tr(CLASSES.title), tr("what the workloads are")), self.table)
        self.frame.note(tr("Allocated to jobs and overflow; idle GPUs are nobody's"))
        add(self.frame.body, self.table, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show the classes of an audit."""
        evaluation = shown.evaluation
        self.frame.say(in_review(evaluation.project, evaluation.audit) or tr("what the workloads are"))
        self.table.show_rows(table_columns(CLASSES), table_rows(CLASSES, evaluation.audit, named=_named))
        self.table.fit_height()


def in_review(project: Project, audit: Audit) -> str:
    """How many workloads nobody is sure of yet, and how much of the GPU-hours; empty where there are none."""
    below = project.assumptions.review_below
    unsure = [
        workload.milli_gpu_seconds
        for workload, row in zip(project.workloads, audit.workloads, strict=True)
        if row.classification.confidence < below and not row.classification.is_settled and workload.gpu_jobs
    ]
    every = sum(workload.milli_gpu_seconds for workload in project.workloads)
    if not unsure or not every:
        return ""
    return tr(
        "{workloads} in review, {unsure} of GPU-h",
        workloads=numbers.counted(len(unsure), "workload"),
        unsure=numbers.percent(sum(unsure) / every),
    )


def _named(row: ClassShare) -> Named:
    """The class with the icon and colour of its column on the board."""
    lane = lane_of(row.pool)
    return Named(lane.title, lane.icon, f"lane:{lane}")


# --- How long jobs waited: of pools, teams, GPU models, sizes or hours of the week, who waited most first

MOST_NAMES: Final = 8
OF_ONE_KIND: Final = replace(LOG_WAITS, columns=tuple(one for one in LOG_WAITS.columns if one.name != "by"))


class WaitsCard(TablesCard):
    """Told the log's own waits; hidden where there are none."""

    def __init__(self) -> None:
        self.limited = LimitedTable(LOG_WAITS.title)
        frame = CardFrame(tr(LOG_WAITS.title), tr("of jobs submitted in the window"))
        super().__init__(frame, self.limited)
        self.waits: tuple[WaitsBy, ...] = ()
        choices = ((title, by) for by, title in BY_TITLES.items())
        self.by = choice_of(tr("By"), worded("Whose waits are listed"), choices, lambda _: self._list())
        add(frame.body, row(self.by, STRETCH), self.limited, STRETCH)
        frame.hide()

    def show_state(self, shown: ViewState) -> None:
        """They are not of the audit: `show_waits` is told of them."""

    def show_waits(self, rows: tuple[WaitsBy, ...]) -> None:
        """Show them."""
        self.waits = rows
        self.frame.setVisible(bool(rows))
        with_room = next((one.waited_with_room for one in rows if one.waited_with_room is not None), None)
        self.frame.note("" if with_room is None else worded("With room: {what}", what=lowered(WITH_ROOM)))
        self._list()

    def _list(self) -> None:
        """The names of what is chosen."""
        mine = [one for one in self.waits if one.by == self.by.currentData()]
        mine.sort(key=lambda one: -one.waited_gpu_hours)
        self.limited.show_rows(
            table_columns(OF_ONE_KIND), table_rows(OF_ONE_KIND, mine), MOST_NAMES, tr("more")
        )


# --- Hardware fit on the audit page: lights of the workloads by class, and the most expensive that do not fit well

ICONS: Final = {"red": ("octagon", "red"), "amber": ("triangle", "amber"), "green": ("tick", "green")}


def _pool_cell(one: PoolFit) -> Cell:
    lane = lane_of(one.pool)
    return Cell(lane.title, is_strong=True, icon=lane.icon, icon_role=f"lane:{lane}")


def _count_cell(one: PoolFit, scope: str) -> Cell:
    """How many workloads of a class have a light."""
    count = one.workloads.get(SCOPES[scope], 0)
    icon, role = ICONS.get(scope, ("", "muted"))
    return written(
        numbers.whole,
        count,
        "text" if count else "muted",
        icon=icon if count else "",
        icon_role=role,
        figure_id=figure("fit", one.pool, scope),
    )


def _red_cost_cell(one: PoolFit) -> Cell:
    """What those of a class cost that do not fit."""
    return usd_cell(one.usd_per_month[Light.RED], figure("fit_cost", one.pool, "red"), is_strong=True)


CLASS_COLUMNS: Final[tuple[Filled[PoolFit], ...]] = (
    Filled("Workloads", False, cell=_pool_cell),
    Filled("Does\nnot fit", cell=lambda one: _count_cell(one, "red")),
    Filled("Fits at\na cost", cell=lambda one: _count_cell(one, "amber")),
    Filled("\nFits", cell=lambda one: _count_cell(one, "green")),
    Filled("Not\nknown", cell=lambda one: _count_cell(one, "unknown")),
    Filled("Does not fit\n$ per month", cell=_red_cost_cell),
)
Unfit = tuple[WorkloadFit, Workload, float | None]
"""A workload that does not fit well, and what it costs, $ per month."""
MOST_EXPENSIVE_COLUMNS: Final[tuple[Filled[Unfit], ...]] = (
    Filled("Most expensive first", False, 190, cell=lambda one: _unfit_cell(*one)),
    Filled("Why", False, is_cut_at_end=True, cell=lambda one: _why_cell(one[0])),
    Filled("\n$ per month", cell=lambda one: usd_cell(one[2], figure("workload_cost", one[1].key))),
)
MOST: Final = 5


class FitCard(TablesCard):
    """Told what is shown; the fit settles a moment after the audit."""

    def __init__(self) -> None:
        self.said = muted_label(tr("Working out which hardware fits."), is_wrapped=False)
        self.table = FigureTable(tr("Hardware fit by class"))
        self.expensive = LimitedTable(tr("Most expensive that do not fit well"))
        frame = CardFrame(tr("Hardware fit"), tr("on what they ran on"))
        super().__init__(frame, self.table, self.expensive)
        add(frame.body, self.said, self.table, 6, self.expensive, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show the lights of every workload."""
        fit = shown.fit
        self.said.setVisible(fit is None)
        self.table.setVisible(fit is not None)
        self.expensive.setVisible(bool(fit))
        if fit is None:
            return
        usd = {row.key: row.usd_per_month for row in shown.evaluation.audit.workloads}
        self.table.show_rows(CLASS_COLUMNS, filled_rows(CLASS_COLUMNS, pool_fits(fit, usd)))
        self.table.fit_height()
        found = most_expensive(shown.evaluation, fit)

        def rows(most: int | None = None) -> list[Row]:
            """Rows of the first ones, or of all."""
            return filled_rows(MOST_EXPENSIVE_COLUMNS, found[:most])

        self.expensive.setVisible(bool(found))
        self.expensive.show_rows(
            MOST_EXPENSIVE_COLUMNS, rows(MOST + SLACK), MOST, tr("more workloads"), len(found), rows
        )


def most_expensive(evaluation: Evaluation, fit: tuple[WorkloadFit, ...]) -> Sequence[Unfit]:
    """Workloads that do not fit, then those that fit at a cost; the most expensive of each first."""
    project, audit = evaluation.project, evaluation.audit
    found = [
        (one, project.workloads[place], audit.workloads[place].usd_per_month)
        for place, one in enumerate(fit)
        if one.light in (Light.RED, Light.AMBER)
    ]
    found.sort(key=lambda row: (row[0].light is not Light.RED, row[2] is None, -(row[2] or 0.0), row[1].key))
    return found


def _unfit_cell(one: WorkloadFit, workload: Workload, _usd: float | None) -> Cell:
    icon, role = ICONS["red" if one.light is Light.RED else "amber"]
    return Cell(workload.name, is_strong=True, icon=icon, icon_role=role, tip=workload.name)


def _why_cell(one: WorkloadFit) -> Cell:
    why = sentence(one.reasons)
    return Cell(why, "muted", tip=why)


# --- From the bill to stranded spend: the bridge as a waterfall, with a table as its twin --------

NAME: Final = worded("From the bill to stranded spend")
NOTE: Final = worded("Audit = (1 \u2212 used share) \u00d7 cost, as if no hour had training")


def _step_cell(one: "Step") -> Cell:
    return Cell(one.label, tip=one.tip, figure_id=one.figure_id if one.amount is not None else "")


STEP_COLUMNS: "Final[tuple[Filled[Step], ...]]" = (
    Filled("", False, cell=lambda one: Cell(f"{one.name} {one.note}".strip(), is_strong=True)),
    Filled("\n$ per month", cell=_step_cell),
)


class BridgeCard(ChartCard["WaterfallPlot"]):
    """Told what is shown; the chart is made when the page is seen first."""

    def __init__(self, import_files: Callable[[], None]) -> None:
        super().__init__(NAME, worded("$ per month"), 214, _new_bars, sheet=self._sheet)
        self._shown: ViewState | None = None
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


def _new_bars(palette: Palette) -> "WaterfallPlot":
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

    return WaterfallPlot(NAME, chart_colours(palette))


def bridge_amounts(audit: Audit) -> tuple[Amount, ...]:
    """Six bars from what is paid to what is stranded, metered, and on to the audit's reading of it."""

    def less(usd: float | None) -> float | None:
        """The amount as a step down; unknown stays unknown."""
        return None if usd is None else -usd

    bridge, month = audit.bridge, tr("$ per month")
    return (
        Amount(tr(titles.PAID), month, bridge.cost_per_month, "start",
               lacking_sentences(audit.paid_parts) or tr("What all contracts cost per month, used or not"),
               figure("cost"), audit.paid_parts),
        Amount(tr(titles.ALLOCATED), tr("to jobs"), less(bridge.allocated_per_month), "step",
               tr("GPU-hours that served jobs, at the rates of the contracts that served them"),
               figure("served")),
        Amount(tr("Idle while"), tr("training ran"), less(bridge.idle_while_training), "step",
               tr("Paid and not allocated in hours with training: free beside it, and not stranded"),
               figure("idle", "", "busy")),
        Amount(tr("Stranded,"), tr("metered"), bridge.stranded_metered, "result",
               tr("Paid and not allocated in hours without training: it adds up to the invoice"),
               figure("idle", "", "idle")),
        Amount(tr("Scaled to"), tr("all hours"), bridge.scaled_to_all_hours, "scaled",
               tr("What reading every hour as one without training adds; not on the invoice"),
               figure("scaled")),
        Amount(tr("Stranded,"), tr("audit"), bridge.stranded_audit, "result",
               tr("(1 \u2212 used share in hours without training) \u00d7 cost, summed over clusters"),
               figure("stranded_audit")),
    )  # fmt: skip


# --- Leaks of the audit, most expensive first: what, where, GPU-hours, $ a month, what to do; a row opens its sheet

WIDTHS: Final = {"number": 22, "title": 176, "action": 410, "decided": 206}
NARROW: Final = {"number": 22, "title": 180, "action": 290, "decided": 84}
"""Widths of columns, px; where the page is narrow there is no room for the bar, nor beside decisions."""
CUT_AT_END: Final = frozenset(("where", "action", "decided"))

MOST_LEAKS: Final = 10
NOTHING: Final = worded("No leak was found in this window.")


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
        self.frame.note(tr("Leaks overlap: they do not add up to stranded spend") if audit.leaks else "")
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
        widths = NARROW if self.is_narrow else WIDTHS
        columns = [
            replace(
                one,
                width=widths.get(of.name, one.width),
                is_cut_at_end=of.name in CUT_AT_END,
                is_figure=one.is_figure or of.name == "number",
            )
            for of, one in zip(of_report, table_columns(LEAKS), strict=True)
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
        self.frame.say(tr("{flagged} of {count}", flagged=flagged, count=count) if count else "")
        sentence = "" if flagged else none_under_40_sentence(audit)
        self.said.setText(spoken(sentence))
        self.said.setVisible(bool(sentence))
        limit = min(flagged, MOST_CONTRACTS) if flagged else min(count, 3)
        rows = table_rows(CONTRACTS, audit)
        self.limited.show_rows(table_columns(CONTRACTS), rows, limit, tr("more contracts"))


# --- What acting on the audit would be worth a month: open leaks counted once, beside what is stranded and assumed

COLUMNS: Final = (
    Column("", False, is_cut_at_end=True),
    Column(LEAK["counted_gpu_hours_per_month"].heading("\n")),
    Column(LEAK["counted_per_month"].heading("\n")),
)
BESIDE_COLUMNS: Final[tuple[Filled[tuple[str, float | None, str]], ...]] = (
    Filled("Beside it, not added", False, is_cut_at_end=True, cell=lambda one: one[0]),
    Filled("\n$ per month", cell=lambda one: usd_cell(one[1], one[2])),
)
"""An amount that stands beside and is not added: its name, $ per month, and the figure it is."""


class WorthCard(TablesCard):
    """Told what is shown."""

    def __init__(self) -> None:
        self.table = FigureTable(tr("What acting on it is worth"))
        self.beside = FigureTable(tr("Beside it"))
        frame = CardFrame(tr("What acting on it is worth"), tr("per month"))
        super().__init__(frame, self.table, self.beside)
        self.assumed = muted_label()
        add(frame.body, self.table, 6, self.beside, 6, self.assumed, STRETCH)

    def show_state(self, shown: ViewState) -> None:
        """Show what open leaks come to, what is stranded, and what both assume."""
        evaluation = shown.evaluation
        audit, project = evaluation.audit, evaluation.project
        self.table.show_rows(COLUMNS, worth_rows(worth_of(project, audit)))
        self.table.fit_height()
        unused, bridge = audit.unused_per_month if ran_count(audit) else None, audit.bridge
        metered = None if unused is None else bridge.stranded_metered
        amounts = (
            (tr(CLUSTER["stranded_metered"].title), metered, figure("idle", "", "idle")),
            (tr(CLUSTER["stranded_audit"].title), bridge.stranded_audit, figure("stranded_audit")),
            (tr("Unused of all contracts"), unused, figure("contracts_unused")),
        )
        self.beside.show_rows(BESIDE_COLUMNS, filled_rows(BESIDE_COLUMNS, amounts))
        self.beside.fit_height()
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
    name = tr("{title}: {leaks}", title=title, leaks=leaks) if is_less else tr(title)
    tip = tr("{gpu_hours} GPU-h per month", gpu_hours=numbers.one_decimal(hours))
    return Row(
        (
            Cell(name, tip=COUNTED_ONCE),
            written(numbers.whole, hours, tip=tip, figure_id=figure(f"{kind}_hours")),
            usd_cell(usd, figure(kind), is_strong=True),
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
