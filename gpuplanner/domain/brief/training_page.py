"""The page of training runs: on which GPUs each is done by when, for which $, and whether it fits."""

from collections.abc import Sequence
from math import isfinite
from typing import Final

from gpuplanner.domain.brief import pages
from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.reports.training import TRAINING_RUNS
from gpuplanner.domain.training.answer import Answer, name_of
from gpuplanner.domain.training.choices import Choice

MOST_RUNS: Final = 3
MOST_MODELS: Final = 5
WIDTHS: Final = {"gpu_model": 1.4, "light": 1.4}


def training_page(answers: Sequence[Answer]) -> pages.Page:
    """Of every run the way of fewest $; a table by GPU model of the first ones."""
    notes: list[Text] = [
        *(joined((_sentence(one), ".")) for one in answers),
        worded("Hours and their range are of published runs of others; nothing of these has run yet."),
    ]
    tables = [
        pages.report_block(
            TRAINING_RUNS, tuple(one.best_of_each.values()), one.stated.called, WIDTHS, MOST_MODELS,
            lambda left: worded_count(
                left,
                "{count} more GPU model on the workbook's sheet Training.",
                "{count} more GPU models on the workbook's sheet Training.",
                count=whole(left),
            ),
        )
        for one in answers[:MOST_RUNS]
    ]  # fmt: skip
    first = answers[0]
    title = _sentence(first) if len(answers) == 1 else _title(answers)
    rows: tuple[tuple[pages.Block, ...], ...] = (
        (pages.TextBlock("", tuple(notes if len(answers) > 1 else notes[1:])),),
        *((one,) for one in tables),
    )
    return pages.Page("training", worded("Training runs"), title, rows)


def _title(answers: Sequence[Answer]) -> Message:
    """What all runs cost together; what is not known says so."""
    usd = [one.best.usd if one.best is not None else None for one in answers]
    known = [one for one in usd if one is not None]
    if len(known) < len(usd):
        return worded("What {count} training runs cost is unknown in part", count=whole(len(answers)))
    return worded("{count} training runs cost {usd}", count=whole(len(answers)), usd=amount(sum(known)))


def _sentence(answer: Answer) -> Message:
    """Where it is done for the fewest $, in how many hours."""
    best, called = answer.best, answer.stated.called
    if best is None or best.finish is None or not isfinite(best.finish.hours):
        return worded("{called}: no GPUs that were tried train it in time", called=called)
    finish = best.finish
    hours = worded(
        "{hours} hours ({low} to {high})",
        hours=whole(finish.hours),
        low=whole(finish.hours_low),
        high=whole(finish.hours_high),
    )
    return worded(
        "{called}: {gpus} in {hours}, {usd}", called=called, gpus=_gpus(best), hours=hours, usd=_usd(best)
    )


def _gpus(choice: Choice) -> Message:
    return worded("{count} \u00d7 {model}", count=whole(choice.run.gpus), model=name_of(choice))


def _usd(choice: Choice) -> Text:
    return (
        worded("at a price that is unknown")
        if choice.usd is None
        else worded("{usd}", usd=amount(choice.usd))
    )
