"""A plan that was made, and a later log of the same workloads."""

from collections.abc import Sequence
from dataclasses import replace

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.evaluation import Evaluation, advise_plan, evaluate_audit
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Tables
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.track.track import Track, track
from tests.domain.commitment.conftest import Case, Load, case

MONTH = 730
LEVEL = {"sigma": 0.0, "delta": 0.0, "lambda_": 0.0, "growth": 0.0}
"""A plan of which what was is what will be."""


def project_of(found: Case) -> Project:
    """The project with every workload labelled as the pool that it is put in."""
    pools = {work.key: pool for work, pool in zip(found.project.workloads, found.pools, strict=True)}
    return replace(found.project, labels=pools)


def planned(
    loads: Sequence[Load],
    contracts: Sequence[Contract] = (),
    offers: Sequence[Offer] = (),
    scenario: Scenario | None = None,
    **assumptions: float | int | bool | None,
) -> Evaluation:
    """A plan with its advice, without its outlook."""
    project = project_of(case(loads, contracts, offers, scenario, **(LEVEL | assumptions)))
    evaluation = evaluate_audit(project, project.scenarios[0].name, Tables())
    return replace(evaluation, advice=advise_plan(project, evaluation.figures, AdviceCache()))


def later_of(
    evaluation: Evaluation,
    loads: Sequence[Load],
    contracts: Sequence[Contract] | None = None,
    offers: Sequence[Offer] | None = None,
    after_hours: int = 0,
) -> Project:
    """The plan's project with another log, which begins some hours after the plan does."""
    came = project_of(case(loads))
    project = evaluation.project
    window = Window(project.plan_window.end_s + after_hours * 3600, came.window.hours)
    return replace(
        project,
        window=window,
        cube=came.cube,
        workloads=came.workloads,
        labels=dict(project.labels) | dict(came.labels),
        contracts=project.contracts
        if contracts is None
        else tuple(sorted(contracts, key=lambda c: c.contract_id)),
        offers=project.offers if offers is None else tuple(sorted(offers, key=lambda o: o.offer_id)),
    )


def tracked(
    evaluation: Evaluation,
    loads: Sequence[Load],
    contracts: Sequence[Contract] | None = None,
    offers: Sequence[Offer] | None = None,
    after_hours: int = 0,
) -> Track:
    """What came against the plan. contracts, offers: None where they are not given."""
    found = track(
        evaluation,
        later_of(evaluation, loads, contracts, offers, after_hours),
        Tables(),
        has_contracts=contracts is not None,
        has_prices=offers is not None,
    )
    assert found is not None
    return found


def moved(found: Track) -> dict[str, float]:
    """$ of each cause, rounded to a hundredth of a cent; those that moved nothing left out."""
    causes = {what: found.moved(what) for what in ("demand", "mix", "decision", "price", "rest")}
    return {what: round(usd, 4) for what, usd in causes.items() if usd is None or abs(usd) > 1e-6}
