"""What is loaded and how its file stands: the status bar, the file's notice, the dialog of a conflict."""

from collections import Counter
from collections.abc import Callable, Sequence
from operator import is_
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QScrollArea, QStatusBar, QToolButton, QWidget

from gpuplanner.app.differences import Difference
from gpuplanner.charts.kit.plain_text import PlainLabel, by_count, set_tip, spoken, tr
from gpuplanner.domain.audit.utilization import contracts_apart
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.book.contract import in_force
from gpuplanner.domain.model.project import Project
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.dialogs import dialog_column
from gpuplanner.ui.kit.layout import STRETCH, TOP, box, column, emptied, named, placed, row, share
from gpuplanner.ui.kit.page_parts import Drawing, ElidedLabel, heading_label, label, muted_label, named_button
from gpuplanner.ui.kit.theme import icon
from gpuplanner.ui.state.plan_words import NONE_RAN, apart_sentence
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.row_list import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import FileNotice, moment

# --- The status bar: what is loaded, how new the prices are, and how many checks are red or amber


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
        self._left = FactsLabel()
        # the first to go for want of room
        self._prices = ElidedLabel(role="muted", step="small", shorter=" ")
        self._left.setContentsMargins(9, 0, 0, 0)
        self._left.figure_asked.connect(self.figure_asked)
        self.addWidget(self._left, 1)
        self.apart = _count(NONE_RAN, "", self._mend, "triangle", "amber")
        self.apart.setText(f" {spoken(NONE_RAN)}")
        self._is_mended_by_day = False
        self._red = _count(tr("errors"), tr("Show errors"), self.checks_asked, "octagon", "red")
        tip = tr("Show warnings")
        self._amber = _count(tr("warnings"), tip, self.checks_asked, "triangle", "amber")
        for widget in (self.apart, self._prices, self._red, self._amber):
            self.addPermanentWidget(widget)
        self.show_nothing()

    def show_nothing(self) -> None:
        """Nothing is open."""
        self._of = ()
        self._left.show_words(tr("Ready"))
        self._prices.setText(tr("Offline: no file leaves this computer"))
        for button in (self._red, self._amber, self.apart):
            button.hide()

    def show_state(self, shown: ViewState) -> None:
        """Show the facts of an evaluation."""
        self._show_project(shown.evaluation.project)
        counts = Counter(check.severity for check in shown.checks)
        red, amber = counts["red"], counts["amber"]
        self._red.setText(f" {numbers.counted(red, 'error')}")
        self._amber.setText(f" {numbers.counted(amber, 'warning')}")
        for button, count in ((self._red, red), (self._amber, amber)):
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
        self._left.show_facts(found + [(figure("loaded_gpus"), gpus)] * bool(dot), between="      ")
        self._prices.setText(prices_as_of(project))
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
        return [figure_id for figure_id, _ in self._left.facts]


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


# --- The quiet line under the menus that tells of the project's file, with what can be done about it

ICON_PX = 16


class FileNoticeBar(QFrame):
    """Told a notice, or none; emits that the other version is to be opened."""

    open_asked = Signal()
    save_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        named(self, tr("Notice of the file"), look="head")
        self.notice: FileNotice | None = None
        self._dismissed: FileNotice | None = None
        self._icon = Drawing("triangle", "amber", ICON_PX)
        self._title = label(step="strong", is_wrapped=True)
        self._sentence = muted_label()
        theirs = tr("Open the newer version")
        self.open_theirs = named_button(tr("Open theirs"), theirs, self.open_asked, is_link=True)
        yours = tr("Save yours, then decide on theirs")
        self.save = named_button(tr("Save\u2026"), yours, self.save_asked, is_link=True)
        self.hide_it = named_button(tr("Hide"), tr("Dismiss this notice"), self._dismiss, is_link=True)
        words = share(column(self._title, self._sentence, spacing=1))
        links = (self.open_theirs, self.save, self.hide_it)
        row(placed(self._icon, TOP), words, *links, on=self, margins=(14, 6, 12, 6), spacing=10)
        self.hide()

    def show_notice(self, notice: FileNotice | None) -> None:
        """Say this, or nothing; what was hidden by the planner stays hidden until it is something else."""
        if notice == self.notice:
            return
        self.notice = notice
        if notice is not None:
            self._title.setText(notice.title)
            self._sentence.setText(notice.sentence)
            self.open_theirs.setVisible(notice.is_changed)
            self.save.setVisible(notice.is_changed)
            self.setAccessibleDescription(f"{notice.title}. {notice.sentence}")
        self.setVisible(notice is not None and notice != self._dismissed)

    def _dismiss(self) -> None:
        """Hides this notice until there is another."""
        self._dismissed = self.notice
        self.hide()


# --- Somebody else saved this project since: keep both, replace theirs, or look first. Nothing is lost by any of them

KEEP_BOTH, REPLACE = "keep both", "replace"
NAMED: Final = 3
"""So many names of a kind are said; the rest is counted."""
DIFFERENCES_HIGH: Final = 220


