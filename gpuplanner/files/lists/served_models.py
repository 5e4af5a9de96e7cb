"""Models as files: served ones, results of benchmarks of serving them, and trained ones with measured points."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from itertools import count, islice
from pathlib import PurePath
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.domain.model.places import MeasuredPoint, ServedModel, ServingPoint
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, Stack, TrainedModel
from gpuplanner.domain.serving.memory import counted_parameters, kv_bytes_per_token, weights_gb
from gpuplanner.domain.training.run import Run, usual_cut
from gpuplanner.files.sources.issue_texts import LONG, refused_file
from gpuplanner.files.sources.json_values import begins_json, json_paths, json_values, outer_path
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.system.resources import chip_of, model_of_catalogue, read_served_models, rows_of
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.small_table import ReadRow, Row, RowEnds, RowError, TableKind, rows_below
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.word_lists import phrases
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Models that are served: named in the product's table, or read from a config.json or a small table


KIND: Final = "model"
WHY: Final = worded("layers and heads of a language model")

_WORDS: Final = {
    (row["table"], row["field"]): tuple(row["words"].split("|")) for row in rows_of("model_words.csv")
}
NAMES: Final = {field: words for (table, field), words in _WORDS.items() if table == "model"}
"""What a field may be called, by what it is here."""

NOT_GATED: Final = frozenset(("bloom", "falcon", "gpt2", "gpt_neo", "gpt_neox", "gptj", "mpt", "opt", "phi"))
"""Architectures whose feed-forward layers have two matrices."""
QKV_BIAS: Final = frozenset(("qwen2", "qwen2_moe"))
QK_NORM: Final = frozenset(("qwen3", "qwen3_moe", "gemma3_text"))
FOUR_NORMS: Final = frozenset(("gemma2", "gemma3_text"))
TIED: Final = frozenset(("cohere", "cohere2", "gemma", "gemma2", "gemma3_text", "gpt2"))
"""Architectures whose word embeddings are used twice where the file does not say."""

_LARGEST: Final = 10**15
_SUFFIXES: Final = (".json", ".csv", ".tsv", ".txt", ".xlsx", ".gz", ".zip")
_QUANTISED: Final = {
    "FP4": r"(?:nv|mx)?fp4",
    "FP8": "fp8|float",
    "INT8": r"int8|q[568]|8bit|(?:quantized\.)?w8a(?:8|16)",
    "INT4": r"(?:int|i?q)4|4bit|(?:quantized\.)?w4a16|awq|gptq|bnb|(?:[0kmls]\.)?gguf|exl[23]",
}
"""Words of a name that say how its weights are kept; of several the first counts."""
_LEFT_OUT: Final = lazy_re(
    r"instruct|chat|base|thinking|hf|it|meta|nvidia|unsloth|c4ai|v[01]\.\d+|0\d|\d{4}|bf16|dynamic|block|qat|mlx|[0kmls]|"
    + "|".join(_QUANTISED.values())
)
_SIZE: Final = lazy_re(r"(?i)(?:(\d{1,3})\s*x\s*)?(\d+(?:\.\d+)?)\s*([mbt])")


def sniff(head: str) -> float:
    """How sure it is that a text is the configuration of a model, 0..1."""
    names = json_paths(head) if begins_json(head) else header_columns(head)[1]
    last = {name.rpartition(".")[2] for name in names}
    if not last & set(NAMES["layers"]):
        return 0.0
    return 0.95 if last & {*NAMES["kv_heads"], *NAMES["heads"]} else 0.0


def describe(source: Source) -> FileIntake:
    """What the model of a file comes to. Errors: PlannerError file_unreadable."""
    try:
        model = model_of(source)
    except PlannerError as fault:
        if fault.code not in ("missing_column", "bad_number"):
            raise
        return refused_file(source, fault, KIND)
    return RowEnds(read=1).intake(source, KIND, "", _facts(model))


def read_model(text: str, table: Sequence[ServedModel]) -> tuple[ServedModel, FileIntake | None]:
    """A model by its name in the table (whatever its case), or from a file, with the intake of that file.

    Errors: PlannerError usage for a name that is not in the table, file_missing, file_unreadable, truncated_file,
    missing_column, bad_number.
    """
    named = model_named(text, table)
    if named is not None:
        return named, None
    try:
        with sources_of(text) as sources:
            model = model_of(sources[0])
            return model, RowEnds(read=1).intake(sources[0], KIND, "", _facts(model))
    except PlannerError as fault:
        if fault.code != "file_missing" or text.casefold().endswith(_SUFFIXES):
            raise
    known = ", ".join(alike_names(text, table))
    config = worded("write --model with its config.json")
    remedy = (
        worded("did you mean {known}? Otherwise {config}", known=known, config=config) if known else config
    )
    raise PlannerError(f"model {text!r}", "usage", worded("neither a file nor a known model"), remedy)


def model_named(text: str, table: Sequence[ServedModel]) -> ServedModel | None:
    """The model of the table with this name; case, signs, the owner before it and words like instruct do not count.

    A word like AWQ says how its weights are kept.
    """
    named = _by_name(table).get("".join(_words(text)))
    return named and _as_kept(named, text)


def _as_kept(model: ServedModel, text: str) -> ServedModel:
    """The model with weights in the precision that a name says, else in that of the table."""
    kept = _kept_in(text)
    return replace(model, weights=kept) if kept else model


def _kept_in(text: str) -> str:
    """The precision of weights that a name says; empty without one."""
    words = lazy_re(r"[^a-z0-9.]+").split(text.casefold())
    of = (kept for kept, forms in _QUANTISED.items() if any(map(lazy_re(forms).fullmatch, words)))
    return next(of, "")


def model_in_name(text: str, table: Sequence[ServedModel]) -> ServedModel | None:
    """The model of the table that an endpoint's name has in it; without its version the last of that size."""
    words = _words(text)
    runs = {"".join(words[at:end]) for at in range(len(words)) for end in range(at + 1, len(words) + 1)}
    sized = {
        "".join(_words(model.name.split()[0].rstrip("0123456789.") + model.name.split()[-1])): model
        for model in table
    }
    for names in (_by_name(table), sized):
        if inside := runs & names.keys():
            return _as_kept(names[max(inside, key=len)], text)
    return None


