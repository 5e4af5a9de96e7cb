"""Draws the pictures of the documentation: the demo in the real window, scene by scene, into docs/images.

    python docs/make_pictures.py [NAME...]        all of them, or those named; needs no display
    python docs/make_pictures.py --all FOLDER     the window in every palette and size, to be looked at

Looking at them is part of every change of a view.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from PySide6.QtCore import QSettings
from PySide6.QtGui import QImage, QPixmap
from PySide6.QtWidgets import QApplication, QWidget  # noqa: TID253 - it draws the window

from gpuplanner.app.background import Threaded
from gpuplanner.app.importing.importer import Importer
from gpuplanner.app.settings import Settings
from gpuplanner.domain.audit.use_by import CLUSTERS
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.demo.days import GOLDEN_DAY, ending
from gpuplanner.files.demo.demo_files import write_demo
from gpuplanner.files.demo.demo_project import INPUTS, PLANS, make_demo
from gpuplanner.files.project.project_file import save_project
from gpuplanner.files.system.user_files import ROWS, data_folder
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.frame.what_if import WhatIfStrip
from gpuplanner.ui.importing.import_dialog import ImportDialog
from gpuplanner.ui.kit.palettes import DARK, LIGHT, Palette
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.panels.today.utilization import UtilizationPanel
from gpuplanner.ui.present.presenter import Presenter
from gpuplanner.ui.window.application import build, run, settle
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.window.view_switch import BOARD
from gpuplanner.ui.words.lanes import lane_of

IMAGES: Final = Path(__file__).resolve().parent / "images"
SIZE: Final = (1400, 860)
ALL_SIZES: Final = ((1280, 800), (1440, 900), (1920, 1080))
ALL_THEMES: Final = ("light", "dark", "contrast")
DAYS: Final = ending(GOLDEN_DAY)
NOW_S: Final = DAYS.end_s
BAD_ROWS: Final = (
    "900001,atlas,late-night-sweep,chat,,batch,H100,4,1,,,not yet,2026-09-01T10:00:00Z,,COMPLETED,,,",
    "900002,atlas,late-night-sweep,chat,,batch,H100,4,1,,,2026-09-01T10:00:00Z,2026-09-01T09:00:00Z,,COMPLETED,,,",
    "900003,atlas,late-night-sweep,chat,,batch,H100,four,1,,,2026-09-01T10:00:00Z,2026-09-01T11:00:00Z,,COMPLETED,,,",
    "900004,atlas,late-night-sweep,chat,,batch,H100,4,1,,,,,,PENDING,,,",
)
"""Rows that no demo should be without: they show what an import says about them."""

ASKS_S: Final = 1.5
"""Until a panel that is seen has asked for what is worked out in a thread."""

Take = Callable[[MainWindow, Path], QPixmap]


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: its name, its colours, the scenario it is of, and how it is taken."""

    name: str
    palette: Palette
    scenario: str
    take: Take


def wait(seconds: float = 0.3) -> None:
    """Let the window do what it has to."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        QApplication.processEvents()
        time.sleep(0.01)


def wait_for_answers(window: MainWindow) -> None:
    """Let the window do what it has to, until nothing is worked out in a thread for what is seen."""
    wait(ASKS_S)
    while any(one.is_busy for one in window.findChildren(Threaded)):
        wait()


def demo_with_rows(made: Path) -> Project:
    """The demo in `made`, which is the user's data folder from now on: its job rows are kept there for the window."""
    os.environ["XDG_DATA_HOME"] = str(made / "data")
    return make_demo(made / "demo", DAYS, rows_dir=data_folder() / ROWS)


def whole_window(window: MainWindow, folder: Path) -> QPixmap:
    """The window as it stands."""
    return window.grab()


def held_card(window: MainWindow, folder: Path) -> QPixmap:
    """A card held over the pool of its class: what a drop would change."""
    cards = [
        card
        for card in window.board.columns[lane_of(Pool.INFERENCE)].model.cards
        if card.name == "prompt-sweep"
    ]
    window.board.columns[lane_of(Pool.BURST)].begin_hover((cards[0].key,))
    wait(5)
    taken = window.grab()
    window.board.columns[lane_of(Pool.BURST)].end_hover()
    return taken


