"""Former keys: what was decided of a workload holds under the key that it has now."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.edits.successors import carry_over, decided_keys
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.plan.changes import DemandChange
from gpuplanner.domain.model.plan.scenario import LeakDecision, LeakStatus, Scenario
from gpuplanner.domain.model.plan.splits import ShareSplit
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.files.job_logs.reduce.former_names import former_keys, former_name, keep_decisions

OLD = "fox/ann/llamab-sft"
NEW = ("fox/ann/llama7b-sft", "fox/ann/llama70b-sft")


def _workload(key: str, sample: str = "") -> Workload:
    cluster, owner, name = key.split("/")
    return Workload(key=key, name=name, cluster=cluster, owner=owner, sample_name=sample or name)


def _project(*workloads: Workload, **fields: object) -> Project:
    ordered = tuple(sorted(workloads, key=lambda one: one.key))
    return Project(window=Window(0, 24), cube=empty_cube(24), workloads=ordered, **fields)  # type: ignore[arg-type]


PLAN = Scenario(
    name="Plan A",
    pools={OLD: Pool.BURST, f"{OLD}#2": Pool.TRAINING},
    pinned=frozenset({OLD}),
    splits={OLD: ShareSplit(300)},
    only={OLD: Only(provider="x")},
    merges={"both": ("fox/ann/chat", OLD)},
    changes=(DemandChange(target=OLD, keys=(OLD,), factor=2.0, from_s=0),),
    leak_decisions=(LeakDecision(leak_id=f"idle:{OLD}", status=LeakStatus.DISMISSED, at_s=5),),
)
BEFORE = _project(
    _workload(OLD, "llama70b-sft"), labels={OLD: Pool.TRAINING}, notes={OLD: "ends in May"}, scenarios=(PLAN,)
)
AFTER = replace(BEFORE, workloads=_project(*map(_workload, NEW)).workloads)


def test_a_decision_holds_for_all_that_a_workload_has_become_and_none_is_forgotten() -> None:
    found = keep_decisions(BEFORE, AFTER)
    (plan,) = found.scenarios
    for key in NEW:
        assert found.labels[key] is Pool.TRAINING and found.notes[key] == "ends in May"
        assert (plan.pools[key], plan.pools[f"{key}#2"]) == (Pool.BURST, Pool.TRAINING)
        assert key in plan.pinned and plan.splits[key] == ShareSplit(300) and plan.only[key].provider == "x"
        assert f"idle:{key}" in {one.leak_id for one in plan.leak_decisions}
        assert key in plan.changes[0].keys and key in plan.merges["both"]
    assert BEFORE.labels.items() <= found.labels.items() and BEFORE.notes.items() <= found.notes.items()
    assert PLAN.pools.items() <= plan.pools.items() and PLAN.pinned <= plan.pinned
    assert set(PLAN.leak_decisions) <= set(plan.leak_decisions)
    assert decided_keys(BEFORE) <= decided_keys(found)


def test_what_is_decided_of_a_workload_itself_stays() -> None:
    own = replace(AFTER, labels={**AFTER.labels, NEW[0]: Pool.INFERENCE})
    assert keep_decisions(replace(BEFORE, labels=own.labels), own).labels[NEW[0]] is Pool.INFERENCE


def test_a_decision_taken_back_does_not_come_again_with_the_next_log() -> None:
    found = keep_decisions(BEFORE, AFTER)
    without = replace(found, labels={OLD: Pool.TRAINING})
    assert keep_decisions(without, without) is without


def test_names_merged_and_parted_keep_what_was_said_of_them() -> None:
    apart = _workload("fox/ann/grid-x3y")
    together = _workload("fox/ann/grid-x#y", "grid-x3y")
    assert former_keys([together], {apart.key, "fox/bob/grid-x3y"}) == {together.key: (apart.key,)}
    assert former_keys([apart], {together.key}) == {apart.key: (together.key,)}
    said = _project(apart, labels={apart.key: Pool.BURST, "fox/ann/grid-x4y": Pool.TRAINING})
    differing = keep_decisions(said, replace(said, workloads=(together,)))
    assert together.key not in differing.labels
    agreed = replace(said, labels=dict.fromkeys(said.labels, Pool.BURST))
    assert keep_decisions(agreed, replace(agreed, workloads=(together,))).labels[together.key] is Pool.BURST


def test_a_project_of_the_rule_of_now_gives_a_new_workload_nothing_of_another() -> None:
    said = _project(_workload("fox/ann/eval"), labels={"fox/ann/eval": Pool.BURST})
    assert keep_decisions(said, replace(said, workloads=(_workload("fox/ann/eval7"),))).labels == said.labels


def test_the_former_rule_is_what_it_was() -> None:
    assert former_name("Llama3_70B-sft.2026-01-05 run 12") == "llama-b-sft-run"
    assert (former_name("123"), former_name("job-deadbeef1")) == ("unnamed", "job")


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), st.sampled_from(list(Pool))))
def test_without_former_keys_it_is_the_project_itself(labels: dict[str, Pool]) -> None:
    project = replace(BEFORE, labels=labels)
    assert carry_over(project, {}) is project
    assert carry_over(project, {"z": ("y",)}) is project
