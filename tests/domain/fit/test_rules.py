"""The traffic-light table, row by row, at its boundaries; and the same rows as the plan asks them of offers."""

import pytest

from gpuplanner.domain.fit import rules
from gpuplanner.domain.fit.rules import Light, Need, eligible_offers, hardware_fit
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.remark import taken_as_quoted
from gpuplanner.domain.model.tables import Pool, PricingCategory

RED, AMBER, GREEN = Light.RED, Light.AMBER, Light.GREEN
INTERCONNECTS = ("infiniband", "nvlink", "roce_400", "roce", "ethernet", None)


@pytest.mark.parametrize(
    ("has_gb", "light"),
    [
        (79, RED),
        (79.99, RED),
        (80, AMBER),
        (140, AMBER),
        (140.9, AMBER),
        (141, GREEN),
        (192, GREEN),
        (None, AMBER),
    ],
)
def test_training_memory_is_red_under_80_and_green_from_141(has_gb, light):
    assert rules.training_memory(has_gb)[0] is light


@pytest.mark.parametrize(("has_gb", "light"), [(39.9, RED), (40, GREEN), (141, GREEN), (None, AMBER)])
def test_a_memory_set_by_the_planner_is_the_only_line(has_gb, light):
    assert rules.training_memory(has_gb, 40)[0] is light


def test_what_it_runs_on_may_be_renewed():
    assert rules.training_memory(48, renews=True)[0] is AMBER
    assert rules.training_memory(48)[0] is RED


@pytest.mark.parametrize(
    ("has", "light"),
    [
        ("infiniband", GREEN),
        ("nvlink", GREEN),
        ("roce_400", AMBER),  # 400 Gb/s and more per node
        ("roce", RED),  # 399 Gb/s and less: as Ethernet
        ("ethernet", RED),
        (None, AMBER),
    ],
)
def test_interconnect_of_several_nodes(has, light):
    assert rules.training_interconnect(has, several_nodes=True)[0] is light
    assert rules.training_interconnect(has, several_nodes=False) == (GREEN, "")


@pytest.mark.parametrize(
    ("word", "gbps", "rdma", "light"),
    [
        ("infiniband", 399, None, RED),  # Ethernet's column, whatever it is called
        ("infiniband", 400, None, GREEN),
        ("infiniband", 3200, False, AMBER),
        ("infiniband", None, False, AMBER),
        ("roce", 3200, True, AMBER),
        ("ethernet", 800, False, AMBER),
        ("ethernet", None, False, RED),
        (None, 800, True, AMBER),
        (None, 100, True, RED),
    ],
)
def test_gigabits_and_rdma_come_before_the_word(word, gbps, rdma, light):
    offer = Offer(
        offer_id="x",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        gpu_memory_gb=192,
        bare_metal=True,
        interconnect=word,
        nic_gbps=gbps,
        rdma=rdma,
    )
    found, reasons = hardware_fit(offer, Need(Pool.TRAINING, "H100", several_nodes=True))
    assert found is light
    assert hardware_fit(offer, Need(Pool.TRAINING, "H100")).light is GREEN
    if gbps and light is not GREEN:
        but = ", no InfiniBand with RDMA" if gbps >= 400 else ""
        assert [str(one) for one in reasons] == [f"{gbps:,} Gb/s per node, several nodes{but}"]


@pytest.mark.parametrize("needs", ["ethernet", "roce", "roce_400", "infiniband", "nvlink"])
@pytest.mark.parametrize("has", INTERCONNECTS)
def test_a_lower_need_set_by_the_planner_never_makes_the_light_worse(has, needs):
    by_table = rules.training_interconnect(has, several_nodes=True)[0]
    by_planner = rules.training_interconnect(has, several_nodes=True, needs=needs)[0]
    assert by_planner <= by_table
    if has == needs:
        assert by_planner is GREEN


def test_roce_at_400_is_enough_where_the_planner_says_so():
    assert rules.training_interconnect("roce_400", several_nodes=True, needs="roce_400")[0] is GREEN
    assert rules.training_interconnect("ethernet", several_nodes=True, needs="roce_400")[0] is RED
    assert rules.training_interconnect("roce_400", several_nodes=True, needs="infiniband")[0] is AMBER
    assert rules.training_interconnect(None, several_nodes=True, needs="ethernet")[0] is GREEN


@pytest.mark.parametrize(
    ("has", "several", "light"),
    [
        (True, True, GREEN),
        (True, False, GREEN),
        (False, True, RED),
        (False, False, AMBER),
        (None, True, AMBER),
    ],
)
def test_bare_metal(has, several, light):
    assert rules.training_bare_metal(has, several_nodes=several)[0] is light
    assert rules.training_bare_metal(has, several_nodes=several, needs=False)[0] is GREEN


