"""Starts the window: connects document, services and main window, or draws a picture."""

import gc
import os
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication

from gpuplanner.app.ending import EndAsked
from gpuplanner.app.settings import Settings, user_settings
from gpuplanner.app.tidying import Tidying
from gpuplanner.charts.kit.translation import load_language, tr
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.own_folder import own_folder, sweep_at_start
from gpuplanner.files.system.terminal_output import error_line, say
from gpuplanner.files.system.user_files import ROWS, data_folder, private_folder
from gpuplanner.ui.kit.palettes import DARK, HIGH_CONTRAST, LIGHT, Palette
from gpuplanner.ui.kit.style_sheet import apply_palette, begin_palette
from gpuplanner.ui.kit.text_sizes import fit_sheet, show_text_size
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.app.autosave import Autosave
    from gpuplanner.app.document import Document
    from gpuplanner.ui.flows.project_flow import ProjectFlow
from gpuplanner.ui.window.language_choice import LanguageChoice, locale_of, numbers_of
from gpuplanner.ui.window.load_soon import LoadSoon

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
        QTimer.singleShot(0, lambda: begin(window, flow, document, settings, project))

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
    from gpuplanner.app import briefing, exporting, saving
    from gpuplanner.app.document import Document
    from gpuplanner.app.evaluating.evaluation_steps import steps_of
    from gpuplanner.app.evaluating.evaluator import Evaluator
    from gpuplanner.app.past import backtesting, waits
    from gpuplanner.files.system.resources import read_tables
    from gpuplanner.ui.board import recent_jobs
    from gpuplanner.ui.cards.board_view import view_of_text
    from gpuplanner.ui.flows import present_flow, rules_flow, tour_flow
    from gpuplanner.ui.flows.exports import brief_flow, export_flow, request_flow, statement_flow
    from gpuplanner.ui.flows.panels import (
        backtest_flow,
        cost_flow,
        duration_flow,
        inference_flow,
        track_flow,
        training_flow,
        waiting_flow,
    )
    from gpuplanner.ui.flows.project_flow import ProjectFlow, new_project
    from gpuplanner.ui.kit.file_dialogs import keep_folder_in
    from gpuplanner.ui.window.empty_panels import EmptyPanels

    sys.setswitchinterval(SWITCH_S)
    document = Document(new_project(now_s))
    tables = read_tables()
    evaluator = Evaluator(steps_of(tables))
    window = window or MainWindow()
    window.complete(document, evaluator, now_s)
    for service in (document, evaluator):
        service.setParent(window)
    rows = data_folder() / ROWS
    saver = saving.Saver(document, window, rows_dir=rows)
    session, ways, docks, board = window.session, window.ways, window.docks, window.board
    by_id = window.actions_by_id
    window.look_as_before(settings)
    keep_folder_in(settings)
    rules = rules_flow.RulesFlow(session=session, board=board, settings=settings, tables=tables, ways=ways)
    names = rules_flow.NamesFlow(session, board, settings, rows)
    backtest_flow.BacktestFlow(session, docks.backtest, tables, rows)
    duration_flow.DurationFlow(session, docks.duration)
    queue = waits.KeptQueue(rows)
    window.ask_flow.hear_queue(queue)
    by_month, who_waits = backtesting.months_from(rows, tables), waits.waits_from(queue)
    cost_flow.MonthsFlow(session, docks.cost, by_month)
    exporter = exporting.Exporter(with_months=by_month, who_waits=who_waits)
    export_flow.ExportFlow(session, settings, exporter, lambda of: docks.prices.worths.known(of))  # noqa: PLW0108 - once it is there
    brief_flow.BriefFlow(session, settings, briefing.Briefing(by_month, who_waits))
    statement_flow.StatementFlow(session, settings)
    request_flow.RequestFlow(session, settings)
    inference_flow.InferenceFlow(session, docks.inference, by_id["assumptions"])
    track_flow.TrackFlow(session, docks.track, tables)
    docks.hardware_fit.once_built(lambda: training_flow.TrainingFlow(session, docks.hardware_fit.runs, now_s))
    waiting = waiting_flow.WaitingFlow(session, docks.waiting, queue)
    window.plans.compare.comparing.waits_of = partial(waits.waits_of_pools, queue)
    waiting.lines_known.connect(window.show_waits)
    waiting.replay_known.connect(window.show_replayed)
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
    recent_jobs.RecentJobs(board.sheet, document, rows, window)
    LanguageChoice(session, by_id, settings, window.show_again)
    EmptyPanels(session, docks.all_panels(), by_id)
    present_flow.PresentFlow(session, ways, who_waits)
    tour_flow.TourFlow(session, settings, window.part, ways)
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


def begin(
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
    from gpuplanner.ui.kit.dialogs import exec_once
    from gpuplanner.ui.kit.small_dialogs import Question, ask, show_error

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
