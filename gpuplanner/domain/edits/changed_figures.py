"""Changed figures: one line in the log of a plan for each rule that gives it other figures than when it was saved."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.plan.scenario import Decision, HandLayer, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import replace

FIGURES_REVISION: Final = 1
"""Revision of the rules that figures follow; a project file states it. Whoever changes a rule so that saved projects
have other figures raises it and adds the lines to `_changes`. Files without one are of revision 0."""

LATE_LEVEL: Final = worded(
    "Changed since it was saved: cost and savings, unknown before. {pool} {model}: {gpus} GPUs are set for "
    "{term}, and the level now starts when the offer can"
)
LIMITED_LEVEL: Final = worded(
    "Changed since it was saved: cost and savings, unknown before. {pool} {model}: {gpus} GPUs are set for "
    "{term}, offers have {offered}, and the next best offer now serves the rest"
)
FIXED_LEVEL: Final = worded(
    "May have changed since it was saved: cost and savings. {pool} {model}: {gpus} GPUs are fixed for "
    "{term}, and they now serve the busiest demand"
)
CHANGES: Final = (LATE_LEVEL, LIMITED_LEVEL, FIXED_LEVEL)
"""What a log states."""


class _Level(NamedTuple):
    """A level that the user set. offers: committed offers of its model and term with a rate."""

    pool: Pool
    gpu_model: str | None
    layer: HandLayer
    is_fixed: bool
    offers: tuple[Offer, ...]


def with_changes_noted(project: Project, revision: int) -> Project:
    """Return a project whose plans state in their logs which figures changed since a revision, and why.

    revision: of the rules when it was saved. The project itself if no figure changed.
    """
    if revision >= FIGURES_REVISION:
        return project
    at_s = project.plan_window.end_s
    plans = []
    for plan in project.scenarios:
        noted = tuple(Decision(at_s, note) for note in _changes(project, plan))
        plans.append(replace(plan, decisions=(*plan.decisions, *noted)) if noted else plan)
    return with_values(project, scenarios=tuple(plans))


def count_changes(project: Project) -> dict[str, int]:
    """Return how many changed figures the log of each plan states, by its name; without plans that state none."""
    templates = {words.template for words in CHANGES}
    counts = {
        plan.name: sum(
            isinstance(decision.text, Message) and decision.text.template in templates
            for decision in plan.decisions
        )
        for plan in project.scenarios
    }
    return {name: count for name, count in counts.items() if count}


def _changes(project: Project, plan: Scenario) -> Iterator[Message]:
    """Yield what changed in revision 1: levels above what offers have, or whose offers start later."""
    wait_months = project.assumptions.with_values(plan.assumptions).wait_months
    for level in _levels(project, plan):
        offered = sum(offer.max_gpus or 0 for offer in level.offers)
        is_limited = all(offer.max_gpus is not None for offer in level.offers)
        given = {
            "pool": level.pool.value,
            "model": gpu_model_of(level.gpu_model) or worded("unknown model"),
            "gpus": whole(level.layer.gpus),
            "term": term_words(level.layer.term_months),
        }
        is_late = all(offer.lead_time_hours > HOURS_PER_MONTH for offer in level.offers)
        if is_late or (level.is_fixed and wait_months):
            yield Message(LATE_LEVEL.template, given)
        elif is_limited and offered < level.layer.gpus:
            yield Message(LIMITED_LEVEL.template, {**given, "offered": whole(offered)})
        elif is_limited and level.is_fixed:
            yield Message(FIXED_LEVEL.template, given)


def _levels(project: Project, plan: Scenario) -> Iterator[_Level]:
    """Yield the levels of a plan whose term is offered, by pool and model, longest term first."""
    for (pool, gpu_model), layers in sorted(plan.hand_layers.items(), key=str):
        for layer in layers:
            offers = tuple(
                offer
                for offer in project.offers
                if offer.pricing_category.is_commitment
                and offer.rate
                and (offer.gpu_model, offer.term_months) == (gpu_model_of(gpu_model), layer.term_months)
            )
            if layer.gpus and offers:
                yield _Level(
                    pool=pool,
                    gpu_model=gpu_model,
                    layer=layer,
                    is_fixed=(pool, gpu_model) in plan.advised_around,
                    offers=offers,
                )
