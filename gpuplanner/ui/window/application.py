"""Starts the window: puts document, services and main window together; or draws it into a picture."""

import gc
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QLocale, QObject, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QActionGroup, QFont, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from gpuplanner.app.background import EndAsked, Tidying
from gpuplanner.app.settings import LANGUAGES, Settings, user_settings
from gpuplanner.charts.kit.plain_text import load_language, tr
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.own_folder import own_folder, sweep_at_start
from gpuplanner.files.system.terminal_output import error_line, say
from gpuplanner.files.system.user_files import ROWS, data_folder, private_folder
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.dialogs import ask
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette
from gpuplanner.ui.kit.theme import DARK, HIGH_CONTRAST, LIGHT, Palette, fit_sheet, show_text_size
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.app.autosave import Autosave
    from gpuplanner.app.document import Document
    from gpuplanner.domain.evaluation import Evaluation
    from gpuplanner.ui.flows.project_flow import ProjectFlow
    from gpuplanner.ui.flows.session import Session

# --- Loads what the first project will need, once the first page has been painted ----------------

AFTER_MS: Final = 20
"""Until what was painted is on the screen."""
UNSEEN_MS: Final = 500
WANTED: Final = (
    "gpuplanner.charts.plots.load_duration",
    "gpuplanner.charts.plots.over_time",
    "gpuplanner.charts.plots.timeline",
    "gpuplanner.files.job_logs.dialects.slurm.sacct",
    "gpuplanner.files.job_logs.recognisers",
    "gpuplanner.files.importing.windowed_jobs",
    "gpuplanner.files.importing.recognise",
    "gpuplanner.ui.importing.import_dialog",
)
"""Modules that take 0.1-0.3 s to load, which would be a stop of the window when the first panel is drawn.

What the import stands on comes in parts, each a short stop of its own.
"""


class LoadSoon(QObject):
    """Begins once a window has been painted, one module after the other, events between them.

    In the window's own thread: the chart library looks at every class of Qt while it loads, which makes them, and Qt
    ended the program where another thread made one at the same time. finish: what the window itself still lacks, made
    before them; its work holds events back, which find it done. A window that opens out of sight is not waited for.
    """

    def __init__(self, window: QWidget, finish: Callable[[], object] = bool) -> None:
        super().__init__(window)
        imports = (partial(import_module, name) for name in WANTED)
        steps: Iterator[Callable[[], object]] = iter((finish, *imports))
        self._soon = QTimer(self, singleShot=True, interval=UNSEEN_MS)
        self._soon.timeout.connect(lambda: _take(steps))
        self._soon.start()
        window.installEventFilter(self)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        """Watch for the first paint."""
        if event.type() == QEvent.Type.Paint:
            window.removeEventFilter(self)
            self._soon.start(AFTER_MS)
        return False


def _take(steps: Iterator[Callable[[], object]]) -> None:
    """Takes the next step and comes back for the one after it."""
    if (step := next(steps, None)) is not None:
        step()
        QTimer.singleShot(0, lambda: _take(steps))


# --- View > Language, from the next start on; View > Number format, at once in the whole window; both are remembered

LOCALES: Final = {
    "english": (QLocale.Language.English, QLocale.Country.UnitedStates),
    "german": (QLocale.Language.German, QLocale.Country.Germany),
    "french": (QLocale.Language.French, QLocale.Country.France),
}
"""Beside "system": the languages, and forms of numbers, that a planner may choose by name."""


ShowAgain = Callable[["Evaluation | None"], None]
"""Draws the whole window again, with these figures; None where it shows none."""


def locale_of(name: str) -> QLocale:
    """The locale of a setting; what is no name here is as this computer has it."""
    return QLocale(*LOCALES[name]) if name in LOCALES else QLocale.system()


def numbers_of(settings: Settings) -> QLocale:
    """The locale that figures are written in: that of the language, unless another one is chosen."""
    return locale_of(settings.language if settings.number_format == "system" else settings.number_format)


class LanguageChoice(QObject):
    """Connects the actions of the two menus with the settings."""

    def __init__(
        self, session: "Session", by_id: Mapping[str, QAction], settings: Settings, show_again: ShowAgain
    ) -> None:
        super().__init__(session.window)
        self._session, self._by_id, self._settings, self._show_again = session, by_id, settings, show_again
        self._days = locale_of(settings.language)
        session.asks.number_format_asked.connect(self.choose_numbers)
        session.asks.language_asked.connect(self.choose_language)
        for menu, chosen in (("numbers", settings.number_format), ("language", settings.language)):
            group = QActionGroup(self)
            for name in LANGUAGES:
                action = by_id[f"{menu}_{name}"]
                group.addAction(action)
                action.setChecked(name == chosen)

    def choose_numbers(self, name: str) -> None:
        """Write figures so from now on, in every window that is open."""
        self._settings.number_format = name
        self._by_id[f"numbers_{name}"].setChecked(True)
        show_in_locale(self._session, numbers_of(self._settings), self._show_again, self._days)

    def choose_language(self, name: str) -> None:
        """Have the window in this language at the next start: widgets take their words when they are made."""
        is_other = name != self._settings.language
        self._settings.language = name
        self._by_id[f"language_{name}"].setChecked(True)
        if is_other:
            words = tr("The language changes at the next start.")
            ask(self._session.window, tr("Language"), words, (worded("Close"),))