def why_savings(window: MainWindow, folder: Path) -> QPixmap:
    """The popover of a figure."""
    window.headline.buttons[1].click()
    wait()
    taken = window.why.grab()
    window.why.hide()
    return taken


def grab_at(panel: QWidget, height: int, width: int = 0) -> QPixmap:
    """A panel higher than its place in the window, so that all of it is there; for as long as the picture is taken."""
    panel.setMinimumSize(width, height)
    wait(1.5)
    leave_focus(panel)
    wait()
    taken = panel.grab()
    panel.setMinimumSize(0, 0)
    return taken


def utilization_panel(window: MainWindow, folder: Path) -> QPixmap:
    """The week of the cluster that is used least."""
    window.docks.raise_panel(UtilizationPanel.about.name)
    panel = window.findChild(UtilizationPanel)
    assert panel is not None
    panel.choose(CLUSTERS, "cedar")
    return grab_at(panel, 580)


def plan_panel(window: MainWindow, folder: Path) -> QPixmap:
    """Where savings come from, and what separate pools cost and avoid."""
    window.docks.raise_panel("today_to_plan")
    return grab_at(window.docks.today_to_plan, 700)


def prices_panel(window: MainWindow, folder: Path) -> QPixmap:
    """The price book with one offer's fields."""
    window.docks.raise_panel("prices")
    panel = window.docks.prices
    panel.setMinimumHeight(620)  # so that the list and an offer have room one above the other
    wait()
    panel.choose("vela-h100-12m")
    return grab_at(panel, 620)


def contracts_panel(window: MainWindow, folder: Path) -> QPixmap:
    """Contracts over time, the days by which to decide among them."""
    window.docks.raise_panel("contracts")
    return grab_at(window.docks.contracts, 460)


def compared_plans(window: MainWindow, folder: Path) -> QPixmap:
    """The two plans of the demo side by side."""
    compare = window.plans.compare
    compare.enter()
    wait()
    while compare.comparing.is_busy:
        wait(0.1)
    wait()
    leave_focus(window)
    taken = window.grab()
    compare.leave()
    return taken


def what_if(window: MainWindow, folder: Path) -> QPixmap:
    """Sliders moved over a plan, and the history that remembers it."""
    window.actions_by_id["what_if"].trigger()
    window.docks.raise_panel("history")
    strip = window.plans.what_if_bar.findChild(WhatIfStrip)
    assert strip is not None
    for name, step in (("models", 32), ("share", 80), ("delta", 12)):
        strip.cells[name].slider.setValue(step)
        window.session.gestures.end_gesture()
        while window.session.evaluation is None or window.session.evaluation.outlook is None:
            wait(0.1)
    window.docks.history.reason_given.emit("The last three quotes fell by this much")
    wait(1.0)
    while window.plans.what_if.flipping.is_busy:
        wait(0.1)
    wait()
    leave_focus(window)
    taken = window.grab()
    window.session.document.jump_to(0)
    window.actions_by_id["what_if"].trigger()
    return taken


def inference_panel(window: MainWindow, folder: Path) -> QPixmap:
    """An endpoint sized: its week, what is held for the peak, the GPUs that serve it."""
    window.docks.raise_panel("inference")
    return grab_at(window.docks.inference, 1100)


def placement_panel(window: MainWindow, folder: Path) -> QPixmap:
    """Users and today's site on the map, the best sets beside it."""
    window.docks.raise_panel("placement")
    panel = window.docks.placement
    while panel.placer.is_busy:
        wait(0.1)
    return grab_at(panel, 880, 640)


def presented_plan(window: MainWindow, folder: Path) -> QPixmap:
    """The first page of the plan, as it stands on a projector."""
    presenter = Presenter()
    presenter.resize(1440, 900)
    assert window.session.view_state is not None
    presenter.show_state(window.session.view_state, window.session.time_s())
    presenter.go_to([part.key for part in presenter.parts].index("plan"))
    presenter.show()
    wait()
    taken = presenter.grab()
    presenter.close()
    return taken


