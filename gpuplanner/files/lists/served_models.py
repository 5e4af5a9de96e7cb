"""Models that are served: named in the product's table, or read from a config.json or a small table."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from difflib import get_close_matches
from functools import lru_cache
from itertools import islice
from pathlib import PurePath
from typing import Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.domain.model.places import ServedModel
from gpuplanner.domain.serving.memory import counted_parameters, kv_bytes_per_token, weights_gb
from gpuplanner.files.sources.issue_texts import LONG, refused_file
from gpuplanner.files.sources.json_values import begins_json, json_paths, json_values, outer_path
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.tables.delimited import header_columns
from gpuplanner.files.tables.small_table import RowEnds, rows_below
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

KIND: Final = "model"
WHY: Final = worded("layers and heads of a language model")

MODEL_WORDS: Final = {
    (row["table"], row["field"]): tuple(row["words"].split("|")) for row in rows_of("model_words.csv")
}
NAMES: Final = {field: words for (table, field), words in MODEL_WORDS.items() if table == "model"}
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
    names = json_paths(head) if begins_json(head) else header_columns(head).columns
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
    rows = (row for _, row, _ in rows_below(source, header_columns(source.head).columns))
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
