"""The command train: a run on every GPU model, as JSON and as text; and measured runs."""

import argparse
from collections.abc import Sequence
from math import inf

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.audit_tables import titled
from gpuplanner.cli.documents.head import Document
from gpuplanner.cli.documents.intake import intake_document
from gpuplanner.cli.inputs import prices_of, project_path
from gpuplanner.cli.option_values import parse_settings
from gpuplanner.cli.project_words import in_money_of, no_project, with_money
from gpuplanner.cli.tables import report_text
from gpuplanner.cli.terminal import Tables
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model import trained as asked
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.reports import training as shown
from gpuplanner.domain.reports.report import entries, entry
from gpuplanner.domain.reports.serving import offer_terms
from gpuplanner.domain.training.answer import Answer
from gpuplanner.domain.training.choices import Choice, notes_of, virtual_of
from gpuplanner.domain.training.memory import as_needed
from gpuplanner.domain.training.run import Factors, Run, step_of
from gpuplanner.files.lists import trained_models, training_points
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.resources import chip_of, training_facts
from gpuplanner.files.system.terminal_output import one_line
from gpuplanner.files.system.training import past_runs, trained_answer
from gpuplanner.lazy_dataclass import dataclass

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
