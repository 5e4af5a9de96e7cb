"""Traffic of an endpoint: its requests read from a file in a thread."""

from pathlib import Path

from PySide6.QtCore import Signal

from gpuplanner.app import background
from gpuplanner.domain.edits.endpoints import set_traffic
from gpuplanner.domain.edits.inputs import import_inputs
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import Traffic
from gpuplanner.domain.model.project import Project


def project_with_traffic(project: Project, key: str, traffic: "Traffic", intake: FileIntake) -> Project:
    """The project with the tokens of an endpoint, and the file among its intake. Errors: PlannerError.

    key: of a workload, empty for none of the log. Errors: of an unknown workload.
    """
    return import_inputs(set_traffic(project, key, traffic), intake=(intake,), adding=True)


class TrafficReader(background.Threaded):
    """One file at a time; the newest is wanted."""

    found = Signal(str, object, object)  # workload key, Traffic, FileIntake

    def start(self, key: str, path: Path) -> None:
        """Read a file for an endpoint; `found` tells.

        The project is not touched: whoever is told puts the tokens into it.
        """

        def work() -> "tuple[Traffic, FileIntake]":
            from gpuplanner.files.lists.traffic_tables import read_traffic

            return read_traffic(str(path))

        self._background.run(work, lambda answer: self.found.emit(key, *answer))
