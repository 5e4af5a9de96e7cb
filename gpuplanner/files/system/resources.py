"""Readers for resources/: tables, icons and demo inputs that ship with the product."""

import re
from collections.abc import Callable, Mapping
from functools import cache
from math import log2
from pathlib import Path
from typing import Any, Final, TypeVar, get_type_hints

from gpuplanner.domain.message import Message, Part, worded
from gpuplanner.domain.model import amounts, gpu_family, places, tables
from gpuplanner.domain.model.book.price_history import ListedRate, PriceMonth
from gpuplanner.domain.model.trained import TrainedModel
from gpuplanner.domain.serving import calibration, serving_gpus
from gpuplanner.domain.training.memory import need_of_run, run_of_model, usual_model
from gpuplanner.domain.training.run import Chip, Efficiency, Factors, NamedChip
from gpuplanner.files.system.user_files import resource_path
from gpuplanner.files.system.user_files import rows_of as rows_of  # noqa: PLC0414  (exported from here, too)
from gpuplanner.lazy_dataclass import dataclass


def document_path(name: str) -> Path:
    """Return the path of a documentation page: in the package once installed, otherwise in docs/ of the source tree.

    name: without .md.
    """
    installed = resource_path(f"docs/{name}.md")
    return installed if installed.exists() else Path(__file__).parents[3] / "docs" / f"{name}.md"


@cache
def read_tables() -> tables.Tables:
    """Return all tables that an evaluation needs."""
    return tables.Tables(
        trained=trained_need,
        vision_speeds={
            row["gpu_model"]: float(row["vision_speed"])
            for row in rows_of("training_chips.csv")
            if row["vision_speed"]
        },
        gpu_models=rows_as(tables.GpuModel, "gpu_models.csv", is_served="served"),
        class_rules=rows_as(tables.ClassRule, "class_rules.csv"),
        context_rule_ids=frozenset(
            row["rule_id"] for row in rows_of("class_rules.csv") if row["role"] == "context"
        ),
        pod_rules=rows_as(tables.ClassRule, "class_pods.csv"),
        score_rows=rows_as(tables.ScoreRow, "class_scores.csv"),
    )


@cache
def gpu_families() -> gpu_family.Families:
    """Return the reader of GPU names, made from the shipped table."""
    return gpu_family.families_of(read_tables().gpu_models)


@cache
def read_counting_words() -> tuple[str, ...]:
    """Return the words before a running number in job names: run12, seed7."""
    return tuple(row["word"] for row in rows_of("counting_words.csv"))


@cache
def read_known_listings() -> tuple[tuple[str, Message], ...]:
    """Return listings without the columns of jobs, as (regular expression of the start, explanation); the first match
    counts.
    """
    return tuple(
        (
            row["pattern"],
            worded(
                "It contains {what}. {remedy}",
                what=worded(row["what"], name=row["name"]),
                remedy=worded(row["remedy"], how=row["how"], file=row["file"]),
            ),
        )
        for row in rows_of("known_listings.csv")
    )


@cache
def read_question_forms() -> tuple[tables.Form, ...]:
    """Return the wordings of questions and changes, in display order."""
    terms = "|".join(dict.fromkeys(figure.subject.replace(" ", "[- ]") for figure in _meanings()))
    return tuple(
        tables.Form(**row | {"pattern": row["pattern"].replace("{term}", f"(?P<term>{terms})s?")})
        for row in rows_of("question_forms.csv")
    )


def _meanings() -> list[tables.AskedFigure]:
    """Return each term of the glossary as an answer: subject is the term without case, hyphens and brackets."""
    return [
        tables.AskedFigure(
            form="meaning", subject=key, figure=row["meaning"], unit="", path="", place="", title=row["term"]
        )
        for row in rows_of("glossary.csv")
        for key in [row["term"].partition(" (")[0].casefold().replace("-", " ")]
    ]


@cache
def read_question_figures() -> tuple[tables.AskedFigure, ...]:
    """Return the figures that answer a form directly."""
    return (*(tables.AskedFigure(**row) for row in rows_of("question_figures.csv")), *_meanings())


def read_gpu_instances() -> tuple[dict[str, str], ...]:
    """Return cloud instance types with GPUs: provider, instance_type, gpu_model, gpus (1/8 is a part of a GPU)."""
    return tuple(rows_of("gpu_instances.csv"))


@cache
def read_price_history() -> tuple[PriceMonth, ...]:
    """Return monthly medians of public GPU rates, by model, kind of provider, category, term and month."""
    renamed = {"rate_usd_per_gpu_hour": "usd_per_gpu_hour", "rate_low": "low", "rate_high": "high"}
    return rows_as(PriceMonth, "price_history.csv", **renamed)


@cache
def read_listed_rates() -> tuple[ListedRate, ...]:
    """Return the rates of the shipped price list, $ per GPU-hour; offers without a rate are left out."""
    return tuple(
        ListedRate(
            row["gpu_model"], row["provider"], row["pricing_category"], float(row["rate_usd_per_gpu_hour"])
        )
        for row in rows_of("offers.csv")
        if float(row["rate_usd_per_gpu_hour"] or 0)
    )


