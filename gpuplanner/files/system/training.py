"""What comes of stated training runs on the chips, factors and models that ship, at a plan's offers."""

from collections.abc import Sequence

from gpuplanner.domain.audit.energy import rated_power
from gpuplanner.domain.model import intake, trained
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.training.answer import Answer, answer_of, models_to_try, runs_of_model
from gpuplanner.files.system.resources import chip_of, gpu_families, read_tables, training_facts


def trained_answer(
    run: trained.StatedRun,
    offers: Sequence[Offer],
    assumptions: Assumptions,
    contracts: Sequence[Contract],
    now_s: int,
    past: Sequence[intake.LoggedRun] = (),
) -> Answer:
    """What comes of a run at the offers and assumptions of a plan, and on what is held. now_s: epoch seconds.

    past: runs of the log of the same model.
    """
    facts = training_facts()
    names = models_to_try(run, offers, facts.factors, chip_of)
    power = rated_power(names, read_tables().gpu_models, gpu_families())
    draw = assumptions.power_share * assumptions.pue
    kw = {chip.name: one.kw * draw for name, one in power.items() if (chip := chip_of(name).chip) is not None}
    whole_run = assumptions.training_whole_run_factor
    return answer_of(run, names, offers, chip_of, facts.factors, kw, now_s, contracts, whole_run, past)


def answers_in(project: Project, scenario: str, now_s: int) -> tuple[Answer, ...]:
    """What comes of all runs of a project in one of its plans, or today."""
    offers, assumptions = project.offers, project.assumptions
    if scenario != TODAY:
        plan = project.scenario(scenario)
        offers, assumptions = project.offers_in(plan), project.assumptions_in(plan)
    return tuple(
        trained_answer(run, offers, assumptions, project.contracts, now_s, past_runs(project, run))
        for run in project.runs
    )


def past_runs(project: Project, run: trained.StatedRun) -> tuple[intake.LoggedRun, ...]:
    """Runs of a project's log of the model of a stated run."""
    return runs_of_model(run, project.workloads, project.jobs.runs)