ALIKE_NAMES: Final = 3


def alike_names(text: str, table: Sequence[ServedModel]) -> tuple[str, ...]:
    """The models of the table whose names are nearest, the nearest first; none where none is alike."""
    named = _by_name(table)
    near = get_close_matches("".join(_words(text)), named, ALIKE_NAMES)
    return tuple(dict.fromkeys(named[name].name for name in near))


def _by_name(table: Sequence[ServedModel]) -> dict[str, ServedModel]:
    """Models by every name that they have, as one word."""
    return {
        "".join(_words(name)): model
        for model in table
        for name in (model.name, *model.also.split("|"))
        if name
    }


@lru_cache(2048)
def _words(name: str) -> tuple[str, ...]:
    """`meta-llama/Llama-3.1-8B-Instruct` is `llama`, `31`, `8b`."""
    last = name.casefold().replace("\\", "/").rpartition("/")[2]
    words = lazy_re(r"[^a-z0-9.]+").split(last.replace("+", " plus"))
    return tuple(word.replace(".", "") for word in words if word and not _LEFT_OUT.fullmatch(word))


def model_of(source: Source) -> ServedModel:
    """The model that a file states. Errors: PlannerError missing_column, bad_number, or as of reading."""
    fields = _json_fields(source) if begins_json(source.head) else _table_fields(source)
    numbers = {name: _number(fields, names, source.path) for name, names in NAMES.items()}
    sizes = {name: value for name, value in numbers.items() if value is not None}
    _complete(sizes, fields)
    parameters, active = _parameters(sizes, fields)
    values = {
        "parameters": parameters,
        **{name: sizes.get(name) for name in ("layers", "kv_heads", "head_dim")},
    }
    lacking = [name for name, value in values.items() if not value]
    if lacking:
        fault = worded("{names} missing", names=", ".join(lacking))
        remedy = worded("add parameters, layers, kv_heads and head_dim, or a complete config.json")
        raise PlannerError(source.path, "missing_column", fault, remedy)
    if active is not None and not 1 <= active <= (parameters or 0):
        fault = worded(
            "{active} of {whole} parameters are active", whole=whole(parameters), active=whole(active)
        )
        raise PlannerError(
            source.path, "bad_number", fault, worded("write 1 to all parameters, or remove it")
        )
    experts = sizes.get("experts") or None
    kept = lazy_re(r"bits\W+(\d)|\w+': (?:False|None)").sub(r"\1bit", str(fields.get("quantization_config")))
    return ServedModel(
        name=_name(fields, source.path),
        parameters=values["parameters"] or 0,
        layers=values["layers"] or 0,
        kv_heads=values["kv_heads"] or 0,
        head_dim=values["head_dim"] or 0,
        active_parameters=active if active != parameters else None,
        experts=experts,
        experts_per_token=sizes.get("experts_per_token") if experts else None,
        kv_values_per_layer=sizes.get("kv_values_per_layer"),
        source=source.path.replace("\\", "/").rpartition("/")[2],
        hidden=sizes.get("hidden"),
        vocabulary=sizes.get("vocab"),
        attention_width=sizes.get("attention_width"),
        weights=_kept_in(kept),
    )