def show_in_locale(
    session: "Session", locale: QLocale, again: ShowAgain, days: QLocale | None = None
) -> None:
    """Every figure of the window again, in another locale; days: names months as before."""
    numbers.use_locale(locale, days)
    for widget in QApplication.topLevelWidgets():
        widget.setLocale(QLocale())  # spin boxes read and write in that of their window
    evaluation = session.evaluator.evaluation if session.has_workspace else None
    again(None if evaluation is None else _as_new(evaluation))


def _as_new(evaluation: "Evaluation") -> "Evaluation":
    """The same figures in other objects: views leave alone what they have shown already, and know it by identity."""
    project = replace(evaluation.project, places=copy(evaluation.project.places))
    fit = None if evaluation.fit is None else tuple(map(copy, evaluation.fit))
    return replace(evaluation, project=project, audit=copy(evaluation.audit), fit=fit)


# --- Starts the window: puts document, services and main window together; or draws it into a picture and leaves

PALETTE_OF_THEME: Final = {"light": LIGHT, "dark": DARK, "contrast": HIGH_CONTRAST}
SETTLE_S: Final = 300.0

FIRST_SIZE: Final = QSize(1440, 900)
TITLE_BAR_PX: Final = 40
"""What the desktop puts above a window; nobody knows it before the window is shown."""
_DIALOGS_AT_MOST: Final = 10  # one over the other

SWITCH_S: Final = 0.0001
"""How long a worker may keep the interpreter from the window: at the usual 5 ms, a paint that calls back a hundred
times would wait for half a second while a plan is worked out. Of all our threads together it takes no more time."""


def run(
    project: Path | None,
    *,
    now_s: int,
    screenshot: Path | None = None,
    size: tuple[int, int] = (1440, 900),
    theme: str | None = None,
    scenario: str | None = None,
) -> int:
    """Open the window; returns the exit status.

    screenshot: draw it settled into a PNG of that size, and leave. scenario: the one to show in it.
    """
    application = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(application, QApplication)
    application.setApplicationName("gpuplanner")
    application.setApplicationDisplayName("gpuplanner")
    application.setDesktopFileName("gpuplanner")
    application.font().setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    with suppress(OSError):
        private_folder(data_folder())
    sweep_at_start(data_folder() / ROWS)
    settings = user_settings()
    # before any widget: each takes its words when it is made
    load_language(application, locale_of(settings.language))
    if screenshot is not None:
        return _draw(application, project, screenshot, size, theme, now_s, scenario)
    palette = palette_for(theme or settings.theme)
    # before any widget: each takes that it is born in
    numbers.use_locale(numbers_of(settings), locale_of(settings.language))
    show_text_size(application, settings.text_size)
    begin_palette(application, palette)
    window = MainWindow()
    apply_palette(application, palette)  # before the window is shown, so that nothing white is ever seen
    fit_sheet(application)
    _restore(window, settings)
    ending, faults = EndAsked(window), list[Exception]()
    ending.asked.connect(application.exit)

    def finish() -> None:
        """Makes what the welcome page leads to."""
        from gpuplanner.ui.flows.tour_flow import TourFlow

        try:
            begin_palette(application, palette)
            _, flow, document = build(settings, now_s, window)
        except Exception as fault:  # raised again where a start that fails is answered
            faults.append(fault)
            return application.exit()
        gc.freeze()  # what modules made stays
        Tidying(window.session.evaluator, window)
        for tour in window.findChildren(TourFlow):
            tour.offer_once()
        ending.asked.connect(lambda: _end(application, flow))
        QTimer.singleShot(0, lambda: _begin(window, flow, document, settings, project))

    LoadSoon(window, finish)
    window.show()
    status = application.exec()
    ending.close()
    if ending.is_asked:
        raise KeyboardInterrupt
    for fault in faults:
        raise fault
    return status


def _end(application: QApplication, flow: "ProjectFlow") -> None:
    """Ended from outside: whatever is open is closed, unsaved work is kept for recovery."""
    for _ in range(_DIALOGS_AT_MOST):
        if (dialog := application.activeModalWidget()) is not None:
            dialog.close()
    flow.leave_at_once()
    application.exit(0)


