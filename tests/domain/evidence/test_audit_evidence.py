"""Hours of a scope, and who was served in them, on the small past."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.evidence.audit_evidence import Evidence, evidence_of, hours_in, scope_words
from gpuplanner.domain.model.tables import Pool
from tests.domain import worlds
from tests.domain.audit.conftest import GPU_HOUR, classified, make_contract, make_project, make_workload


def test_a_scope_is_said_with_its_cluster_where_there_is_one() -> None:
    for scope in ("idle", "busy"):
        alone, on_atlas = str(scope_words(scope)), str(scope_words(scope, "atlas"))
        assert on_atlas == f"{alone} on atlas"
    assert str(scope_words("hour-3-9")).count("09:00") == 1 and "10:00" in str(scope_words("hour-3-9"))
    assert "Thursday" in str(scope_words("day-3", "atlas")) and str(scope_words("", "atlas")) == ""


def test_workloads_that_a_contract_served_nothing_are_left_out() -> None:
    """Two contracts of one GPU: sft asks for 1 while dev asks for none; in another hour both ask, for 2."""
    project = make_project(
        10,
        [make_workload("one"), make_workload("two", cluster="bora"), make_workload("three")],
        [(0, 0, 1, GPU_HOUR), (0, 0, 2, GPU_HOUR), (2, 1, 2, GPU_HOUR), (1, 0, 3, GPU_HOUR)],
        [make_contract("a", 1, "2"), make_contract("b", 1, "3"), make_contract("c", 1, "1", cluster="bora")],
    )
    evidence = evidence_of(project, audit(project, classified(*[Pool.TRAINING] * 3)))
    everybody = evidence.shares("", "atlas")
    assert [(share.place, share.asked) for share in everybody] == [(0, 2 * GPU_HOUR), (2, GPU_HOUR)]
    served = {place: [share.place for share in evidence.shares("", "atlas", place)] for place in (0, 1)}
    hours = evidence.hours("atlas")
    by_model = hours.served.sum(axis=1)
    for place, shares in served.items():
        total = sum(share.served_gpu_hours for share in evidence.shares("", "atlas", place))
        assert total == pytest.approx(float(by_model[place]) / GPU_HOUR)
        assert 2 not in shares  # an A100 is no H100
    assert evidence.shares("", "bora")[0].place == 1
    empty = replace(project, workloads=(), cube=make_project(10, [], []).cube)
    bare = Evidence(empty, evidence.audit, evidence.past)
    assert bare.shares("", "atlas") == ()


def test_hours_of_a_scope_are_those_of_its_day_and_its_hour() -> None:
    """The window begins on Wednesday 1 July 2026 at midnight."""
    evidence = worlds.evidence_of_past()
    window, hours = evidence.project.window, evidence.hours("atlas")
    assert np.flatnonzero(hours_in("hour-2-10", window, hours)).tolist() == [10]
    assert np.flatnonzero(hours_in("hour-3-0", window, hours)).tolist() == [24]
    assert np.flatnonzero(hours_in("day-3", window, hours)).tolist() == list(range(24, 48))
    assert hours_in("", window, hours).all()
