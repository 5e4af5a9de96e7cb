"""The commands size and train: an endpoint sized, a training run answered, as JSON and as text."""

import argparse
from collections.abc import Mapping, Sequence
from math import inf
from typing import Final, NamedTuple

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.documents.head import Document, intake_document
from gpuplanner.cli.inputs import prices_of, project_path
from gpuplanner.cli.option_values import parse_rates, parse_settings, parse_whole
from gpuplanner.cli.project_words import in_money_of, no_project, with_money
from gpuplanner.cli.tables import dollars, percent, report_text, titled
from gpuplanner.cli.terminal import Tables, table
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.fit import endpoint_sizing
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model import trained as asked
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.places import ServedModel, ServingChoice, WeekRates
from gpuplanner.domain.reports import training as shown
from gpuplanner.domain.reports.report import entries, entry, fields, named, of_part
from gpuplanner.domain.reports.serving import MEASURED, NOT_FITTING, RATIOS, REGIONS, SIZES, offer_terms
from gpuplanner.domain.reports.serving_words import sentences_of
from gpuplanner.domain.serving.load import load_of
from gpuplanner.domain.serving.memory import kv_bytes_per_token
from gpuplanner.domain.serving.ratios import Compared, PointSpeed, point_speed
from gpuplanner.domain.training.answer import Answer
from gpuplanner.domain.training.choices import Choice, notes_of, virtual_of
from gpuplanner.domain.training.memory import as_needed
from gpuplanner.domain.training.run import Factors, Run, step_of
from gpuplanner.files.lists import served_models, serving_results, trained_models, training_points
from gpuplanner.files.lists.planned_work import hours_text
from gpuplanner.files.lists.traffic_tables import TYPED, read_load, typed_load
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import chip_of, read_served_models, read_serving_tables, training_facts
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.files.system.training import past_runs, trained_answer
from gpuplanner.lazy_dataclass import dataclass

# --- Sizing as JSON: a model and its traffic on every GPU model, precision and GPUs a replica ----


class _Architecture(NamedTuple):
    """A model, and bytes of KV cache a token at the precision of the terms."""

    model: ServedModel
    kv_bytes_per_token: float


ROW_ID: Final = fields(*of_part("row", "gpu_model", "precision", "tensor_parallel"))
ARCHITECTURE: Final = fields(
    named("parameters", "model.parameters"),
    named("active_parameters", "model.active"),
    *of_part("model", "layers", "kv_heads", "head_dim", "experts", "experts_per_token"),
    "kv_bytes_per_token",
    named("weights", lambda of: of.model.weights or "BF16"),
    named("source", "model.source"),
)
TOKENS: Final = ("tokens_per_month", "context_tokens", "generated_tokens", "longest_tokens")
LOAD: Final = fields(
    "peak_requests_per_s",
    "requests_per_month",
    *TOKENS,
    named("tokens_are_assumed", lambda load: bool(load.tokens_per_request) and not load.are_tokens_known),
    named("hours", "known_hours"),
    named("warning", lambda load: load.warning or None),
)
TERMS: Final = fields(
    "headroom",
    "usable_memory",
    "concurrency",
    "concurrency_most",
    "kv_bytes",
    named("bandwidth_share", lambda _: None),
    named("compute_share", lambda _: None),  # of the rule before this one
    named("round_trip_ms", "way_ms"),
    "speed",
)
REPLAY: Final = fields(
    "replicas_flat", "replicas_mean", "replicas_perfect", "missed_share", "backlog_most", "backlog_hours"
)
REGION: Final = fields(
    "site_id",
    "users",
    "peak_requests_per_s",
    "replicas",
    "spare",
    "gpus",
    "usd_per_month",
    "ms_p50",
    "ms_p80",
    "egress_usd_per_month",
    "near_gb",
    "far_gb",
    named("peak_hour_of_week", "peak_hour"),
)
EGRESS: Final = fields(
    "near_gb",
    "far_gb",
    "near_usd_per_gb",
    "far_usd_per_gb",
    "usd_per_month",
    "far_share",
    "later_users_times",
    "later_far_share",
    "later_usd_per_month",
    "times",
)


