"""Reading the requests of an endpoint from a file in a thread, and putting them into the project."""

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from gpuplanner.app.background import Threaded
from gpuplanner.domain.edits import import_inputs, set_traffic
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.project import Project

if TYPE_CHECKING:
    from gpuplanner.domain.model.log.traffic import Traffic


def project_with_traffic(project: Project, key: str, traffic: "Traffic", intake: FileIntake) -> Project:
    """The project with the tokens of an endpoint, and the file among its intake. Errors: PlannerError.

    key: of a workload, empty for none of the log. Errors: of an unknown workload.
    """
    return import_inputs(set_traffic(project, key, traffic), intake=(intake,), adding=True)


class TrafficReader(Threaded):
    """One file at a time; the newest is wanted."""

    found = Signal(str, object, object)  # workload key, Traffic, FileIntake

    def start(self, key: str, path: Path) -> None:
        """Read a file for an endpoint; `found` tells.

        The project is not touched: whoever is told puts the tokens into it.
        """

        def work() -> "tuple[Traffic, FileIntake]":
            from gpuplanner.files.traffic.traffic_tables import read_traffic

            return read_traffic(str(path))

        self._background.run(work, lambda answer: self.found.emit(key, *answer))
