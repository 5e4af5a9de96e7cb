"""What is one though it has two names: of two decisions of one name the later counts, and the names tell the kind."""

import pytest

from gpuplanner.domain.edits import say_same, take_back_same
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.cube import empty_cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.same import (
    Same,
    SameKind,
    StatedSame,
    name_of_nobody,
    names_of,
    with_kind,
    with_same,
)
from gpuplanner.domain.model.window import Window

SXM = Same(SameKind.MODEL, "H100 SXM", "H100")
EN = Same(SameKind.CLUSTER, "en", "main")


def test_the_later_of_two_decisions_of_a_name_counts_and_all_are_sorted() -> None:
    other = Same(SameKind.MODEL, "h100 sxm", "H200")
    assert with_same((SXM,), (other, EN)) == (EN, other)
    assert with_same((EN, SXM), ()) == with_same((), (SXM, EN)) == (EN, SXM)


def test_models_are_found_without_regard_to_case_and_clusters_as_written() -> None:
    assert names_of([SXM, EN], SameKind.MODEL) == {"h100 sxm": "H100"}
    assert names_of((SXM, Same(SameKind.CLUSTER, "EN", "main")), SameKind.CLUSTER) == {"EN": "main"}


def test_the_names_tell_the_kind() -> None:
    said = [StatedSame(None, "H100 SXM", "H100"), StatedSame(None, "en", "main"), StatedSame(None, "a", "b")]
    found = [with_kind(one, lambda name: name == "H100", lambda name: name == "main") for one in said]
    assert [one.kind for one in found] == [*SameKind]
    model = with_kind(StatedSame(SameKind.MODEL, "en", "main"), lambda _: False, lambda _: True)
    assert model.kind is SameKind.MODEL


@pytest.mark.parametrize(
    ("there", "known", "nobody"),
    [("en main", "", None), ("en", "main", None), ("main", "en", "en"), ("en", "", "main"), ("", "", "en")],
)
def test_both_names_have_to_be_somebodys(there, known, nobody) -> None:
    assert name_of_nobody(EN, there.split().__contains__, is_known=bool(known)) == nobody
    own = Same(SameKind.CLUSTER, "en", "en")
    assert name_of_nobody(own, there.split().__contains__) == (None if "en" in there.split() else "en")


def test_only_a_cluster_may_have_no_name() -> None:
    assert with_same((), [Same(SameKind.CLUSTER, "", "main")])
    for same in (Same(SameKind.MODEL, "", "H100"), Same(SameKind.CLUSTER, "en", "")):
        with pytest.raises(PlannerError, match="a name is empty"):
            with_same((), [same])


def test_a_decision_said_and_taken_back_leaves_the_project_as_it_was() -> None:
    project = Project(Window(0, 24), empty_cube(24))
    said = say_same(project, (EN, SXM))
    assert said.same == (EN, SXM)
    assert say_same(said, (SXM,)) is said
    assert take_back_same(said, (EN, SXM)).same == project.same
    assert take_back_same(project, (EN,)) is project