API: Final = fields(
    "usd_per_million_in",
    "usd_per_million_out",
    "usd_per_month",
    "break_even_requests_per_month",
    "break_even_requests_per_s",
)
WAY: Final = fields(named("sites", lambda way: list(way.sites)), "ms_saved", "usd_per_month")
PLANNED: Final = fields(
    "name", "pool", "gpu_model", "gpus", named("hours", lambda row: hours_text(row.hours))
)
REGIONS_IN_ALL: Final = fields("unserved_users", "gpus", "usd_per_month")
OF_TERM: Final = fields(
    *of_part("row", "gpu_model", "precision", "tensor_parallel"),
    *of_part("offer", "offer_id", "term_months"),
    "gpus_peak",
    named("usd_per_month", "cost_per_month"),
)
BESIDE: Final = fields(*of_part("cost.row", "gpu_model", "precision", "tensor_parallel"), "why")
NOT_SIZED: Final[Document] = {"intake": {"files": []}, "model": None, "gpu_model": None, "rows": []}
"""Where a file can be read and is of no use."""


def _beside(beside: endpoint_sizing.Beside | None) -> Document | None:
    """A row that is not the advice, and why; null without one."""
    return None if beside is None else entry(BESIDE, beside)


def size_document(intake: Sequence[FileIntake], sized: endpoint_sizing.EndpointSizing) -> Document:
    """The document of `size`, but for its head.

    Memory in GB, times in ms, $ a month of 730 h; null where unknown.
    """
    best, model, load, costs = sized.best, sized.model, sized.load, sized.costs
    replayed, by_site = (None, None) if best is None else (sized.replay(best), sized.regional(best))
    api = None if best is None else sized.api(best)
    egress = None if by_site is None else by_site.egress
    return {
        "intake": intake_document(intake),
        "model": None if model is None else model.name,
        "gpu_model": None if best is None else best.row.gpu_model,
        "best": None if best is None else entry(ROW_ID, best),
        "runner_up": _beside(endpoint_sizing.runner_up(costs)),
        "nearest": _beside(endpoint_sizing.nearest_row(costs)),
        "cheapest_term": None if sized.cheaper is None else entry(OF_TERM, sized.cheaper),
        "measured": entries(MEASURED, sized.measured),
        "ratios": entries(RATIOS, sized.ratios),
        "api": None if api is None else entry(API, api),
        "shorter_ways": [entry(WAY, one) for one in sized.shorter_ways],
        "planned": []
        if best is None
        else [entry(PLANNED, planned) for planned in sized.planned(best, PLANNED_AS)],
        "regions": [] if by_site is None else [entry(REGION, region) for region in by_site.regions],
        "regions_in_all": None if by_site is None else entry(REGIONS_IN_ALL, by_site),
        "egress": None if egress is None else entry(EGRESS, egress),
        "autoscaling": None if replayed is None else entry(REPLAY, replayed),
        "rows": entries(SIZES, sized.every),
        "architecture": None
        if model is None
        else entry(ARCHITECTURE, _Architecture(model, kv_bytes_per_token(model, sized.terms.kv_bytes))),
        "load": entry(LOAD, load) | ({} if load.tokens_per_request else dict.fromkeys(TOKENS)),
        "terms": entry(TERMS, sized.terms),
    }


# --- The answer of `size`: a model and its traffic read and sized, and the rows as text ----------

LACKING: Final = "size needs {}; write --model FILE|NAME --traffic FILE, or --requests 40 --in 1200 --out 300"
OF_NO_USE: Final = ("missing_column", "bad_number")
"""Codes of a model or traffic that can be read and not be sized."""
REPLICAS_AT_MOST: Final = 1_000_000
MONTHS_AT_MOST: Final = 120


