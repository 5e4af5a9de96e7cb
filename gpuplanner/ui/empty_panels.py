"""What stands in a panel while the project lacks what it shows: what is missing, and a button for what to do."""

from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gpuplanner.domain.model.project import Project
from gpuplanner.ui.audit.card import EmptyState
from gpuplanner.ui.main_window import MainWindow


@dataclass(frozen=True, slots=True)
class Lack:
    """One row. lacks: the field of the project that is empty; sentence: what the panel shows once it is there."""

    panel: str
    lacks: str
    sentence: str


TITLES: Final = {
    "workloads": ("No jobs yet", "Import a job log"),
    "offers": ("No prices yet", "Import prices"),
}

LACKS: Final = (
    Lack("demand", "workloads", "A job log shows how many GPUs are in use, and when."),
    Lack("utilization", "workloads", "A job log shows how much of what is paid for is used, hour by hour."),
    Lack("cost", "workloads", "A job log shows what training runs, models and endpoints cost."),
    Lack("hardware_fit", "workloads", "A job log shows what its workloads need of GPUs and networks."),
    Lack("backtest", "workloads", "A job log is what the advice is tested on."),
    Lack("backtest", "offers", "With prices the advice can be tested on the past."),
)


class EmptyPanels(QObject):
    """Belongs to one main window; covers a panel, and takes its controls out of reach, while something lacks."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._covers: dict[Lack, QWidget] = {}
        window.document.changed.connect(self.show_project)

    def show_project(self, project: Project) -> None:
        """Cover what lacks something, and uncover what does not."""
        panels = {lack.panel: getattr(self._window.docks, lack.panel) for lack in LACKS}
        for name, panel in panels.items():
            rows = [lack for lack in LACKS if lack.panel == name]
            found = next((lack for lack in rows if not getattr(project, lack.lacks)), None)
            for lack in rows:
                if lack is found and lack not in self._covers:
                    self._covers[lack] = self._cover(lack, panel)
                if lack in self._covers:
                    self._covers[lack].setVisible(lack is found)
            for child in panel.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
                is_cover = child in self._covers.values()
                if not is_cover and any(lack in self._covers for lack in rows):
                    child.setEnabled(found is None)
                elif is_cover and not child.isHidden():
                    child.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(watched, QWidget):
            for lack, cover in self._covers.items():
                if getattr(self._window.docks, lack.panel) is watched:
                    cover.setGeometry(watched.rect())
        return super().eventFilter(watched, event)

    def _cover(self, lack: Lack, panel: QWidget) -> QWidget:
        by_id = self._window.actions_by_id
        title, button = TITLES[lack.lacks]
        cover = QWidget(panel)
        cover.setObjectName("panel")
        cover.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        cover.setAccessibleName(f"{title}. {lack.sentence}")
        state = EmptyState(title, lack.sentence, button, by_id["import"].trigger)
        state.button.setToolTip(f"{button} (Ctrl+I)")
        layout = QVBoxLayout(cover)
        layout.setContentsMargins(14, 4, 12, 10)
        layout.addWidget(state)
        if lack.lacks == "workloads":
            demo = QPushButton("Open the demo")
            demo.setProperty("link", True)
            demo.setAccessibleName("Open the demo")
            demo.setToolTip("Three clusters, 90 days of jobs and a plan (Ctrl+Shift+D)")
            demo.clicked.connect(by_id["demo"].trigger)
            layout.addWidget(demo, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch(1)
        cover.setGeometry(panel.rect())
        panel.installEventFilter(self)
        return cover
