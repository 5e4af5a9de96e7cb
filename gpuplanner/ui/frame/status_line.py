"""The status bar: loaded files, age of the prices, and counts of checks."""

from collections import Counter
from collections.abc import Callable
from operator import is_

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtWidgets import QStatusBar, QToolButton

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.audit.utilization.contracts_apart import contracts_apart
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.contract import in_force
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.page_parts import ElidedLabel
from gpuplanner.ui.state.plan_notice import NONE_RAN, apart_sentence
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers


class StatusLine(QStatusBar):
    """Small text; its counts open the checks."""

    checks_asked = Signal()
    figure_asked = Signal(str)  # figure id of a fact
    plan_from_asked = Signal()
    import_asked = Signal()

    def __init__(self) -> None:
        super().__init__(sizeGripEnabled=False)
        self.setAccessibleName(tr("Status"))
        self._of: tuple[object, ...] = ()
        self.left = FactsLabel()
        # the first to go for want of room
        self.prices = ElidedLabel(role="muted", step="small", shorter=" ")
        self.left.setContentsMargins(9, 0, 0, 0)
        self.left.figure_asked.connect(self.figure_asked)
        self.addWidget(self.left, 1)
        self.apart = _count(NONE_RAN, "", self._mend, "triangle", "amber")
        self.apart.setText(f" {spoken(NONE_RAN)}")
        self._is_mended_by_day = False
        self._red = _count(tr("errors"), tr("Show errors"), self.checks_asked, "octagon", "red")
        tip = tr("Show warnings")
        self.amber = _count(tr("warnings"), tip, self.checks_asked, "triangle", "amber")
        for widget in (self.apart, self.prices, self._red, self.amber):
            self.addPermanentWidget(widget)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Nothing is open."""
        self._of = ()
        self.left.show_words(tr("Ready"))
        self.prices.setText(tr("Offline: no file leaves this computer"))
        for button in (self._red, self.amber, self.apart):
            button.hide()

    def show_state(self, shown: ViewState) -> None:
        """Show the facts of an evaluation."""
        self._show_project(shown.evaluation.project)
        counts = Counter(check.severity for check in shown.checks)
        red, amber = counts["red"], counts["amber"]
        self._red.setText(f" {numbers.counted(red, 'error')}")
        self.amber.setText(f" {numbers.counted(amber, 'warning')}")
        for button, count in ((self._red, red), (self.amber, amber)):
            button.setVisible(count > 0)

    def _show_project(self, project: Project) -> None:
        """What is loaded, and how new the prices are: an edit of a plan changes neither."""
        data = (project.window, project.jobs, project.workloads, project.contracts, project.offers)
        of = (*data, numbers.locale())
        if len(of) == len(self._of) and all(map(is_, of, self._of)):
            return
        self._of = of
        # The facts with the figures that answer for them; GPUs stand beside their clusters
        kinds = ("loaded_hours", "loaded_jobs", "loaded_workloads", "loaded_clusters")
        *texts, last = facts(project)
        clusters, dot, gpus = last.partition(" \u00b7 ")
        found = [(figure(kind), text) for kind, text in zip(kinds, (*texts, clusters), strict=True)]
        self.left.show_facts(found + [(figure("loaded_gpus"), gpus)] * bool(dot), between="      ")
        self.prices.setText(prices_as_of(project))
        apart = contracts_apart(project.contracts, project.window) if project.workloads else None
        self.apart.setVisible(apart is not None)
        if apart is not None:
            begins_s = apart.day_to_plan_from_s(project.window, project.window.end_s)
            self._is_mended_by_day = begins_s is not None
            mend = tr("Import files of another period")
            if self._is_mended_by_day:
                mend = tr("Choose the plans' start date; contracts of that day count")
            set_tip(self.apart, f"{apart_sentence(project.window, apart)}\n{mend}")

    def _mend(self) -> None:
        """What the button of an old log does: ask for another begin of the plan, or for a newer log."""
        (self.plan_from_asked if self._is_mended_by_day else self.import_asked).emit()

    def figure_ids(self) -> list[str]:
        """Every fact that can be asked about."""
        return [figure_id for figure_id, _ in self.left.facts]


def _count(
    name: Text, tip: str, does: Callable[..., object] | SignalInstance, drawing: str, role: str
) -> QToolButton:
    """Small words with a sign before them."""
    beside = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    button = named(QToolButton(toolButtonStyle=beside), name, tip, step="small")
    button.setIcon(icon(drawing, role))
    button.clicked.connect(does)
    return button


def facts(project: Project) -> list[str]:
    """Window, jobs, workloads and clusters of a project."""
    window = project.window
    zone = "UTC" if window.timezone == "UTC" else tr("UTC; log in {timezone}", timezone=window.timezone)
    clusters = {row.cluster for row in project.workloads} | {row.cluster for row in project.contracts}
    gpus = sum(row.gpus for row in in_force(project.contracts, project.plan_window.end_s))
    return [
        f"{numbers.span(window.start_s, window.end_s)} \u00b7 {numbers.whole(window.hours)} h, {zone}",
        numbers.counted(project.jobs.count, "job"),
        numbers.counted(len(project.workloads), "workload"),
        numbers.counted(len(clusters), "cluster")
        + (
            numbers.MIDDOT
            + by_count(gpus, "{gpus} GPU in contracts", "{gpus} GPUs in contracts", gpus=numbers.gpus(gpus))
            if gpus
            else ""
        ),
    ]


def prices_as_of(project: Project) -> str:
    """Prices as of 1 Oct 2026, or of 2 Mar 2025 to 10 Oct 2026: the oldest and the newest day of them."""
    if not project.offers:
        return tr("No prices yet")
    if not (dates := sorted({offer.as_of for offer in project.offers if offer.as_of})):
        return tr("Prices without a date")
    oldest, newest = _day(dates[0]), _day(dates[-1])
    if oldest == newest:
        return tr("Prices as of {day}", day=oldest)
    return tr("Prices of {oldest} to {newest}", oldest=oldest, newest=newest)


def _day(date: str) -> str:
    """A day as it is read; as it was written where it is none."""
    from datetime import UTC, datetime

    try:
        return numbers.date(int(datetime.fromisoformat(date).replace(tzinfo=UTC).timestamp()))
    except ValueError:
        return date
