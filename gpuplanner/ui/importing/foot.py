"""The foot of an import: choices for all files, the next step, and why there is none."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QFrame

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.ui.kit.layout import STRETCH, column, named, row
from gpuplanner.ui.kit.page_parts import label, named_button, retell


class ImportFoot(QFrame):
    """Told what may be done on a page; its widgets are public for whoever acts on them."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("foot")
        self.can_add = False
        self.adding = _check(tr("Add to existing data"), tr("Otherwise these files replace the data"))
        self.adding.setChecked(True)
        self.private = _check(
            tr("Replace users, jobs and accounts by pseudonyms"),
            tr("Same name, same pseudonym; names are not stored"),
        )
        self.remember = _check(tr("Remember this mapping"), tr("For tables with the same headings"))
        self.remember.setChecked(True)
        self.forget = named_button(tr("Forget it"), tr("Forget this mapping"))
        self.cancel = named_button(tr("Cancel"), tr("Change nothing (Esc)"))
        self.back = named_button(tr("Back"), tr("Previous step (Ctrl+Page up)"))
        self.next = named(named_button(tr("Import")), step="strong")
        self.next.setProperty("primary", True)
        self._why = named(label(role="amber", is_wrapped=True), tr("Why the next step is unavailable"))
        self._why.setAlignment(Qt.AlignmentFlag.AlignRight)  # beside the button it is about
        of_files = (self.adding, self.private, self.remember, self.forget)
        buttons = row(self.cancel, self.back, self.next, spacing=8)
        last = row(*of_files, STRETCH, buttons, spacing=12)
        column(self._why, last, on=self, margins=(20, 10, 20, 10), spacing=6)
        self.say("", "muted")

    def show_page(self, *, can_add: bool, can_remember: bool, is_remembered: bool, has_back: bool) -> None:
        """What the open page lets choose."""
        self.adding.setVisible(can_add and self.can_add)
        self.private.setVisible(can_add)
        self.remember.setVisible(can_remember)
        self.forget.setVisible(can_remember and is_remembered)
        self.back.setVisible(has_back)

    def show_next(self, title: str, refusal: str, tip: str, role: str) -> None:
        """The way on; refusal: why it is closed, empty where it is open; role: its colour."""
        if self.next.text() != title:
            self.next.setText(spoken(title))
            self.next.setAccessibleName(spoken(title))
        self.next.setEnabled(not refusal)
        set_tip(self.next, spoken(refusal) or spoken(tip))
        self.say(refusal, role)

    def say(self, text: str, role: str) -> None:
        """A sentence above the buttons."""
        self._why.setVisible(bool(text))
        if self._why.text() != text or self._why.property("role") != role:
            retell(self._why, text, role)

    @property
    def sentence(self) -> str:
        """The sentence above the buttons."""
        return self._why.text()


def _check(name: str, tip: str) -> QCheckBox:
    return named(QCheckBox(name), name, tip)
