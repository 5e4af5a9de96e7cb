"""The plan's checks on hardware and the fit of its workloads say the same of the same offers."""

from dataclasses import replace

import pytest

from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.offer_fit import offers_for
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.tables import Pool, Tables
from tests.files.workbook.evaluations import evaluated
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

GOOD = {"interconnect": "infiniband", "bare_metal": True, "gpu_memory_gb": 141.0}


def planned(nodes, **hardware):
    """Training on 4 GPUs all day, and one year on offer on this hardware beside on demand on the same."""
    hours = 240
    case = Case(hours, sigma=0.0, delta=0.0, **{"lambda": 0.0})
    case.workload("a", "sft", "training", daily(hours, 4, 4), max_nodes=nodes)
    case.offer("year", 12, 2.0)
    case.offer("use", 0, 6.0)
    offers = tuple(replace(offer, **(GOOD | hardware)) for offer in case.project.offers)
    case_project = replace(case.project, offers=offers)
    evaluation = evaluation_of_project(case, case_project)
    (fit,) = fit_project(evaluation.project, evaluation.audit, Tables())
    return evaluation, offers_for(fit, evaluation.project.offers)


def evaluation_of_project(case, project):
    scenario = replace(case.scenario, pools=dict(case.pools))
    return evaluated(replace(project, scenarios=(scenario,)), case.classifications)


@pytest.mark.parametrize(
    ("nodes", "hardware"),
    [
        (2, {}),
        (2, {"interconnect": "ethernet"}),
        (1, {"interconnect": "ethernet"}),
        (2, {"interconnect": "roce_400"}),
        (2, {"bare_metal": False}),
        (1, {"bare_metal": False}),
        (None, {"gpu_memory_gb": 79.0}),
        (2, {"gpu_memory_gb": None}),
    ],
)
def test_red_and_amber_of_the_plan_are_those_of_its_workload(nodes, hardware):
    evaluation, offers = planned(nodes, **hardware)
    codes = {check.code for check in evaluation.checks if check.code.startswith("hardware")}
    assert {offer.light for offer in offers} == {
        Light.RED if "hardware_red" in codes else Light.AMBER if "hardware_amber" in codes else Light.GREEN
    }
    if "hardware_amber" in codes:
        (check,) = (check for check in evaluation.checks if check.code == "hardware_amber")
        assert str(next(row.reason for row in offers[0].rows if row.reason)) in str(check.message)


def test_a_plan_of_what_does_not_fit_is_no_plan_of_it():
    evaluation, _ = planned(2, interconnect="ethernet")
    (pool,) = (plan for plan in evaluation.advice.pools if plan.pool is Pool.TRAINING)
    assert all(layer.offer_id is None for layer in pool.layers)
