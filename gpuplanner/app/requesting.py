"""Requests for quote, written in a thread."""

from collections.abc import Sequence
from pathlib import Path

from gpuplanner.app.background import IsCancelled, OnProgress
from gpuplanner.app.exporting import Writing
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.files.request.request import Terms


class Requesting(Writing):
    """One set of requests at a time; written tells what came of it (`Written`)."""

    def start(
        self,
        evaluation: Evaluation,
        folder: Path,
        generated_at_s: int,
        terms: Terms,
        vendors: Sequence[str] = (),
    ) -> None:
        """Write the requests of an evaluation with its advice into a folder, one for each vendor.

        generated_at_s: epoch seconds UTC, of the day that they bear. Files that are there when it is cancelled stay.
        """

        def work(on_progress: OnProgress, is_cancelled: IsCancelled) -> object:
            from gpuplanner.files.request.request_file import write_requests

            on_progress(0.1, worded("Exporting requests for quote"))
            return write_requests(
                evaluation, folder, generated_at_s, terms, is_cancelled=is_cancelled, vendors=vendors
            )

        self.write(work)
