"""What single things cost: training runs, models and their workloads, endpoints, experiments."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from gpuplanner.domain.audit.cost_result import (
    EndpointCost,
    ExperimentCost,
    ModelCost,
    ModelPart,
    RunCost,
    UnitCosts,
)
from gpuplanner.domain.figures.costs.unit_costs import (
    ENDPOINT,
    EXPERIMENT,
    MODEL_COST,
    MODEL_PART,
    PREMIUM,
    RUN,
    TRAFFIC,
)
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.reports.entries import entries, fields, inside, named
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, TERMINAL, WINDOW, Column, Medium, Report

RUNS_LISTED: Final = 500
"""A log of a year has tens of thousands of runs: nobody reads them, and their rows would hold up the window."""
LISTED_IN_TERMINAL: Final = 20
READ: Final = WINDOW | TERMINAL
SHOWN: Final = READ | DOCUMENT_ALONE
WITH_CLUSTER: Final = TERMINAL | DOCUMENT_ALONE
KNOWN_FROM: Final[Mapping[str, Text]] = {
    "log": worded("the log"),
    "name": worded("its name"),
    "unknown": "\u2014",
}

KEY: Final = Column(key="key", media=DOCUMENT_ALONE)
CLUSTER: Final = Column(key="cluster", title=worded("Cluster"), media=WITH_CLUSTER)


def _key(row: Any) -> str:
    return str(row.key)


def _subject(row: RunCost | ModelCost) -> str:
    return row.subject


def _named(title: Message) -> Column:
    return Column(key="name", title=title, tip=_key)


def _start(row: RunCost | ExperimentCost) -> int | None:
    return row.start_s


def _end(row: RunCost | ExperimentCost) -> int | None:
    return row.end_s


def _last(row: RunCost) -> int:
    """The last second in which a run ran: its end is the first after it."""
    return row.end_s - 1


def _runs(costs: UnitCosts) -> Sequence[RunCost]:
    return costs.runs


RUNS: Final = Report(
    title=worded("Training runs"),
    one="run",
    many="runs",
    rows=_runs,
    key=_subject,
    columns=(
        KEY,
        _named(worded("Run")),
        CLUSTER,
        Column(key="start", title=worded("Start"), media=WINDOW | DOCUMENT_ALONE, form="date", value=_start),
        Column(key="start", title=worded("From"), media=TERMINAL, form="date", value=_start),
        Column(key="end", title=worded("To"), media=TERMINAL, form="date", value=_last),
        Column(key="end", media=DOCUMENT_ALONE, form="date", value=_end),
        Column(RUN["gpu_hours"], media=DOCUMENT_ALONE),
        Column(RUN["mean_gpus"]),
        Column(RUN["gpu_hours"], media=READ),
        Column(RUN["cost"]),
        Column(RUN["run_kwh"], media=WINDOW | DOCUMENT_ALONE),
        Column(RUN["run_kg_co2"], media=DOCUMENT_ALONE),
    ),
    limits={Medium.WINDOW: RUNS_LISTED, Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
    adds_up=False,
)


def _parts(model: ModelCost) -> Sequence[ModelPart]:
    return model.parts


MODEL_PARTS: Final = Report(
    title=worded("Workloads"),
    one="workload",
    many="workloads",
    rows=_parts,
    key=_key,
    columns=(
        Column(key="key", title=worded("Workload")),
        Column(MODEL_PART["gpu_hours"]),
        Column(MODEL_PART["cost_per_month"]),
    ),
    media=WINDOW | DOCUMENT_ALONE,
    adds_up=False,
)


def _model_name(model: ModelCost) -> Text:
    return model.model or worded("Unknown model")


def _model_and_source(model: ModelCost) -> Message:
    """The model's name, and that it was only read off a job's name."""
    from_name = (" \u00b7 ", worded("from the name")) if model.source == "name" else ()
    return joined((_model_name(model), *from_name))


def _known_from(model: ModelCost) -> Text:
    """Who said which model it is."""
    return KNOWN_FROM[model.source]


def _models(costs: UnitCosts) -> Sequence[ModelCost]:
    return costs.models


MODELS: Final = Report(
    title=worded("Models"),
    one="model",
    many="models",
    rows=_models,
    key=_subject,
    columns=(
        Column(key="model", media=DOCUMENT_ALONE),
        Column(key="source", media=DOCUMENT_ALONE),
        Column(key="model", title=worded("Model"), media=WINDOW, value=_model_and_source),
        Column(key="model", title=worded("Model"), media=TERMINAL, value=_model_name),
        Column(key="source", title=worded("Known from"), media=TERMINAL, value=_known_from),
        Column(MODEL_COST["workloads"], media=READ),
        Column(MODEL_COST["gpu_hours"]),
        Column(MODEL_COST["cost_per_month"]),
        named("workloads", lambda model: entries(MODEL_PARTS, model)),
    ),
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
    adds_up=False,
)


def _of_premium(key: str) -> Callable[[EndpointCost], float | None]:
    """A field of an endpoint's premium, whatever the figure of that name."""

    def value(row: EndpointCost) -> float | None:
        found: float | None = getattr(row.premium, key)
        return found

    return value


