"""The chargeback statement, worked out in a thread and written there as FOCUS rows."""

from pathlib import Path
from typing import Final

from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.briefing import Briefed
from gpuplanner.app.exporting import Writing
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.version import __version__

CSV_SUFFIX: Final = ".csv"


class Stating(Writing):
    """One set of statements at a time; written tells a Briefed."""

    def start(self, evaluation: Evaluation, path: Path, generated_at_s: int) -> None:
        """Work out the statements of an evaluation. generated_at_s: epoch seconds UTC, the day they bear.

        path: ends in .csv for FOCUS rows, which are written here; of any other the pages are told.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> Briefed:
            from gpuplanner.domain.brief.briefs import statements_of
            from gpuplanner.files.export.statement import write_statement

            on_progress(0.1, "Working out who pays")
            if path.suffix.lower() != CSV_SUFFIX:
                return Briefed(statements_of(evaluation, generated_at_s, __version__), path)
            if not is_cancelled():
                write_statement(evaluation, path)
            return Briefed(None, path)

        self.write(work)
