"""Reading of an import's files in the background, with its progress."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from gpuplanner.app.importing.import_request import ImportRequest
from gpuplanner.app.importing.importer import Importer
from gpuplanner.charts.kit.translation import sentence, tr
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.ui.importing import import_state
from gpuplanner.ui.importing.previews import error_words
from gpuplanner.ui.words import numbers

LARGE_BYTES: Final = 20_000_000
READ_AFTER_MS: Final = 250
"""After the last change: so many are made in a row that reading after each would only be cancelled again."""


class ImportReading(QObject):
    """request: what is to be read now; obstacle: why nothing can be read now, empty where something can."""

    began = Signal()
    changed = Signal()  # what is known of what was read
    progressed = Signal(float, object)  # share, how far it is in words
    answered = Signal(object, object)  # ImportRequest, ReadResult

    def __init__(
        self,
        importer: Importer,
        request: Callable[[], ImportRequest],
        obstacle: Callable[[], str],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._importer, self._request, self._obstacle = importer, request, obstacle
        self.intake: dict[str, FileIntake] = {}
        """How the rows of each file ended, by path; of one that is to be read otherwise, nothing is known."""
        self.answer: tuple[ImportRequest, Any] | None = None
        self.error = ""
        self.left = ""
        """About how long it still takes, in words."""
        self._waits_for_previews = False
        self._is_kept = False  # something was in the way, which a preview that is still to come may take away
        self._clock = QElapsedTimer()
        self._soon = QTimer(self, singleShot=True, interval=READ_AFTER_MS)
        self._soon.timeout.connect(self.begin)
        importer.progressed.connect(self._take_progress)
        importer.imported.connect(self._take_answer)
        importer.failed.connect(self.fail)

    @property
    def read(self) -> Any:
        """What was read, a ReadResult; None before the answer is there."""
        if self.answer is None:
            return None
        _, read = self.answer
        return read

    @property
    def is_under_way(self) -> bool:
        """Whether files are being read now."""
        return self._importer.is_busy

    @property
    def is_busy(self) -> bool:
        """Whether files are being read, or are about to be."""
        return self._importer.is_busy or self._soon.isActive()

    @property
    def is_to_come(self) -> bool:
        """Whether whole files are still to be read, be it after the first rows of each."""
        return self.is_busy or self._waits_for_previews

    def begin_after_previews(self, *, is_previewing: bool) -> None:
        """Read; where that is much, the first rows first: beside a whole log they would take long."""
        if self._size() < LARGE_BYTES or not is_previewing:
            self.begin()
        else:
            self._waits_for_previews = True
            self.changed.emit()

    def go_on_after_previews(self) -> None:
        """All previews are there: read what waited for them, or was kept by what the one before said."""
        if self._waits_for_previews or self._is_kept:
            self._waits_for_previews = False
            self.begin()

    def begin_soon(self) -> None:
        """What was read holds no longer; read again once nothing more is changed."""
        self._drop()
        self._soon.start()
        self.changed.emit()

    def begin(self) -> None:
        """Read now, if anything can be read."""
        self._drop()
        self._is_kept = bool(self._obstacle())
        if not self._is_kept:
            self.began.emit()
            self._clock.start()
            self._importer.start(self._request())
        self.changed.emit()

    def forget(self, path: str) -> None:
        """A file is to be read in another way."""
        self.intake.pop(path, None)

    def fail(self, error: Exception) -> None:
        """Nothing could be read."""
        self.error = error_words(error)
        self.changed.emit()

    def close(self, *, is_cancelled: bool) -> None:
        """Want no answer any more."""
        self._importer.progressed.disconnect(self._take_progress)
        self._importer.imported.disconnect(self._take_answer)
        self._importer.failed.disconnect(self.fail)
        self._soon.stop()
        if is_cancelled:
            self._importer.cancel()
        self._importer.forget()

    def _drop(self) -> None:
        """Stops reading and forgets the answer: it is of what was asked before."""
        self._importer.cancel()
        self.answer, self.error, self.left = None, "", ""

    def _size(self) -> int:
        """The bytes of all files to be read."""
        return sum(Path(path).stat().st_size for path in self._request().paths if Path(path).is_file())

    def _take_progress(self, fraction: float, said: Text) -> None:
        """Tells how far reading is: what is done, how many bytes of all, the time left."""
        size = self._size()
        has_time_left = "left" in str(said).split()  # the reader may have said it, in English
        text = tr("Putting the jobs together") if fraction >= 1 else sentence(said)
        for path in self._request().paths:
            text = text.replace(path, Path(path).name)
        self.left = import_state.time_left(self._clock.elapsed() / 1000, fraction)
        read, every = import_state.bytes_text(round(fraction * size)), import_state.bytes_text(size)
        done = tr("{shown} of {total}", shown=read, total=every) if size > 5e6 else ""
        left = "" if has_time_left else self.left
        self.progressed.emit(fraction, numbers.MIDDOT.join(part for part in (text, done, left) if part))

    def _take_answer(self, request: ImportRequest, read: Any) -> None:
        """Takes what was read, with each file's counts by path."""
        self.answer = (request, read)
        self.intake = {file.path: file for file in read.intake}
        self.answered.emit(request, read)
