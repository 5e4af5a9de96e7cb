"""The importer: reads the files of a request in a thread, with progress and a cancel that answers at once."""

from functools import partial

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Threaded
from gpuplanner.app.importing.import_request import ImportRequest, ReadRequest, read_request
from gpuplanner.app.importing.kept_readings import KeptReadings


class Importer(Threaded):
    """Reads one request at a time; ends in exactly one of imported, failed, cancelled."""

    imported = Signal(object, object)  # ImportRequest, ReadResult
    cancelled = Signal()

    def __init__(self, read: ReadRequest | None = None, parent: QObject | None = None) -> None:
        """read: another reader in tests."""
        super().__init__(parent)
        self._kept = KeptReadings()
        self._read: ReadRequest = read or partial(read_request, kept=self._kept)

    def start(self, request: ImportRequest) -> None:
        """Read a request; one under way is cancelled first."""
        self.cancel()
        read = self._read
        self._background.start(
            lambda on_progress, is_cancelled: read(request, on_progress, is_cancelled),
            lambda result: self.imported.emit(request, result),
        )

    def forget(self) -> None:
        """Keep nothing of what was read: the import is over."""
        self._kept.forget()

    def cancel(self) -> None:
        """Stop: the answer, if any still comes, is dropped.

        Nothing is emitted where nothing is being read.
        """
        if self.is_busy:
            self._background.cancel()
            self.cancelled.emit()