def _json_fields(source: Source) -> dict[str, Any]:
    """The fields of a config.json in small letters, those of its text part over the outer ones.

    Errors: PlannerError `missing_column` if it holds no object.
    """
    value = next(iter(json_values(source, outer_path(source.head))), None)
    if not isinstance(value, dict):
        raise PlannerError(
            source.path, "missing_column", worded("no JSON object"), worded("give a config.json")
        )
    inner = value.get("text_config")  # of a model that sees too
    merged = {**value, **inner} if isinstance(inner, dict) else value
    return {str(name).casefold(): found for name, found in merged.items()}


def _table_fields(source: Source) -> dict[str, Any]:
    """The fields of the one row of a table; PlannerError `missing_column` unless it has just one."""
    rows = (row for _, row, _ in rows_below(source, header_columns(source.head)[1]))
    sound = (row.texts for row in rows if row.ragged is None or row.ragged.code != LONG)
    every = [*islice(sound, 2)]
    if len(every) != 1:
        found = "no row" if not every else "several models"
        raise PlannerError(
            source.path,
            "missing_column",
            worded("it has {found}", found=found),
            worded("keep one row under the header"),
        )
    return {name: text.strip() for name, text in every[0].items()}


def _number(fields: Mapping[str, Any], names: Sequence[str], path: str) -> int | None:
    """A whole number by any of its names; `70B` and `8x7B` are billions. Errors: PlannerError bad_number."""
    name = next((one for one in names if fields.get(one) not in (None, "")), None)
    if name is None:
        return None
    value = fields[name]
    number = Decimal(value) if isinstance(value, int | Decimal) and not isinstance(value, bool) else None
    if isinstance(value, str):
        number = read_decimal(value.replace(",", ""))
        if number is None and (match := _SIZE.fullmatch(value.strip())):
            scale = {"m": 10**6, "b": 10**9, "t": 10**12}[match[3].lower()]
            number = Decimal(match[1] or 1) * Decimal(match[2]) * scale
    if number is not None and name in (*NAMES["parameters_billion"], *NAMES["active_parameters_billion"]):
        number *= 10**9
    elif number is not None and name in (*NAMES["parameters"], *NAMES["active_parameters"]):
        number *= 10**9 if 0 < number < 10_000 else 1  # nobody serves a model of 70 parameters
    if number is None or not 0 <= number <= _LARGEST or number != number.to_integral_value():
        raise PlannerError(
            path,
            "bad_number",
            worded("{column} is {text}", column=name, text=f"{str(value)!r:.60}"),
            worded("write it as a whole number"),
        )
    return int(number)


