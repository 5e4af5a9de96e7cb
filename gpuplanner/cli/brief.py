"""The board brief from the command line: one value, written as PDF, as PPTX or as both."""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from gpuplanner import __version__
from gpuplanner.cli.arguments import UsageError
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.worded import Text

PDF, PPTX = ".pdf", ".pptx"
PAPERS: Final = ("a4", "letter")


def check_words(words: argparse.Namespace) -> None:
    """Errors: UsageError where a file is neither PDF nor PPTX, or the paper is none that we know.

    words: of the call to export; nothing is read or written yet.
    """
    for name in words.brief:
        if Path(name).suffix.lower() not in (PDF, PPTX):
            raise UsageError(f"--brief {name!r}: write a name that ends in {PDF} or {PPTX}")
    if words.paper not in PAPERS:
        raise UsageError(f"--paper {words.paper!r}: write {' or '.join(PAPERS)}")


def write_briefs(
    evaluation: Evaluation,
    names: Sequence[str],
    paper: str,
    now_s: int,
    on_progress: Callable[[float, Text], None] | None,
) -> None:
    """Write the brief of an evaluation with its advice to every name. Errors: PlannerError file_unreadable.

    names: paths that end in .pdf or .pptx; paper: of PAPERS; now_s: epoch seconds UTC, the day it bears.
    """
    from gpuplanner.charts.kit.translation import use_currency
    from gpuplanner.domain.brief.sensitivity import sensitivity_of
    from gpuplanner.domain.brief.story import brief_of

    if on_progress is not None:
        on_progress(0.0, "Working out what would change the advice")
    use_currency(evaluation.project.currency)  # of what charts say themselves
    brief = brief_of(evaluation, now_s, __version__, sensitivity_of(evaluation))
    for name in names:
        path = Path(name)
        if path.suffix.lower() == PPTX:
            from gpuplanner.files.brief.pptx import write_brief_pptx

            write_brief_pptx(brief, path, on_progress)
        else:
            from gpuplanner.charts.brief.brief_file import write_pdf_without_window
            from gpuplanner.charts.brief.brief_pdf import Paper

            write_pdf_without_window(brief, path, Paper(paper), on_progress)