def build(
    settings: Settings, now_s: int, window: MainWindow | None = None
) -> tuple[MainWindow, "ProjectFlow", "Document"]:
    """A main window, or that which has only its welcome page, with everything behind it."""
    from gpuplanner.app.document import Document, Saver
    from gpuplanner.app.evaluator import Evaluator, steps_of
    from gpuplanner.app.exporting import Briefing, Exporter
    from gpuplanner.app.looking_back import KeptQueue, months_from, waits_from, waits_of_pools
    from gpuplanner.files.system.resources import read_tables
    from gpuplanner.ui.board.card_sheet import RecentJobs
    from gpuplanner.ui.cards.board_view import view_of_text
    from gpuplanner.ui.flows import cost_flows, export_flow, pages_flow, panel_flows, rules_flow, sizing_flows
    from gpuplanner.ui.flows.compare_flow import PresentFlow
    from gpuplanner.ui.flows.project_flow import ProjectFlow, new_project
    from gpuplanner.ui.flows.tour_flow import TourFlow
    from gpuplanner.ui.kit.file_dialogs import keep_folder_in
    from gpuplanner.ui.window.middle import EmptyPanels

    sys.setswitchinterval(SWITCH_S)
    document = Document(new_project(now_s))
    tables = read_tables()
    evaluator = Evaluator(steps_of(tables))
    window = window or MainWindow()
    window.complete(document, evaluator, now_s)
    for service in (document, evaluator):
        service.setParent(window)
    saver = Saver(document, window)
    session, ways, docks, board = window.session, window.ways, window.docks, window.board
    by_id, rows = window.actions_by_id, data_folder() / ROWS
    window.choose_today_view(settings.today_view)
    window.memory = settings
    keep_folder_in(settings)
    rules = rules_flow.RulesFlow(session=session, board=board, settings=settings, tables=tables, ways=ways)
    names = rules_flow.NamesFlow(session, board, settings, rows)
    panel_flows.BacktestFlow(session, docks.backtest, tables, rows)
    panel_flows.DurationFlow(session, docks.duration)
    queue = KeptQueue(rows)
    window.ask_flow.hear_queue(queue)
    by_month, who_waits = months_from(rows, tables), waits_from(queue)
    cost_flows.MonthsFlow(session, docks.cost, by_month)
    exporter = Exporter(with_months=by_month, who_waits=who_waits)
    export_flow.ExportFlow(session, settings, exporter, lambda of: docks.prices.worths.known(of))  # noqa: PLW0108 - once it is there
    pages_flow.BriefFlow(session, settings, Briefing(by_month, who_waits))
    pages_flow.StatementFlow(session, settings)
    export_flow.RequestFlow(session, settings)
    sizing_flows.InferenceFlow(session, docks.inference, by_id["assumptions"])
    panel_flows.TrackFlow(session, docks.track, tables)
    docks.hardware_fit.once_built(lambda: sizing_flows.TrainingFlow(session, docks.hardware_fit.runs, now_s))
    waiting = panel_flows.WaitingFlow(session, docks.waiting, queue)
    window.plans.compare.comparing.waits_of = partial(waits_of_pools, queue)
    waiting.lines_known.connect(window.show_waits)
    waiting.better_known.connect(window.show_better)
    waiting.waits_known.connect(window.audit.show_waits)
    flow = ProjectFlow(
        session=session,
        saver=saver,
        settings=settings,
        data_folder=data_folder(),
        now_s=now_s,
        notice=window.file_notice,
        ways=ways,
        import_rules=rules.import_files,
        ask_names=names.ask_if_unmatched,
    )
    flow.titled.connect(window.show_title)
    flow.recent_found.connect(window.show_recent)
    flow.closing.connect(partial(_remember, window, settings))
    flow.show_recent()
    board.look(view_of_text(settings.board_view))
    RecentJobs(board.sheet, document, rows, window)
    LanguageChoice(session, by_id, settings, window.show_again)
    EmptyPanels(session, docks.all_panels(), by_id)
    PresentFlow(session, ways, who_waits)
    TourFlow(session, settings, window.part, ways)
    return window, flow, document


def palette_for(theme: str) -> Palette:
    """The palette of a theme's name; "system" asks the desktop."""
    if theme in PALETTE_OF_THEME:
        return PALETTE_OF_THEME[theme]
    return DARK if QGuiApplication.styleHints().colorScheme() is Qt.ColorScheme.Dark else LIGHT


def _restore(window: MainWindow, settings: Settings) -> None:
    """Gives the window the size and place it had; on a screen of another size, as much of that size as it has."""
    if window.restoreGeometry(settings.geometry):
        return
    wanted = QSize(*settings.window_size) if settings.window_size else FIRST_SIZE
    size, is_maximised = first_size(window.screen().availableSize(), wanted)
    window.resize(size)
    if is_maximised:
        window.setWindowState(Qt.WindowState.WindowMaximized)


