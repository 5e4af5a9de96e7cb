"""Briefing: the board brief worked out in a thread, and written there as PPTX; a PDF is drawn by the window."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpuplanner import __version__
from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.writing import Writing
from gpuplanner.domain.brief.pages import Brief
from gpuplanner.domain.evaluation import Evaluation

PPTX_SUFFIX: Final = ".pptx"


@dataclass(frozen=True, slots=True)
class Briefed:
    """Pages that are still to be drawn, and the file they are for. brief: None where that file is there already."""

    brief: Brief | None
    path: Path


class Briefing(Writing):
    """One brief at a time; written tells a Briefed."""

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Work out the brief of an evaluation with its advice. generated_at_s: epoch seconds UTC, the day it bears.

        path: ends in .pptx for slides, which are written here; of any other the brief alone is told.
        """
        self.write(
            lambda on_progress, is_cancelled: _made(
                evaluation, path, generated_at_s, on_progress, is_cancelled
            )
        )


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
    from gpuplanner.domain.reports.plan.asked import asked_on
    from gpuplanner.files.system.resources import read_tables

    on_progress(0.05, "Working out what would change the advice")
    asked = asked_on(evaluation, read_tables().node_gpus, generated_at_s)
    sensitivity = sensitivity_of(evaluation, is_cancelled)
    brief = brief_of(evaluation, generated_at_s, __version__, sensitivity, asked)
    if path.suffix.lower() != PPTX_SUFFIX:
        return Briefed(brief, path)
    from gpuplanner.files.brief.pptx import write_brief_pptx

    write_brief_pptx(brief, path, lambda share, text: on_progress(0.6 + 0.4 * share, text), is_cancelled)
    return Briefed(None, path)