PLANNED_AS: Final = "inference, sized"
"""The name of planned work that holds what was sized."""


@dataclass(frozen=True, slots=True)
class Sized:
    """What one call sized, and the files behind it."""

    sizing: endpoint_sizing.EndpointSizing
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...]
    currency: Currency = DOLLARS


def sized(words: argparse.Namespace) -> Sized:
    """Read the model, the traffic and the prices, and size. Errors: UsageError; PlannerError.

    Prices of the call take the place of the project's.
    """
    typed = {name: text for name in TYPED if (text := getattr(words, name.replace("-", "_")))}
    needed = ([] if words.rate else ["model"]) + (["requests"] if typed else ["traffic"])
    lacking = [f"--{name}" for name in needed if not getattr(words, name)]
    if typed and words.traffic:
        raise UsageError(
            "--traffic states the requests: it goes without --requests, --in, --out; leave one out"
        )
    if words.rate and (words.model or words.measured):
        raise UsageError("--rate states the speed: it goes without --model and --measured; leave one out")
    if lacking:
        raise UsageError(LACKING.format(" and ".join(lacking)))
    from gpuplanner.files.lists.place_tables import import_places

    replicas = parse_whole(words.replicas, "--replicas", REPLICAS_AT_MOST)
    settings = parse_settings(words.set)
    path = project_path(words)
    project, currency = with_money(
        no_project() if path is None else open_project(path), words, in_dollars=words.json
    )
    assumptions = project.assumptions.with_values(in_money_of(project, settings))
    rates = parse_rates(words.rate)
    model, model_intake = (
        (None, None) if rates else served_models.read_model(words.model, read_served_models())
    )
    traffic, traffic_intake = (_typed(typed), None) if typed else read_load(words.traffic)
    prices = prices_of(words, project, assumptions)
    intake = [file for file in (model_intake, traffic_intake, *prices.intake) if file is not None]
    load = load_of(traffic, assumptions)
    assert load is not None  # a file without any request was refused
    read = import_places(words.users, words.sites, (), words.residency)
    places = read.in_money_of(project).over(project.places)
    measured = (
        []
        if model is None
        else [point for path in words.measured for point in serving_results.read_measured(path)]
    )
    known = (*read_served_models(), *(() if model is None else (model,)))
    sizing = endpoint_sizing.size_choice(
        "",
        ServingChoice(
            model=model,
            term_months=parse_whole(words.term, "--term", MONTHS_AT_MOST) or endpoint_sizing.BY_THE_HOUR,
            measured=tuple(measured),
            rates=tuple(sorted(rates.items())),
        ),
        load,
        assumptions,
        places,
        prices.offers,
        read_serving_tables(),
        models={point.model: served_models.model_named(point.model, known) for point in measured},
        replicas=replicas,
    )
    return Sized(sizing, (*intake, *read.intake), (*prices.refused, *read.refused), currency)


def _typed(texts: Mapping[str, str]) -> WeekRates:
    """Typed traffic. Errors: UsageError."""
    try:
        return typed_load(texts)
    except PlannerError as error:
        name = error.where if error.where in TYPED else "peak-share"
        raise UsageError(f"--{name}: {error.what}; {error.remedy}") from None


def _advised_line(sized: endpoint_sizing.EndpointSizing) -> str:
    """What costs least and at which terms, of the widest weights that do it."""
    best = sized.best
    if best is None:
        drawn = "" if sized.drawn is None else f"; what follows is of {_shape(sized.drawn)}"
        if endpoint_sizing.nearest_row(sized.costs) is not None:
            return f"Least cost none: nothing keeps the targets{drawn}"
        if not (terms := ", ".join(map(str, sized.offered_terms[1:]))):
            return f"Least cost unknown: give --prices{drawn}"
        reason = f"nothing that fits is offered so; by the hour and these terms are: {terms} months"
        return f"Least cost unknown: {reason}{drawn}"
    terms = "" if best.offer is None else f", {offer_terms(best.offer)} at ${best.rate:,.2f} per GPU-hour"
    narrow = any(
        (cost.cost_per_month or inf) < (best.cost_per_month or 0.0) and not cost.row.is_rewritten
        for cost in sized.costs
    )
    narrower = "; narrower weights cost less and are another model" if narrow else ""
    return f"Least cost: {_shape(best)}, ${dollars(best.cost_per_month)} per month{terms}{narrower}"


