"""Results of serving benchmarks as measurements: AIPerf, GenAI-Perf, vLLM, SGLang, InferenceX, llm-d, MLPerf."""

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingPoint
from gpuplanner.files.lists.served_models import model_named
from gpuplanner.files.sources.json_values import begins_json, json_values, outer_path
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.small_table import rows_below
from gpuplanner.files.values.numbers import read_decimal

# --- Tables of measured points of serving ---------------------------------------------------------

COLUMNS: Final = (
    "model",
    "gpu_model",
    "tensor_parallel",
    "precision",
    "concurrency",
    "input_tokens",
    "output_tokens",
)
OTHER_PRECISIONS: Final = {
    **dict.fromkeys(("FP16", "BFLOAT16", "FLOAT16", "HALF", "16"), "BF16"),
    **dict.fromkeys(("FP8_E4M3", "E4M3", "F8", "W8A8-FP8"), "FP8"),
    **dict.fromkeys(("NVFP4", "MXFP4", "F4"), "FP4"),
    **dict.fromkeys(("AWQ", "GPTQ", "W4A16", "INT4-AWQ"), "INT4"),
    "W8A8": "INT8",
}
"""What files call a precision, in capitals, and what it is here."""


def precision_of(text: str) -> str:
    """The precision that a file names; as it is written, in capitals, where it is none of ours.

    >>> precision_of("nvfp4"), precision_of("bf16"), precision_of("int3")
    ('FP4', 'BF16', 'INT3')
    """
    name = text.strip().upper()
    return OTHER_PRECISIONS.get(name, name)


def read_points(path: str) -> tuple[tuple[int, ServingPoint | None, str], ...]:
    """Every row below the heading: its line in the file, and a point and "", or None and what is wrong with it.

    Errors: PlannerError missing_column where a column is not there; file_missing, file_unreadable.
    """
    with sources_of(path) as sources:
        source = sources[0]
        names = [name.strip().casefold() for name in header_columns(source.head)[1]]
        lacking = [name for name in COLUMNS if name not in names]
        if lacking:
            raise PlannerError(
                source.path,
                "missing_column",
                worded("it has no column {names}", names=", ".join(lacking)),
                worded("give a CSV with {columns}", columns=",".join(COLUMNS)),
            )
        return tuple(
            (line, *_stated_point(row.texts))
            for line, row, _ in rows_below(source, header_columns(source.head)[1])
        )


def _stated_point(texts: Mapping[str, str]) -> tuple[ServingPoint | None, str]:
    """A row as a point; None and why where a number is none, or not above 0."""
    numbers = {}
    for name in ("tensor_parallel", "concurrency", "input_tokens", "output_tokens"):
        number = read_decimal(texts.get(name, "").strip())
        if number is None or number < 0 or (number == 0 and name != "input_tokens"):
            return None, f"{name} is {texts.get(name, '')!r}"
        numbers[name] = float(number)
    return (
        ServingPoint(
            texts["model"].strip(),
            texts["gpu_model"].strip(),
            max(1, round(numbers["tensor_parallel"])),
            precision_of(texts["precision"]),
            numbers["concurrency"],
            numbers["input_tokens"],
            numbers["output_tokens"],
        ),
        "",
    )


FOUND_AS: Final[Mapping[str, tuple[str, ...]]] = {
    "model": (
        "model", "model_id", "scenario.model.name", "model_names", "model_name", "infmax_model_prefix", "model_path",
    ),
    "gpu_model": ("gpu_model", "hw", "accelerator.model", "gpu_type", "gpu", "accelerator"),
    "tensor_parallel": ("tensor_parallel", "tensor_parallel_size", "tp", "tp_size", "parallelism.tp"),
    "precision": (
        "precision", "quantization", "server_info.quantization", "model.quantization", "dtype", "server_info.dtype",
    ),
    "concurrency": ("concurrency", "max_concurrency", "conc", "stimulus.concurrency", "loadgen.concurrency"),
    "input_tokens": ("input_tokens", "isl", "input_sequence_length.avg", "random_input_len", "input_length.mean"),
    "output_tokens": ("output_tokens", "osl", "output_sequence_length.avg", "random_output_len", "output_length.mean"),
    "tokens_per_s": (
        "output_tokens_per_s", "output_token_throughput.avg", "output_throughput", "output_tokens_per_sec",
        "completed_tokens_per_second", "tokens_per_second",
    ),
    "tokens_per_s_per_gpu": ("output_tput_per_gpu",),
    "tpot_ms": ("tpot_ms", "median_tpot_ms", "inter_token_latency.avg", "mean_tpot_ms"),
    "tpot_s": ("median_tpot", "time_per_output_token.p50"),
}  # fmt: skip
"""What a number or name is called in the files, the first that is there counts; dots part objects within objects."""
OF_ALL: Final = {"input_tokens": "total_input_tokens", "output_tokens": "total_output_tokens"}
"""Totals of a run, over the requests that were completed (`completed`)."""
NEEDED: Final = (
    "model",
    "gpu_model",
    "tensor_parallel",
    "precision",
    "concurrency",
    "input_tokens",
    "output_tokens",
)
_LINE: Final = re.compile(r"^\s*([A-Za-z][\w /().-]*?)\s*[:=]\s*(\S.*?)\s*$")