def test_shared_cluster():
    assert rules.training_cluster(is_shared=False, contended_gpu_hours=0)[0] is GREEN
    assert rules.training_cluster(is_shared=True, contended_gpu_hours=0)[0] is AMBER
    assert rules.training_cluster(is_shared=True, contended_gpu_hours=0.1)[0] is RED
    assert rules.training_cluster(is_shared=True, contended_gpu_hours=9, needs=False)[0] is GREEN


@pytest.mark.parametrize(
    ("needs_gb", "has_gb", "light"),
    [
        (72, 80, GREEN),  # exactly 90% full
        (0.9 * 282, 282, GREEN),
        (72.1, 80, AMBER),
        (80, 80, AMBER),  # exactly full still fits
        (80.01, 80, RED),
        (140, None, AMBER),
    ],
)
def test_a_served_model_fits_up_to_full_and_well_up_to_90_percent(needs_gb, has_gb, light):
    assert rules.served_memory(needs_gb, has_gb)[0] is light


@pytest.mark.parametrize("has", INTERCONNECTS)
def test_inference_pays_for_infiniband_alone(has):
    assert rules.served_interconnect(has)[0] is (AMBER if has == "infiniband" else GREEN)
    assert rules.served_interconnect(has, is_needed=True)[0] is GREEN


@pytest.mark.parametrize(
    ("term", "active", "light"),
    [(0, 0, GREEN), (100, 100, GREEN), (101, 100, AMBER), (float("inf"), 9e4, AMBER)],
)
def test_burst_is_released_when_done(term, active, light):
    assert rules.burst_term(term, active)[0] is light


def test_every_light_that_is_not_green_has_a_reason():
    answers = [
        *(rules.training_memory(gb) for gb in (None, 1, 100, 200)),
        *(rules.training_interconnect(name, several_nodes=True) for name in INTERCONNECTS),
        *(
            rules.training_bare_metal(bare, several_nodes=many)
            for bare in (True, False, None)
            for many in (True, False)
        ),
        *(rules.served_memory(gb, 80) for gb in (10, 79, 90)),
        *(rules.burst_term(term, 5) for term in (0, 6)),
    ]
    assert all((light is GREEN) == (str(reason) == "") for light, reason in answers)


@pytest.mark.parametrize("interconnect", INTERCONNECTS)
@pytest.mark.parametrize("bare_metal", [True, False, None])
@pytest.mark.parametrize("memory", [79, 80, 140, 141, None])
def test_offers_are_asked_the_same_rows(memory, bare_metal, interconnect):
    """As docs/formulas/hardware-fit.md states: no light of a pool differs from the worst of the table's rows."""
    offer = Offer(
        offer_id="o",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=None,
        gpu_memory_gb=memory,
        bare_metal=bare_metal,
        interconnect=interconnect,
    )
    for model, several in ((None, True), (None, False), ("H100", True), ("H100", False)):
        rows = (
            rules.training_memory(memory, renews=model is not None),
            rules.training_interconnect(interconnect, several_nodes=several),
            rules.training_bare_metal(bare_metal, several_nodes=several),
        )
        light, reasons = hardware_fit(offer, Need(Pool.TRAINING, model, several))
        assert light is max(row[0] for row in rows)
        assert reasons == tuple(row[1] for row in rows if row[0] is not GREEN)
    assert hardware_fit(offer, Need(Pool.BURST, "H100", True)) == (GREEN, ())
    assert (
        hardware_fit(offer, Need(Pool.INFERENCE, "H100", True)).light
        is rules.served_interconnect(interconnect)[0]
    )


@pytest.mark.parametrize("source", ["Noted in vela.csv; plus VAT", "Quote RFQ-20260930-7C1E R1; plus VAT"])
def test_a_commitment_that_is_undecided_serves_nobody_until_it_is_taken(source):
    """Whatever counts offers counts none that the award leaves to the buyer; what is paid by use is never signed."""
    need = Need(Pool.BURST, "H100")
    waits = Offer(
        offer_id="a",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=None,
        source=source,
    )
    taken = taken_as_quoted(waits)
    by_use = Offer(
        offer_id="b",
        gpu_model="H100",
        pricing_category=PricingCategory.STANDARD,
        term_months=0,
        rate_usd_per_gpu_hour=None,
        source="Noted in vela.csv; plus VAT",
    )
    assert eligible_offers((waits, by_use), need) == (by_use,)
    assert eligible_offers((taken,), need) == (taken,)
