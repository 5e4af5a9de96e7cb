"""The command train: a model and its tokens read, the run on every GPU model, its answer as JSON and as text."""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.documents.head import Document, intake_document
from gpuplanner.cli.inputs import prices_of, project_path
from gpuplanner.cli.option_values import parse_settings, parse_whole
from gpuplanner.cli.project_words import in_money_of, no_project, with_money
from gpuplanner.cli.tables import report_text
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model import trained as asked
from gpuplanner.domain.model.book.exchange import DOLLARS, Currency
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.reports import training as shown
from gpuplanner.domain.reports.report import entries, entry
from gpuplanner.domain.training.answer import Answer
from gpuplanner.domain.training.choices import Choice, note_of, virtual_of
from gpuplanner.domain.training.memory import as_needed
from gpuplanner.domain.training.run import Factors, Run, step_of
from gpuplanner.files.lists.training_tables import POINTS, TrainingPoint, trained_model
from gpuplanner.files.project.project_file import open_project
from gpuplanner.files.system.process import one_line
from gpuplanner.files.system.resources import chip_of, training_facts
from gpuplanner.files.system.training import trained_answer
from gpuplanner.files.values.numbers import read_decimal


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
    model, model_intake = trained_model(words.model)
    prices = prices_of(words, project, assumptions)
    intake = tuple(one for one in (model_intake, *prices.intake) if one is not None)
    run = _stated(words, model)
    answer = trained_answer(run, prices.offers, assumptions, (), now_s)
    if answer.is_undivided:
        layout = run.layout
        raise UsageError(
            f"--tp {layout.tp} --pp {layout.pp} --cp {layout.cp} --ep {layout.ep} do not divide "
            f"{f'--gpus {run.gpus}' if run.gpus else 'the GPUs of any number of nodes that is tried'}; "
            "write powers of 2, or --gpus a multiple of tp x pp x cp, and of ep x pp"
        )
    return Trained(answer, intake, prices.refused, currency)


def _stated(words: argparse.Namespace, model: asked.TrainedModel) -> asked.StatedRun:
    """The run as the call states it. Errors: UsageError."""
    if words.gpu_model and chip_of(words.gpu_model)[0] is None:
        known = ", ".join(training_facts().chips)
        raise UsageError(f"--gpu-model {words.gpu_model!r} is not known; write one of {known}")
    run = asked.StatedRun(
        model,
        1.0,
        words.gpu_model or "",
        precision=words.precision or asked.PRECISIONS[0],
        stack=asked.Stack(words.stack or "tuned"),
        method=asked.Method.LORA if words.lora else asked.Method.FULL,
        is_rdma=not words.no_rdma,
    )
    if words.recompute:  # what is written holds even where it does not fit
        run = asked.run_with(
            run, "recompute", asked.Recompute("never" if words.recompute == "none" else words.recompute)
        )
    for each in asked.RUN_FIELDS:
        name = "deadline" if each.name == "deadline_h" else each.name
        if text := getattr(words, name, ""):
            try:
                run = asked.run_with(run, each.name, asked.typed_number(each, text))
            except PlannerError as error:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"{option} {text!r} is not a value it can have; {error.remedy}") from None
    if words.sharding:
        run = asked.run_with(run, "sharding", asked.Sharding(words.sharding))
    return _measured(run, words) if words.measured_run else run


def _measured(run: asked.StatedRun, words: argparse.Namespace) -> asked.StatedRun:
    """With the run that the call measured. Errors: UsageError."""
    hours, _, gpus = words.measured_run.partition("@")
    count = parse_whole(gpus, "--measured-run", asked.LARGEST_COUNT)
    if count is None or not words.gpu_model:
        raise UsageError(
            "--measured-run needs GPUs and --gpu-model; write --gpu-model H100 --measured-run 100@64"
        )
    taken = read_decimal(hours)
    if taken is None or taken <= 0:
        raise UsageError(f"--measured-run {hours!r} is not a number over 0; write 100@64")
    return replace(run, measured_h=float(taken), measured_gpus=count)


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
        "largest_model_b": [entry(shown.LARGEST, one) for one in found.choices],
        "left_out": list(found.unknown),
        "network_cost": [entry(shown.NETWORK_COST, one) for one in found.networks],
        "chips": entries(shown.CHIPS, found.chips),
        "virtual": None if virtual is None else entry(shown.VIRTUAL, virtual),
    }