def read_served_models() -> tuple[places.ServedModel, ...]:
    """Return well-known open models; the columns of the table are the fields of `ServedModel`."""
    return rows_as(places.ServedModel, "served_models.csv")


@cache
def read_calibration() -> calibration.Calibration:
    """Return the calibration of serving: measured GPUs and their neighbors, and factors fitted to the measurements."""
    chips = (
        calibration.ServingChip(
            gpu_model=row["gpu_model"],
            factors_of=row["factors_of"],
            is_measured=row["measured"] == "yes",
            generation=row["generation"],
            platform=row["platform"],
            link=row["link"],
            link_gb_per_s=float(row["link_gb_per_s"]),
            tflops={name: _stated_tflops(row[f"{name.lower()}_tflops"]) for name in ("FP8", "INT8", "FP4")},
            source=row["source"],
        )
        for row in rows_of("serving_gpus.csv")
    )
    return calibration.calibration_of(tuple(chips), rows_as(calibration.ServingFactor, "serving_factors.csv"))


@cache
def read_serving_tables() -> serving_gpus.ServingTables:
    """Return the tables for sizing: GPU models and calibration."""
    return serving_gpus.ServingTables(read_tables().gpu_models, read_calibration())


def _stated_tflops(text: str) -> float | None:
    """Parse a cell in TFLOP/s: 0 for a dash (not supported), None for an empty cell (not stated)."""
    return 0.0 if text == "-" else float_or_none(text)


def read_coasts() -> tuple[tuple[str, tuple[tuple[float, float], ...]], ...]:
    """Return coarse coast lines for a map: land or water, and the corners of a closed line as (longitude, latitude) in
    degrees.
    """
    lines: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for row in rows_of("land.csv"):
        place = (float(row["longitude"]), float(row["latitude"]))
        lines.setdefault((row["kind"], row["name"]), []).append(place)
    return tuple((kind, tuple(corners)) for (kind, _), corners in lines.items())


@cache
def read_guide_places() -> Mapping[str, str]:
    """Return documentation pages with anchors, by panel or dialog class."""
    return {row["about"]: row["place"] for row in rows_of("guide_places.csv")}


@cache
def _named_words() -> Mapping[str, list[tuple[str, str]]]:
    return amounts.grouped((row["table"], (row["name"], row["words"])) for row in rows_of("named_words.csv"))


def words_table(table: str) -> dict[str, Message]:
    """Return the translatable texts of a table in named_words.csv, by name. Errors: KeyError for an unknown table."""
    return {name: worded(words) for name, words in _named_words()[table]}


def long_text(name: str, /, **values: Part) -> Message:
    """A longer text of the window, of the table `note`, with its places filled. Errors: KeyError for no such name."""
    return worded(_notes()[name], **values)


@cache
def _notes() -> Mapping[str, str]:
    return dict(_named_words()["note"])


def views_of(switch: str) -> tuple[tuple[str, Message, Message], ...]:
    """Return the views of a switch: name, title and tool tip of each."""
    rows = (row for row in rows_of("views.csv") if row["switch"] == switch)
    return tuple((row["name"], worded(row["title"]), worded(row["tip"])) for row in rows)


@cache
def _plain_words() -> Mapping[str, list[tuple[str, str]]]:
    return amounts.grouped((row["table"], (row["name"], row["words"])) for row in rows_of("plain_words.csv"))


def plain_table(table: str) -> dict[str, str]:
    """Return the untranslated texts of a table in plain_words.csv, by name. Errors: KeyError for an unknown table."""
    return dict(_plain_words()[table])


RowType = TypeVar("RowType")


def rows_as(kind: Callable[..., RowType], name: str, **renamed: str) -> tuple[RowType, ...]:
    """Read the rows of a table as dataclasses, each cell in the type of its field.

    kind: the dataclass. name: of the file. renamed: column names by field, where they differ.
    """
    columns = [(key, renamed.get(key, key), _reader_of(of)) for key, of in get_type_hints(kind).items()]
    return tuple(kind(**{key: read(row[column]) for key, column, read in columns}) for row in rows_of(name))


def _reader_of(kind: Any) -> Callable[[str], Any]:
    """Return the parser of a field's type: enums parse their values, literals are plain text."""
    return _READ_AS.get(kind, kind if isinstance(kind, type) else str)


def float_or_none(text: str) -> float | None:
    """Parse a number; None for an empty cell."""
    return float(text) if text else None


def int_or_none(text: str) -> int | None:
    """Parse a whole number; None for an empty cell."""
    return int(text) if text else None


_READ_AS: Final[Mapping[Any, Callable[[str], Any]]] = {
    **{kind: kind for kind in (str, int, float)},
    float | None: float_or_none,
    int | None: int_or_none,
    bool: "yes".__eq__,
    Message: worded,
    tuple[str, ...]: lambda text: tuple(filter(None, text.split("|"))),
}


# --- Training: shipped chips, factors and models, and the needs of a training run -----------------

USUAL_DOMAIN: Final = 8


