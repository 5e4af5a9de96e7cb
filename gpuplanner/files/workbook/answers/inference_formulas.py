"""The formulas of a sized row as a spreadsheet says them: memory, speed, replicas, autoscaler, first token."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.figures.serving import SIZING
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.domain.serving.memory import BYTES_BY_PRECISION, weights_read_gb
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Value
from gpuplanner.files.workbook.kit.figure_cells import Cell, surely

_LENGTH: Final = "({context}+{generated})"
_READ: Final = "{active}*{bytes}/1E9"
_READ_MIXTURE: Final = (
    "({parameters}-({parameters}-{active})/({experts}-{per_token})*{experts}"
    "*POWER(1-{per_token}/{experts},{at_once}))*{bytes}/1E9"
)
"""All weights but those of the experts that sleep: E (1 - k / E)^B of them."""
_BANDWIDTH_S: Final = (
    f"({{read}}+{{at_once}}*{_LENGTH}*{{kept}}/1E9)"
    "/({bandwidth}*1000*{tensor_parallel}*{serving_bandwidth_share})"
)
_FLOPS: Final = "({tflops}*1E12*{tensor_parallel}*{serving_compute_share})"
_REPLICAS: Final = "{replicas_peak},{peak}/{mu}"
_BUSY_S: Final = "{prefill}+{generated}*{step}/{at_once}"
_BLOCKED: Final = f"POISSON({_REPLICAS},FALSE)/POISSON({_REPLICAS},TRUE)"
"""Erlang B as the chance of exactly c over that of at most c, with c replicas."""


def _declared(key: str, **operands: str) -> str:
    """The declared formula of a figure over pieces of a formula in which cells are still to be named."""
    cells = {name: surely(Expr(text, 0.0, text[1:-1].isidentifier())) for name, text in operands.items()}
    cell: Cell = SIZING.value(key, cells)
    return cell.live.text


_FIRST_TOKEN: Final = _declared(
    "ttft_ms",
    network_ms="{serving_round_trip_ms}",
    wait_ms=(
        f"IF({{peak}}>0,({_BLOCKED})/(1-{{busy}}*(1-{_BLOCKED}))/({{replicas_peak}}*{{mu}}-{{peak}}),0)*1000"
    ),
    prefill_ms="{prefill}*1000",
)

MEMORY: Final = {
    "weights": "{parameters}*{bytes}/1E9",
    "memory_gb": _declared(
        "memory_gb",
        weights_gb="{weights}",
        cache_gb=f"MAX({{serving_concurrency}}*{_LENGTH},{{longest}})*{{kept}}/1E9",
    ),
    "usable": "{usable_memory}*{tensor_parallel}*{memory}",
    "fits": "IF({memory_gb}<={usable}*(1+1E-12),1,0)",
}
"""By column; names in braces are cells."""
LOADED: Final = {
    "at_once": (
        "MAX({serving_concurrency},MIN({serving_concurrency_most},"
        f"IF({_LENGTH}*{{kept}}>0,ROUNDDOWN(({{usable}}-{{weights}})/({_LENGTH}*{{kept}}/1E9)+1E-12,0),"
        "{serving_concurrency_most})))"
    ),
    "read": _READ,
    "step": f"MAX({_BANDWIDTH_S},2*{{active}}*{{at_once}}/{_FLOPS})",
    "prefill": f"2*{{active}}*{{context}}/{_FLOPS}",
    "mu": f'IF({_BUSY_S}>0,1/({_BUSY_S}),"{DASH}")',
    "replicas_peak": "IF({peak}>0,MAX(1,ROUNDUP({peak}/({headroom}*{mu})*(1-1E-12),0)),0)",
    "gpu_hours_per_month_autoscaled": (
        "SUMPRODUCT(ROUNDUP({rates}/({headroom}*{mu})*(1-1E-12),0)*{hours})"
        "*{tensor_parallel}*hours_per_month/SUM({hours})"
    ),
    "busy": "IF({replicas_peak}>0,{peak}/({replicas_peak}*{mu}),0)",
    "ttft_ms": f'IF({{busy}}<1,{_FIRST_TOKEN},"unstable")',
}
"""What follows where it fits."""
WITHOUT_FLOPS: Final = {
    "step": _BANDWIDTH_S,
    "mu": f'IF({{generated}}>0,{{at_once}}/({{generated}}*{{step}}),"{DASH}")',
}
"""Where nobody knows the FLOP/s: prefill is left out."""
SPEED: Final = ("at_once", "read", "step", "prefill", "mu")
"""What follows from the fit; the rest follows from mu, which requests without tokens do not have."""
UNKNOWN_WITHOUT_FLOPS: Final = ("prefill", "ttft_ms")


def row_formulas(
    cost: ServingCost, model: ServedModel, names: Mapping[str, str], cells: Mapping[str, str]
) -> dict[str, Expr | None]:
    """The cells of one row by column, each with the app's value; None where nobody knows.

    names: inputs of the endpoint and assumptions, by what formulas call them; cells: the row's own cells by column.
    """
    row, values = cost.row, _values(cost, model)
    spelled = {**names, **cells}
    found: dict[str, Expr | None] = {}
    for key, formula in MEMORY.items():
        value = values[key]
        found[key] = None if value is None else Expr(formula.format_map(spelled), value)
    is_known = row.fits is not None and (row.requests_per_s is not None or not row.fits)
    special = {"read": _READ_MIXTURE} if model.experts and model.active < model.parameters else {}
    for key, formula in (LOADED | special | (WITHOUT_FLOPS if row.is_bound else {})).items():
        if not is_known or (row.is_bound and key in UNKNOWN_WITHOUT_FLOPS):
            found[key] = None
            continue
        value = values[key]
        is_there = f"{cells['fits']}=1" if key in SPEED else f"COUNT({cells['mu']})=1"
        text = f'IF({is_there},{formula.format_map(spelled)},"{DASH}")'
        found[key] = Expr(text, DASH if value is None else value)
    return found


def _values(cost: ServingCost, model: ServedModel) -> dict[str, Value | None]:
    """What the app found, by column."""
    row = cost.row
    width, at_once = BYTES_BY_PRECISION[row.precision], row.concurrency
    step_s = None if at_once is None or not row.decode_tokens_per_s else at_once / row.decode_tokens_per_s
    return {
        "weights": row.weights_gb,
        "memory_gb": row.memory_gb,
        "usable": row.usable_gb,
        "fits": None if row.fits is None else float(row.fits),
        "at_once": at_once,
        "read": None if at_once is None else weights_read_gb(model, width, at_once),
        "step": step_s,
        "prefill": None if row.prefill_ms is None else row.prefill_ms / 1e3,
        "mu": row.requests_per_s,
        "replicas_peak": row.replicas_peak,
        "gpu_hours_per_month_autoscaled": row.gpu_hours_per_month_autoscaled,
        "busy": 0.0 if row.replicas_peak == 0 else row.busy_at_peak,
        "ttft_ms": "unstable" if row.is_unstable else row.ttft_ms,
    }
