"""What comes of a stated run: every GPU model and number of GPUs tried, the best, its network, and the knee."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import ceil, isfinite
from statistics import median
from typing import Final

from gpuplanner.domain.model import amounts, cube
from gpuplanner.domain.model.book.contract import Contract, only_cluster_of, runs_at
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.intake import LoggedRun
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.trained import Method, StatedRun
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.training.choices import (
    Asked,
    Choice,
    NetworkCost,
    best_choice,
    choice_of,
    fastest,
    is_assumed,
    network_costs,
    sizes_of,
    with_usual_batch,
    worth_showing,
)
from gpuplanner.domain.training.memory import largest_model
from gpuplanner.domain.training.run import (
    FURTHEST_DOUBLINGS,
    USUAL_DOUBLING,
    WHOLE_RUN_PUBLISHED,
    Chip,
    Factors,
    MeasuredRun,
    NamedChip,
    Run,
    finish_of,
)
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

ChipOf = Callable[[str], NamedChip]
"""The chip that a name means, with the GPUs of its usual node."""
KNEE_SHARE: Final = 0.75
"""Of the half of the hours that a doubling could save: below it more GPUs mostly cost."""


@dataclass(frozen=True, slots=True)
class OnCluster:
    """A run on all GPUs of a model that a cluster holds. parameters: of the largest model that they train, or None."""

    cluster: str
    choice: Choice
    parameters: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was asked and what came of it. tried: on every number of GPUs, fit or not, by GPU model.

    choices: those worth showing; best: the fewest $ of them. networks: what others cost the best, or the only one.
    unknown: GPU models of which nothing is known. clusters: on what the contracts hold today.
    """

    stated: StatedRun
    asked: Asked
    tried: Mapping[str, tuple[Choice, ...]]
    choices: tuple[Choice, ...]
    best: Choice | None
    networks: tuple[NetworkCost, ...]
    unknown: tuple[str, ...]
    clusters: tuple[OnCluster, ...] = ()

    @property
    def is_undivided(self) -> bool:
        """Whether the layout divides no number of GPUs that was to be tried."""
        return bool(self.tried) and not any(self.tried.values()) and self.asked.measured is None

    @property
    def chips(self) -> tuple[Chip, ...]:
        """The GPU models that were tried, in that order."""
        return tuple(tried[0].run.chip for tried in self.tried.values() if tried)

    @property
    def best_of_each(self) -> dict[str, Choice]:
        """Of every GPU model the fewest $, fewest of all first; those that do not fit or keep no deadline last."""
        shown = {name: worth_showing(tried) for name, tried in self.tried.items() if tried}
        best = {name: best_choice(of_model) or of_model[-1] for name, of_model in shown.items()}
        return dict(sorted(best.items(), key=lambda entry: choice_sort_key(entry[1])))

    def curve(self, gpu_model: str) -> tuple[Choice, ...]:
        """Numbers of GPUs of one model on which the run fits and ends, fewest first, at one batch."""
        able = [
            row
            for row in self.tried.get(gpu_model, ())
            if row.fit.holds and row.finish is not None and isfinite(row.finish.hours)
        ]
        return tuple(choice for choice in able if choice.run.batch == able[0].run.batch)


def choice_sort_key(choice: Choice) -> tuple[bool, bool, bool, float, bool, str]:
    """As `best_choice` prefers them: what the cards hold, then the fewest $, then what is measured."""
    return (
        not choice.fit.holds or choice.finish is None,
        choice.meets_deadline is False,
        choice.usd is None,
        choice.usd or 0.0,
        is_assumed(choice),
        choice.run.chip.name,
    )


def knee_of(curve: Sequence[Choice]) -> Choice | None:
    """The most GPUs up to which every doubling saved three quarters of what it could; None where all of them did.

    Of a curve, fewest GPUs first. A doubling can save half of the hours.
    """
    knee = next(iter(curve), None)
    for less, more in pairwise(curve):
        before, after = (choice.finish.hours if choice.finish else 0.0 for choice in (less, more))
        could = 1 - less.run.gpus / more.run.gpus
        if 1 - after / before < KNEE_SHARE * could:
            return knee
        knee = more
    return None


def laid_out(stated: StatedRun, chip: Chip, node_gpus: int, gpus: int) -> Run:
    """The run as it is stated on so many of one chip."""
    run = Run(
        model=stated.model,
        chip=chip,
        gpus=gpus,
        layout=stated.layout,
        batch=1.0,
        sequence=stated.sequence,
        precision=stated.precision,
        stack=stated.stack,
        method=stated.method,
        gpus_per_node=node_gpus,
        nic_gbps=stated.nic_gbps,
        is_rdma=stated.is_rdma,
    )
    return with_usual_batch(run, stated.batch, stated.free)