@dataclass(frozen=True, slots=True)
class TrainingFacts:
    """Shipped training data: chips by GPU model, factors, models by name. node_gpus: GPUs of the usual node by GPU
    model.
    """

    chips: Mapping[str, Chip]
    factors: Factors
    models: Mapping[str, TrainedModel]
    node_gpus: Mapping[str, int]


@cache
def training_facts() -> TrainingFacts:
    """Read the shipped training data.

    Source: resources/training_chips.csv, training_factors.csv, training_models.csv; gpu_models.csv (BF16), and
    serving_gpus.csv (FP8, FP4).
    """
    known = {model.name: model for model in read_tables().gpu_models}
    serving = read_calibration().chips
    chips, nodes, alike = {}, {}, {}
    for row in rows_of("training_chips.csv"):
        name, model = row["gpu_model"], known.get(row["gpu_model"])
        memory = float_or_none(row["training_memory_gb"]) or (None if model is None else model.memory_gb)
        if not memory:
            continue
        bf16 = float_or_none(row["bf16_tflops"]) or (None if model is None else model.tflops)
        served = serving.get(name.casefold())
        narrow = {} if served is None else served.tflops
        peaks = {
            "BF16": bf16,
            "FP8": float_or_none(row["fp8_tflops"]) or narrow.get("FP8"),
            "FP4": float_or_none(row["fp4_tflops"]) or narrow.get("FP4"),
        }
        nodes[name] = int(row["node_gpus"] or USUAL_DOMAIN)
        linked = int(row["link_gpus"] or 1)
        nic, ports = float_or_none(row["node_nic_gbps"]), int_or_none(row["node_ports"])
        chips[name] = Chip(
            name=name,
            memory_gb=memory,
            tflops={precision: peak for precision, peak in peaks.items() if peak},
            domain=2 ** int(log2(linked)),
            nic_gbps=None if nic is None else nic / nodes[name],
            port_gbps=nic / ports if nic and ports else None,
            node_ports=ports,
            bandwidth_tb_per_s=None if model is None else model.bandwidth_tb_per_s,
            link_gb_per_s=float_or_none(row["link_gb_per_s"]),
            source="; ".join(filter(None, (row["source"], "" if served is None else served.source))),
        )
        if row["alike"]:
            alike[name] = row["alike"]
    shares = {
        (row["gpu_model"], row["precision"], row["kind"]): Efficiency(float(row["share"]))
        for row in rows_of("training_factors.csv")
    }
    models = {row["name"]: _model(row) for row in rows_of("training_models.csv")}
    return TrainingFacts(chips, Factors(shares, alike), models, nodes)


def _model(row: Mapping[str, str]) -> TrainedModel:
    chosen, experts = int_or_none(row["experts_per_token"]), int_or_none(row["experts"])
    return TrainedModel(
        name=row["name"],
        parameters=float(row["parameters_billion"]) * 1e9,
        active=float(row["active_billion"]) * 1e9,
        layers=int_or_none(row["layers"]),
        hidden=int_or_none(row["hidden"]),
        attention_layers=int_or_none(row["attention_layers"]),
        attention_width=int_or_none(row["attention_width"]),
        vocabulary=int_or_none(row["vocabulary"]),
        experts_per_token=chosen,
        expert_share=chosen / experts if chosen and experts else None,
    )


def model_of_catalogue(name: str) -> TrainedModel | None:
    """Return the shipped model with this name, ignoring case and punctuation; None without one."""
    wanted = _folded(name)
    return next((model for model in training_facts().models.values() if _folded(model.name) == wanted), None)


def _folded(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.casefold().rpartition("/")[2])


def chip_of(written: str) -> NamedChip:
    """Return the chip of a GPU name, by its variant if that has its own row, and the GPUs of its usual node.

    written: any spelling. (None, 8) for an unknown chip.
    """
    facts = training_facts()
    read = gpu_families().read(written.partition("(")[0])
    names = () if read is None else (f"{read.family} {read.form}", read.family)
    for name in (written, *names):
        if name in facts.chips:
            return NamedChip(chip=facts.chips[name], node_gpus=facts.node_gpus[name])
    return NamedChip(chip=None, node_gpus=USUAL_DOMAIN)


NEAR_SIZE: Final = 0.1
"""Largest relative difference between a model's size and the size in a job name for them to match."""


def trained_need(
    billion: float, gpu_model: str | None, gpus: float, slow_gbps: float | None, name: str
) -> tables.TrainedNeed:
    """Return the needs of the largest job of a workload, as `TrainedOf`.

    The model is the shipped one in the job's name, otherwise one of usual proportions.
    """
    facts = training_facts()
    chip, node_gpus = chip_of(gpu_model) if gpu_model else (None, USUAL_DOMAIN)
    held = [
        model
        for model in facts.models.values()
        if _folded(model.name) in _folded(name) and abs(model.parameters / 1e9 / billion - 1) < NEAR_SIZE
    ]
    model = max(held, key=lambda held_model: len(held_model.name), default=usual_model(billion * 1e9))
    return need_of_run(run_of_model(model, chip, node_gpus, gpus, name), slow_gbps, facts.factors)
