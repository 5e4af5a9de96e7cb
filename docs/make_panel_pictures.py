"""Draws every panel, the audit and the board in all three palettes into docs/images/panels, to be looked at.

    python docs/make_panel_pictures.py [NAME...]        all of them, or the panels named; needs no display

docs/window/looks.md shows them. They have few colours, so that the repository stays small.
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import Final

sys.path.insert(0, str(Path(__file__).resolve().parent))

import numpy as np
from make_pictures import (  # first: for the platform
    IMAGES,
    NOW_S,
    SIZE,
    demo_with_rows,
    grab_at,
    leave_focus,
    wait,
    wait_for_answers,
)
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtWidgets import QApplication  # noqa: TID253 - it draws the window

from gpuplanner.app.settings import Settings
from gpuplanner.domain.edits.training_runs import state_run
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.trained import StatedRun
from gpuplanner.files.demo.demo_project import PLANS
from gpuplanner.files.system.resources import training_facts
from gpuplanner.ui.frame.panel_docks import PANELS
from gpuplanner.ui.kit.palettes import DARK, HIGH_CONTRAST, LIGHT, Palette
from gpuplanner.ui.kit.style_sheet import apply_palette
from gpuplanner.ui.window.application import build, settle
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.window.view_switch import BOARD, DECISIONS

FOLDER: Final = IMAGES / "panels"
PAGE: Final = IMAGES.parent / "window" / "looks.md"
THEMES: Final = {"light": LIGHT, "dark": DARK, "contrast": HIGH_CONTRAST}
WHOLE: Final = {
    "board": "The window: board and panels",
    DECISIONS: "The window: decisions",
    "today": "Today: the audit",
}
HEIGHT: Final = 720
BYTES_AT_MOST: Final = 120_000
ROLES: Final = ("text", "muted", "accent", "red", "amber", "green")
"""Colours of few pixels that are not to be lost."""


def few_colours(image: QImage, palette: Palette) -> QImage:
    """An image of the palette's own colours and its most frequent ones, 256 in all; others become the nearest."""
    plain = image.convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(plain.constBits(), np.uint32)
    colours, counts = np.unique(pixels, return_counts=True)
    own = [QColor(getattr(palette, role)).rgb() for role in ROLES]
    table = [*own, *(int(colour) for colour in colours[np.argsort(-counts)[: 256 - len(own)]])]
    return plain.convertToFormat(
        QImage.Format.Format_Indexed8,
        table,
        Qt.ImageConversionFlag.AvoidDither | Qt.ImageConversionFlag.ThresholdDither,
    )


def save(picture: QPixmap, name: str, palette: Palette) -> None:
    """Small enough to be kept. Errors: OSError where it is not, or cannot be written."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{name}.png"
    if not few_colours(picture.toImage(), palette).save(str(path), "PNG", 0):  # type: ignore[call-overload]
        raise OSError(f"{path} could not be written")
    if path.stat().st_size > BYTES_AT_MOST:
        raise OSError(f"{path} has over {BYTES_AT_MOST:,} bytes")


def draw_panel(window: MainWindow, name: str) -> QPixmap:
    """One panel as high as its figures need, for as long as the picture is taken; the page Decisions in the window."""
    if name == DECISIONS:
        window.show_decisions()
        wait_for_answers(window)
        picture = window.grab()
        window.choose_plan_view(BOARD)
        return picture
    window.docks.raise_panel(name)
    wait_for_answers(window)
    return grab_at(getattr(window.docks, name), HEIGHT)


def page() -> str:
    """The page with the current pictures: a heading for each panel, then its three palettes."""
    parts = []
    titles = {kind.about.name: str(kind.about.title) for kind in PANELS}
    for name, title in {**WHOLE, **titles}.items():
        parts.append(f"### {title.replace('&&', '&')}\n")
        shown = title.replace("&&", "and")
        parts.append(
            " ".join(f"![{shown}, {theme}](../images/panels/{name}-{theme}.png)" for theme in THEMES) + "\n"
        )
    text, shown = PAGE.read_text(encoding="utf-8"), "\n".join(parts)
    return re.sub(r"(?s)(?<=<!-- panels -->\n\n).*(?=\n<!-- /panels -->)", lambda _: shown, text)


def main(names: list[str]) -> int:
    """Draw the panels of these names, or all, and write the page."""
    application = QApplication(sys.argv[:1])
    application.setApplicationName("gpuplanner")
    errors: list[Exception] = []
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        project = demo_with_rows(folder)
        settings = Settings(QSettings(str(folder / "none.ini"), QSettings.Format.IniFormat))
        apply_palette(application, LIGHT)
        window, flow, document = build(settings, NOW_S)
        window.session.evaluator.failed.connect(errors.append)
        window.resize(*SIZE)
        window.choose_plan_view(BOARD)
        window.show()
        run = StatedRun(model=training_facts().models["Llama-3-70B"], tokens=1e11, deadline_h=720.0)
        document.load(state_run(project, 0, run))
        window.show_title("demo.gpuplan", True)
        for theme, palette in (
            *THEMES.items(),
            ("light", LIGHT),
        ):  # again: no chart is black that was seen before
            window.choose_scenario(PLANS[0])
            for first in ("history", "contracts", "inference", "duration"):  # in front as at the start
                window.docks.raise_panel(first)
            window.show_palette(palette)  # now: it styles at once what is in front
            settle(window, application, errors)
            wait_for_answers(window)
            for name in names or ["board", DECISIONS, *(kind.about.name for kind in PANELS)]:
                save(
                    window.grab() if name == "board" else draw_panel(window, name), f"{name}-{theme}", palette
                )
            window.resize(SIZE[0] + 1, SIZE[1])  # docks lay their panels out again
            wait()
            window.resize(*SIZE)
            if not names:
                window.choose_scenario(TODAY)
                settle(window, application, errors)
                wait_for_answers(window)
                leave_focus(window)
                save(window.grab(), f"today-{theme}", palette)
        flow.leave_quietly()
    PAGE.write_text(page(), encoding="utf-8")
    for error in errors:
        print(error, file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
