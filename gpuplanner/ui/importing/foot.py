"""The foot of an import: what holds for all files, the way on, and beside it the sentence why there is none."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QVBoxLayout

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.labels import named_button
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr


class ImportFoot(QFrame):
    """Told what may be done on a page; its widgets are public for whoever acts on them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.can_add = False
        self.adding = _check(
            tr("Add to what is loaded"),
            tr("Keep what is loaded and add these files; without it they take its place"),
        )
        self.adding.setChecked(True)
        self.private = _check(
            tr("Replace users, job names and accounts by pseudonyms"),
            tr("The same name always gets the same pseudonym; the names themselves are stored nowhere"),
        )
        self.remember = _check(
            tr("Remember this mapping for files like this"),
            tr("A table with the same headings is read like this one"),
        )
        self.remember.setChecked(True)
        self.forget = named_button(tr("Forget it"), tr("Let tables with these headings be new again"))
        self.cancel = named_button(tr("Cancel"), tr("Take nothing in; what is loaded stays as it is (Esc)"))
        self.back = named_button(tr("Back"), tr("The step before (Ctrl+Page up)"))
        self.next = named_button(tr("Import"), "")
        self.next.setProperty("primary", True)
        self.next.setFont(font("strong"))
        self._why = PlainLabel()
        self._why.setWordWrap(True)
        self._why.setAlignment(Qt.AlignmentFlag.AlignRight)  # beside the button it is about
        self._why.setProperty("role", "amber")
        self._why.setAccessibleName(tr("Why the next step cannot be taken"))
        row = QHBoxLayout()
        row.setSpacing(12)
        for widget in (self.adding, self.private, self.remember, self.forget):
            row.addWidget(widget)
        row.addStretch(1)
        row.setContentsMargins(0, 0, 0, 0)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.cancel, self.back, self.next):
            buttons.addWidget(button)
        row.addLayout(buttons)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 10, 20, 10)
        layout.setSpacing(6)
        layout.addWidget(self._why)
        layout.addLayout(row)
        self.say("", "muted")

    def show_page(self, *, can_add: bool, can_remember: bool, is_remembered: bool, has_back: bool) -> None:
        """What the open page lets choose."""
        self.adding.setVisible(can_add and self.can_add)
        self.private.setVisible(can_add)
        self.remember.setVisible(can_remember)
        self.forget.setVisible(can_remember and is_remembered)
        self.back.setVisible(has_back)

    def show_next(self, title: str, refusal: str, tip: str) -> None:
        """The way on; refusal: why it is closed, empty where it is open."""
        if self.next.text() != title:
            self.next.setText(spoken(title))
            self.next.setAccessibleName(spoken(title))
        self.next.setEnabled(not refusal)
        set_tip(self.next, spoken(refusal) or spoken(tip))
        self.say(refusal, "muted" if refusal.startswith("The files are being") else "amber")

    def say(self, text: str, role: str) -> None:
        """A sentence above the buttons."""
        self._why.setVisible(bool(text))
        if self._why.text() == text and self._why.property("role") == role:
            return
        self._why.setText(spoken(text))
        self._why.setProperty("role", role)
        self._why.style().unpolish(self._why)
        self._why.style().polish(self._why)

    @property
    def sentence(self) -> str:
        """The sentence above the buttons."""
        return self._why.text()


def _check(name: str, tip: str) -> QCheckBox:
    box = QCheckBox(spoken(name))
    box.setAccessibleName(spoken(name))
    set_tip(box, spoken(tip))
    return box
