"""Checks of GPU models: jobs that state none, and models that nobody prices, so that what is missing is said."""

import shlex
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gpuplanner.domain.audit.leaks.leak_claims import listed
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.typed import decimals, whole
from gpuplanner.domain.message import Message, worded, worded_count
from gpuplanner.domain.model.book.model_mapping import ratio_for
from gpuplanner.domain.model.gpu_family import Families, GpuName
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.same import SameKind, folded


def model_checks(project: Project, families: Families | None = None) -> Iterator[Check]:
    """All kinds, by cluster and by model. families: what tells variants of one GPU apart."""
    yield from _unstated(project)
    yield from _unpriced(project)
    if families is not None:
        for variant in variants_asked(project, families):
            yield Check("variant_asked", "info", variant.offered, _variant_words(variant))
        yield from _sizes(project, families)


@dataclass(frozen=True, slots=True)
class VariantAsked:
    """Offers of a variant that nothing runs on: whether they may serve, and at what ratio (proposed).

    gpu_model: of the project; offers: how many of the variant; ratio: GPUs of the model that one of it is
    worth.
    """

    gpu_model: str
    offered: str
    offers: int
    ratio: float


def variants_asked(project: Project, families: Families) -> tuple[VariantAsked, ...]:
    """The variants of offers that nobody has mapped or settled yet, each once, by name.

    Of a model that runs here only. Sorted by the offered name, then by model.
    """
    own = {folded(one.kind, one.ours) for one in project.same if one.kind is SameKind.MODEL and one.is_own}
    wanted = {one.gpu_model for one in project.contracts} | set(project.cube.gpu_models)
    counts = Counter(offer.gpu_model for offer in project.offers)
    found: list[VariantAsked] = []
    for offered, offers in sorted(counts.items()):
        read = families.read(offered)
        if read is None or offered in wanted or folded(SameKind.MODEL, offered) in own:
            continue
        # A100 80GB for an A100 of no size, and the other way
        bases = {one for one in wanted if one is not None and _is_other_size(one, read, families)}
        bases |= {read.family}
        found += (
            VariantAsked(base, offered, offers, _ratio(base, offered, families))
            for base in sorted(bases)
            if base in wanted and ratio_for(project.mappings, base, offered) is None
        )
    return tuple(found)


def _is_other_size(name: str, read: GpuName, families: Families) -> bool:
    """Whether one of two names has its memory and the other leaves it open."""
    other = families.read(name)
    if other is None or other.family == read.family or read.is_unsized == other.is_unsized:
        return False
    unsized, sized = (read, other) if read.is_unsized else (other, read)
    return sized.family.startswith(f"{unsized.family} ")


def _ratio(base: str, offered: str, families: Families) -> float:
    """By what the two calculate a second, where the table says it, else 1; of a slice its share of that."""
    read, rows = families.read(offered), [families.facts(name) for name in (base, offered)]
    share = float((read.share if read is not None else None) or 1)
    if None in rows or rows[0] is rows[1]:
        return share
    tflops = [row.tflops for row in rows if row is not None]
    return round(tflops[1] / tflops[0], 2) * share if tflops[0] and tflops[1] else share


def _variant_words(variant: VariantAsked) -> Message:
    """How many offers, and the words of the command line that let them serve."""
    return worded(
        "{offers} of {offered}, and the project runs on {gpu_model}: they serve it only once you say so, and what one "
        "of them is worth: --map-model {mapping}",
        offers=worded_count(
            variant.offers, "{count} offer is", "{count} offers are", count=whole(variant.offers)
        ),
        offered=variant.offered,
        gpu_model=variant.gpu_model,
        mapping=shlex.quote(f"{variant.gpu_model}={variant.offered}:{_ratio_text(variant.ratio)}"),
    )