def _measured_lines(compared: Sequence[Compared]) -> list[str]:
    """A line a measurement, with the formula beside it."""
    return [
        one_line(
            f"Measured   {choice.measured.tensor_parallel} × {choice.measured.gpu_model}, "
            f"{choice.measured.precision}, {choice.measured.concurrency:,.4g} at once: "
            f"{choice.measured.tokens_per_s:,.4g} tokens/s; the formula says "
            f"{ENGLISH.number(choice.predicted_tokens_per_s)}"
        )
        for choice in compared
    ]


def _shape(cost: endpoint_sizing.ServingCost) -> str:
    """4 × H100, BF16, 2 per replica."""
    row = cost.row
    return f"{cost.gpus_peak} × {row.gpu_model}, {row.precision}, {row.tensor_parallel} per replica"


def size_text(answer: Sized) -> str:
    """The configuration of least cost, why, and the first token in parts."""
    sized = answer.sizing
    drawn = () if sized.drawn is None else sentences_of(sized, sized.drawn)
    return "\n".join((one_line(_advised_line(sized)), *(one_line(str(words)) for words in drawn)))


def size_tables(answer: Sized) -> Tables:
    """What was sized, the rows that fit, what does not and why, and sites.

    GPU-hours and $ are whole, a month of 730 h.
    """
    sized = answer.sizing
    fits, misfits = ([cost for cost in sized.costs if bool(cost.row.fits) is does] for does in (True, False))
    regional = None if sized.best is None else sized.regional(sized.best)
    return (
        ("assumptions", lambda: _assumptions_text(sized)),
        ("measured", lambda: "\n".join(_measured_lines(sized.measured))),
        ("regions", lambda: titled(REGIONS, () if regional is None else regional.regions)),
        ("ratios", lambda: titled(RATIOS, sized.ratios)),
        ("rows", lambda: "\n" + report_text(SIZES, fits)),
        ("misfits", lambda: report_text(NOT_FITTING, misfits) if misfits else ""),
    )


def _assumptions_text(sized: endpoint_sizing.EndpointSizing) -> str:
    """The model, the traffic and what is assumed."""
    model, load, terms = sized.model, sized.load, sized.terms
    assumed = "" if load.are_tokens_known else ", as assumed: the traffic does not say"
    tokens = f"; a request: {load.context_tokens:,.0f} tokens read, {load.generated_tokens:,.0f} generated{assumed}"
    tokens = tokens if load.tokens_per_request else ""
    warning = [one_line(f"Warning    {load.warning}")] if load.warning else []
    lines = [
        "Model      none: requests a second of a GPU are stated"
        if model is None
        else f"Model      {one_line(model.name)}: {model.parameters / 1e9:,.4g} billion parameters "
        f"in {model.weights or 'BF16'}, {kv_bytes_per_token(model, terms.kv_bytes) / 1e3:,.4g} kB of KV cache a token",
        f"Traffic    peak {load.peak_requests_per_s:,.4g} requests/s, {load.requests_per_month:,.0f} per month{tokens}",
        *warning,
        f"Assumed    {percent(terms.headroom)} of a replica used, {percent(terms.usable_memory)} of memory usable, "
        f"{terms.way_ms:,.4g} ms of way to the users and back",
    ]
    return "\n".join(lines)


# --- Measured points, each predicted ---------------------------------------------------------------

POINT: Final = fields("tokens_per_s", "tpot_ms", "prefill_ms", "low", "high", "note")