def first_size(room: QSize, wanted: QSize = FIRST_SIZE) -> tuple[QSize, bool]:
    """How large a window of a size is on a screen with so much room, and whether it takes all of it.

    >>> first_size(QSize(1920, 1040)), first_size(QSize(1280, 720))
    ((PySide6.QtCore.QSize(1440, 900), False), (PySide6.QtCore.QSize(1280, 680), True))
    """
    inside = QSize(room.width(), room.height() - TITLE_BAR_PX)
    return wanted.boundedTo(inside), wanted.boundedTo(inside) != wanted


def _remember(window: MainWindow, settings: Settings) -> None:
    """Keeps size and place for the next time."""
    settings.geometry, size = window.saveGeometry(), window.normalGeometry().size()
    settings.window_size = size.width(), size.height()


def _begin(
    window: MainWindow, flow: "ProjectFlow", document: "Document", settings: Settings, project: Path | None
) -> None:
    """What a crash left, then the project that was named, or the last one."""
    from gpuplanner.app.autosave import Autosave

    autosave = flow.autosave = Autosave(document, parent=window)
    is_recovered = False
    try:
        is_recovered = _recover(window, document, autosave)
    finally:  # whatever became of it, the project that was asked for opens
        last = (path for path in settings.recent_files[:1] if os.path.isfile(path))
        if not is_recovered and (path := project or next(last, None)) is not None:
            flow.open(path)


def _recover(window: MainWindow, document: "Document", autosave: "Autosave") -> bool:
    """Whether what a crash left is in the window now, for the planner wants it."""
    from gpuplanner.app.autosave import discard, recover_into, recoveries
    from gpuplanner.ui.kit.dialogs import Question, ask, exec_once, show_error

    for recovery in recoveries()[:1]:
        text = tr(
            "{name} was not saved. Its last step: {last_step}.",
            name=recovery.name,
            last_step=recovery.last_step or worded("unknown"),
        )
        answer = ask(window, tr("Unsaved work was found"), text, ("Discard it", "Recover it"))
        try:
            if answer == "Recover it":
                sentence = recover_into(document, autosave, recovery)
                exec_once(Question(window, tr("Recovered"), sentence, ("Close",)))
                return True
            if answer == "Discard it":
                discard(recovery)
        except PlannerError as error:
            show_error(window, error)
    return False


def _draw(
    application: QApplication,
    project: Path | None,
    screenshot: Path,
    size: tuple[int, int],
    theme: str | None,
    now_s: int,
    scenario: str | None,
) -> int:
    """The window with everything settled, as a picture. Nothing of this is remembered."""
    from gpuplanner.charts.kit.chart_export import encoded, kind_of_picture
    from gpuplanner.files.project.project_file import open_project
    from gpuplanner.files.system.output_file import place_of, write_output

    given = () if project is None else (project,)
    errors: list[Exception] = []
    try:
        place_of(screenshot, given)  # what cannot be written is said before the plan is worked out
        with own_folder() as folder:
            settings = Settings(QSettings(str(folder / "none.ini"), QSettings.Format.IniFormat))
            application.setCursorFlashTime(0)  # no caret that blinks
            palette = palette_for(theme or "light")
            begin_palette(application, palette)
            window, flow, document = build(settings, now_s)
            apply_palette(application, palette)
            evaluator = window.session.evaluator
            evaluator.failed.disconnect(window.show_failure)
            evaluator.failed.connect(errors.append)
            window.resize(*size)
            window.show()
            if project is not None:
                document.load(open_project(project), project)
                if scenario is not None:
                    window.choose_scenario(scenario)
            ending = EndAsked(window)
            ending.asked.connect(lambda: errors.append(InterruptedError()))
            settle(window, application, errors)
            ending.close()
            picture = window.grab().toImage()
            flow.leave_quietly()
        if ending.is_asked:
            raise KeyboardInterrupt
        if not errors:
            write_output(screenshot, encoded(picture, kind_of_picture(screenshot)), given)
    except PlannerError as refused:
        errors.append(refused)
    for fault in errors:
        words = str(fault) if isinstance(fault, PlannerError) else f"gpuplanner: {fault}"
        say(error_line(words), sys.stderr)
    return 3 if errors else 0


def settle(window: MainWindow, application: QApplication, errors: list[Exception]) -> None:
    """Let events run until the newest project is evaluated in full, or five minutes are over."""
    until = time.monotonic() + SETTLE_S
    idle = 0
    while idle < 10 and not errors and time.monotonic() < until:
        application.processEvents()
        evaluation, evaluator = window.session.evaluator.evaluation, window.session.evaluator
        is_known = evaluation is not None and evaluation.outlook is not None
        is_over = is_known or not window.session.has_workspace
        idle = idle + 1 if is_over and evaluator.is_settled else 0
        time.sleep(0.01)