class ChangedDialog(QDialog):
    """`answer` is KEEP_BOTH, REPLACE or empty: not saved. `look_asked` wants `show_differences` or `show_problem`."""

    look_asked = Signal()

    def __init__(
        self, path: Path, written_s: int | None, copy_name: str, kept_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.answer = ""
        title = tr("{name} was saved elsewhere", name=path.name)
        self.setWindowTitle(tr("Saved elsewhere"))
        self.setAccessibleName(title)
        self.setMinimumWidth(560)
        body = tr(long_text("changed_elsewhere"))
        if written_s is not None:
            body = tr("{body} Last written {when}.", body=body, when=moment(written_s))
        self._looked = column(spacing=4)
        self.look = named(named_button(tr("Look at theirs"), does=self._ask_to_look), step="strong")
        replaces = named_button(tr("Replace theirs"), does=lambda: self._answer(REPLACE))
        self.replace = named(replaces, step="strong")
        self.keep_both = named_button(tr("Keep both"), does=lambda: self._answer(KEEP_BOTH))
        named(self.keep_both, step="strong").setProperty("primary", True)
        self.keep_both.setDefault(True)  # what Return does
        both = tr("your version is saved as {name} in the same folder and stays open.", name=copy_name)
        yours = tr("your version replaces it; theirs stays as {name}.", name=kept_name)
        head = (label(title, step="title", is_wrapped=True), _plain(body), self._looked)
        meanings = (_meaning(tr("Keep both"), both), _meaning(tr("Replace theirs"), yours))
        buttons = row(self.look, STRETCH, self.replace, self.keep_both, spacing=8)
        self.layout_ = dialog_column(self, *head, 4, *meanings, 8, buttons)
        self.keep_both.setFocus()

    def show_differences(self, differences: Sequence[Difference]) -> None:
        """What differs between ours and theirs."""
        emptied(self._looked)
        if not differences:
            self._add(_plain(tr("Both versions are identical.")))
        else:
            self._add(heading_label(tr("What differs")))
            lines = (_plain(words_of(difference)) for difference in differences)
            rows = column(*lines, STRETCH, margins=(10, 8, 10, 8), spacing=6)
            area = named(QScrollArea(widgetResizable=True), tr("What differs"))
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setWidget(box("panel", rows, QWidget()))
            width = self.width() - 60  # of the rows, beside a scroll bar
            area.setFixedHeight(min(DIFFERENCES_HIGH, rows.totalHeightForWidth(width) + 4))
            self._add(area)
        self.look.setEnabled(False)
        self._fit()

    def show_problem(self, error: Exception) -> None:
        """Theirs cannot be opened."""
        emptied(self._looked)
        what = getattr(error, "what", None) or str(error)
        self._add(_plain(tr("It cannot be opened here: {error}.", error=what)))
        self.look.setEnabled(False)
        self._fit()

    def _ask_to_look(self) -> None:
        """Says that theirs is being read, and asks for the differences."""
        emptied(self._looked)
        self._add(muted_label(tr("Reading the other version\u2026")))
        self._fit()
        self.look_asked.emit()

    def _answer(self, answer: str) -> None:
        """Closes with an answer."""
        self.answer = answer
        self.accept()

    def _add(self, widget: QWidget) -> None:
        """Adds a line under the question."""
        self._looked.addWidget(widget)
        widget.setVisible(True)  # at once: a layout leaves out what is not shown yet

    def _fit(self) -> None:
        """Gives the dialog the height that its lines need: labels that wrap do not tell it by themselves."""
        self.layout_.invalidate()
        self.layout_.activate()
        high = self.layout_.totalHeightForWidth(self.width())
        self.setMinimumHeight(high)
        self.resize(self.width(), high)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()


def words_of(difference: Difference) -> str:
    """Plans – different: Plan B; only in yours: Plan C; only in theirs: Plan D, Plan E."""
    if difference.is_one:
        return tr("{what} differs", what=difference.what)
    parts = []
    if difference.in_two_ways:
        parts.append(tr("different: {names}", names=_names(difference.in_two_ways)))
    if difference.only_ours:
        parts.append(tr("only in yours: {names}", names=_names(difference.only_ours)))
    if difference.only_theirs:
        parts.append(tr("only in theirs: {names}", names=_names(difference.only_theirs)))
    return tr("{what} – {parts}", what=difference.what, parts="; ".join(parts))


def _names(names: tuple[str, ...]) -> str:
    """The first few names, and how many more there are."""
    shown, rest = names[:NAMED], len(names) - NAMED
    text = ", ".join(name or tr("(without a name)") for name in shown)
    return tr("{names} and {more} more", names=text, more=rest) if rest > 0 else text


def _meaning(name: str, what: str) -> QHBoxLayout:
    """What an answer does, behind its name."""
    answer = label(name, step="strong")
    answer.setMinimumWidth(104)
    return row(placed(answer, TOP), share(_plain(what)), spacing=8)


def _plain(text: str) -> PlainLabel:
    """Names of files and workloads come from elsewhere: they are text and nothing else."""
    words = label(text, is_wrapped=True)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return words