def points_of(path: str) -> list[Document]:
    """One entry a row of the file, by its line. Errors: PlannerError."""
    models, tables = read_served_models(), read_serving_tables()
    points = []
    for row, point, fault in serving_results.read_points(path):
        if point is None:
            speed = PointSpeed(note=fault)
        else:
            speed = point_speed(point, served_models.model_named(point.model, models), tables)
        points.append({"row": row} | entry(POINT, speed) | {"note": str(speed.note) or None})
    return points


def points_text(points: Sequence[Document]) -> str:
    """A line a point: tokens a second with their band, time per token, prefill, and what is to be said of it."""
    names = ("tokens_per_s", "low", "high", "tpot_ms", "prefill_ms")
    rows = [
        (point["row"], *(ENGLISH.number(point[name], 1) for name in names), point["note"] or "")
        for point in points
    ]
    return table(("Row", "Tokens/s", "Low", "High", "Time per token, ms", "Prefill, ms", "Note"), rows)


# --- The command train: a model and its tokens read, the run on every GPU model, its answer as JSON and as
# text


@dataclass(frozen=True, slots=True)
class Trained:
    """What one call asked, and what came of it."""

    answer: Answer
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...]
    currency: Currency = DOLLARS


def trained(words: argparse.Namespace, now_s: int) -> Trained:
    """Read the model and the prices, and lay the run out on every GPU model. Errors: UsageError; PlannerError."""
    lacking = [f"--{name}" for name in ("model", "tokens") if not getattr(words, name)]
    if lacking:
        raise UsageError(f"train needs {' and '.join(lacking)}; write --model FILE|NAME --tokens 1T")
    path = project_path(words)
    project, currency = with_money(
        no_project() if path is None else open_project(path), words, in_dollars=words.json
    )
    assumptions = project.assumptions.with_values(in_money_of(project, parse_settings(words.set)))
    model, model_intake = trained_models.trained_model(words.model)
    prices = prices_of(words, project, assumptions)
    intake = tuple(file for file in (model_intake, *prices.intake) if file is not None)
    run = _stated(words, model)
    answer = trained_answer(run, prices.offers, assumptions, (), now_s, past_runs(project, run))
    if answer.is_undivided:
        layout = run.layout
        raise UsageError(
            f"--tp {layout.tp} --pp {layout.pp} --cp {layout.cp} --ep {layout.ep} do not lie on "
            f"{f'--gpus {run.gpus}' if run.gpus else 'the GPUs of any number of nodes that is tried'}; "
            "write powers of 2, or --gpus a multiple of tp x pp x cp, and of ep x pp; of stages and their pieces no "
            "more than the model has layers"
        )
    return Trained(answer, intake, prices.refused, currency)


def _stated(words: argparse.Namespace, model: asked.TrainedModel) -> asked.StatedRun:
    """The run as the call states it. Errors: UsageError."""
    if words.gpu_model and chip_of(words.gpu_model).chip is None:
        known = ", ".join(training_facts().chips)
        raise UsageError(f"--gpu-model {words.gpu_model!r} is not known; write one of {known}")
    run = asked.StatedRun(
        model=model,
        tokens=1.0,
        gpu_model=words.gpu_model or "",
        precision=words.precision or asked.PRECISIONS[0],
        stack=asked.Stack(words.stack or "tuned"),
        method=asked.Method.LORA if words.lora else asked.Method.FULL,
        is_rdma=not words.no_rdma,
    )
    if words.recompute:  # what is written holds even where it does not fit
        run = asked.run_with(
            run, "recompute", asked.Recompute("never" if words.recompute == "none" else words.recompute)
        )
    hours, _, gpus = (words.measured_run or "").partition("@")
    apart = {"deadline_h": words.deadline, "measured_h": hours, "measured_gpus": gpus}
    for each in asked.RUN_FIELDS:
        if text := apart.get(each.name, getattr(words, each.name, "")):
            try:
                run = asked.run_with(run, each.name, asked.typed_number(each, text))
            except PlannerError as error:
                option = f"--{_option_of(each.name)}"
                raise UsageError(f"{option}: {text!r} is not allowed; {error.remedy}") from None
    if run.measured_lacks:
        lacking = " and ".join(dict.fromkeys(f"--{_option_of(name)}" for name in run.measured_lacks))
        raise UsageError(f"what you measured lacks {lacking}; write --gpu-model H100 --measured-run 100@64")
    return asked.run_with(run, "sharding", asked.Sharding(words.sharding)) if words.sharding else run


