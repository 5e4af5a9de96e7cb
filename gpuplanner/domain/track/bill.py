"""The bill: what the audit of the later log says was paid and ran over, by pool and model."""

from collections.abc import Mapping, Sequence

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.utilization import ClusterHours, dispatch_window
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.track.came import Came
from gpuplanner.domain.track.expected import Parts, add_to, place_of
from gpuplanner.domain.track.rates import Rates
from gpuplanner.domain.track.spans import Span


def bill(
    later: Project,
    audit: Audit,
    came: Came,
    left: Mapping[tuple[Row, Span], float],
    spans: Sequence[Span],
    rates: Rates,
) -> Parts:
    """Paid, contract by contract, and the audit's overflow at rates of use; $ of the window, None unknown.

    left: what the contracts leave over, by row and span, as `left_over` has it: the audit knows no pools, so its
    overflow is parted among those of a model as this is. Source: docs/formulas.md, Track.
    """
    contracts = {one.contract_id: one for one in later.contracts}
    parts: Parts = {}
    for row in audit.contracts:
        contract = contracts[row.contract_id]
        if row.paid_gpu_hours:
            ran = [span.hours * span.share_of(contract.start_s, contract.end_s) for span in spans]
            for span, hours in zip(spans, ran, strict=True):
                share = hours / sum(ran)
                add_to(parts, span, (contract.pool, contract.gpu_model), row.figures["paid_in_window"], share)
    is_known = all(one.overflow_gpu_hours is not None for one in audit.clusters)
    clusters = dispatch_window(later, [one.classification.pool for one in audit.workloads])
    for span in spans:
        first = (span.start_s - later.window.start_s) // HOUR_S
        inside = slice(first, first + (span.end_s - span.start_s) // HOUR_S)
        for model, gpu_hours in _overflow(clusters, inside).items():
            for row_of, share in _shares(model, came, left, span).items():
                rate = rates.of_use(row_of, span) if is_known else None
                add_to(parts, span, place_of(row_of), rate, gpu_hours * share)
    return parts


def _overflow(clusters: Sequence[ClusterHours], inside: slice) -> dict[str | None, float]:
    """GPU-hours that no contract served in some hours, by GPU model; None: unknown."""
    found: dict[str | None, float] = {}
    for hours in clusters:
        for model, amounts in zip(hours.models, hours.overflow[:, inside].sum(axis=1).tolist(), strict=True):
            if amounts:
                found[model] = found.get(model, 0.0) + amounts / MILLI_GPU_SECONDS_PER_GPU_HOUR
    return found


def _shares(
    model: str | None, came: Came, left: Mapping[tuple[Row, Span], float], span: Span
) -> dict[Row, float]:
    """How the overflow of a model is parted among rows: as contracts leave it over, else as it came; adds up to 1."""
    unknown = {
        row: came.unserved_unknown.get((row, span), 0) / MILLI_GPU_SECONDS_PER_GPU_HOUR for row in came.rows
    }
    if model is None:
        by_row = unknown
    else:
        mine = [row for row in came.rows if gpu_model_of(row[1]) == model]
        by_row = {row: max(left[row, span] - unknown[row], 0.0) for row in mine}
        if not sum(by_row.values()) > 0:
            by_row = {row: came.gpu_hours(row) for row in mine}
    if not sum(by_row.values()) > 0:
        by_row = {row: came.gpu_hours(row) for row in came.rows}
    whole = sum(by_row.values())
    return {row: amount / whole for row, amount in by_row.items() if amount > 0}
