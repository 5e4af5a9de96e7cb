"""Jobs of workloads in a thread: one page of rows after the other."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from gpuplanner.app.background import Threaded
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.window import Window

if TYPE_CHECKING:
    from gpuplanner.domain.arrays import Bools
    from gpuplanner.files.job_logs.reduce.job_rows import JobsPage


PAGE_ROWS = 200
ReadPage = Callable[[Path, tuple[str, ...], Window, str, int], "JobsPage"]


def read_page(
    path: Path,
    keys: tuple[str, ...],
    window: Window,
    order: str,
    offset: int,
    hours: "Bools | None" = None,
    same: tuple[Same, ...] = (),
) -> "JobsPage":
    """The next jobs of these workloads from the kept rows; hours: only these count; same: of the project.

    Errors: PlannerError where the rows are gone.
    """
    from gpuplanner.files.job_logs.reduce.job_rows import jobs_of_workloads

    return jobs_of_workloads(
        path, keys, window=window, order=order, limit=PAGE_ROWS, offset=offset, hours=hours, same=same
    )


def reader_in(hours: "Bools | None", same: tuple[Same, ...]) -> ReadPage:
    """Reads jobs of a project's workloads, of which only some hours of the window count where they are given.

    hours: of the window, (hours,), True where they count; None: all. same: what the project says is one.
    """
    return partial(read_page, hours=hours, same=same)


def kept_rows(folder: Path, sha256: str) -> Path:
    """Where the job rows of a project are kept.

    sha256: of the Parquet file, as the facts of the jobs have it. The file need not be there.
    """
    from gpuplanner.files.job_logs.reduce.job_rows import rows_path

    return rows_path(folder, sha256)


class JobDrill(Threaded):
    """The jobs of one workload, or of several together; the newest question is answered."""

    found = Signal(str, int, object)  # order, offset, JobsPage

    def __init__(self, path: Path, keys: tuple[str, ...], window: Window, read: ReadPage = read_page) -> None:
        """path: of the kept rows; keys: of workloads; read: another reader in tests."""
        super().__init__()
        self._path, self._keys, self._window, self._read = path, keys, window, read

    def ask(self, order: str, offset: int) -> None:
        """Ask for the jobs from a place on, in an order.

        order: a column of the page; offset: rows before the first. Only the newest question is answered.
        """
        path, keys, window, read = self._path, self._keys, self._window, self._read
        self._background.run(
            lambda: read(path, keys, window, order, offset), lambda page: self.found.emit(order, offset, page)
        )
