"""Previews of files before they are read: what each is, and what its first rows would give."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gpuplanner.app.background import Background, IsCancelled, OnProgress, Threaded
from gpuplanner.domain.edits.inputs import KINDS_OF_PLACES
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from gpuplanner.files.importing.log_choices import LogChoice
    from gpuplanner.files.importing.log_preview import LogPreview
    from gpuplanner.files.importing.recognise import NearTable


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFile:
    """What a file is by its content. kind: as Recognition, or empty where it could not be opened; why: words.

    fault: why it could not be opened; None where it could. nearest: of what is unknown, the kind of table it is like.
    beside: paths of other sheets of its workbook that are read by themselves.
    """

    path: str
    kind: str
    format: str
    why: Message
    fault: PlannerError | None = None
    nearest: "NearTable | None" = None
    beside: tuple[str, ...] = ()


Glance = Callable[[str, IsCancelled], FoundFile]
Preview = Callable[[str, str, "LogChoice", OnProgress, IsCancelled], "LogPreview"]
"""Of a path, read as a kind (jobs, contracts, prices, or one of places), as chosen."""


def glance_at(path: str, is_cancelled: IsCancelled) -> FoundFile:
    """What a file is, from its first bytes; a fault is an answer too.

    Errors: `Cancelled` where nobody wants it any more; any other is in the answer.
    """
    from gpuplanner.domain.model.errors import Cancelled
    from gpuplanner.files.importing.recognise import glance

    def on_bytes(_count: int) -> None:
        if is_cancelled():
            raise Cancelled

    try:
        recognition = glance(path, on_bytes)
    except PlannerError as fault:
        return FoundFile(path=path, kind="", format="", why=fault.message, fault=fault)
    return FoundFile(
        path=path,
        kind=recognition.kind,
        format=recognition.format,
        why=recognition.why,
        fault=None,
        nearest=recognition.nearest,
        beside=recognition.beside,
    )


def preview_of(
    path: str, kind: str, choice: "LogChoice", on_progress: OnProgress, is_cancelled: IsCancelled
) -> "LogPreview":
    """The first rows of a log, or all of contracts, prices or places, read as chosen.

    Errors: PlannerError where it cannot be read.
    """
    if kind in ("contracts", "prices"):
        from gpuplanner.files.importing.table_preview import preview_table

        return preview_table(path, kind, choice.mapping, choice.steps, is_cancelled=is_cancelled)
    if kind in KINDS_OF_PLACES:
        from gpuplanner.files.importing.place_preview import preview_places

        return preview_places(path, kind, choice.mapping, choice.steps)
    from gpuplanner.files.importing.log_preview import preview_log

    return preview_log(path, choice, on_progress=on_progress, is_cancelled=is_cancelled)


class Recogniser(Threaded):
    """Says of each file what it is; the window is never blocked by a large one."""

    recognised = Signal(object)  # tuple[FoundFile, ...], in the order asked, then sheets beside

    def __init__(self, glance: Glance = glance_at, parent: QObject | None = None) -> None:
        """glance: another reader in tests."""
        super().__init__(parent)
        self._glance = glance

    def start(self, paths: Sequence[str]) -> None:
        """Look at these; what was asked before is dropped.

        One answer for all of them.
        """
        glance = self._glance

        def look(_on_progress: OnProgress, is_cancelled: IsCancelled) -> tuple[FoundFile, ...]:
            """What the files are, and what the sheets are that are read beside them."""
            files = [glance(path, is_cancelled) for path in paths]
            beside = (path for file in files for path in file.beside if path not in paths)
            return (*files, *(glance(path, is_cancelled) for path in beside))

        self._background.start(look, self.recognised.emit)


class Previewer(QObject):
    """Previews one file at a time; of several asked for in a row the newest is answered."""

    previewed = Signal(str, str, object, object)  # path, kind, LogChoice, LogPreview
    failed = Signal(str, object)  # path, Exception

    def __init__(self, preview: Preview = preview_of, parent: QObject | None = None) -> None:
        """preview: another reader in tests."""
        super().__init__(parent)
        self._preview = preview
        self._path = ""
        self._background = Background(lambda error: self.failed.emit(self._path, error), parent=self)

    @property
    def is_busy(self) -> bool:
        """Whether a preview is under way."""
        return self._background.is_busy

    def start(self, path: str, kind: str, choice: "LogChoice") -> None:
        """Preview a file read as a kind and as chosen; one under way is dropped.

        kind: jobs, contracts or prices; choice: what the planner said of how it is read.
        """
        preview, self._path = self._preview, path
        self._background.start(
            lambda on_progress, is_cancelled: preview(path, kind, choice, on_progress, is_cancelled),
            lambda rows: self.previewed.emit(path, kind, choice, rows),
        )

    def cancel(self) -> None:
        """Want no answer any more."""
        self._background.cancel()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self._background.close()