def import_dialog(window: MainWindow, folder: Path) -> QPixmap:
    """The import of the demo's files, with a few rows that are not right."""
    jobs = folder / "jobs.csv"
    with jobs.open("a", encoding="utf-8") as out:
        out.writelines(f"{row}\n" for row in BAD_ROWS)
    paths = [str(folder / name) for name in INPUTS]
    empty = Project(window=window.session.document.project.window, cube=window.session.document.project.cube)
    importer = Importer()
    dialog = ImportDialog(paths=paths, project=empty, importer=importer, rows_dir=None, parent=window)
    dialog.resize(1200, 700)  # the screen of a picture is smaller than any that is used
    dialog.show()
    while dialog.is_working:
        wait(0.1)
    wait()
    leave_focus(dialog)
    taken = dialog.grab()
    dialog.close()
    importer.close()
    return taken


SCENES: Final = (
    Scene("main-light", LIGHT, PLANS[0], whole_window),
    Scene("main-dark", DARK, PLANS[0], whole_window),
    Scene("today-light", LIGHT, TODAY, whole_window),
    Scene("drag-light", LIGHT, PLANS[1], held_card),
    Scene("why-light", LIGHT, PLANS[0], why_savings),
    Scene("utilization-light", LIGHT, PLANS[0], utilization_panel),
    Scene("contracts-light", LIGHT, PLANS[0], contracts_panel),
    Scene("prices-light", LIGHT, PLANS[0], prices_panel),
    Scene("compare-dark", DARK, PLANS[0], compared_plans),
    Scene("present-dark", DARK, PLANS[0], presented_plan),
    Scene("what-if-dark", DARK, PLANS[0], what_if),
    Scene("today-to-plan-light", LIGHT, PLANS[0], plan_panel),
    Scene("inference-light", LIGHT, PLANS[0], inference_panel),
    Scene("placement-light", LIGHT, PLANS[0], placement_panel),
    Scene("import-light", LIGHT, PLANS[0], import_dialog),
)


def save(picture: QPixmap, path: Path) -> None:
    """Without an alpha channel and packed as tightly as PNG can be."""
    image = picture.toImage().convertToFormat(QImage.Format.Format_RGB888)
    if not image.save(str(path), "PNG", 0):  # type: ignore[call-overload]
        raise OSError(f"{path} could not be written")
    print(f"{path.name}: {path.stat().st_size:,} bytes")


def leave_focus(window: QWidget) -> None:
    """No ring of the keyboard in a picture."""
    focused = window.focusWidget()
    if focused is not None:
        focused.clearFocus()


def draw_all(folder: Path) -> int:
    """Every palette in every size, then today and the welcome page; 0 where all were drawn."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        project = Path(made) / "demo.gpuplan"
        save_project(demo_with_rows(Path(made)), project)
        statuses = [
            run(
                project,
                now_s=NOW_S,
                screenshot=folder / f"main-{theme}-{width}x{height}.png",
                size=(width, height),
                theme=theme,
            )
            for theme in ALL_THEMES
            for width, height in ALL_SIZES
        ]
        today, welcome = folder / "today-light.png", folder / "welcome-light.png"
        statuses.append(run(project, now_s=NOW_S, screenshot=today, theme="light", scenario=TODAY))
        statuses.append(run(None, now_s=NOW_S, screenshot=welcome, theme="light"))
    return max(statuses)


def main(names: list[str]) -> int:
    """Draw the scenes of these names, or all."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("gpuplanner")
    application.setApplicationDisplayName("gpuplanner")
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder, errors = Path(made), list[Exception]()
        project = demo_with_rows(folder)
        for scene in SCENES:
            if names and scene.name not in names:
                continue
            settings = Settings(QSettings(str(folder / "none.ini"), QSettings.Format.IniFormat))
            apply_palette(application, scene.palette)
            window, flow, document = build(settings, NOW_S)
            window.choose_plan_view(BOARD)
            window.show_palette(scene.palette)
            window.session.evaluator.failed.connect(errors.append)
            window.resize(*SIZE)
            window.show()
            document.load(project)
            window.show_title("demo.gpuplan", True)
            window.choose_scenario(scene.scenario)
            settle(window, application, errors)
            wait_for_answers(window)
            leave_focus(window)
            inputs = folder / scene.name
            inputs.mkdir()
            write_demo(inputs, DAYS)
            save(scene.take(window, inputs), IMAGES / f"{scene.name}.png")
            flow.leave_quietly()
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    words = sys.argv[1:]
    sys.exit(draw_all(Path(words[1])) if words[:1] == ["--all"] and len(words) == 2 else main(words))