def name_of(choice: Choice) -> str:
    """Its GPU model as the offer calls it."""
    return choice.run.chip.name if choice.offer is None else choice.offer.gpu_model


def planned_of(
    choice: Choice, called: str, begins_s: int, deadline_h: float | None, contracts: Iterable[Contract] = ()
) -> PlannedWork:
    """A run as work that is planned from the beginning of a plan, epoch seconds; hours of the whole run rounded
    up. It runs where the contracts of its model are.

    Errors: ValueError for one that never ends.
    """
    if choice.finish is None or not isfinite(choice.finish.hours):
        raise ValueError(f"{called}: it does not end")
    latest_s = None if deadline_h is None else begins_s + HOUR_S * ceil(deadline_h)
    return PlannedWork(
        name=called,
        pool=Pool.TRAINING,
        gpu_model=name_of(choice),
        gpus=choice.run.gpus,
        cluster=only_cluster_of(contracts, name_of(choice)),
        length_hours=ceil(choice.finish.whole_hours),
        latest_finish_s=latest_s,
    )


def models_to_try(
    stated: StatedRun, offers: Iterable[Offer], factors: Factors, chip_of: ChipOf
) -> tuple[str, ...]:
    """The GPU model that is stated, else those of the prices, else those that are measured and known."""
    if stated.gpu_model:
        return (stated.gpu_model,)
    of_prices = sorted({offer.gpu_model for offer in offers})
    measured = sorted({chip for chip, _, _ in factors.shares if chip_of(chip).chip is not None})
    return tuple(of_prices or measured)


OTHER_MODEL: Final = (
    r"(?![a-z0-9]|\.\d|[^a-z0-9]*(?:mini|air|flash|lite|nano|small|large|coder|next|vl)(?![a-z0-9]))"
)
"""What follows the name of another model: a version, or the word of a variant."""


def runs_of_model(
    stated: StatedRun, workloads: Iterable[cube.Workload], runs: Iterable[LoggedRun]
) -> tuple[LoggedRun, ...]:
    """Runs of a log whose jobs name the model that is stated, in their name or as the only model of their workload.

    `lora` in a name is a run of adapters, and counts for those alone.
    """
    words = lazy_re(r"\d+[a-z]*|[a-z]+").findall(stated.model.name.casefold())
    is_model = lazy_re(rf"(?<![a-z0-9]){'[^a-z0-9]*'.join(words)}{OTHER_MODEL}").search
    is_lora = lazy_re(r"(?<![a-z0-9])q?lora(?![a-z0-9])").search
    keys = set[str]()
    for workload in workloads:
        only = workload.model_time[0][0] if len(workload.model_time) == 1 else ""
        called = f"{workload.sample_name or workload.name} {only}".casefold()
        if words and is_model(called) and bool(is_lora(called)) is (stated.method is not Method.FULL):
            keys.add(workload.key)
    return tuple(run for run in runs if run.key in keys)


def own_factors(
    stated: StatedRun, runs: Iterable[LoggedRun], chip_of: ChipOf, factors: Factors
) -> tuple[float, ...]:
    """Hours of completed runs of a log over those of the formula's steps on the stated tokens, ascending.

    Attempts of one job count together. A factor that no published run had is of other tokens, and left out.
    Source: docs/formulas/training.md, Whole run.
    """
    steps, times = dict[tuple[str, int], float](), []
    # a run without an id is a job of its own
    jobs = amounts.grouped(((run.key, run.job_id or at), run) for at, run in enumerate(runs))
    for attempts in jobs.values():
        last, gpus = attempts[-1], attempts[-1].milli_gpus // 1000
        chip, node = chip_of(last.gpu_model or "")
        if last.state not in ("", "COMPLETED") or chip is None or not gpus or not stated.lies_on(gpus):
            continue
        if (chip.name, gpus) not in steps:
            fit = fastest(laid_out(stated, chip, node, gpus), stated.free, factors)
            finish = fit and finish_of(fit.run, stated.tokens, factors, stated.storage_gb_per_s)
            steps[chip.name, gpus] = finish.hours if finish else float("inf")
        hours = sum(run.milli_gpus * run.hours for run in attempts) / last.milli_gpus
        times.append(hours / steps[chip.name, gpus])
    least, most = WHOLE_RUN_PUBLISHED
    return tuple(sorted(factor for factor in times if least <= factor <= most))


