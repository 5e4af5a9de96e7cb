"""Help, Words: every word for what is paid and does nothing, with what it means."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFormLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.dialogs import foot
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.glossary import WORDS
from gpuplanner.ui.words.translation import tr


class GlossaryDialog(QDialog):
    """Help, Words: all of them."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Words"))
        self.setAccessibleName(tr("Words"))
        self.setMinimumWidth(560)
        title = PlainLabel(tr("Words for what is paid and does nothing"))
        title.setFont(font("title"))
        lines = QFormLayout()
        lines.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        lines.setHorizontalSpacing(16)
        lines.setVerticalSpacing(8)
        for word, sentence in WORDS.items():
            name, told = PlainLabel(tr(word)), PlainLabel(tr(sentence))
            name.setFont(font("strong"))
            told.setWordWrap(True)
            lines.addRow(name, told)
        close = QPushButton(tr("Close"))
        close.setAccessibleName(tr("Close"))
        set_tip(close, tr("Close (Esc)"))
        close.clicked.connect(self.accept)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 18, 20, 16)
        layout.setSpacing(12)
        layout.addWidget(title)
        layout.addLayout(lines)
        layout.addStretch()
        layout.addLayout(foot(close))