TOKENS: Final = fields(
    named("start", "start_s", "date"),
    named("end", "end_s", "date"),
    *(
        TRAFFIC[key]
        for key in (
            "context_tokens",
            "generated_tokens",
            "cost",
            "cost_per_million_tokens",
            "cost_per_million_generated_tokens",
        )
    ),
    named("tokens_are_assumed", "is_assumed"),
)
"""Of an endpoint's traffic."""
PREMIUMS: Final = fields(
    PREMIUM["paid_rate"],
    "offer_id",
    PREMIUM["offer_rate"],
    PREMIUM["premium_per_month"],
    "is_leak",
    PREMIUM["paid_utilization"],
    PREMIUM["offer_utilization"],
)
"""Of what an endpoint pays beside the offer at equal terms."""


def _endpoints(costs: UnitCosts) -> Sequence[EndpointCost]:
    return costs.endpoints


ENDPOINTS: Final = Report(
    title=worded("Endpoints"),
    one="endpoint",
    many="endpoints",
    rows=_endpoints,
    key=_key,
    columns=(
        KEY,
        _named(worded("Endpoint")),
        CLUSTER,
        Column(ENDPOINT["gpu_hours"], media=WITH_CLUSTER),
        Column(ENDPOINT["cost_per_month"], media=WITH_CLUSTER),
        Column(ENDPOINT["active_per_month"], media=DOCUMENT_ALONE),
        Column(ENDPOINT["inactive_per_month"]),
        Column(
            key="by_hour_usd_per_month", media=DOCUMENT_ALONE, value=lambda row: list(row.by_hour_per_month)
        ),
        Column(
            key="by_weekday_usd_per_month",
            media=DOCUMENT_ALONE,
            value=lambda row: [list(day) for day in row.by_weekday_per_month],
        ),
        inside("tokens", TOKENS),
        inside("premium", PREMIUMS),
        Column(TRAFFIC["cost_per_million_tokens"], media=READ),
        *(
            Column(PREMIUM[key], media=TERMINAL, value=_of_premium(key))
            for key in ("paid_rate", "paid_utilization", "offer_rate", "offer_utilization")
        ),
        Column(PREMIUM["premium_per_month"], media=READ),
        Column(ENDPOINT["cost_per_month"], media=WINDOW),
    ),
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
    adds_up=False,
)


def _experiments(costs: UnitCosts) -> Sequence[ExperimentCost]:
    return costs.experiments


EXPERIMENTS: Final = Report(
    title=worded("Experiments"),
    one="experiment",
    many="experiments",
    rows=_experiments,
    key=_key,
    columns=(
        KEY,
        _named(worded("Experiment")),
        CLUSTER,
        Column(key="start", media=DOCUMENT_ALONE, form="date", value=_start),
        Column(key="end", media=DOCUMENT_ALONE, form="date", value=_end),
        Column(EXPERIMENT["jobs"]),
        Column(EXPERIMENT["gpu_hours"], media=WITH_CLUSTER),
        Column(EXPERIMENT["cost_per_month"], media=WITH_CLUSTER),
        Column(EXPERIMENT["cost_in_window"], media=DOCUMENT_ALONE),
        Column(EXPERIMENT["cost_per_job"]),
        Column(EXPERIMENT["cost_per_month"], media=WINDOW),
    ),
    limits={Medium.TERMINAL: LISTED_IN_TERMINAL},
    media=SHOWN,
    adds_up=False,
)