def answer_of(
    stated: StatedRun,
    names: Iterable[str],
    offers: Sequence[Offer],
    chip_of: ChipOf,
    factors: Factors,
    kw: Mapping[str, float],
    now_s: int,
    contracts: Iterable[Contract] = (),
    whole_run: float | None = None,
    past: Iterable[LoggedRun] = (),
) -> Answer:
    """A run on every GPU model that is asked for and every number of GPUs that its layout lies on.

    names: of GPU models, as of `models_to_try`. kw: of one GPU in use, PUE in it, by GPU model. now_s: epoch seconds.
    whole_run: the assumption training_whole_run_factor; past: runs of the same model, which count without it.
    Source: docs/formulas/training.md.
    """
    measured = (
        MeasuredRun(stated.measured_h, stated.measured_gpus, stated.measured_doubling or USUAL_DOUBLING)
        if stated.measured_h and stated.measured_gpus and not stated.measured_lacks
        else None
    )
    virtual = sorted(part / 100 for part in (stated.virtual_low, stated.virtual_high) if part is not None)
    own = () if whole_run else own_factors(stated, past, chip_of, factors)
    asked = Asked(
        tokens=stated.tokens,
        at_s=now_s,
        deadline_h=stated.deadline_h,
        storage_gb_per_s=stated.storage_gb_per_s,
        kw=kw,
        measured=measured,
        virtual=(virtual[0], virtual[-1]) if virtual else None,
        whole_run=median(own) if own else whole_run,
        own_runs=len(own),
    )
    chips = {name: chip_of(name) for name in {*names, *(offer.gpu_model for offer in offers)}}
    of_chip: dict[str, list[Offer]] = {}
    for offer in offers:
        if (chip := chips[offer.gpu_model].chip) is not None and undecided(offer) is None:
            of_chip.setdefault(chip.name, []).append(offer)
    tried: dict[str, tuple[Choice, ...]] = {}
    unknown, seen = [], set[str]()
    for name in names:
        chip, node = chips[name]
        if chip is None:
            unknown.append(name)
            continue
        if chip.name in seen:
            continue  # another spelling of the same
        seen.add(chip.name)
        of_model = of_chip.get(chip.name) or of_chip.get(f"{chip.name} {chip.memory_gb:.0f}GB", [])
        tried[name] = tuple(
            choice_of(laid_out(stated, chip, node, gpus), asked, factors, of_model, stated.free)
            for gpus in sizes_of(node, stated.gpus)
            if stated.lies_on(gpus) and (gpus == stated.gpus or _is_near(measured, gpus))
        )
    choices = tuple(choice for every in tried.values() if every for choice in worth_showing(every))
    clusters = tuple(_on_clusters(stated, asked, contracts, chip_of, factors))
    best = best_choice(choices)
    alone = choices[0] if len(choices) == 1 else best  # what is stated whole has its network, fit or not
    networks = () if alone is None else network_costs(alone, asked, factors)
    return Answer(
        stated=stated,
        asked=asked,
        tried=tried,
        choices=choices,
        best=best,
        networks=networks,
        unknown=tuple(unknown),
        clusters=clusters,
    )


def _is_near(measured: MeasuredRun | None, gpus: int) -> bool:
    """Whether a measured run tells of so many GPUs."""
    return measured is None or abs(measured.doublings(gpus)) <= FURTHEST_DOUBLINGS


def _on_clusters(
    stated: StatedRun, asked: Asked, contracts: Iterable[Contract], chip_of: ChipOf, factors: Factors
) -> Iterator[OnCluster]:
    """On the whole GPUs of each cluster and model that run now, by name; those that the layout does not lie on not."""
    held: Counter[tuple[str, str]] = Counter()
    for contract in contracts:
        if contract.gpu_model is not None and runs_at(contract, asked.at_s):
            held[contract.cluster, contract.gpu_model] += contract.milli_gpus
    for (cluster, gpu_model), milli_gpus in sorted(held.items()):
        chip, node = chip_of(gpu_model)
        gpus = milli_gpus // 1000
        if chip is not None and gpus and stated.lies_on(gpus):
            run, of_it = laid_out(stated, chip, node, gpus), asked
            if chip != chip_of(stated.gpu_model).chip:
                of_it = replace(asked, measured=None)  # what was measured is of another GPU model
            yield OnCluster(cluster, choice_of(run, of_it, factors, (), stated.free), largest_model(run))
