"""Walks a main window through all that it shows, and writes it down: a text for each part of the window."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QSettings, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QWidget
from shiboken6 import delete, isValid

from gpuplanner.app.settings import Settings
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.brief.pages import page_words
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.cards.details import details_of
from gpuplanner.ui.cards.facets import FACETS, CardFacts
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.importing.report import ImportReport
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette
from gpuplanner.ui.panels.panel import Panel
from gpuplanner.ui.present.presenter import Presenter
from gpuplanner.ui.window.application import build
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.window.view_switch import BOARD, DECISIONS
from tests.golden.answers import Answers
from tests.golden.projects import NOW_S
from tests.golden.seen_texts import actions_text, figures_of, rows_text, texts_of
from tests.ui.pseudo import pseudo

SIZE = (1280, 800)
PATIENCE_S = 240.0
SOON_MS = 2_000
"""A timer that fires once and within this time will show something yet."""
MOST_OPTIONS = 48
MOST_CARDS = 8
"""Cards of a column whose details are written out."""

CHOICES = {
    "duration": ("Pool", "GPU model"),
    "utilization": ("Utilization by",),
    "cost": ("Cost view",),
    "hardware_fit": ("Fit shown", "Which classes"),
    "prices": ("GPU model", "Category", "Order"),
    "inference": ("Endpoint",),
}
"""Choices that show something else and edit nothing, by panel and accessible name; the first holds for the second."""
ROWS_TO_CHOOSE = {"hardware_fit": 4, "prices": 3, "cost": 3, "inference": 3, "utilization": 2}
"""Rows of a panel's tables that say more below when they are chosen."""

OF_FILES = frozenset(
    (
        "open",
        "import",
        "add_contracts",
        "save_as",
        "export",
        "export_focus",
        "export_requests",
        "export_brief",
    )
)

Parts = dict[str, list[str]]


