"""Answers about workloads in review, of all classes and by their light, on the small past with changed rows."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.app.past.audit_answers import ANSWERS
from gpuplanner.domain.evidence.audit_evidence import Evidence
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.evidence.workloads import network_subject
from gpuplanner.domain.fit.other_hardware import FAST, SLOW, NetworkCost, OnNetwork
from gpuplanner.domain.model.tables import Pool
from tests.domain import worlds
from tests.domain.audit.conftest import make_contract

STEPS = ((FAST, 1.0), (SLOW, 1.5))


SFT, CHAT, DEV = "atlas/team/sft", "atlas/team/chat", "bora/team/dev"


def ask(figure_id: str, evidence: Evidence | None = None) -> Trace:
    return ANSWERS.answer(worlds.evidence_of_past() if evidence is None else evidence, figure_id)


def names(trace: Trace) -> list[str]:
    return [str(row.name) for row in trace.rows]


def judged(*rows: tuple[str, float, str, float | None, int]) -> Evidence:
    """Workloads with confidence, source, $ a month and jobs."""
    evidence = worlds.evidence_of_past()
    works, todays = [], []
    for (name, confidence, source, usd, jobs), work, today in zip(
        rows, evidence.project.workloads, evidence.audit.workloads, strict=True
    ):
        works.append(replace(work, gpu_jobs=jobs, name=name))
        of = replace(today.classification, confidence=confidence, source=source)
        todays.append(replace(today, usd_per_month=usd, classification=of))
    project = replace(evidence.project, workloads=tuple(works))
    return Evidence(project, replace(evidence.audit, workloads=tuple(todays)), evidence.past)


def test_what_waits_for_a_decision_is_unsure_unsettled_and_has_jobs() -> None:
    below = worlds.past().project.assumptions.review_below
    unsure = below - 0.01
    for rows, listed in (
        ((("a", unsure, "score", 1.0, 1),) * 3, 3),
        ((("a", below, "score", 1.0, 1), ("b", unsure, "label", 1.0, 1), ("c", unsure, "score", 1.0, 0)), 0),
    ):
        assert len(ask("review::", judged(*rows)).rows) == listed
    order = (("a", unsure, "score", None, 1), ("b", unsure, "score", 0.5, 1), ("c", unsure, "score", 2.0, 1))
    trace = ask("review::", judged(*order))
    assert names(trace) == ["c", "b", "a"] and trace.value is None
    tied = (("a", unsure, "score", 1.0, 1),) * 3
    assert [row.opens for row in ask("review::", judged(*tied)).rows] == [
        figure("workload_cost", key) for key in (CHAT, SFT, DEV)
    ]


@pytest.mark.parametrize(
    ("kind", "is_money"), [("workloads_of_all", False), ("jobs_of_all", False), ("workloads_cost", True)]
)
def test_money_of_all_classes_is_unknown_where_one_is_and_says_of_what_it_is(
    kind: str, is_money: bool
) -> None:
    evidence = worlds.evidence_of_past()
    classes = {
        pool: replace(row, cost_per_month=None) if pool is Pool.BURST else row
        for pool, row in evidence.audit.classes.items()
    }
    changed = replace(evidence, audit=replace(evidence.audit, classes=classes))
    trace = ask(f"{kind}::", changed)
    assert trace.value == (None if is_money else 3)
    assert ("workloads" in str(trace.title).split()[1:]) is is_money


def test_workloads_of_a_light_are_sorted_by_their_dollars_and_then_by_name() -> None:
    evidence = worlds.evidence_of_past()
    usd = (None, 0.5, 0.0)
    fit = tuple(replace(of, light=evidence.fit[0].light, pool=Pool.TRAINING) for of in evidence.fit)
    todays = tuple(
        replace(today, usd_per_month=of) for today, of in zip(evidence.audit.workloads, usd, strict=True)
    )
    changed = replace(evidence, fit=fit, audit=replace(evidence.audit, workloads=todays))
    trace = ask(figure("fit_cost", "training", "red"), changed)
    assert names(trace) == ["chat", "dev", "sft"] and trace.value is None
    alike = tuple(replace(of, usd_per_month=1.0) for of in todays)
    level = replace(changed, audit=replace(changed.audit, workloads=alike))
    assert names(ask(figure("fit_cost", "training", "red"), level)) == ["chat", "dev", "sft"]


def test_rated_power_is_that_of_models_in_use_or_under_contract() -> None:
    evidence = worlds.evidence_of_past()
    powers: Any = {
        name: SimpleNamespace(kw=kw, is_of_gpu_alone=is_alone)
        for name, kw, is_alone in (
            ("H100", 1.5, False),
            ("Z9", 9.5, False),
            ("L4", 0.25, True),
            ("A100", 0.5, True),
        )
    }
    held = (*evidence.project.contracts, make_contract("k3", 1, "1", gpu_model="L4"))
    changed = replace(
        evidence,
        project=replace(evidence.project, contracts=held),
        audit=replace(evidence.audit, energy=replace(evidence.audit.energy, powers=powers)),
    )
    note = str(ask("energy_peak::", changed).note)
    assert "9.5" not in note
    rated = note.split("Rated: ")[1].split(", ")
    assert [part.split()[0] for part in rated] == ["A100", "H100", "L4"]
    assert ["rated power" in part for part in rated] == [True, False, True]


@pytest.mark.parametrize("is_of_model", [True, False])
def test_a_step_is_worked_out_of_a_model_or_assumed(is_of_model: bool) -> None:
    evidence = worlds.evidence_of_past()
    of_step = {
        network: OnNetwork(
            network=network,
            step_s=step_s,
            run_hours=1.0,
            run_gpu_hours=None,
            run_usd=None,
            gpu_hours_per_month=1.0,
            usd_per_month=None,
        )
        for network, step_s in STEPS
    }
    cost = NetworkCost(
        has=FAST,
        run_hours=1.0,
        run_gpus=8.0,
        usd_per_gpu_hour=2.0,
        infiniband=of_step[FAST],
        ethernet=of_step[SLOW],
        is_of_model=is_of_model,
    )
    changed = replace(evidence, fit=(replace(evidence.fit[0], network=cost), *evidence.fit[1:]))
    for network, step_s in STEPS:
        trace = ask(figure("on_network", network_subject(evidence.fit[0].key, network), "step"), changed)
        assert trace.value == step_s
        assert ("assumption" in str(trace.rows[0].name)) is not is_of_model
