"""Traces of the energy of a plan: its layers and idle GPUs, by pool and in all, and what takes its largest hour."""

from collections.abc import Callable

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.commitment.result import EnergyOfLayer, PlanEnergy
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.costs.energy import ENERGY, PLAN_ENERGY
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.pool import Pool

LAYER = "layer"
IDLE = "idle"
"""The subject of existing GPUs that stand idle, as the report has it."""


def of_plan_energy(key: str) -> Callable[[PlanEvidence, str, str], Trace]:
    """The answer for kWh or CO2 of a plan (""), a pool or what stands idle; scope layer: of one, by its number."""

    def answer(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
        energy, one = _energy(evidence), PLAN_ENERGY[key]
        if scope == LAYER:
            row = energy.layers[int(subject)]
            return explained(ENERGY, key, Inputs(row.inputs, subject, _called(row)), _layer_note())
        rows = [
            TraceRow(_called(row), (getattr(row, key),), figure(one.why, str(number), LAYER))
            for number, row in enumerate(energy.layers)
            if not subject or str(row.pool or IDLE) == subject
        ]
        value = next(
            (getattr(of, key) for of in energy.by_pool if subject and str(of.pool or IDLE) == subject),
            getattr(energy, key),
        )
        words = worded("{title} = \u03a3 over layers of the first month, and idle GPUs", title=one.title)
        return summed(
            figure(one.why, subject), one.title, value, one.unit.key, words, rows, columns=_column(one)
        )

    return answer


def peak(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """The largest hour of twelve months, of the plan by what takes it, or of one pool."""
    energy, one = _energy(evidence), PLAN_ENERGY["peak_kw"]
    if subject:
        of = next(row for row in energy.by_pool if str(row.pool or IDLE) == subject)
        words = worded("{title} = the hour of twelve months in which the pool takes most", title=one.title)
        rows = [TraceRow(_pool_name(of.pool), (of.peak_kw,))]
        return summed(
            figure(one.why, subject), one.title, of.peak_kw, one.unit.key, words, rows, columns=_column(one)
        )
    hour = energy.peak
    parts = {} if hour is None else hour.kw
    rows = [TraceRow(_pool_name(pool), (kw,)) for pool, kw in parts.items()]
    words = worded(
        "{title} = \u03a3 over pools, and existing GPUs that stand idle, in that hour", title=one.title
    )
    note = (
        ""
        if hour is None
        else worded("Month {month} of the plan, in an hour like the {hour}th of the log's window; PUE in it.",
                    month=whole(hour.month), hour=whole(hour.hour + 1))
    )  # fmt: skip
    return summed(
        figure(one.why, ""),
        one.title,
        energy.peak_kw,
        one.unit.key,
        words,
        rows,
        note=note,
        columns=_column(one),
    )


def _column(one: Figure) -> tuple[TraceColumn]:
    """The one column of the rows, headed by the unit."""
    return (TraceColumn(one.unit.label, one.unit.key),)


def _energy(evidence: PlanEvidence) -> PlanEnergy:
    return PlanEnergy() if evidence.advice is None else evidence.advice.energy


def _pool_name(pool: Pool | None) -> Text:
    return titles.IDLE if pool is None else worded(pool.value.capitalize())


def _called(row: EnergyOfLayer) -> Text:
    """Training, H100, 12 months; idle, H100."""
    model = row.gpu_model or worded("unknown model")
    if row.layer is None:
        return joined((titles.IDLE, model), ", ")
    layer = row.layer
    term: Text = worded("existing contracts") if layer.existing else worded("by use")
    if not layer.existing and layer.term_months:
        term = term_words(layer.term_months, layer.term_days)
    return joined((_pool_name(row.pool), model, term), ", ")


def _layer_note() -> Text:
    """What a layer draws stands on."""
    return worded(
        "GPUs in use draw what the workloads of the pool and model draw together; owned GPUs have their own kW and PUE."
    )
