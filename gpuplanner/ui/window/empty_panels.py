"""What stands in a panel while the project lacks what it shows: what is missing, and a button for what to do."""

from collections.abc import Mapping, Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.panel import Need, Panel
from gpuplanner.ui.session.session import Session
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.translation import spoken, tr

TITLES: Final = {
    "workloads": (worded("No jobs yet"), worded("Import a job log")),
    "offers": (worded("No prices yet"), worded("Import prices")),
}


class EmptyPanels(QObject):
    """Covers a panel, and takes its controls out of reach, while something lacks.

    by_id: the actions of the menus.
    """

    def __init__(self, session: Session, panels: Sequence[Panel], by_id: Mapping[str, QAction]) -> None:
        super().__init__(session.window)
        self._panels, self._by_id = panels, by_id
        self._covers: dict[tuple[Panel, Need], QWidget] = {}
        session.document.changed.connect(self.show_project)

    def show_project(self, project: Project) -> None:
        """Cover what lacks something, and uncover what does not."""
        for panel in self._panels:
            needs = panel.about.needs
            found = next((need for need in needs if not getattr(project, need.field)), None)
            if found is not None and (panel, found) not in self._covers:
                self._covers[panel, found] = self._cover(found, panel)
            for need in needs:
                if (panel, need) in self._covers:
                    self._covers[panel, need].setVisible(need is found)
            self._turn_controls(panel, is_covered=found is not None)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A cover is as large as its panel, and above what the panel makes later."""
        if isinstance(watched, QWidget) and event.type() in (QEvent.Type.Resize, QEvent.Type.ChildPolished):
            for cover in self._covers_on(watched):
                cover.setGeometry(watched.rect())
                if not cover.isHidden():
                    self._turn_controls(watched, is_covered=True)
        return super().eventFilter(watched, event)

    def _covers_on(self, panel: QWidget) -> list[QWidget]:
        """The covers that lie on a panel."""
        return [cover for cover in self._covers.values() if cover.parentWidget() is panel]

    def _turn_controls(self, panel: QWidget, *, is_covered: bool) -> None:
        """What a cover lies on cannot be reached by Tab either."""
        covers = self._covers_on(panel)
        if not covers:
            return
        for child in panel.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if child not in covers and child.isEnabled() is is_covered:
                child.setEnabled(not is_covered)
        for cover in covers:
            cover.raise_()

    def _cover(self, need: Need, panel: QWidget) -> QWidget:
        """A cover that says what lacks, with the button to bring it."""
        by_id = self._by_id
        title, button = TITLES[need.field]
        cover = QWidget(panel)
        cover.setObjectName("panel")
        cover.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        cover.setAccessibleName(tr("{title}. {sentence}", title=title, sentence=need.sentence))
        head, sentence = PlainLabel(spoken(title)), muted_label(spoken(need.sentence), is_wrapped=False)
        head.setFont(font("strong"))
        sentence.setWordWrap(True)
        bring = QPushButton(spoken(button))
        bring.setAccessibleName(spoken(button))
        set_tip(bring, with_keys(spoken(button), "import"))
        bring.clicked.connect(by_id["import"].trigger)
        row = QHBoxLayout()
        row.setSpacing(12)
        row.addWidget(bring)
        if need.field == "workloads":
            tip = with_keys(tr("Three clusters, six months of jobs and a plan"), "demo")
            row.addWidget(_link(tr("Open the demo"), tip, by_id["demo"]))
        else:
            tip = with_keys(tr("Rates with a public source that come with gpuplanner"), "public_prices")
            row.addWidget(_link(tr("Use public prices"), tip, by_id["public_prices"]))
        row.addStretch(1)
        layout = QVBoxLayout(cover)
        layout.setContentsMargins(14, 16, 12, 10)
        layout.setSpacing(4)
        layout.addWidget(head)
        layout.addWidget(sentence)
        layout.addSpacing(4)
        layout.addLayout(row)
        layout.addStretch(1)
        cover.setGeometry(panel.rect())
        panel.installEventFilter(self)
        return cover


def _link(words: str, tip: str, action: QAction) -> QPushButton:
    """What else gets one going, beside the button."""
    made = QPushButton(spoken(words))
    made.setProperty("link", True)
    made.setAccessibleName(spoken(words))
    set_tip(made, spoken(tip))
    made.clicked.connect(action.trigger)
    return made
