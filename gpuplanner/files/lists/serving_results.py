"""Tables of measured points of serving: results of benchmarks of served models."""

from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingPoint
from gpuplanner.files.lists.served_models import MODEL_WORDS, model_named
from gpuplanner.files.sources.json_values import begins_json, json_values, outer_path
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.small_table import rows_below
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_re import lazy_re

NEEDED: Final = (
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
        names = [name.strip().casefold() for name in header_columns(source.head).columns]
        lacking = [name for name in NEEDED if name not in names]
        if lacking:
            raise PlannerError(
                source.path,
                "missing_column",
                worded("no column {names}", names=", ".join(lacking)),
                worded("give a CSV with {columns}", columns=",".join(NEEDED)),
            )
        return tuple(
            (line, *_stated_point(row.texts))
            for line, row, _ in rows_below(source, header_columns(source.head).columns)
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
            model=texts["model"].strip(),
            gpu_model=texts["gpu_model"].strip(),
            tensor_parallel=max(1, round(numbers["tensor_parallel"])),
            precision=precision_of(texts["precision"]),
            concurrency=numbers["concurrency"],
            input_tokens=numbers["input_tokens"],
            output_tokens=numbers["output_tokens"],
        ),
        "",
    )


FOUND_AS: Final = {field: words for (table, field), words in MODEL_WORDS.items() if table == "measured"}
"""What a number or name is called in the files, wherever it stands; the first that is there counts."""
OF_ALL: Final = {"input_tokens": "total_input_tokens", "output_tokens": "total_output_tokens"}
"""Totals of a run, over the requests that were completed (`completed`): before lengths that were asked for."""
_LINE: Final = lazy_re(r"^([\s-]*)([A-Za-z][\w /().-]*?)\s*[:=]\s*['\"]?([^#]*?)['\"]?\s*(?:#.*)?$")


def read_measured(path: str) -> tuple[MeasuredPoint, ...]:
    """Every run of a file, in its order.

    Errors: PlannerError missing_column where a run does not say what it was of; file_missing, file_unreadable.
    """
    with sources_of(path) as sources:
        runs = [_point(fields, sources[0].path) for fields in _runs(sources[0])]
    if not runs:
        raise PlannerError(
            path, "missing_column", worded("no runs"), worded("give a result file of a benchmark")
        )
    return tuple(runs)


def measured_of(path: str, model: ServedModel) -> tuple[MeasuredPoint, ...]:
    """The runs of a file that are of a model. Errors: as `read_measured`; PlannerError where none is."""
    points = tuple(point for point in read_measured(path) if model_named(point.model, (model,)) is not None)
    if not points:
        raise PlannerError(
            path,
            "missing_column",
            worded("no run of {model}", model=model.name),
            worded("choose that model first, or another file"),
        )
    return points


def _runs(source: Source) -> Iterator[dict[str, Any]]:
    """The fields of each run by their path, in small letters."""
    if begins_json(source.head):
        for value in json_values(source, outer_path(source.head)):
            yield dict(_flat(value, ""))
        return
    columns = header_columns(source.head).columns
    if len(columns) > 1:
        for _, row, _ in rows_below(source, columns):
            yield {name: text.strip() for name, text in row.texts.items() if text.strip()}
        return
    yield _written(source.head)


def _written(text: str) -> dict[str, str]:
    """The fields of lines `name: value`, by the names that they stand under, as in YAML; of a list the first counts."""
    fields, above = dict[str, str](), list[tuple[int, str]]()
    for match in filter(None, map(_LINE.match, text.splitlines())):
        name = lazy_re(r"\W+").sub("_", match[2].casefold()).strip("_")
        above = [one for one in above if one[0] < match.end(1)]
        if match[3]:
            fields.setdefault(".".join((*(of for _, of in above), name)), match[3])
        else:
            above.append((match.end(1), name))
    return fields


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
    """A value by any of its names, the end of a path."""
    for name in FOUND_AS[what]:
        found = (value for path, value in fields.items() if f".{path}".endswith(f".{name}"))
        if (value := next(found, None)) is not None:
            return value
    return None


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
    numbers = {what: _positive(_found(fields, what)) for what in FOUND_AS}
    for what, total in OF_ALL.items():
        tokens, runs = _positive(fields.get(total)), _positive(fields.get("completed"))
        numbers[what] = tokens / runs if tokens and runs else numbers[what]
    names = {what: str(_found(fields, what) or "") for what in ("model", "gpu_model", "precision")}
    gpus = numbers["tensor_parallel"] or 1.0
    speed = numbers["tokens_per_s"]
    if speed is None and numbers["tokens_per_s_per_gpu"] is not None:
        speed = numbers["tokens_per_s_per_gpu"] * gpus
    tpot_s = numbers["tpot_s"] or (numbers["tpot_ms"] or 0.0) / 1e3
    if speed is None and tpot_s and numbers["concurrency"] is not None:
        speed = numbers["concurrency"] / tpot_s
    lacking = [what for what in NEEDED if not (names.get(what) or numbers.get(what))]
    if lacking or speed is None:
        raise PlannerError(
            path,
            "missing_column",
            worded("{names} missing", names=", ".join(lacking or ["output_tokens_per_s"])),
            worded("add them, by these names, to the benchmark's fields"),
        )
    return MeasuredPoint(
        model=names["model"],
        gpu_model=names["gpu_model"].partition("-" if "hw" in fields else "\0")[
            0
        ],  # b200-trt: with its engine
        tensor_parallel=max(1, round(gpus)),
        precision=precision_of(names["precision"]),
        concurrency=numbers["concurrency"] or 0.0,
        input_tokens=numbers["input_tokens"] or 0.0,
        output_tokens=numbers["output_tokens"] or 0.0,
        tokens_per_s=speed,
        source=path.replace("\\", "/").rpartition("/")[2],
    )
