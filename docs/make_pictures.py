"""Draws the pictures of the guide: the window on the demo, in every palette and size, without a display.

    python docs/make_pictures.py [FOLDER]

Writes main-light-1440x900.png and so on. Looking at them is part of every change of a view.
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from gpuplanner.cli.demo import PROJECT_NAME, write_demo_folder
from gpuplanner.ui.application import run

NOW_S: Final = 1_790_812_800  # the end of the demo's window: pictures are the same on every day
SIZES: Final = ((1280, 800), (1440, 900), (1920, 1080))
THEMES: Final = ("light", "dark", "contrast")


def main() -> None:
    """Every palette in every size, then today and the welcome page."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures")
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as made:
        write_demo_folder(Path(made), NOW_S)
        project = Path(made) / PROJECT_NAME
        for theme in THEMES:
            for size in SIZES:
                picture = folder / f"main-{theme}-{size[0]}x{size[1]}.png"
                run(project, now_s=NOW_S, screenshot=picture, size=size, theme=theme)
        run(project, now_s=NOW_S, screenshot=folder / "today-light.png", theme="light", scenario="Today")
        run(None, now_s=NOW_S, screenshot=folder / "welcome-light.png", theme="light")


if __name__ == "__main__":
    main()
