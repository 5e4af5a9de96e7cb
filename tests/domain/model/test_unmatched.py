"""Which names are asked about: of one cluster's models, and of clusters that only one side names."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.intake import DataQuality
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.unmatched import (
    NOTHING_ASKED,
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
from tests.domain.commitment.conftest import Load, case, contract, offer


def project_of(ran: Sequence[tuple[str, str]], paid: Sequence[tuple[str, str]]) -> Project:
    """ran, paid: (cluster, GPU model) of jobs and of contracts."""
    loads = [
        Load(pool=Pool.TRAINING, gpus=[1.0] * 24, model=model, cluster=cluster) for cluster, model in ran
    ]
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
        question = Question(
            kind=kind, cluster="main", theirs=("lab",), ours=("main",), proposed=Same(kind, theirs, "main")
        )
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
        kind=kind,
        name="lab",
        log=Named(("lab",), spent),
        contracts=Named(),
        prices=Named(),
        choices=("c1", "main"),
        proposed="main",
        is_akin=True,
    )
    assert c1 == NameRow(
        kind=kind,
        name="c1",
        log=Named(("c1",), spent),
        contracts=Named(("c1",), 1.0),
        prices=Named(),
        choices=("lab", "main"),
    )
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


# --- Answers that are known, partitions, and names that the table of families tells apart


GPU_HOUR = 3_600_000
CLUSTER, MODEL = SameKind.CLUSTER, SameKind.MODEL
TWO_CLUSTERS = ([("lab", "H100"), ("c1", "H100")], [("main", "H100"), ("c1", "H100")])


@pytest.mark.parametrize(
    ("same", "is_asked"),
    [
        (Same(CLUSTER, "main", "main"), False),
        (Same(CLUSTER, "lab", "lab"), False),
        (Same(CLUSTER, "zz", "main"), True),  # of another name: main is no thing of its own yet
        (Same(MODEL, "main", "main"), True),
        (Same(MODEL, "lab", "lab"), True),
    ],
)
def test_a_cluster_of_its_own_is_not_asked_about(same: Same, *, is_asked: bool) -> None:
    project = replace(project_of(*TWO_CLUSTERS), same=(same,))
    result = unmatched(project, gpu_families())
    assert result.is_any is is_asked
    if not is_asked:
        assert result.unlogged == (set() if same.ours == "main" else {"main"})


@pytest.mark.parametrize(
    ("ran", "paid", "asked_of"),
    [
        # the table tells 40 GB and 80 GB apart, and neither from an A100 of no size
        (("H100", "A100"), ("H100", "A100 80GB"), (("A100",), ("A100 80GB",))),
        (("H100", "A100 40GB"), ("H100", "A100 80GB"), None),
        (("H100", "A100"), ("H100", "H200"), None),
        (("H100", "gpu7"), ("H100", "A100", "H200"), (("gpu7",), ("A100", "H200"))),
        # a word of contracts that the table does not know, beside what all jobs ran on
        (("H100",), ("H100", "large"), (("H100",), ("large",))),
        (("H100", "A100"), ("H100", "large"), (("A100",), ("large",))),
        (("H100",), ("H100", "H200"), None),
        (("H100", "gpu7"), ("H100",), None),
        (("H100",), (None,), (("H100",), ("",))),
        ((None,), ("large",), None),
        ((None, "H100"), ("A100",), (("H100",), ("A100",))),
    ],
)
def test_models_of_a_cluster_are_asked_about_where_they_may_be_one(
    ran: Sequence[str], paid: Sequence[str], asked_of: tuple[tuple[str, ...], tuple[str, ...]] | None
) -> None:
    result = asked([("c1", model) for model in ran], [("c1", model) for model in paid])
    assert [(question.theirs, question.ours) for question in result.questions] == (
        [] if asked_of is None else [asked_of]
    )


def test_models_of_their_own_are_settled_whatever_their_case() -> None:
    project = project_of([("c1", "gpu7"), ("c1", "H100")], [("c1", "big8"), ("c1", "H100")])
    families = gpu_families()
    for name in ("GPU7", "big8"):
        settled = unmatched(replace(project, same=(Same(MODEL, name, name),)), families).questions
        if name == "GPU7":
            # the word of contracts is likelier another word for what ran
            assert [(row.theirs, row.ours) for row in settled] == [(("H100", "gpu7"), ("big8",))]
            assert settled[0].proposed.theirs == "big8"
        else:
            assert settled == ()
    by_case = replace(project, same=(Same(CLUSTER, "big8", "big8"),))
    assert [row.theirs for row in unmatched(by_case, families).questions] == [("gpu7",)]
    bare = project_of([("c1", None)], [("c1", "H100"), ("c1", "large")])
    assert unmatched(replace(bare, same=(Same(MODEL, "H100", "H100"),)), families).questions == ()


def test_a_partition_of_an_unmatched_cluster_is_proposed_and_has_its_own_row() -> None:
    """lab's queue Main had 5 GPU-hours and other 2; a queue of c1, which has contracts, is none of lab's."""
    project = project_of(*TWO_CLUSTERS)
    queues = (("c1", "main", 9 * GPU_HOUR), ("lab", "Main", 5 * GPU_HOUR), ("lab", "other", 2 * GPU_HOUR))
    known = replace(project, jobs=replace(project.jobs, queues=queues))
    (question,) = unmatched(known, gpu_families()).questions
    assert question.proposed == Same(CLUSTER, "lab/Main", "main") and question.is_of_partition
    assert question.theirs == ("lab",)
    text = str(asked_words(question))
    assert option_of(question.proposed) in text and option_of(Same(CLUSTER, "lab", "main")) not in text
    row = next(row for row in name_rows(known, gpu_families()) if row.name == "lab/Main")
    assert row == NameRow(
        kind=CLUSTER,
        name="lab/Main",
        log=Named(("lab/Main",), 5.0),
        contracts=Named(),
        prices=Named(),
        choices=("main",),
        proposed="main",
        is_akin=True,
    )
    of_c1 = replace(project, jobs=replace(project.jobs, queues=queues[:1]))
    assert [question.proposed.theirs for question in unmatched(of_c1, gpu_families()).questions] == ["lab"]


def test_contracts_of_the_log_count_and_without_any_those_of_the_first_month() -> None:
    project = project_of(*TWO_CLUSTERS)
    end_s = project.window.end_s
    later = tuple(replace(row, start_s=end_s, end_s=end_s + 9) for row in project.contracts)
    assert unmatched(replace(project, contracts=later), gpu_families()).contracts == {"k0"}
    beyond = tuple(replace(row, start_s=end_s + 730 * 3600) for row in project.contracts)
    for changed in ((), beyond):
        assert unmatched(replace(project, contracts=tuple(changed)), gpu_families()) is NOTHING_ASKED
    half = (later[0], project.contracts[1])
    assert not unmatched(replace(project, contracts=half), gpu_families()).is_any


def test_a_cluster_that_the_log_names_outside_the_window_is_logged() -> None:
    """Also under the project's name for it."""
    project = project_of([("c1", "H100")], [("main", "H100"), ("c1", "H100")])
    for same, clusters, unlogged in (
        ((), (), {"main"}),
        ((), ("main",), set()),
        ((), ("en",), {"main"}),
        ((Same(CLUSTER, "en", "main"),), ("en",), set()),
        ((Same(MODEL, "en", "main"),), ("en",), {"main"}),
    ):
        quality = DataQuality(jobs=1, hours=1, busy_hours=1, clusters=clusters)
        of = replace(project, same=same, jobs=replace(project.jobs, quality=quality))
        assert unmatched(of, gpu_families()).unlogged == unlogged