@contextmanager
def open_window(project: Project, path: Path | None, folder: Path) -> Iterator[MainWindow]:
    """The whole window on a project, in the language that is loaded, settled."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    begin_palette(application, LIGHT)
    settings = Settings(QSettings(str(folder / "s.ini"), QSettings.Format.IniFormat))
    window, flow, document = build(settings, NOW_S)
    apply_palette(application, LIGHT)
    errors: list[Exception] = []
    window.session.evaluator.failed.disconnect(window.show_failure)
    window.session.evaluator.failed.connect(errors.append)
    window.resize(*SIZE)
    window.show()
    document.load(project, path)
    settle(window)
    try:
        yield window
        assert errors == []
        assert document.project is project, "looking changed the project"
    finally:
        window.why.hide()
        flow.leave_quietly()
        window.close()
        document.setParent(None)  # its steps go with it, not before it
        delete(window)


def settle(window: MainWindow, *over: QWidget) -> None:
    """Let events run until every answer is there, whichever thread was first, and nothing is to be shown soon.

    over: dialogs that stand over the window.
    """
    until, quiet = time.monotonic() + PATIENCE_S, 0
    busy, timers = [*_busy_in(window), *_busy_of(over)], window.findChildren(QTimer)
    while quiet < 3:
        QApplication.processEvents()
        quiet = 0 if _is_awaited(window, busy, timers) else quiet + 1
        if quiet == 0:
            time.sleep(0.002)
        if quiet == 2:  # with what was made meanwhile
            busy, timers = [*_busy_in(window), *_busy_of(over)], window.findChildren(QTimer)
        if time.monotonic() > until:
            pytest.fail(f"the window did not settle within {PATIENCE_S:g} s")


def _busy_in(window: MainWindow) -> list[Any]:
    """What works in a thread, wherever it stands in the window; looked up again with another page or panel made."""
    made = (
        window.plans.compare.is_visible,
        sum(one.layout() is not None for one in window.findChildren(Panel)),
    )
    if getattr(window, "golden_busy", (None, []))[0] != made:
        window.golden_busy = made, _busy_of((window,))  # type: ignore[attr-defined]
    return window.golden_busy[1]  # type: ignore[attr-defined, no-any-return]


def _busy_of(roots: Iterable[QWidget]) -> list[Any]:
    return [one for root in roots for one in root.findChildren(QObject) if hasattr(type(one), "is_busy")]


def _is_awaited(window: MainWindow, busy: list[Any], timers: list[QTimer]) -> bool:
    evaluation = window.session.evaluator.evaluation
    if window.session.has_workspace and (evaluation is None or evaluation.outlook is None):
        return True
    if not window.session.evaluator.is_settled:
        return True
    if any(isValid(one) and one.is_busy for one in busy):
        return True
    soon = (one for one in timers if isValid(one) and one.isActive() and one.isSingleShot())
    return any(one.interval() <= SOON_MS for one in soon)


class Walk:
    """Told a window; keeps what it says by part, and the answers for the figures that come into sight."""

    def __init__(self, window: MainWindow, *, with_answers: bool) -> None:
        self.window, self.parts = window, {}  # type: MainWindow, Parts
        self._frame_before: frozenset[str] = frozenset()
        self.answers = Answers(window) if with_answers else None

    def all(self) -> Parts:
        window, plans = self.window, [plan.name for plan in self.window.session.document.project.scenarios]
        self._frame("at first")
        shown = (TODAY, *plans[:1])
        for name in shown:  # a panel that was never seen is not yet as wide as it makes its neighbours
            window.choose_scenario(name)
            for kind in PANELS:
                window.docks.raise_panel(kind.about.name)
                settle(window)
        for name in shown:
            window.choose_scenario(name)
            settle(window)
            self._scenario("today" if name == TODAY else "plan", is_last=name != TODAY or not plans)
        self._compare()
        return self._with_answers()

    def sheets(self) -> Parts:
        """What opens over the window on its first plan: sheets and dialogs, and the report of each file."""
        for plan in self.window.session.document.project.scenarios[:1]:
            self.window.choose_scenario(plan.name)
            settle(self.window)
        self._dialogs("dialogs")
        return self._with_answers()

    def _with_answers(self) -> Parts:
        if self.answers is not None:
            self.parts["why"] = self.answers.lines()
        return self.parts

    def _scenario(self, title: str, *, is_last: bool) -> None:
        """Of Today what no plan shows; of what both show the second is written where it says something else."""
        window, is_today = self.window, self.window.session.scenario == TODAY
        self._frame(title)
        if is_today:
            window.choose_today_view("audit")
            settle(window)
            self._look("audit", window.audit, whole=True)
            window.choose_today_view("board")
            settle(window)
        self._board(f"{title}_board")
        for name in (kind.about.name for kind in PANELS):
            window.docks.raise_panel(name)
            settle(window)
            self._panel(name, getattr(window.docks, name), is_last=is_last)
        if not is_today:
            window.show_decisions()
            settle(window)
            self._look(DECISIONS, window.page, whole=True)
            window.choose_plan_view(BOARD)
            settle(window)
        if self.answers is not None:
            self.answers.take_headline(title)
        self._pages(f"{title}_pages")

    def _look(
        self, part: str, widget: QWidget, *, whole: bool = False, head: str = "", ask: QWidget | None = None
    ) -> None:
        """Write down what was not said in this part before, and ask why of the figures in sight.

        ask: what answers for its own figures.
        """
        if whole:
            _open_all(widget)
            settle(self.window)
        lines = self.parts.setdefault(part, [])
        new = [block for block in texts_of(widget) if block not in lines]
        if new and head:
            lines.append(f"== {head}")
        lines += new
        if self.answers is not None:
            self.answers.take(figures_of(widget), ask)

    def _frame(self, what: str) -> None:
        """Title, menus, palette and bars; of a second time what differs from the time before."""
        window = self.window
        now = [f"title: {window.windowTitle()}", *actions_text(window.menuBar().actions()), "palette"]
        entries = (
            ("", one.title, one.kind, one.note, one.shortcut, one.texts[-1]) for one in window.commands()
        )
        now += rows_text(["\t".join(entry) for entry in entries])
        self.parts.setdefault("frame", []).extend(
            [f"== {what}", *(line for line in now if line not in self._frame_before)]
        )
        self._frame_before = frozenset(now)
        bars = (window.scenario_bar, window.headline, window.checklist, window.status, window.today_switch)
        for bar in bars:
            self._look("frame", bar, head=f"{what}, {bar.accessibleName() or bar.objectName()}")

    def _board(self, part: str) -> None:
        window, shown = self.window, self.window.session.view_state
        assert shown is not None
        self._look(part, window.data_quality, whole=True)
        self._look(part, window.board)
        facts, lines = CardFacts(), self.parts[part]
        lines.append("== facets of every card: " + ", ".join(str(facet.title) for facet in FACETS.values()))
        for card in shown.cards:
            values = ("/".join(map(str, facet.values(card, facts))) for facet in FACETS.values())
            lines.append("\t".join((card.name, card.pool.value, *values)))
        lines.append("== details")
        for pool in dict.fromkeys(card.pool for card in shown.cards):
            cards = [card for card in shown.cards if card.pool is pool]
            for group in ([card] for card in cards[:MOST_CARDS]):
                self._details(lines, group, facts)
            if len(cards) > 1:
                self._details(lines, cards[:3], facts)

    def _details(self, lines: list[str], cards: list, facts: CardFacts) -> None:  # type: ignore[type-arg]
        details = details_of(cards, self.window.session.view_state, facts)
        if details is None:
            return
        lines += ["", f"{details.title} ({details.under})"]
        for section in details.sections:
            lines.append(f"  {section.title}")
            lines += [
                f"    {line.text}\t{line.figure}\t{line.icon} {line.role}".rstrip() for line in section.lines
            ]
        if self.answers is not None:
            ids = [line.figure_id for section in details.sections for line in section.lines]
            self.answers.take([figure_id for figure_id in ids if figure_id])

    def _panel(self, part: str, panel: QWidget, *, is_last: bool) -> None:
        """All that a panel can be made to show; on Today only what it shows at once, where a plan comes after it."""
        window = self.window
        self._look(part, panel, whole=True, head=window.session.scenario)
        if not is_last:
            return
        tabs = [one for one in panel.findChildren(QAbstractButton) if one.property("tab") and one.isVisible()]
        for tab in tabs or [None]:
            head = ""
            if tab is not None:
                tab.click()
                settle(window)
                head = tab.text()
                self._look(part, panel, whole=True, head=head)
            self._choose_each(part, panel, CHOICES.get(part, ()), head)
            self._choose_rows(part, panel, ROWS_TO_CHOOSE.get(part, 0), head)
        if tabs:
            tabs[0].click()
            settle(window)

    def _choose_each(self, part: str, panel: QWidget, names: tuple[str, ...], head: str) -> None:
        """Each option of each choice in turn; the options of a second choice within each of the first."""
        if not names:
            return
        choice = _choice(panel, names[0])
        if choice is None:
            self._choose_each(part, panel, names[1:], head)
            return
        before = choice.currentIndex()
        for at in range(min(MOST_OPTIONS, choice.count())):
            if at != choice.currentIndex():
                choice.setCurrentIndex(at)
                choice.activated.emit(at)
                settle(self.window)
            words = f"{head} {choice.itemText(at)}".strip()
            self._ask_again(part, panel)
            self._look(part, panel, head=words)
            if len(names) > 1 and part == "duration":
                self._choose_each(part, panel, names[1:], words)
        choice.setCurrentIndex(before)
        choice.activated.emit(before)
        settle(self.window)
        if part != "duration":
            self._choose_each(part, panel, names[1:], head)

    def _choose_rows(self, part: str, panel: QWidget, most: int, head: str) -> None:
        if not most:
            return
        tables = [
            one
            for one in panel.findChildren(QWidget)
            if hasattr(one, "show_rows") and hasattr(one, "selectRow")
        ]
        for table in tables:
            if not table.isVisible():
                continue
            for row in range(min(most, table.model().rowCount())):
                table.setCurrentIndex(table.model().index(row, 0))
                settle(self.window)
                self._ask_again(part, panel)
                self._look(part, panel, head=f"{head} row {row + 1}".strip())

    def _ask_again(self, part: str, panel: QWidget) -> None:
        """The figures of an endpoint are those of the one that is chosen."""
        if self.answers is not None and part == "inference":
            self.answers.forget(figures_of(panel))

    def _dialogs(self, part: str) -> None:
        """Leaks, jobs, and every dialog that an action opens; files are asked for by dialogs of Qt's own."""
        window, shown = self.window, self.window.session.view_state
        assert shown is not None
        for leak in {leak.code: leak for leak in reversed(shown.evaluation.audit.leaks)}.values():
            self._over(part, f"leak {leak.leak_id}", partial(window.open_leak, leak.leak_id))
        for card in shown.cards[:1]:
            self._over(part, f"jobs {card.key}", partial(window.jobs.ask, card.key))
            window.show_workload(card.key)
            settle(window)
        for name, action in window.actions_by_id.items():
            asks = action.text().rstrip("\u27e7").endswith("\u2026") and action.isEnabled()
            if asks and name not in OF_FILES:
                self._over(part, name, action.trigger)
        for file in window.session.document.project.intake:
            report = ImportReport()
            report.resize(400, 700)
            report.show_file(file)
            report.show()
            self._look("import", report, head=f"{file.kind} {Path(file.path).name}", ask=report)
            report.close()
            delete(report)

    def _over(self, part: str, head: str, opens: Callable[[], object]) -> None:
        """Open what stands over the window, write it down, and close it, also where it runs a loop of its own."""
        window, before = self.window, set(QApplication.topLevelWidgets())
        looked: set[int] = set()

        def look() -> None:
            dialog = QApplication.activeModalWidget()
            if dialog is None or id(dialog) in looked:
                return
            looked.add(id(dialog))
            settle(window, dialog)
            self._look(part, dialog, head=head, ask=dialog)
            dialog.close()

        timer = QTimer()
        timer.timeout.connect(look)
        timer.start(10)
        opens()
        settle(window)
        timer.stop()
        for sheet in set(QApplication.topLevelWidgets()) - before:
            if sheet.isVisible():
                settle(window, sheet)
                self._look(part, sheet, head=head, ask=sheet)
                sheet.close()
        settle(window)

    def _pages(self, part: str) -> None:
        presenter = Presenter()
        presenter.resize(*SIZE)
        presenter.show_state(self.window.session.view_state, NOW_S)
        presenter.show()
        lines = self.parts.setdefault(part, [])
        for page in presenter.pages:  # how many parts a page has hangs on the fonts that there are
            lines += [f"== {page.kicker}: {page.title}", f"  {tr(page_words(page))}"]
        presenter.close()
        delete(presenter)

    def _compare(self) -> None:
        compare = self.window.plans.compare
        self.window.actions_by_id["compare"].trigger()
        settle(self.window)
        self._look("compare", compare.page, whole=True)
        self._frame("compared")
        compare.leave()
        settle(self.window)


def _choice(panel: QWidget, name: str) -> QComboBox | None:
    named = (name, pseudo(name))
    found = (
        one for one in panel.findChildren(QComboBox) if one.accessibleName() in named and one.isVisible()
    )
    return next(found, None)


def _open_all(root: QWidget) -> None:
    """Open what is folded, and show all rows of tables that show their first ones."""
    for button in root.findChildren(QAbstractButton):
        is_fold = button.property("fold") and button.isCheckable() and not button.isChecked()
        if is_fold and button.isVisible():
            button.click()
