"""The head of a page about one file: its name, its details, and how they are known."""

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import Text
from gpuplanner.ui.importing.import_state import KINDS, ChosenFile, bytes_text
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.icons import pixmap
from gpuplanner.ui.kit.layout import box, column, row, share
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.words import numbers

MIDDLE: Final = Qt.TextElideMode.ElideMiddle
"""Where names of files, columns and texts from them are cut: they differ at their ends."""


class FileHead(QWidget):
    """Told a file and its preview."""

    def __init__(self, *beside: QWidget) -> None:
        """beside: what stands at its right."""
        super().__init__()
        self._icon = PlainLabel()
        self._name = page_parts.ElidedLabel(step="title", cut=MIDDLE)
        self._details = page_parts.ElidedLabel(role="muted", step="small", cut=MIDDLE)
        self._badge_icon, self._badge_text = PlainLabel(), page_parts.label(step="small")
        known = row(self._badge_icon, self._badge_text, margins=(7, 2, 8, 2), spacing=5)
        self.badge = box("box", known, QFrame())
        words = column(self._name, self._details, spacing=1)
        row(self._icon, share(words), self.badge, *beside, on=self, spacing=12)

    def show_file(self, file: ChosenFile, preview: Any) -> None:
        """What is known of a file. preview: LogPreview or None."""
        name = next((icon for kind, _, icon in KINDS if kind == file.kind), "document")
        ratio = self.devicePixelRatioF()
        self._icon.setPixmap(pixmap("document" if name == "more" else name, in_use().muted, 24, ratio))
        self._name.setText(file.name)
        self._name.show_tip(file.path)
        self._details.setText(details_of(file, preview))
        role, icon_name, text = _badge(file, preview)
        self._badge_icon.setPixmap(pixmap(icon_name, in_use().colour(role).name(), 14, ratio))
        self._badge_text.setText(spoken(text))
        set_tip(self.badge, sentence(file.found.why) if file.found is not None else "")


def details_of(file: ChosenFile, preview: Any) -> str:
    """Slurm accounting - 38.4 MB - UTF-8."""
    path = Path(file.path)
    size = bytes_text(path.stat().st_size) if path.is_file() else ""
    if preview is not None:
        details: tuple[Text, ...] = tuple(preview.details)
        parts = (sentence(preview.title), "" if _says_size(details) else size, *map(spoken, details))
    else:
        parts = (tr(next(title for kind, title, _ in KINDS if kind == file.kind)), size)
    return numbers.MIDDOT.join(part for part in parts if part)


def _says_size(details: tuple[Text, ...]) -> bool:
    """Whether the details say the file's size already."""
    return any(text.endswith(("B", "bytes")) and text[:1].isdigit() for text in map(str, details))


def _badge(file: ChosenFile, preview: Any) -> tuple[str, str, str]:
    """Colour, icon and words of how it is known what a file is."""
    if file.found is None:
        return "muted", "clock", tr("Reading…")
    if file.is_remembered:
        return "green", "tick", tr("As last time")
    if file.choice.mapping is not None:
        words = tr("Mapped by you") if file.choice.mapping.columns else tr("Not mapped yet")
        return "muted", "info", words
    if file.choice.format is not None:
        return "muted", "info", tr("Chosen by you")
    if preview is not None and preview.doubts:
        return "amber", "triangle", tr("Not sure: check it")
    if file.is_known:
        return "green", "tick", tr("Recognized by content")
    return "amber", "triangle", tr("Not recognized")