def read_measured(path: str) -> tuple[MeasuredPoint, ...]:
    """Every run of a file, in its order.

    Errors: PlannerError missing_column where a run does not say what it was of; file_missing, file_unreadable.
    """
    with sources_of(path) as sources:
        runs = [_point(fields, sources[0].path) for fields in _runs(sources[0])]
    if not runs:
        raise PlannerError(
            path, "missing_column", worded("it has no run"), worded("give a result file of a benchmark")
        )
    return tuple(runs)


def measured_of(path: str, model: ServedModel) -> tuple[MeasuredPoint, ...]:
    """The runs of a file that are of a model. Errors: as `read_measured`; PlannerError where none is."""
    runs = read_measured(path)
    found = tuple(one for one in runs if model_named(one.model, (model,)) is not None)
    if not found:
        raise PlannerError(
            path,
            "missing_column",
            worded("none of its runs is of {model}", model=model.name),
            worded("choose that model first, or another file"),
        )
    return found


def _runs(source: Source) -> Iterator[dict[str, Any]]:
    """The fields of each run by their path, in small letters."""
    if begins_json(source.head):
        for value in json_values(source, outer_path(source.head)):
            yield dict(_flat(value, ""))
        return
    columns = header_columns(source.head)[1]
    if len(columns) > 1:
        for _, row, _ in rows_below(source, columns):
            yield {name: text.strip() for name, text in row.texts.items() if text.strip()}
        return
    lines = (match for line in source.head.splitlines() if (match := _LINE.match(line)))
    yield {re.sub(r"\W+", "_", match[1].casefold()).strip("_"): match[2] for match in lines}


def _flat(value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Every plain value by its path; of a list the first entry counts."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield from _flat(inner, f"{path}.{name}".casefold() if path else str(name).casefold())
    elif isinstance(value, list):
        if value:
            yield from _flat(value[0], path)
    elif value is not None:
        yield path, value


def _found(fields: Mapping[str, Any], what: str) -> Any:
    """A value by any of its names: a whole path, or the end of one where the name is of several words."""
    for name in FOUND_AS[what]:
        if name in fields:
            return fields[name]
        if "." in name or "_" in name:
            inner = (value for path, value in fields.items() if path.endswith(f".{name}"))
            if (value := next(inner, None)) is not None:
                return value
    return None


def _number(fields: Mapping[str, Any], what: str) -> float | None:
    """A number above 0; None where there is none, or what stands there is no number."""
    return _positive(_found(fields, what))


MOST: Final = 1e15
"""No benchmark has counted more of anything."""


def _positive(value: Any) -> float | None:
    """A value as a number above 0; None for any other."""
    number = read_decimal(value) if isinstance(value, str) else value
    if not isinstance(number, int | float | Decimal) or isinstance(number, bool):
        return None
    return float(number) if 0 < number < MOST else None


def _point(fields: Mapping[str, Any], path: str) -> MeasuredPoint:
    """A run as a measurement. Errors: PlannerError missing_column."""
    numbers = {what: _number(fields, what) for what in FOUND_AS}
    completed = fields.get("completed")
    for what, total in OF_ALL.items():
        if numbers[what] is None and completed and total in fields:
            tokens, runs = _positive(fields[total]), _positive(completed)
            numbers[what] = tokens / runs if tokens and runs else None
    names = {what: str(_found(fields, what) or "") for what in ("model", "gpu_model", "precision")}
    gpus = numbers["tensor_parallel"] or 1.0
    speed = numbers["tokens_per_s"]
    if speed is None and numbers["tokens_per_s_per_gpu"] is not None:
        speed = numbers["tokens_per_s_per_gpu"] * gpus
    tpot_ms = numbers["tpot_ms"] or (None if numbers["tpot_s"] is None else numbers["tpot_s"] * 1e3)
    if speed is None and tpot_ms is not None and numbers["concurrency"] is not None:
        speed = numbers["concurrency"] / tpot_ms * 1e3
    lacking = [what for what in NEEDED if not (names.get(what) or numbers.get(what))]
    if lacking or speed is None:
        raise PlannerError(
            path,
            "missing_column",
            worded("it does not say {names}", names=", ".join(lacking or ["output_tokens_per_s"])),
            worded("add them to the file under these names, beside what the benchmark wrote"),
        )
    return MeasuredPoint(
        names["model"],
        names["gpu_model"],
        max(1, round(gpus)),
        precision_of(names["precision"]),
        numbers["concurrency"] or 0.0,
        numbers["input_tokens"] or 0.0,
        numbers["output_tokens"] or 0.0,
        speed,
        path.replace("\\", "/").rpartition("/")[2],
    )
