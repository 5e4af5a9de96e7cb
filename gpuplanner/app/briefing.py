"""Briefing: the board brief worked out in a thread, and written there as PPTX; a PDF is drawn by the window."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, Signal

from gpuplanner import __version__
from gpuplanner.app.background import Background, IsCancelled, OnProgress
from gpuplanner.domain.brief.pages import Brief
from gpuplanner.domain.evaluation import Evaluation

PPTX_SUFFIX: Final = ".pptx"


@dataclass(frozen=True, slots=True)
class Briefed:
    """A brief, and the file it is for; is_written: it is there."""

    brief: Brief
    path: Path
    is_written: bool


class Briefing(QObject):
    """One brief at a time; ends in exactly one of made, failed, or nothing where it was cancelled."""

    progressed = Signal(
        float, object
    )  # share done 0..1, what is being done (a text that Qt would make plain)
    made = Signal(object)  # Briefed
    failed = Signal(object)  # Exception

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._background = Background(self.failed.emit, self.progressed.emit, self)

    @property
    def is_busy(self) -> bool:
        """Whether a brief is being worked out."""
        return self._background.is_busy

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Work out the brief of an evaluation with its advice. generated_at_s: epoch seconds UTC, the day it bears.

        path: ends in .pptx for slides, which are written here; of any other the brief alone is told. One
        under way is dropped.
        """
        self._background.start(
            lambda on_progress, is_cancelled: _made(
                evaluation, path, generated_at_s, on_progress, is_cancelled
            ),
            self.made.emit,
        )

    def cancel(self) -> None:
        """Want it no more; what was at the path stays."""
        self._background.cancel()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self._background.close()


def _made(
    evaluation: Evaluation,
    path: Path,
    generated_at_s: int,
    on_progress: OnProgress,
    is_cancelled: IsCancelled,
) -> Briefed:
    """In the thread: what would change the advice takes most of the time."""
    from gpuplanner.domain.brief.sensitivity import sensitivity_of
    from gpuplanner.domain.brief.story import brief_of

    on_progress(0.05, "Working out what would change the advice")
    brief = brief_of(evaluation, generated_at_s, __version__, sensitivity_of(evaluation, is_cancelled))
    is_written = path.suffix.lower() == PPTX_SUFFIX
    if is_written:
        from gpuplanner.files.brief.pptx import write_brief_pptx

        write_brief_pptx(brief, path, lambda share, text: on_progress(0.6 + 0.4 * share, text), is_cancelled)
    return Briefed(brief, path, is_written)