def _ratio_text(ratio: float) -> str:
    """0.76; 1/7 where no decimal is short and exact: of a rounded one a slice too many would be bought."""
    text = f"{ratio:g}"
    return text if float(text) == ratio else str(Fraction(ratio).limit_denominator(1000))


def _sizes(project: Project, families: Families) -> Iterator[Check]:
    """Jobs whose GPUs' size is not in the log: what their cluster's contracts have was taken."""
    for cluster, written, amount in project.jobs.models_written:
        read = families.read(written)
        if read is None or not read.is_unsized:
            continue
        taken = {
            one.gpu_model
            for one in project.contracts
            if one.cluster == cluster
            and one.gpu_model is not None
            and one.gpu_model.startswith(f"{read.family} ")
        }
        if len(taken) != 1 or not taken <= set(project.cube.gpu_models):
            continue
        (size,), facts = taken, families.facts(read.family)
        others = [f"{read.family} {one}" for one in (facts.sizes_apart if facts else ())]
        text = worded(
            "{gpu_hours} GPU-hours of {written} on {cluster} count as {size}, which its contracts have; if they are of "
            "another size: --same {same}",
            gpu_hours=decimals(amount / MILLI_GPU_SECONDS_PER_GPU_HOUR),
            written=written,
            cluster=cluster or worded("jobs without a cluster"),
            size=size,
            same=shlex.quote(f"model:{written}={next((one for one in others if one != size), size)}"),
        )
        yield Check("gpu_size_taken", "info", written, text)


def _unstated(project: Project) -> Iterator[Check]:
    """GPU time without a model counts with the model of the contract that serves it: by cluster."""
    cube = project.cube
    totals, unknown = cube.row_totals, cube.model_index < 0
    hours: dict[str, int] = {}
    count: dict[str, int] = {}
    for place, amount in zip(cube.workload_index[unknown].tolist(), totals[unknown].tolist(), strict=True):
        cluster = project.workloads[place].cluster
        hours[cluster] = hours.get(cluster, 0) + amount
        count[cluster] = count.get(cluster, 0) + 1
    for cluster in sorted(hours):
        models = sorted({one.gpu_model or "" for one in project.contracts if one.cluster == cluster} - {""})
        counts_as = (
            worded(
                "they count as {models}, the model of the contracts that serve them", models=listed(models)
            )
            if models
            else worded("no contract says which they ran on, so every offer is open to them")
        )
        many = worded_count(
            count[cluster], "{count} workload", "{count} workloads", count=whole(count[cluster])
        )
        gpu_hours = hours[cluster] / MILLI_GPU_SECONDS_PER_GPU_HOUR
        text = worded(
            "{gpu_hours} GPU-hours of {many} state no GPU model: {counts_as}; map the column if the log "
            "has it",
            gpu_hours=decimals(gpu_hours),
            many=many,
            counts_as=counts_as,
        )
        yield Check("gpu_model_unstated", "info", cluster or worded("jobs without a cluster"), text)


def _unpriced(project: Project) -> Iterator[Check]:
    """Where there are prices, models that no offer prices by use."""
    cube = project.cube
    by_use = [offer for offer in project.offers if offer.rate and not offer.pricing_category.is_commitment]
    if not project.offers:
        return
    known = cube.model_index >= 0
    totals = np.bincount(
        cube.model_index[known], cube.row_totals[known].astype(np.float64), minlength=len(cube.gpu_models)
    )
    for model, amount in zip(cube.gpu_models, totals.tolist(), strict=True):
        if amount and not any(ratio_for(project.mappings, model, offer.gpu_model) for offer in by_use):
            gpu_hours = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
            text = worded(
                "no offer prices it by use: what no contract serves of its {gpu_hours} GPU-hours has no "
                "known cost, and every total that needs it is unknown, not 0; add its on-demand rate, or map "
                "it onto a model that is priced",
                gpu_hours=decimals(gpu_hours),
            )
            yield Check("gpu_model_unpriced", "amber", model, text)