def train_text(told: Trained) -> str:
    """What is trained, the run of fewest $, every run, and what its network costs."""
    answer = told.answer
    model, best = answer.stated.model, answer.best
    lines = [
        one_line(
            f"Model      {model.name}: {model.parameters / 1e9:,.4g} billion parameters, "
            f"{model.active / 1e9:,.4g} active; {answer.stated.tokens:,.4g} tokens"
        ),
        one_line(f"Assumed    {_assumed(answer)}"),
        "Least cost " + one_line(_best_words(best, answer)),
        *(() if best is None else (one_line(str(words)) for words in shown.sentences_of(best, answer.asked))),
        "",
        report_text(shown.TRAINING_RUNS, answer.choices),
    ]
    if answer.networks:
        lines += ["", str(shown.NETWORKS.title), report_text(shown.NETWORKS, answer.networks)]
    lines += ["", str(shown.CHIPS.title), report_text(shown.CHIPS, answer.chips)]
    if answer.unknown:
        lines += ["", one_line(f"  Not known, left out: {', '.join(answer.unknown)}.")]
    notes = {str(note) for one in answer.choices if (note := note_of(one))}
    return "\n".join([*lines, *(one_line(f"  {note}") for note in sorted(notes))])


def _assumed(answer: Answer) -> str:
    """What every row has alike."""
    run = answer.choices[0].run if answer.choices else None
    if run is None:
        return "no GPU model that is known"
    return (
        f"{run.precision}, sequences of {run.sequence:,} tokens, {run.batch:,.0f} a step on {run.gpus:,} GPUs, "
        f"{run.layout.sharding.upper()}, {run.stack} software; memory, steps and hours are of published measurements"
    )


def _best_words(best: Choice | None, answer: Answer) -> str:
    """GPUs, hours with their band and $; or what stands in the way."""
    if best is None or best.finish is None:
        kept = answer.asked.deadline_h is not None and any(
            one.fit.light is not Light.RED for one in answer.choices
        )
        return "none keeps the deadline" if kept else "none: it does not fit where it was tried"
    finish = best.finish
    hours = "{} h ({} to {})".format(
        *(ENGLISH.number(one, 0) for one in (finish.hours, finish.hours_low, finish.hours_high))
    )
    usd = "no price" if best.usd is None else f"${best.usd:,.0f}"
    return f"{best.run.gpus:,} x {best.run.chip.name}, {hours}, {usd}"


# --- What the formula says of measured runs ------------------------------------------------------


def points_document(points: Sequence[TrainingPoint], intake: Sequence[FileIntake]) -> Document:
    """Tokens a second a GPU with their band, and memory, row by row; null with a note where it is not known."""
    factors = training_facts().factors
    return {"intake": intake_document(intake), "points": [_point(one, factors) for one in points]}


def _point(point: TrainingPoint, factors: Factors) -> Document:
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


def _memory(run: Run, point: TrainingPoint) -> tuple[float | None, str | None, str]:
    """GiB, the light, and on what it hangs: what fits only in a way that nobody stated is amber, and fills the card."""
    layout = run.layout
    if layout.model_parallel * layout.cp > run.gpus:
        return None, None, f"one copy lies on {layout.model_parallel * layout.cp} GPUs, it has {run.gpus}"
    fit = as_needed(run, is_sharding_stated=point.is_sharding_stated)
    if fit.run is run or fit.light is Light.RED:
        return fit.memory.gib, fit.light.name.lower(), ""
    of = fit.run.layout
    taken = f"{str(of.sharding).upper()} and recomputation {of.recompute}"
    words = f"fits with {taken}, in {fit.memory.gib:.0f} GiB or more"
    return max(fit.memory.gib, run.chip.memory_gb), Light.AMBER.name.lower(), words


def read_points(path: str) -> tuple[tuple[TrainingPoint, ...], tuple[FileIntake, ...]]:
    """Errors: PlannerError."""
    read = POINTS.read_files([path]).or_refused()
    return read.values, read.intake


def points_text(points: Sequence[Document]) -> str:
    """A line a row of the document."""
    lines = []
    for one in points:
        rate, gib = one["tokens_per_s_per_gpu"], one["memory_gib"]
        said = [
            "unknown"
            if rate is None
            else f"{rate:,.0f} tokens/s a GPU ({one['low']:,.0f} to {one['high']:,.0f})"
        ]
        said += [] if gib is None else [f"{gib:,.1f} GiB a GPU, {one['fits']}"]
        said += [str(one["note"])] if one["note"] else []
        lines.append(one_line(f"Row {one['row']}: {'; '.join(said)}"))
    return "\n".join(lines)
