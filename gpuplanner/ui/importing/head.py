"""The head of a page about one file: its name, what it is in a line, and how that is known."""

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.importing.import_state import KINDS, ChosenFile, bytes_text
from gpuplanner.ui.kit.icons import pixmap
from gpuplanner.ui.kit.labels import ElidedLabel
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

MIDDLE: Final = Qt.TextElideMode.ElideMiddle
"""Where names of files, columns and texts from them are cut: they differ at their ends."""


class FileHead(QWidget):
    """Told a file and its preview."""

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._palette = palette
        self._icon = PlainLabel()
        self._name = ElidedLabel(step="title", cut=MIDDLE)
        self._details = ElidedLabel(role="muted", step="small", cut=MIDDLE)
        self._badge_icon, self._badge_text = PlainLabel(), PlainLabel()
        self._badge_text.setFont(font("small"))
        self.badge = QFrame()
        self.badge.setObjectName("box")
        inside = QHBoxLayout(self.badge)
        inside.setContentsMargins(7, 2, 8, 2)
        inside.setSpacing(5)
        inside.addWidget(self._badge_icon)
        inside.addWidget(self._badge_text)
        words = QVBoxLayout()
        words.setSpacing(1)
        words.addWidget(self._name)
        words.addWidget(self._details)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(12)
        self._row.addWidget(self._icon)
        self._row.addLayout(words, 1)
        self._row.addWidget(self.badge)

    def add_widget(self, widget: QWidget) -> None:
        """Put a button at the right."""
        self._row.addWidget(widget)

    def show_file(self, file: ChosenFile, preview: Any) -> None:
        """What is known of a file. preview: LogPreview or None."""
        name = next((icon for kind, _, icon in KINDS if kind == file.kind), "document")
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(pixmap("document" if name == "more" else name, self._palette.muted, 24, ratio))
        self._name.setText(file.name)
        self._name.show_tip(file.path)
        self._details.setText(details_of(file, preview))
        role, icon_name, text = _badge(file, preview)
        self._badge_icon.setPixmap(pixmap(icon_name, self._palette.colour(role).name(), 14, ratio))
        self._badge_text.setText(spoken(text))
        set_tip(self.badge, sentence(file.found.why) if file.found is not None else "")


def details_of(file: ChosenFile, preview: Any) -> str:
    """Slurm accounting - 38.4 MB - UTF-8."""
    path = Path(file.path)
    size = bytes_text(path.stat().st_size) if path.is_file() else ""
    if preview is not None:
        details: tuple[Text, ...] = tuple(preview.details)
        parts = (
            sentence(preview.title),
            *((size,) if size and not _says_size(details) else ()),
            *map(spoken, details),
        )
    else:
        parts = (tr(next(title for kind, title, _ in KINDS if kind == file.kind)), size)
    return numbers.MIDDOT.join(part for part in parts if part)


def _says_size(details: tuple[Text, ...]) -> bool:
    """Whether the details say the file's size already."""
    return any(text.endswith(("B", "bytes")) and text[:1].isdigit() for text in map(str, details))


def _badge(file: ChosenFile, preview: Any) -> tuple[str, str, str]:
    """Colour, icon and words of how it is known what a file is."""
    if file.found is None:
        return "muted", "clock", tr("Looking at it")
    if file.is_remembered:
        return "green", "tick", tr("As last time")
    if file.choice.mapping is not None:
        return (
            "muted",
            "info",
            tr("Mapped by you") if file.choice.mapping.columns else tr("Not mapped yet"),
        )
    if file.choice.format is not None:
        return "muted", "info", tr("Chosen by you")
    if preview is not None and preview.doubts:
        return "amber", "triangle", tr("Not sure: look at it")
    if file.is_known:
        return "green", "tick", tr("Recognised by content")
    return "amber", "triangle", tr("Not recognised")
