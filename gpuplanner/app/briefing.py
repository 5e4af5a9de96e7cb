"""The board brief, worked out in a thread and written there as PPTX or DOCX."""

from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject

from gpuplanner.app.background import Answering, IsCancelled, Itself, OnProgress
from gpuplanner.app.exporting import WhoWaits, WithMonths, Writing, nobody_knows
from gpuplanner.domain.brief.pages import Brief
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.version import __version__

PPTX_SUFFIX: Final = ".pptx"
DOCX_SUFFIX: Final = ".docx"
WORKED_OUT: Final = 0.6
"""Share of the time until the brief is worked out."""


@dataclass(frozen=True, slots=True)
class Briefed:
    """Pages that are still to be drawn, and the file they are for. brief: None where that file is there already."""

    brief: Brief | None
    path: Path


class Briefing(Writing):
    """One brief at a time; written tells a Briefed."""

    def __init__(self, with_months: WithMonths, who_waits: WhoWaits = nobody_knows) -> None:
        super().__init__()
        self._with_months, self._who_waits = with_months, who_waits

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int, paper: str = "a4") -> None:
        """Work out the brief of an evaluation with its advice. generated_at_s: epoch seconds UTC, the day it bears.

        path: ends in .pptx for slides or in .docx for Word, which are written here; of any other the brief alone is
        told. paper: a4 or letter, of Word.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Briefed:
            monthly = self._with_months(evaluation, on_progress, is_cancelled)
            waiting = self._who_waits(monthly, on_progress, is_cancelled)
            # In the thread: what would change the advice takes most of the time
            from gpuplanner.domain.brief.briefs import brief_of
            from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
            from gpuplanner.files.brief.sheets import given_beside

            on_progress(0.05, "Working out what would change the advice")
            sensitivity = sensitivity_of(monthly, is_cancelled)
            given = given_beside(monthly, generated_at_s, waiting)
            brief = brief_of(monthly, generated_at_s, __version__, sensitivity, **given)
            suffix, on_page = path.suffix.lower(), _second_part(on_progress)
            if suffix == PPTX_SUFFIX:
                from gpuplanner.files.brief.pptx import write_brief_pptx

                write_brief_pptx(brief, path, on_page, is_cancelled)
            elif suffix == DOCX_SUFFIX:
                from gpuplanner.files.brief.docx import write_brief_docx

                write_brief_docx(brief, path, on_page, is_cancelled, paper)
            return Briefed(None if suffix in (PPTX_SUFFIX, DOCX_SUFFIX) else brief, path)

        self.write(work)


class Weighing(Answering):
    """What pages have beside a plan: what would change it, what its endpoints and runs need, how long jobs wait."""

    def __init__(self, who_waits: WhoWaits = nobody_knows, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._who_waits = who_waits

    def ask(self, evaluation: Evaluation, at_s: int) -> None:
        """Work it out of an evaluation with its advice; `answered` tells. at_s: the day of writing, epoch s UTC."""
        from gpuplanner.domain.brief.sensitivity_pages import sensitivity_of
        from gpuplanner.files.brief.sheets import given_beside

        def weigh(on_progress: OnProgress, is_cancelled: IsCancelled) -> dict[str, Any]:
            sensitivity = sensitivity_of(evaluation, is_cancelled)
            waiting = self._who_waits(evaluation, on_progress, is_cancelled)
            return {"sensitivity": sensitivity, **given_beside(evaluation, at_s, waiting)}

        # the audit is of all inputs but what is stated of endpoints and runs
        project = evaluation.project
        stated = (Itself(project.serving), Itself(project.runs))
        self._newest.ask((Itself(evaluation.audit), evaluation.figures.basis.plan, stated), weigh)


def _second_part(on_progress: OnProgress) -> OnProgress:
    """Return a function that tells the shares of writing as those of the whole."""
    return lambda share, text: on_progress(WORKED_OUT + (1 - WORKED_OUT) * share, text)
