"""Requests for quote, written in a thread."""

from pathlib import Path

from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.exporting import Writing
from gpuplanner.domain.evaluation import Evaluation, waiting_for
from gpuplanner.domain.message import worded
from gpuplanner.files.request.request import Terms, days_of


class Requesting(Writing):
    """One set of requests at a time; written tells what came of it (`Written`)."""

    def start(self, evaluation: Evaluation, folder: Path, generated_at_s: int, terms: Terms) -> None:
        """Write the requests of an evaluation with its advice into a folder.

        generated_at_s: epoch seconds UTC, of the day that they bear. Files that are there when it is cancelled stay.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> object:
            from gpuplanner.files.request.request_file import write_requests

            on_progress(0.1, worded("Exporting requests for quote"))
            waits = waiting_for(evaluation, days_of(terms, generated_at_s))
            return write_requests(waits, folder, generated_at_s, terms, is_cancelled=is_cancelled)

        self.write(work)
