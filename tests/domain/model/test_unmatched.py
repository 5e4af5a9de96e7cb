"""Which names are asked about: of one cluster's models, and of clusters that only one side names."""

from collections.abc import Sequence

from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.unmatched import Question, Unmatched, unmatched
from gpuplanner.files.system.resources import gpu_families
from tests.domain.commitment.conftest import Load, case, contract


def asked(ran: Sequence[tuple[str, str]], paid: Sequence[tuple[str, str]]) -> Unmatched:
    """ran, paid: (cluster, GPU model) of jobs and of contracts."""
    loads = [Load(Pool.TRAINING, [1.0] * 24, model, cluster) for cluster, model in ran]
    held = [
        contract(f"k{number}", 8, 2.0, 12, 24, cluster=cluster, gpu_model=model)
        for number, (cluster, model) in enumerate(paid)
    ]
    return unmatched(case(loads, held).project, gpu_families())


def test_a_name_that_both_use_is_not_asked_about_and_the_others_are_sided() -> None:
    found = asked([("c1", "H100"), ("c1", "gpu-large")], [("c1", "H100"), ("c1", "H200")])
    (question,) = found.questions
    assert (question.kind, question.cluster) == (SameKind.MODEL, "c1")
    assert (question.theirs, question.ours) == (("gpu-large",), ("H200",))
    assert question.proposed == Same(SameKind.MODEL, "gpu-large", "H200")
    assert found.contracts == {"k1"} and found.gpu_models == {"gpu-large", "H200"}


def test_models_that_the_table_tells_apart_are_not_asked_about_beside_one_that_matches() -> None:
    assert not asked([("c1", "H100"), ("c1", "A100")], [("c1", "H100"), ("c1", "H200")]).is_any


def test_a_cluster_of_contracts_alone_is_asked_about_where_jobs_name_one_without() -> None:
    found = asked([("lab", "H100"), ("c1", "H100")], [("main", "H100"), ("c1", "H100")])
    (question,) = found.questions
    assert (question.kind, question.theirs, question.ours) == (SameKind.CLUSTER, ("lab",), ("main",))
    assert found.clusters == {"lab", "main"} and found.contracts == {"k0"}
    alone = asked([("c1", "H100")], [("main", "H100"), ("c1", "H100")])
    assert not alone.is_any and alone.unlogged == alone.clusters == {"main"} and alone.contracts == {"k0"}


def test_a_partition_is_no_name_of_either_side() -> None:
    """`lab/a` is a partition of the log's `lab`."""
    for kind, theirs, is_partition in (
        (SameKind.CLUSTER, "lab/a", True),
        (SameKind.CLUSTER, "lab", False),
        (SameKind.CLUSTER, "main", False),
        (SameKind.MODEL, "lab/a", False),
    ):
        question = Question(kind, "main", ("lab",), ("main",), Same(kind, theirs, "main"))
        assert question.is_of_partition is is_partition
