"""Traces of energy: what a workload, a contract or the overflow of a cluster took, and all of it."""

from collections.abc import Callable

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.audit.use.energy_rows import EnergyRow
from gpuplanner.domain.audit.use.power import DRAWN_IDLE
from gpuplanner.domain.figures.costs.energy import ENERGY
from gpuplanner.domain.figures.typed import percent, significant
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model.window import iso_utc

KWH, CO2 = "kwh_per_month", "kg_co2_per_month"


def of_energy(key: str) -> Callable[[Evidence, str, str], Trace]:
    """The answer for kWh or CO2 of a row (its kind and name), or of all of it ("")."""

    def answer(evidence: Evidence, scope: str, subject: str) -> Trace:
        energy = evidence.audit.energy
        if not subject:
            return _all(evidence, key)
        kind, _, name = subject.partition("\t")
        rows = (*energy.workloads, *energy.contracts, *energy.overflow)
        row = next(one for one in rows if (one.kind, one.name) == (kind, name))
        values = {
            "drawn_kwh": row.drawn_kwh,
            "drawn_kg_co2": row.drawn_kg_co2,
            "pue": evidence.project.assumptions.pue,
        }
        return explained(
            ENERGY, key, Inputs(values, subject, row.name or worded("no cluster")), _note(evidence)
        )

    return answer


def peak(evidence: Evidence, scope: str, subject: str) -> Trace:
    """The largest hour of the window: what its GPUs draw, and the building's share."""
    energy = evidence.audit.energy
    values = {"drawn_peak_kw": energy.drawn_peak_kw, "pue": evidence.project.assumptions.pue}
    when = (
        worded("The hour that begins {hour} UTC. ", hour=iso_utc(energy.peak_s).replace("T", " ")[:16])
        if energy.peak_s is not None
        else ""
    )
    return explained(
        ENERGY, "peak_kw", Inputs(values, "", worded("the window")), joined((when, _note(evidence)), "")
    )


def _all(evidence: Evidence, key: str) -> Trace:
    energy, one = evidence.audit.energy, ENERGY[key]
    rows = [_row(row, key) for row in (*energy.contracts, *energy.overflow)]
    columns = (TraceColumn(one.unit.label, one.unit.key),)
    words = worded("{title} = \u03a3 over contracts, and what overflowed", title=one.title)
    return summed(
        figure(one.why, ""), one.title, getattr(energy, key), one.unit.key, words, rows, columns=columns
    )


def _row(row: EnergyRow, key: str) -> TraceRow:
    subject = f"{row.kind}\t{row.name}"
    name: Text = row.name or worded("no cluster")
    return TraceRow(name, (getattr(row, key),), figure(ENERGY[key].why, subject))


def _note(evidence: Evidence) -> Text:
    """What the kWh of the GPUs stand on: rated power, what is drawn idle, and what is assumed of jobs."""
    powers = evidence.audit.energy.powers
    rated = [
        worded("{model} {kw} kW (from the GPU's own watts)", model=model, kw=significant(power.kw))
        if power.is_of_gpu_alone
        else worded("{model} {kw} kW", model=model, kw=significant(power.kw))
        for model, power in sorted(powers.items())
        if model in evidence.project.cube.gpu_models
        or any(model == contract.gpu_model for contract in evidence.project.contracts)
    ]
    return worded(
        "Hour by hour: rated power x ({idle} + {rest} x activity), {assumed} of it for jobs without activity, {idle} "
        "for GPUs that are paid for and idle. Rated: {rated}",
        idle=percent(DRAWN_IDLE),
        rest=percent(1 - DRAWN_IDLE),
        assumed=percent(evidence.project.assumptions.power_share),
        rated=joined(rated, ", ") if rated else worded("unknown"),
    )