def _option_of(name: str) -> str:
    """The option that has a number of a run."""
    called = {"deadline_h": "deadline", "measured_h": "measured-run", "measured_gpus": "measured-run"}
    return called.get(name, name.replace("_", "-"))


def train_document(answer: Trained) -> Document:
    """The document of `train`, but for its head. Hours and $ of the whole run; null where unknown."""
    found, best = answer.answer, answer.answer.best
    virtual = None if best is None else virtual_of(best, found.asked)
    return {
        "intake": intake_document(answer.intake),
        "model": found.stated.model.name,
        "tokens": found.stated.tokens,
        "best": None if best is None else entry(shown.BEST, best),
        "rows": entries(shown.TRAINING_RUNS, found.choices),
        "largest_model_b": [entry(shown.LARGEST, choice) for choice in found.choices],
        "left_out": list(found.unknown),
        "network_cost": [entry(shown.NETWORK_COST, network) for network in found.networks],
        "chips": entries(shown.CHIPS, found.chips),
        "virtual": None if virtual is None else entry(shown.VIRTUAL, virtual),
    }


def train_text(told: Trained) -> str:
    """The run of fewest $ and when it is done."""
    answer = told.answer
    model, best = answer.stated.model, answer.best
    lines = [
        ("Fastest    " if best and best.usd is None else "Least cost ") + one_line(_best_words(best, answer)),
        *(() if best is None else (f"Layout     {shown.laid_out(best)}",)),
        *(() if best is None else (one_line(str(words)) for words in shown.sentences_of(best, answer.asked))),
        one_line(
            f"Model      {model.name}: {model.parameters / 1e9:,.4g} billion parameters, "
            f"{model.active / 1e9:,.4g} active; {answer.stated.tokens / 1e9:,.6g} B tokens"
        ),
        one_line(f"Assumed    {_assumed(answer)}"),
    ]
    return "\n".join(lines)


def train_tables(trained: Trained) -> Tables:
    """Every run, what its network costs, GPU models, and notes."""
    answer = trained.answer
    notes = [f"  Not known, left out: {', '.join(answer.unknown)}."] if answer.unknown else []
    notes += [
        f"  {note}" for note in sorted({str(note) for choice in answer.choices for note in notes_of(choice)})
    ]
    ranked = sorted(answer.choices, key=lambda choice: inf if choice.usd is None else choice.usd)
    return (
        ("rows", lambda: "\n" + report_text(shown.TRAINING_RUNS, ranked)),
        ("network", lambda: titled(shown.NETWORKS, answer.networks)),
        ("memory", lambda: titled(shown.CHIPS, answer.chips)),
        ("notes", lambda: "\n".join(map(one_line, notes))),
    )


def _assumed(answer: Answer) -> str:
    """What every row has alike."""
    run = answer.choices[0].run if answer.choices else None
    if run is None:
        return "no GPU model that is known"
    return (
        f"{run.precision}, sequences of {run.sequence:,} tokens, {run.batch:,.0f} a step on {run.gpus:,} GPUs, "
        f"{run.stack} software; memory, steps and hours are of published measurements"
    )


