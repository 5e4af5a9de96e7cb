"""Previews of an import: the newest of each file, requested one after the other."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.importing.file_previews import Previewer
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.ui.words.window_words import placed_refusal

Wanted = tuple[str, LogChoice]
"""As which kind a file is previewed, and how it is read."""


class FilePreviews(QObject):
    """wanted: how a file is to be previewed now; None where it has no preview."""

    previewed = Signal(str, object)  # path, LogPreview of how it is wanted
    failed = Signal(str)  # path

    def __init__(self, previewer: Previewer, wanted: Callable[[str], Wanted | None], parent: QObject) -> None:
        super().__init__(parent)
        self._previewer, self._wanted = previewer, wanted
        self._known: dict[str, tuple[Wanted, Any]] = {}
        self._faults: dict[str, str] = {}
        self._queue: list[str] = []
        previewer.previewed.connect(self._take)
        previewer.failed.connect(self._take_fault)

    @property
    def is_busy(self) -> bool:
        """Whether a preview is still to come."""
        return self._previewer.is_busy or bool(self._queue)

    @property
    def known(self) -> dict[str, Any]:
        """The newest preview of each file that has one, by path."""
        return {path: preview for path, (_, preview) in self._known.items()}

    def of(self, path: str) -> Any:
        """The newest preview of a file, or None."""
        _, preview = self._known.get(path, (None, None))
        return preview

    def fault(self, path: str) -> str:
        """Why a file has no preview; empty where it has one, or will have."""
        return self._faults.get(path, "")

    def is_newest(self, path: str) -> bool:
        """Whether the preview of a file is of how it is wanted now."""
        if path not in self._known:
            return False
        wanted, _ = self._known[path]
        return wanted == self._wanted(path)

    def keep(self, path: str) -> None:
        """The preview of a file is that of how it is wanted now: only what it proposed was taken."""
        if (wanted := self._wanted(path)) is not None and path in self._known:
            self._known[path] = (wanted, self.of(path))

    def ask(self, path: str, *, is_urgent: bool) -> None:
        """See to it that a file has its newest preview; an urgent one goes before the others."""
        if self._wanted(path) is None or self.is_newest(path) or path in self._faults:
            return
        self._queue = [other for other in self._queue if other != path]
        self._queue.insert(0 if is_urgent else len(self._queue), path)
        if not self._previewer.is_busy or self._queue[0] == path:
            self._go_on()

    def forget_fault(self, path: str) -> None:
        """The file is read in another way now: it may be asked for again."""
        self._faults.pop(path, None)

    def close(self) -> None:
        """Want no answer any more."""
        self._previewer.previewed.disconnect(self._take)
        self._previewer.failed.disconnect(self._take_fault)
        self._previewer.cancel()

    def _go_on(self) -> None:
        """Begins the next preview that is still wanted."""
        while self._queue:
            if (wanted := self._wanted(self._queue[0])) is not None:
                self._previewer.start(self._queue[0], *wanted)
                return
            self._queue.pop(0)

    def _take(self, path: str, kind: str, choice: LogChoice, preview: Any) -> None:
        """Takes a preview if the file is still to be read so, else asks again."""
        self._queue = [other for other in self._queue if other != path]
        if (kind, choice) == self._wanted(path):
            self._known[path] = ((kind, choice), preview)
            self._go_on()
            self.previewed.emit(path, preview)
        else:
            self.ask(path, is_urgent=True)

    def _take_fault(self, path: str, fault: Exception) -> None:
        """Keeps why a file has no preview, and goes on with the next."""
        self._queue = [other for other in self._queue if other != path]
        self._known.pop(path, None)
        self._faults[path] = error_words(fault)
        self._go_on()
        self.failed.emit(path)


def error_words(error: Exception) -> str:
    """What went wrong: where, what, remedy."""
    if isinstance(error, PlannerError):
        return placed_refusal(error)
    return tr("Import failed: {error}. Your data is unchanged.", error=error)
