"""The status bar: what is loaded, how new the prices are, and how many checks are red or amber."""

from operator import is_

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QStatusBar, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.model.book.contracts_apart import contracts_apart
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.state.plan_notice import NONE_RAN, apart_sentence
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr


class StatusLine(QStatusBar):
    """Small text; its counts open the checks."""

    checks_asked = Signal()
    figure_asked = Signal(str)  # figure id of a fact
    plan_from_asked = Signal()
    import_asked = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Status"))
        self.setSizeGripEnabled(False)
        self._palette = palette
        self._of: tuple[object, ...] = ()
        self._left = FactsLabel(palette)
        self._prices = PlainLabel()
        self._red, self._amber = QToolButton(), QToolButton()
        self._prices.setFont(font("small"))
        self._prices.setProperty("role", "muted")
        self._left.setContentsMargins(9, 0, 0, 0)
        self._left.figure_asked.connect(self.figure_asked)
        self._prices.setContentsMargins(0, 0, 12, 0)
        self.addWidget(self._left, 1)
        self.apart = QToolButton()
        self.apart.setFont(font("small"))
        self.apart.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.apart.clicked.connect(self._mend)
        self.addPermanentWidget(self.apart)
        self.apart.setText(f" {spoken(NONE_RAN)}")
        self.apart.setAccessibleName(spoken(NONE_RAN))
        self._is_mended_by_day = False
        self.addPermanentWidget(self._prices)
        for button, name, tip in (
            (self._red, tr("red checks"), tr("Show the red checks")),
            (self._amber, tr("amber checks"), tr("Show the amber checks")),
        ):
            button.setFont(font("small"))
            button.setAccessibleName(name)
            set_tip(button, tip)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.clicked.connect(self.checks_asked)
            self.addPermanentWidget(button)
        self.show_palette(palette)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Nothing is open."""
        self._of = ()
        self._left.show_words(tr("Ready"))
        self._prices.setText(tr("Offline: no file leaves this computer"))
        self._red.hide()
        self._amber.hide()
        self.apart.hide()

    def show_state(self, shown: ViewState) -> None:
        """Show the facts of an evaluation."""
        self._show_project(shown.evaluation.project)
        checks = shown.checks
        red, amber = (sum(check.severity == word for check in checks) for word in ("red", "amber"))
        self._red.setText(tr(" {count} red", count=numbers.whole(red)))
        self._red.setAccessibleName(numbers.counted(red, "red check"))
        self._amber.setText(tr(" {count} amber", count=numbers.whole(amber)))
        self._amber.setAccessibleName(numbers.counted(amber, "amber check"))
        for button, count in ((self._red, red), (self._amber, amber)):
            button.setVisible(count > 0)

    def _show_project(self, project: Project) -> None:
        """What is loaded, and how new the prices are: an edit of a plan changes neither."""
        data = (project.window, project.jobs, project.workloads, project.contracts, project.offers)
        of = (*data, numbers.locale())
        if len(of) == len(self._of) and all(map(is_, of, self._of)):
            return
        self._of = of
        self._left.show_facts(fact_figures(project), between="      ")
        self._prices.setText(prices_as_of(project))
        apart = contracts_apart(project.contracts, project.window) if project.workloads else None
        self.apart.setVisible(apart is not None)
        if apart is not None:
            self._is_mended_by_day = (
                apart.day_to_plan_from_s(project.window, project.window.end_s) is not None
            )
            mend = (
                tr("Choose the day that plans begin: a plan counts the contracts that run then")
                if self._is_mended_by_day
                else tr("Import a log or contracts of another time")
            )
            set_tip(self.apart, f"{apart_sentence(project.window, apart)}\n{mend}")

    def _mend(self) -> None:
        """What the button of an old log does: ask for another begin of the plan, or for a newer log."""
        (self.plan_from_asked if self._is_mended_by_day else self.import_asked).emit()

    def figure_ids(self) -> list[str]:
        """Every fact that can be asked about."""
        return [figure_id for figure_id, _ in self._left.facts]

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self._left.show_palette(palette)
        self._red.setIcon(icon("octagon", palette.red))
        for button in (self._amber, self.apart):
            button.setIcon(icon("triangle", palette.amber))


def fact_figures(project: Project) -> list[tuple[str, str]]:
    """The facts with the figures that answer for them; GPUs stand beside their clusters."""
    kinds = ("loaded_hours", "loaded_jobs", "loaded_workloads", "loaded_clusters")
    *texts, last = facts(project)
    clusters, dot, gpus = last.partition(" \u00b7 ")
    found = [(figure(kind), text) for kind, text in zip(kinds, (*texts, clusters), strict=True)]
    return found + [(figure("loaded_gpus"), gpus)] * bool(dot)


def facts(project: Project) -> list[str]:
    """Window, jobs, workloads and clusters of a project."""
    window = project.window
    zone = "UTC" if window.timezone == "UTC" else tr("UTC; log in {timezone}", timezone=window.timezone)
    clusters = {workload.cluster for workload in project.workloads} | {
        row.cluster for row in project.contracts
    }
    gpus = sum(row.gpus for row in project.contracts)
    parts = [
        f"{numbers.span(window.start_s, window.end_s)} \u00b7 {numbers.whole(window.hours)} h, {zone}",
        numbers.counted(project.jobs.count, "job"),
        numbers.counted(len(project.workloads), "workload"),
        numbers.counted(len(clusters), "cluster")
        + (tr(" \u00b7 {gpus} GPUs in contracts", gpus=numbers.gpus(gpus)) if gpus else ""),
    ]
    return parts


def prices_as_of(project: Project) -> str:
    """Prices as of 1 Oct 2026, or of 2 Mar 2025 to 10 Oct 2026: the oldest and the newest day of them."""
    if not project.offers:
        return tr("No prices yet")
    dates = sorted({offer.as_of for offer in project.offers if offer.as_of})
    if not dates:
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
