"""The page of inference: what each endpoint that is sized holds, and what is said of the one that costs most."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.brief import pages
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.fit.endpoint_sizing import size_endpoint
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.plan_inputs import TODAY
from gpuplanner.domain.reports.serving import ENDPOINTS_IN_SHORT, NamedSizing
from gpuplanner.domain.reports.serving_words import sentences_of
from gpuplanner.domain.serving.gpus import ServingTables

MOST_ENDPOINTS: Final = 8
_AT_LEAST: Final = "{gpus} GPUs for {count}: at least {usd} per month"
BESIDE_THE_LOG: Final = worded("none of the log")


def sized_endpoints(evaluation: Evaluation, tables: ServingTables) -> tuple[NamedSizing, ...]:
    """Endpoints with a model and requests, those that cost most first.

    Each as the panel Inference has it under the assumptions and offers of the plan. Slow: some ms an endpoint.
    """
    project = evaluation.project
    if evaluation.scenario == TODAY:
        assumptions, offers = project.assumptions, project.offers
    else:
        plan = project.scenario(evaluation.scenario)
        assumptions, offers = project.assumptions_in(plan), project.offers_in(plan)
    names = {workload.key: workload.name for workload in project.workloads}
    found = [
        NamedSizing(names.get(one.key) or one.key or BESIDE_THE_LOG, one)
        for key in project.serving
        if (one := size_endpoint(project, key, assumptions, offers, tables)) is not None
    ]
    return tuple(sorted(found, key=lambda row: (-(_usd(row) or 0.0), row.sizing.key)))


def inference_page(found: Sequence[NamedSizing]) -> pages.Page:
    """The page of endpoints that were sized, one at least."""
    shares = {"name": 2.0, "sized_on": 1.6}
    table = pages.report_block(
        ENDPOINTS_IN_SHORT, found, worded("Held for the peak of its requests"), shares, MOST_ENDPOINTS
    )
    rows: tuple[tuple[pages.Block, ...], ...] = ((table,),)
    first, drawn = found[0], found[0].sizing.drawn
    if drawn is not None:
        said = sentences_of(first.sizing, drawn)
        rows = (*rows, (pages.TextBlock(first.name, said),))
    return pages.Page("inference", worded("Inference"), _title(found), rows)


def _usd(row: NamedSizing) -> float | None:
    return None if row.sizing.drawn is None else row.sizing.drawn.cost_per_month


def _title(found: Sequence[NamedSizing]) -> Message:
    """What is held for the peak and what it costs; at least, where an amount is not known."""
    known = [usd for row in found if (usd := _usd(row)) is not None]
    words = "{gpus} GPUs for {count}: {usd} per month" if len(known) == len(found) else _AT_LEAST
    gpus = sum(row.sizing.drawn.gpus_peak or 0 for row in found if row.sizing.drawn is not None)
    return worded(
        words, gpus=whole(gpus), count=pages.counted(len(found), "endpoint"), usd=amount(sum(known))
    )