def _best_words(best: Choice | None, answer: Answer) -> str:
    """GPUs, hours with their band and $; or what stands in the way."""
    if best is None or best.finish is None:
        fits = [choice for choice in answer.choices if choice.fit.holds]
        if any(fit.meets_deadline is False for fit in fits):
            return "none keeps the deadline"
        needs = "; ".join(str(shown.fits_or_needs(choice)) for choice in answer.choices[:1] if choice.remedy)
        tried = "it does not fit where it was tried" + (f"; it {needs}" if needs else "")
        return f"none: {fits[0].why if fits else tried}"
    finish = best.finish
    times, places = (finish.whole_hours, finish.whole_low, finish.whole_high), int(finish.whole_hours < 10)
    hours = "{} h ({} to {})".format(*(ENGLISH.number(hours, places) for hours in times))
    usd = "no price; add --prices FILE or --prices builtin"
    if best.usd is not None and best.offer is not None:
        bounds = " to ".join(
            "—" if bound is None else f"${bound:,.0f}" for bound in (best.usd_low, best.usd_high)
        )
        usd = f"${best.usd:,.0f} ({bounds}), {offer_terms(best.offer)}: {best.offer.offer_id}"
    return f"{best.run.gpus:,} × {best.run.chip.name}, {hours}, {usd}"


# --- What the formula says of measured runs ------------------------------------------------------


def points_document(
    points: Sequence[training_points.TrainingPoint], intake: Sequence[FileIntake]
) -> Document:
    """Tokens a second a GPU with their band, and memory, row by row; null with a note where it is not known."""
    factors = training_facts().factors
    return {"intake": intake_document(intake), "points": [_point(point, factors) for point in points]}


def _point(point: training_points.TrainingPoint, factors: Factors) -> Document:
    run, notes = point.run, [point.why]
    step = None if run is None else step_of(run, factors)
    if step is not None:
        notes.append(step.note)
    elif run is not None:
        notes.append(f"FLOP/s of {run.chip.name} in {run.precision} are not known")
    gib, light, words = (None, None, "") if run is None else _memory(run, point)
    return {
        "row": point.row,
        "tokens_per_s_per_gpu": None if step is None else step.tokens_per_s_per_gpu,
        "low": None if step is None else step.low,
        "high": None if step is None else step.high,
        "memory_gib": gib,
        "fits": light,
        "note": "; ".join(filter(None, (*notes, words))) or None,
    }


def _memory(run: Run, point: training_points.TrainingPoint) -> tuple[float | None, str | None, str]:
    """GiB, the light, and on what it hangs: what fits only in a way that nobody stated is amber, and fills the card."""
    layout = run.layout
    if layout.model_parallel * layout.cp > run.gpus:
        return None, None, f"one copy lies on {layout.model_parallel * layout.cp} GPUs, it has {run.gpus}"
    fit = as_needed(run, is_sharding_stated=point.is_sharding_stated)
    if fit.light is Light.RED and point.is_proxy:
        return None, None, f"it ran with fewer layers than {run.model.name} has"
    if fit.run is run or fit.light is Light.RED:
        return fit.memory.gib, fit.light.name.lower(), ""
    of = fit.run.layout
    taken = f"{str(of.sharding).upper()} and recomputation {of.recompute}"
    words = f"fits with {taken}, in {fit.memory.gib:.0f} GiB or more"
    return max(fit.memory.gib, run.chip.memory_gb), Light.AMBER.name.lower(), words


def read_trained_points(
    path: str,
) -> tuple[tuple[training_points.TrainingPoint, ...], tuple[FileIntake, ...]]:
    """Errors: PlannerError."""
    read = training_points.POINTS.read_files([path]).or_refused()
    return read.values, read.intake


def trained_points_text(points: Sequence[Document]) -> str:
    """A line a row of the document."""
    lines = []
    for point in points:
        rate, gib = point["tokens_per_s_per_gpu"], point["memory_gib"]
        words = [
            f"{rate:,.0f} tokens/s a GPU ({point['low']:,.0f} to {point['high']:,.0f})" if rate else "unknown"
        ]
        words += [] if gib is None else [f"{gib:,.1f} GiB a GPU, {point['fits']}"]
        words += [str(point["note"])] if point["note"] else []
        lines.append(one_line(f"Row {point['row']}: {'; '.join(words)}"))
    return "\n".join(lines)
