"""Evaluations to export: the oracle's small projects, put together as the app does it."""

from dataclasses import replace

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.commitment.advice import advise
from gpuplanner.domain.commitment.outlook import outlook
from gpuplanner.domain.evaluation import Evaluation, evaluate_figures
from gpuplanner.domain.model.scenario import HandLayer


def evaluation_of(case):
    """A case of the oracle, evaluated; its workloads stand where the case puts them."""
    scenario = replace(case.scenario, pools=dict(case.pools))
    project = replace(case.project, scenarios=(scenario,), title="Small case")
    return evaluated(project, case.classifications)


def evaluated(project, classifications, joint_layers=None):
    """Audit, figures, advice and outlook of a project's first scenario."""
    scenario = project.scenarios[0]
    past = audit(project, classifications)
    figures = evaluate_figures(project, scenario.name, past)
    advice = advise(project, scenario, figures.workload_pools, past)
    seen = outlook(project, scenario, figures.workload_pools, advice, None, joint_layers)
    return Evaluation(project, scenario.name, past, figures, advice, seen)


def hand_layers(pools):
    """The committed layers of pool plans as layers set by hand, so that nothing is advised anew."""
    return {(pool.pool, pool.gpu_model): _by_hand(pool) for pool in pools}


def joint_hand_layers(pools):
    """The same of the plan in one pool, by model."""
    return {pool.gpu_model: _by_hand(pool) for pool in pools}


def _by_hand(pool):
    return tuple(
        HandLayer(layer.term_months, round(layer.gpus))
        for layer in pool.layers
        if not layer.existing and layer.term_months
    )
