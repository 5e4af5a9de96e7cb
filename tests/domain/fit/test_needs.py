"""Needs that are asked for: those of the workloads of the row and of nobody else."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.fit.needs import NOTHING_ASKED, AskedNeeds, asked_needs, is_quoted_with
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window

TRAINED, SERVED = Row(Pool.TRAINING, "H100"), Row(Pool.INFERENCE, "H100")


def users(*of: Row, gpu_time: tuple[float, ...]) -> dict[Row, Floats]:
    return {row: np.array(gpu_time) for row in of}


def project_of(nodes: list[int | None], memory_gb: float | None = 80.0, **needs: NeedsSet) -> Project:
    """A workload w0, w1 ... on H100 for each of these most nodes, and one offer of H100."""
    entries = np.array([(place, 0, 0, 3_600_000) for place in range(len(nodes))], dtype=np.int64).T
    workloads = tuple(
        Workload(
            key=f"w{place}",
            name=f"w{place}",
            cluster="c",
            owner="t",
            label=1,
            jobs=1,
            gpu_jobs=3_600_000,
            max_nodes=most,
        )
        for place, most in enumerate(nodes)
    )
    offer = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=None,
        gpu_memory_gb=memory_gb,
    )
    return Project(
        window=Window(0, 1),
        cube=cube_from_entries(1, ("H100",), *entries),
        workloads=workloads,
        offers=(offer,),
        needs=needs,
    )


def test_a_network_is_asked_for_where_a_training_job_has_several_nodes_and_nowhere_else() -> None:
    project = project_of([4, 1, 4])
    seen = users(TRAINED, gpu_time=(1.0, 1.0, 0.0)) | users(SERVED, gpu_time=(0.0, 0.0, 1.0))
    found = asked_needs(project, seen, (TRAINED, SERVED))
    assert found == {TRAINED: AskedNeeds("infiniband", True, 80.0), SERVED: NOTHING_ASKED}
    single = asked_needs(project_of([1, None]), users(TRAINED, gpu_time=(1.0, 1.0)), (TRAINED,))
    assert single == {TRAINED: AskedNeeds(memory_gb=80.0)}
    bursts = Row(Pool.BURST, "H100")
    assert asked_needs(project_of([4]), users(bursts, gpu_time=(1.0,)), (bursts,)) == {bursts: NOTHING_ASKED}


def test_what_the_planner_says_counts() -> None:
    needs = NeedsSet(memory_gb_per_gpu=141.0, interconnect="roce_400", bare_metal=False)
    found = asked_needs(project_of([4], w0=needs), users(TRAINED, gpu_time=(1.0,)), (TRAINED,))
    assert found == {TRAINED: AskedNeeds("roce_400", False, 141.0)}
    on_one = asked_needs(
        project_of([1], w0=replace(needs, nodes=1)), users(TRAINED, gpu_time=(1.0,)), (TRAINED,)
    )
    assert on_one == {TRAINED: AskedNeeds(memory_gb=141.0)}


def test_no_more_memory_is_asked_for_than_the_model_is_sold_with() -> None:
    assert asked_needs(project_of([1], 40.0), users(TRAINED, gpu_time=(1.0,)), (TRAINED,)) == {
        TRAINED: NOTHING_ASKED
    }


def test_rows_without_workloads_ask_for_nothing_and_others_are_left_out() -> None:
    missing = Row(Pool.TRAINING, "A100")
    assert asked_needs(project_of([4]), users(TRAINED, gpu_time=(1.0,)), (missing,)) == {
        missing: NOTHING_ASKED
    }


def test_of_each_need_the_greater() -> None:
    one, other = AskedNeeds("roce_400", False, 80.0), AskedNeeds("infiniband", True, None)
    assert one.beside(other) == other.beside(one) == AskedNeeds("infiniband", True, 80.0)


ORDER: tuple[tuple[str | None, ...], ...] = (
    (None,), ("ethernet", "roce"), ("roce_400",), ("infiniband", "nvlink"),
)  # fmt: skip
"""Networks from any to the fastest; those in one place are as good as each other."""


@pytest.mark.parametrize(("place", "has"), [(place, one) for place, of in enumerate(ORDER) for one in of])
def test_networks_have_an_order(place: int, has: str | None) -> None:
    quoted = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=None,
        interconnect=has,
        source="Quote RFQ-20260901-AAAA R1",
    )
    for other, of in enumerate(ORDER):
        for asked in of:
            assert is_quoted_with(quoted, AskedNeeds(asked)) == (place >= other)
            together = AskedNeeds(has).beside(AskedNeeds(asked)).interconnect
            assert together == (has if place >= other else asked)


@pytest.mark.parametrize(
    ("wanted", "asked"),
    [("ethernet", None), ("roce", None)] + [(one, one) for one in ("roce_400", "infiniband", "nvlink")],
)
def test_a_network_that_every_vendor_has_is_not_asked_for(wanted: str, asked: str | None) -> None:
    spread = asked_needs(
        project_of([4], w0=NeedsSet(interconnect=wanted)), users(TRAINED, gpu_time=(1.0,)), (TRAINED,)
    )
    assert spread == {TRAINED: AskedNeeds(asked, True, 80.0)}
    served = asked_needs(
        project_of([4], w0=NeedsSet(interconnect=wanted)), users(SERVED, gpu_time=(1.0,)), (SERVED,)
    )
    assert served == {SERVED: AskedNeeds(asked)}


def test_a_quote_has_bare_metal_and_as_much_memory_as_is_asked_for() -> None:
    listed = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=None,
        gpu_memory_gb=80.0,
        bare_metal=False,
    )
    quoted = replace(listed, source="Quote RFQ-20260901-AAAA R1")
    assert is_quoted_with(quoted, AskedNeeds(memory_gb=80.0))
    assert not is_quoted_with(quoted, AskedNeeds(memory_gb=80.1))
    assert not is_quoted_with(quoted, AskedNeeds(bare_metal=True))
    assert is_quoted_with(replace(quoted, bare_metal=True), AskedNeeds(bare_metal=True))
    assert is_quoted_with(listed, AskedNeeds("nvlink", True, 141.0))  # a list answers no request


def test_memory_is_asked_for_where_the_model_has_as_much_as_training_takes() -> None:
    for sold, asked in ((79.9, None), (80.0, 80.0), (141.0, 80.0)):
        found = asked_needs(project_of([1], sold), users(TRAINED, gpu_time=(1.0,)), (TRAINED,))
        assert found == {TRAINED: AskedNeeds(memory_gb=asked)}
