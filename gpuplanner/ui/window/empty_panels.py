"""Contents of a panel while the project has no data for it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.project import Project
from gpuplanner.ui.kit.layout import STRETCH, box, column, named, row
from gpuplanner.ui.kit.page_parts import label, muted_label, named_button
from gpuplanner.ui.words.commands import with_keys

if TYPE_CHECKING:
    from gpuplanner.ui.flows.session import Session
    from gpuplanner.ui.panels.panel import Need, Panel


TITLES: Final = {
    "workloads": (worded("No jobs yet"), worded("Import a job log")),
    "offers": (worded("No prices yet"), worded("Import prices")),
}
OTHERS: Final = {
    "workloads": ("demo", worded("Open the demo"), worded("Three clusters, six months of jobs and a plan")),
    "offers": (
        "public_prices",
        worded("Use public prices"),
        worded("Public rates shipped with gpuplanner, not quotes"),
    ),
}
"""What else gets one going, beside the button: a command, its words and its tip."""


class EmptyPanels(QObject):
    """Covers a panel, and takes its controls out of reach, while something lacks.

    by_id: the actions of the menus.
    """

    def __init__(self, session: "Session", panels: "Sequence[Panel]", by_id: Mapping[str, QAction]) -> None:
        super().__init__(session.window)
        self._panels, self._by_id = panels, by_id
        self._covers: dict[tuple[Panel, Need], QWidget] = {}
        self._lacking: list[Need | None] = []
        session.document.changed.connect(self.show_project)

    def show_project(self, project: Project) -> None:
        """Cover what lacks something, and uncover what does not."""
        lacking = [
            next((need for need in panel.about.needs if not getattr(project, need.field)), None)
            for panel in self._panels
        ]
        if lacking == self._lacking:
            return
        self._lacking = lacking
        for panel, missing in zip(self._panels, lacking, strict=True):
            if missing is not None and (panel, missing) not in self._covers:
                self._covers[panel, missing] = self._cover(missing, panel)
            for need in panel.about.needs:
                if (panel, need) in self._covers:
                    self._covers[panel, need].setVisible(need is missing)
            self._turn_controls(panel, is_covered=missing is not None)

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
        if not (covers := self._covers_on(panel)):
            return
        for child in panel.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            if child not in covers and child.isEnabled() is is_covered:
                child.setEnabled(not is_covered)
        for cover in covers:
            cover.raise_()

    def _cover(self, need: "Need", panel: QWidget) -> QWidget:
        """A cover that says what lacks, with the button to bring it."""
        title, button = TITLES[need.field]
        cover = named(QWidget(panel), tr("{first}. {second}", first=title, second=need.sentence))
        cover.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        bring = named_button(button, with_keys(spoken(button), "import"), self._by_id["import"].trigger)
        other, words, tip = OTHERS[need.field]
        link = named_button(words, with_keys(spoken(tip), other), self._by_id[other].trigger, is_link=True)
        head, foot = label(title, step="strong"), row(bring, link, STRETCH, spacing=12)
        parts = (head, muted_label(need.sentence), 4, foot, STRETCH)
        lines = column(*parts, margins=(14, 16, 12, 10), spacing=4)
        box("panel", lines, cover).setGeometry(panel.rect())
        panel.installEventFilter(self)
        return cover