def _complete(sizes: dict[str, int], fields: Mapping[str, Any]) -> None:
    """Sizes that follow from others: as many KV heads as heads, the width of a head and of all, what latent attention
    keeps.
    """
    if fields.get("multi_query") is True and "kv_heads" not in sizes:
        sizes["kv_heads"] = 1
    if "heads" in sizes:
        sizes.setdefault("kv_heads", sizes["heads"])
        if sizes["heads"] and "hidden" in sizes:
            sizes.setdefault("head_dim", sizes["hidden"] // sizes["heads"])
    latent = [sizes.get(name, 0) for name in ("nope_dim", "rope_dim", "v_dim")]
    head = sum(latent) // 2 if all(latent) else sizes.get("head_dim", 0)
    if width := sizes.get("heads", 0) * head:
        sizes["attention_width"] = width
    if "kv_rank" in sizes and "rope_dim" in sizes:
        sizes.setdefault("kv_values_per_layer", sizes["kv_rank"] + sizes["rope_dim"])
    if "shared_experts" in sizes and "expert_intermediate" in sizes:
        sizes.setdefault("shared_intermediate", sizes["shared_experts"] * sizes["expert_intermediate"])


def _parameters(sizes: dict[str, int], fields: Mapping[str, Any]) -> tuple[int | None, int | None]:
    """All and active parameters: as stated, else counted from the sizes."""
    whole = sizes.get("parameters", sizes.get("parameters_billion"))
    active = sizes.get("active_parameters", sizes.get("active_parameters_billion"))
    kind = str(fields.get("model_type", ""))
    flags = {
        "tied": fields.get("tie_word_embeddings", kind in TIED) in (True, "true"),
        "qkv_bias": fields.get("attention_bias") is True or kind in QKV_BIAS,
        "qk_norm": kind in QK_NORM,
        "router_bias": fields.get("topk_method") == "noaux_tc",
        "shared_gate": kind == "qwen2_moe",
        "norms": 4 if kind in FOUR_NORMS else 2,
    }
    matrices = 2 if kind in NOT_GATED else 3
    if matrices == 2 and "hidden" in sizes:
        sizes.setdefault("intermediate", 4 * sizes["hidden"])
    is_whole = "kv_rank" not in sizes or {"nope_dim", "rope_dim", "v_dim"} <= sizes.keys()
    counted = counted_parameters({**sizes, **flags}, matrices) if is_whole else None
    if whole is None and counted is not None:
        return counted.parameters, counted.active if active is None else active
    if active is None and counted is not None and sizes.get("experts") and whole:
        active = round(whole * counted.active / counted.parameters)
    return whole, active


def _name(fields: Mapping[str, Any], path: str) -> str:
    """What the model is called: as stated, without its folders, else as its file or, for a config.json, the
    folder.
    """
    stated = next((fields[name] for name in ("name", "model", "_name_or_path") if fields.get(name)), None)
    if isinstance(stated, str):
        return stated.replace("\\", "/").rstrip("/").rpartition("/")[2] or stated
    place = PurePath(path.replace("\\", "/"))
    return place.parent.name if place.stem == "config" and place.parent.name else place.stem


def _facts(model: ServedModel) -> Facts:
    """What `check` lists of a model: its numbers, weights in GB and bytes a token at 16 bits."""
    return (
        ("model", model.name),
        ("parameters", model.parameters),
        ("active_parameters", model.active),
        ("layers", model.layers),
        ("kv_heads", model.kv_heads),
        ("head_dim", model.head_dim),
        ("experts", model.experts),
        ("weights_gb_bf16", weights_gb(model.parameters, 2)),
        ("kv_bytes_per_token_bf16", kv_bytes_per_token(model, 2)),
    )


# --- Tables of measured points of serving ---------------------------------------------------------

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
        names = [name.strip().casefold() for name in header_columns(source.head)[1]]
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


FOUND_AS: Final = {field: words for (table, field), words in _WORDS.items() if table == "measured"}
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
    columns = header_columns(source.head)[1]
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


# --- Training as tables: models that a planner names or has a file of, and measured points


USUAL_EXPERT_SHARE: Final = 0.05
"""Of the experts of a layer, those that a token uses, where a mixture is not in the catalogue."""


def trained_model(text: str) -> tuple[TrainedModel, FileIntake | None]:
    """A model by its name in the tables, or from a file, with the intake of that file.

    Errors: PlannerError, as of `served_models.read_model`.
    """
    known = model_of_catalogue(text)
    if known is not None:
        return known, None
    served, intake = read_model(text, read_served_models())
    alike = model_of_catalogue(served.name)
    chosen, experts = served.experts_per_token, served.experts
    return alike or TrainedModel(
        name=served.name,
        parameters=float(served.parameters),
        active=float(served.active),
        layers=served.layers,
        hidden=served.hidden,
        attention_layers=served.layers,
        attention_width=served.attention_width
        or served.hidden,  # heads together are mostly as wide as a token
        vocabulary=served.vocabulary,
        experts_per_token=chosen,
        expert_share=chosen / experts if chosen and experts else None,
    ), intake


# --- Measured runs, one a row: what the formula says of each

WORDS_OF_SHARDING: Final = (
    (lazy_re(r"hsdp"), Sharding.HSDP),
    (lazy_re(r"zero-?2"), Sharding.ZERO2),
    (lazy_re(r"zero-?1"), Sharding.ZERO1),
    (lazy_re(r"fsdp|zero-?3"), Sharding.FSDP),
    (lazy_re(r"none|ddp|replicated|one gpu"), Sharding.NONE),
)
WORDS_OF_RECOMPUTATION: Final = {**{one.value: one for one in Recompute}, "recipe": None, "not stated": None}
METHODS: Final = {"lora": Method.LORA, "qlora": Method.QLORA}
MANY_STEPS: Final = 32
"""Micro-batches a step where the batch is not stated: enough to fill a pipeline."""
TRAINED_COLUMNS: Final = phrases(
    "model|params_b|active_params_b|kind|task|layers|hidden|gpu_model|gpus|gpus_per_node|nic_gbps|precision|sequence"
    "|global_batch|micro_batch|tp|pp|cp|ep|vp|dp|sharding|activation_checkpointing|stack|proxy"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingPoint:
    """A run as a row states it. run None: the chip or the model is not known; why says which.

    is_sharding_stated: else it is the usual one of its software. is_proxy: it ran with fewer layers than its model.
    """

    row: int
    run: Run | None
    why: str = ""
    is_sharding_stated: bool = True
    is_proxy: bool = False


def point_of(row: Row, line: int) -> TrainingPoint:
    """The run of a row, usual values where it states none. Errors: RowError where GPUs or the GPU model lack."""
    written = row.required("gpu_model")
    gpus = row.integer("gpus")
    if not gpus:
        raise RowError("bad_number", worded("gpus is not a whole number above 0"))
    chip, node = chip_of(written)
    if chip is None:
        return TrainingPoint(row=line, run=None, why=f"GPU model {written} is not known")
    model = _stated_model(row)
    if model is None:
        return TrainingPoint(
            row=line, run=None, why=f"model {row.text('model')} is not known, and params_b is not stated"
        )
    run = Run(
        model=model,
        chip=chip,
        gpus=gpus,
        layout=Layout(),
        batch=1.0,
        sequence=row.integer("sequence") or 4096,
        precision=_precision(row.text("precision")),
        stack=row.word("stack", {one.value: one for one in Stack}) or Stack.TUNED,
        method=METHODS.get((row.text("task") or "").casefold(), Method.FULL),
        gpus_per_node=row.integer("gpus_per_node") or node,
        nic_gbps=row.real("nic_gbps"),
    )
    text = (row.text("sharding") or "").casefold()
    sharding = next((kind for words, kind in WORDS_OF_SHARDING if words.search(text)), None)
    recompute = row.word("activation_checkpointing", WORDS_OF_RECOMPUTATION)
    run = replace(run, layout=_layout(row, run, sharding, recompute))
    copies = run.layout.data_parallel(gpus) * run.layout.micro_batch
    run = replace(run, batch=row.real("global_batch") or copies * MANY_STEPS)
    return TrainingPoint(
        row=line, run=run, why="", is_sharding_stated=sharding is not None, is_proxy=row.text("proxy") == "1"
    )


def _stated_model(row: Row) -> TrainedModel | None:
    """What the row states of a model before what the catalogue says of it."""
    known = model_of_catalogue(row.text("model") or "")
    billion, active = row.real("params_b"), row.real("active_params_b")
    if billion is None:
        return known
    layers, hidden = row.integer("layers"), row.integer("hidden")
    share = USUAL_EXPERT_SHARE if (row.text("kind") or "").casefold() == "moe" else None
    stated = known or TrainedModel(
        name=row.text("model") or "",
        parameters=billion * 1e9,
        active=billion * 1e9,
        layers=None,
        hidden=None,
        attention_layers=layers,
        attention_width=hidden,
        vocabulary=None,
        experts_per_token=None,
        expert_share=share,
    )
    return replace(
        stated,
        parameters=billion * 1e9,
        active=(active or billion) * 1e9,
        layers=layers or stated.layers,
        hidden=hidden or stated.hidden,
    )


def _precision(text: str | None) -> str:
    """BF16 for all of 16 bits."""
    folded = (text or "").upper()
    return next((name for name in ("FP4", "FP8") if name in folded), "BF16")


def _layout(row: Row, run: Run, sharding: Sharding | None, recompute: Recompute | None) -> Layout:
    """As stated; where copies are stated one lies on the GPUs of each, where nothing says how it is cut it fits."""
    stated = {name: row.integer(name) for name in ("tp", "pp", "cp", "ep", "vp", "dp")}
    cp = stated["cp"] or 1
    usual = Sharding.FSDP if run.stack is Stack.PLAIN else Sharding.ZERO1
    if stated["dp"]:
        cut = run.gpus // (stated["dp"] * cp)
    else:
        cut = 1 if (sharding or usual) is Sharding.FSDP else usual_cut(run)
    tp = stated["tp"] or max(1, min(8, cut // (stated["pp"] or 1)))
    return Layout(
        tp=tp,
        pp=stated["pp"] or max(1, cut // tp),
        cp=cp,
        ep=stated["ep"] or 1,
        sharding=sharding or usual,
        micro_batch=row.real("micro_batch") or 1.0,
        recompute=recompute or Recompute.NONE,
        interleave=stated["vp"],
    )


def _reader() -> ReadRow[TrainingPoint]:
    """Rows are numbered as lines of the file, the header is 1."""
    lines = count(2)
    return lambda row: (point_of(row, next(lines)),)


POINTS: Final[TableKind[TrainingPoint]] = TableKind(
    kind="training_points",
    format="own_points",
    columns=TRAINED_COLUMNS,
    needed=(("model", "params_b"), ("gpu_model",), ("gpus",)),
    reader=_reader,
    key=lambda point: point.row,
)