def test_models_have_the_names_of_log_contracts_and_prices() -> None:
    """3 GPU-hours as two names; two contracts, one of another word; offers of a name that only they use."""
    project = project_of([("c1", "H100")], [("c1", "H100"), ("c1", "H100"), ("c1", None)])
    first, second, nameless = project.contracts
    written = (("c1", "H100", GPU_HOUR), ("c1", "H100 SXM", 2 * GPU_HOUR))
    of = replace(
        project,
        contracts=(first, replace(second, gpu_model_written="h100x8"), nameless),
        offers=(offer("a", 0, 1.0, gpu_model="foo"), offer("b", 0, 1.0, gpu_model="B200")),
        jobs=replace(project.jobs, models_written=written),
    )
    models = [row for row in name_rows(of, gpu_families()) if row.kind is MODEL]
    assert models == [
        NameRow(
            kind=MODEL,
            name="H100",
            log=Named(("H100 SXM", "H100"), 3.0),
            contracts=Named(("H100", "h100x8"), 2.0),
            prices=Named(),
            choices=("foo",),
        ),
        NameRow(
            kind=MODEL,
            name="foo",
            log=Named(),
            contracts=Named(),
            prices=Named(("foo",), 1.0),
            choices=("H100",),
        ),
    ]


def test_clusters_have_the_names_that_files_write() -> None:
    project = project_of([("main", "H100"), ("", "H100")], [("main", "H100"), ("main", "H100")])
    first, second = project.contracts
    same = (Same(CLUSTER, "en", "main"), Same(CLUSTER, "own", "own"), Same(MODEL, "x", "main"))
    of = replace(project, same=same, contracts=(first, replace(second, cluster_written="prod")))
    rows = {row.name: row for row in name_rows(of, gpu_families()) if row.kind is CLUSTER}
    assert rows["main"].log == Named(("en",), 24.0)
    assert rows["main"].contracts == Named(("main", "prod"), 2.0)
    assert (rows[""].log, rows[""].choices, rows["main"].choices) == (Named(("",), 24.0), ("main",), ())


def test_names_with_figures_are_akin_where_the_table_knows_one() -> None:
    for theirs, ours, is_akin in (
        ("A100", "A100 80GB", True),
        ("gpu7", "foo9", False),
        ("gpu", "foo9", True),
        ("x-A100", "A100", True),
    ):
        rows = name_rows(project_of([("c1", theirs)], [("c1", ours)]), gpu_families())
        assert [row.is_akin for row in rows if row.proposed] == [is_akin]
