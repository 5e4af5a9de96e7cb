"""The answer of `size`: a model and its traffic read and sized, and the rows as text."""

import argparse
from dataclasses import dataclass
from typing import Final

from gpuplanner.cli.inputs import project_path
from gpuplanner.cli.option_values import UsageError, parse_settings
from gpuplanner.cli.project_words import in_money_of, no_project, with_money
from gpuplanner.cli.text_tables import dollars, percent, report_text
from gpuplanner.domain.fit.serving_costs import ServingCost, best_row, cost_rows
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency, counted_rows
from gpuplanner.domain.model.book.owned import owned_at
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.domain.reports.sizing import NOT_FITTING, SIZES
from gpuplanner.domain.serving.gpus import serving_gpus
from gpuplanner.domain.serving.load import Load, load_of
from gpuplanner.domain.serving.memory import kv_bytes_per_token
from gpuplanner.domain.serving.sizing import ServingTerms, size_rows, terms_of
from gpuplanner.files.importing.intake import import_prices
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import read_served_models, read_tables
from gpuplanner.files.system.terminal_text import one_line
from gpuplanner.files.traffic.served_models import read_model
from gpuplanner.files.traffic.traffic_tables import read_load

LACKING: Final = "size needs {}; write --model FILE|NAME --traffic FILE [--prices FILE]"
OF_NO_USE: Final = ("missing_column", "bad_number")
"""Codes of a model or traffic that can be read and not be sized."""
REPLICAS_AT_MOST: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Sized:
    """What one call sized, and the files behind it.

    costs: every GPU model, precision and GPUs a replica, in their order.
    """

    model: ServedModel
    load: Load
    terms: ServingTerms
    costs: tuple[ServingCost, ...]
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...]
    currency: Currency = DOLLARS

    @property
    def best(self) -> ServingCost | None:
        """The row of least $ a month.

        None where no row has a price.
        """
        return best_row(self.costs)


def sized(words: argparse.Namespace) -> Sized:
    """Read the model, the traffic and the prices, and size. Errors: UsageError; PlannerError.

    Prices of the call take the place of the project's.
    """
    lacking = [f"--{name}" for name in ("model", "traffic") if not getattr(words, name)]
    if lacking:
        raise UsageError(LACKING.format(" and ".join(lacking)))
    replicas = _replicas(words.replicas)
    settings = parse_settings(words.set)
    path = project_path(words)
    project, currency = with_money(
        no_project() if path is None else open_project(path), words, in_dollars=words.json
    )
    assumptions = project.assumptions.with_values(in_money_of(project, settings))
    model, model_intake = read_model(words.model, read_served_models())
    traffic, traffic_intake = read_load(words.traffic)
    prices = import_prices([one for one in words.prices if not one.casefold().endswith(".gpuplan")])
    offers = counted_rows(prices.offers, project.currency, project.exchange)
    offers = owned_at(offers, assumptions.wacc, assumptions.pue)
    intake = [one for one in (model_intake, traffic_intake, *prices.intake) if one is not None]
    if path is not None and not prices.intake:
        offers = project.offers
        intake += [one for one in project.intake if one.kind == "prices"]
    load = load_of(traffic, assumptions)
    assert load is not None  # a file without any request was refused
    terms = terms_of(assumptions)
    rows = size_rows(model, load, serving_gpus(read_tables().gpu_models, offers), terms, replicas=replicas)
    return Sized(model, load, terms, cost_rows(rows, load, offers), tuple(intake), prices.refused, currency)


def _replicas(text: str | None) -> int | None:
    """None where the call says none. Errors: UsageError."""
    if text is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= REPLICAS_AT_MOST:
        raise UsageError(f"--replicas {text!r} is not a whole number; write 1 to {REPLICAS_AT_MOST:,}")
    return int(text)


def size_text(answer: Sized) -> str:
    """What was sized, the rows that fit, and in a line each what does not and why.

    GPU-hours and $ are whole, a month of 730 h.
    """
    model, load, terms = answer.model, answer.load, answer.terms
    tokens = f"{load.context_tokens:,.0f} tokens read, {load.generated_tokens:,.0f} generated"
    said = "" if load.are_tokens_known else ", as assumed: the traffic does not say"
    best = answer.best
    warning = [one_line(f"Warning    {load.warning}")] if load.warning else []
    lines = [
        f"Model      {one_line(model.name)}: {model.parameters / 1e9:,.4g} billion parameters, "
        f"{kv_bytes_per_token(model, terms.kv_bytes) / 1e3:,.4g} kB of KV cache a token",
        f"Traffic    peak {load.peak_requests_per_s:,.4g} requests/s, {load.requests_per_month:,.0f} per month; "
        f"a request: {tokens}{said}",
        *warning,
        f"Assumed    {percent(terms.headroom)} of a replica used, {percent(terms.usable_memory)} of memory usable, "
        f"{percent(terms.bandwidth_share)} of bandwidth and {percent(terms.compute_share)} of compute reached",
        "Least cost "
        + (
            "unknown: give --prices"
            if best is None
            else one_line(f"{best.gpus_peak} x {best.row.gpu_model}, {best.row.precision}, ")
            + f"{best.row.tensor_parallel} a replica, ${dollars(best.cost_per_month)} per month"
        ),
        "",
        report_text(SIZES, [cost for cost in answer.costs if cost.row.fits]),
    ]
    others = [cost for cost in answer.costs if not cost.row.fits]
    if others:
        lines += ["", report_text(NOT_FITTING, others)]
    noted = {str(cost.row.why) for cost in answer.costs if cost.row.fits and cost.row.why}
    return "\n".join([*lines, *(one_line("  " + why[0].upper() + why[1:] + ".") for why in sorted(noted))])
