"""Which names are asked about: of one cluster's models, and of clusters that only one side names."""

from collections.abc import Sequence

from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.unmatched import (
    Named,
    NameRow,
    Question,
    Unmatched,
    asked_words,
    name_rows,
    option_of,
    unmatched,
)
from gpuplanner.files.system.resources import gpu_families
from tests.domain.commitment.conftest import Load, case, contract


def project_of(ran: Sequence[tuple[str, str]], paid: Sequence[tuple[str, str]]) -> Project:
    """ran, paid: (cluster, GPU model) of jobs and of contracts."""
    loads = [Load(Pool.TRAINING, [1.0] * 24, model, cluster) for cluster, model in ran]
    held = [
        contract(f"k{number}", 8, 2.0, 12, 24, cluster=cluster, gpu_model=model)
        for number, (cluster, model) in enumerate(paid)
    ]
    return case(loads, held).project


def asked(ran: Sequence[tuple[str, str]], paid: Sequence[tuple[str, str]]) -> Unmatched:
    return unmatched(project_of(ran, paid), gpu_families())


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


# --- Names side by side


def test_clusters_are_in_order_of_what_is_asked_then_of_kind_and_name() -> None:
    """Each cluster of the log had 1 GPU for 24 h."""
    project = project_of([("lab", "H100"), ("c1", "H100")], [("main", "H100"), ("c1", "H100")])
    rows = name_rows(project, gpu_families())
    assert [(row.kind, row.name) for row in rows] == [
        (SameKind.CLUSTER, "lab"),
        (SameKind.MODEL, "H100"),
        (SameKind.CLUSTER, "c1"),
        (SameKind.CLUSTER, "main"),
    ]
    lab, model, c1, main = rows
    kind, spent = SameKind.CLUSTER, 24.0
    assert lab == NameRow(
        kind, "lab", Named(("lab",), spent), Named(), Named(), ("c1", "main"), "main", is_akin=True
    )
    assert c1 == NameRow(kind, "c1", Named(("c1",), spent), Named(("c1",), 1.0), Named(), ("lab", "main"))
    assert (main.log, main.contracts) == (Named(), Named(("main",), 1.0))
    assert model.contracts.amount == 2.0 and model.choices == ()


def test_models_are_akin_where_both_hold_a_family_or_one_has_no_figure() -> None:
    for theirs, is_akin in (("B777", False), ("big-H100-x", True), ("gpu-large", True)):
        rows = name_rows(project_of([("c1", theirs)], [("c1", "H100")]), gpu_families())
        (row,) = (row for row in rows if row.proposed)
        assert (row.name, row.proposed, row.is_akin) == (theirs, "H100", is_akin)


def test_a_question_has_the_options_that_answer_it() -> None:
    (question,) = asked([("lab", "H100"), ("c1", "H100")], [("main", "H100"), ("c1", "H100")]).questions
    text = str(asked_words(question))
    for theirs in ("lab", "main"):
        assert option_of(Same(SameKind.CLUSTER, theirs, "main")) in text
    (nameless,) = asked([("", "H100")], [("main", "H100")]).questions
    assert nameless.theirs == ("",) and "--cluster main" in str(asked_words(nameless))
    (of_log,) = asked([("lab", "H100")], [("", "H100")]).questions
    assert of_log.proposed == Same(SameKind.CLUSTER, "", "lab")
    assert "contracts.cluster==lab" in str(asked_words(of_log)) and "--cluster" not in str(
        asked_words(of_log)
    )


def test_where_no_model_matches_even_those_that_the_table_tells_apart_are_asked_about() -> None:
    (question,) = asked([("c1", "H100")], [("c1", "A100")]).questions
    assert (question.kind, question.theirs, question.ours) == (SameKind.MODEL, ("H100",), ("A100",))
